/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of I/O in batches: 16 fibers of one worker do the same again and again. Beside them the plain system
 * calls, in as many fibers, which never wait there.
 */
#define _GNU_SOURCE
#include "fiber.h"

#include "../../../fiber/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <filch.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 4096, EACH = 100 };

static int file = -1;
static char blocks[FILCHI_FIBER_BATCH][BLOCK];
static int (*operation)(unsigned i);

/* ---- operations: 0 or -errno ---- */

static int whole(intptr_t n)
{
	return n == BLOCK ? 0 : n < 0 ? (int)n : -EIO;
}

static int nop_ring(unsigned i)
{
	struct filchi_request q = {.code = FILCHI_IO_NOP, .fd = -1};

	(void)i;
	return (int)filchi_io_drive_in_ring(&q, FILCHI_FIBER_NEVER);
}

static int nop_call(unsigned i)
{
	(void)i;
	(void)getppid();
	return 0;
}

static int read_ring(unsigned i)
{
	struct filchi_request q = {.code = FILCHI_IO_READ, .fd = file, .data = blocks[i], .size = BLOCK};

	return whole(filchi_io_drive_in_ring(&q, FILCHI_FIBER_NEVER));
}

static int read_fiber(unsigned i)
{
	return whole(filch_io_read(file, blocks[i], BLOCK, 0));
}

static int read_call(unsigned i)
{
	return whole(pread(file, blocks[i], BLOCK, 0));
}

static int open_fiber(unsigned i)
{
	int fd = filch_io_openat(AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC, 0);

	(void)i;
	return fd < 0 ? fd : filch_io_close(fd);
}

static int open_call(unsigned i)
{
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)i;
	return fd < 0 || close(fd) ? -errno : 0;
}

/* ---- samples ---- */

static int repeat(void *number, void **result)
{
	unsigned i = (unsigned)(uintptr_t)number;
	uintptr_t done = 0;
	int err = 0;

	do
		for (int n = 0; n < EACH && !err; n++, done++)
			err = operation(i);
	while (!err && !filchi_fiber_time_over());
	*result = (void *)done;
	return err;
}

static int loop(uint64_t *operations)
{
	struct filch_fiber *fibers[FILCHI_FIBER_BATCH];
	unsigned started = 0;
	int err = 0;

	while (started < FILCHI_FIBER_BATCH && !err) {
		err = filch_fiber_start(&fibers[started], NULL, repeat, (void *)(uintptr_t)started, NULL);
		started += !err;
	}
	while (started) {
		void *done = NULL;
		int failed = filch_fiber_join(fibers[--started], &done);

		*operations += (uintptr_t)done;
		err = err ? err : failed;
	}
	return err;
}

static int sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error,
		  int (*fn)(unsigned i))
{
	char name[] = "/tmp/filch-bench-XXXXXX";
	int err;

	file = mkstemp(name);
	if (file < 0 || unlink(name) || write(file, blocks[0], BLOCK) != BLOCK)
		return filchi_fiber_fail(error, -errno, name);
	operation = fn;
	err = filchi_fiber_time(c, values, error, loop);
	close(file);
	return err;
}

#define SAMPLE(name)                                                                                                   \
	static int sample_##name(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)  \
	{                                                                                                              \
		return sample(c, values, error, name);                                                                 \
	}
SAMPLE(nop_ring)
SAMPLE(nop_call)
SAMPLE(read_ring)
SAMPLE(read_fiber)
SAMPLE(read_call)
SAMPLE(open_fiber)
SAMPLE(open_call)

#define CASE(subject_, measure_, fn)                                                                                   \
	{                                                                                                              \
		.subject = subject_, .measure = measure_, .metrics = filchi_fiber_times,                               \
		.metric_count = FILCHI_FIBER_TIMES, .run = sample_##fn                                                 \
	}
static const struct filchi_bench_case cases[] = {
	CASE("ring", "nop", nop_ring),	   CASE("call", "nop", nop_call),   CASE("ring", "read", read_ring),
	CASE("fiber", "read", read_fiber), CASE("call", "read", read_call), CASE("fiber", "open", open_fiber),
	CASE("call", "open", open_call),
};
const struct filchi_fiber_cases filchi_fiber_io_cases = {cases, sizeof(cases) / sizeof(cases[0])};
