/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O of fibers: processor time of operations in the ring of one worker, in batches of as many fibers, beside the plain
 * system calls; and an echo server beside one with epoll. Contenders take turns in each round, so that a change of the
 * machine affects them alike. Prints medians as JSON.
 */
#define _GNU_SOURCE
#include "speed.h"

#include "../../../fiber/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ROUNDS = 101, BATCH = 16, BLOCK = 4096 };

void check(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "fiber_io_speed: %s: %s\n", what, err < 0 ? strerror(-err) : filch_error_message());
	exit(1);
}

static uint64_t time_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t cpu_ns(void)
{
	return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t clock_ns(void)
{
	return time_of(CLOCK_MONOTONIC);
}

/* ---- operations ---- */

static int file;
static long each; /* operations of one fiber */
static char blocks[BATCH][BLOCK];

static void nop_ring(unsigned i)
{
	struct filchi_request q = {.code = FILCHI_IO_NOP, .fd = -1};

	(void)i;
	check((int)filchi_io_drive_in_ring(&q, UINT64_MAX), "nop");
}

static void nop_call(unsigned i)
{
	(void)i;
	(void)getppid();
}

static void read_ring(unsigned i)
{
	struct filchi_request q = {.code = FILCHI_IO_READ, .fd = file, .data = blocks[i], .size = BLOCK};

	check(filchi_io_drive_in_ring(&q, UINT64_MAX) != BLOCK, "read");
}

static void read_fiber(unsigned i)
{
	check(filch_io_read(file, blocks[i], BLOCK, 0) != BLOCK, "read");
}

static void read_call(unsigned i)
{
	check(pread(file, blocks[i], BLOCK, 0) != BLOCK, "read");
}

static void open_fiber(unsigned i)
{
	int fd = filch_io_openat(AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC, 0);

	(void)i;
	check(fd < 0 ? fd : 0, "open");
	check(filch_io_close(fd), "close");
}

static void open_call(unsigned i)
{
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)i;
	check(fd < 0 ? -errno : 0, "open");
	check(close(fd), "close");
}

static const struct {
	const char *name;
	void (*run)(unsigned i);
} operations[] = {{"nop_ring", nop_ring},	 {"nop_call", nop_call},      {"read_4k_ring", read_ring},
		  {"read_4k_fiber", read_fiber}, {"read_4k_call", read_call}, {"open_close_fiber", open_fiber},
		  {"open_close_call", open_call}};
enum { OPERATIONS = sizeof(operations) / sizeof(*operations) };

struct turn {
	void (*run)(unsigned i);
	unsigned number;
};

static int repeat(void *arg, void **result)
{
	const struct turn *t = arg;

	(void)result;
	for (long i = 0; i < each; i++)
		t->run(t->number);
	return 0;
}

/* The fiber that starts the others in their worker, so that none of them runs alone. */
static int start_all(void *arg, void **result)
{
	struct turn turns[BATCH];
	struct filch_fiber *fibers[BATCH];
	uint64_t before = cpu_ns();

	for (unsigned i = 0; i < BATCH; i++) {
		turns[i] = (struct turn){.run = operations[*(size_t *)arg].run, .number = i};
		check(filch_fiber_start(&fibers[i], NULL, repeat, &turns[i], NULL), "start");
	}
	for (unsigned i = 0; i < BATCH; i++)
		check(filch_fiber_join(fibers[i], NULL), "join");
	*result = (void *)(uintptr_t)(cpu_ns() - before);
	return 0;
}

static double measure(size_t operation)
{
	struct filch_fiber *f;
	void *ns;

	check(filch_fiber_start(&f, NULL, start_all, &operation, NULL), "start");
	check(filch_fiber_join(f, &ns), "join");
	return (double)(uintptr_t)ns / (double)(each * BATCH);
}

/* ---- the program ---- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return values[count / 2];
}

static void measure_operations(int rounds)
{
	static double ns[OPERATIONS][MAX_ROUNDS];
	struct filch_options o = {.struct_size = sizeof(o), .workers = 1};
	char name[] = "/tmp/fiber_io_XXXXXX";

	file = mkstemp(name);
	check(file < 0 || unlink(name) || write(file, blocks[0], BLOCK) != BLOCK ? -errno : 0, name);
	check(filch_start(&o), "start");
	for (int r = -1; r < rounds; r++) /* the first round warms up */
		for (size_t i = 0; i < OPERATIONS; i++)
			ns[i][r < 0 ? 0 : r] = measure(i);
	check(filch_stop(), "stop");
	close(file);
	for (size_t i = 0; i < OPERATIONS; i++)
		printf("\t\"%s_cpu_ns\": %.0f,\n", operations[i].name, median(ns[i], rounds));
}

static void measure_echo(int rounds, unsigned connections, double seconds)
{
	static const char *const names[ECHO_KINDS] = {"epoll", "fibers"};
	static double rate[ECHO_KINDS][MAX_ROUNDS], cpu[ECHO_KINDS][MAX_ROUNDS];

	for (int r = 0; r < rounds; r++)
		for (int kind = 0; kind < ECHO_KINDS; kind++) {
			struct echo_result e = echo_measure((enum echo_kind)kind, connections, seconds);

			rate[kind][r] = e.per_second;
			cpu[kind][r] = e.cpu_ns;
		}
	for (int kind = 0; kind < ECHO_KINDS; kind++) {
		printf("\t\"echo_%u_%s_per_second\": %.0f,\n", connections, names[kind], median(rate[kind], rounds));
		printf("\t\"echo_%u_%s_cpu_ns\": %.0f,\n", connections, names[kind], median(cpu[kind], rounds));
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	double seconds = argc > 2 ? atof(argv[2]) : 0.3;
	const char *reason;

	each = argc > 3 ? atol(argv[3]) : 2000;
	if (rounds < 1 || rounds > MAX_ROUNDS || seconds <= 0 || each < 1) {
		fprintf(stderr, "usage: fiber_io_speed [ROUNDS [SECONDS [OPERATIONS]]]\n");
		return 2;
	}
	(void)filch_io_way(&reason);
	printf("{\n\t\"way\": \"%s\",\n\t\"batch\": %d,\n", reason, BATCH);
	measure_echo(rounds, 1, seconds);
	measure_echo(rounds, 64, seconds);
	measure_echo(rounds, 1000, seconds);
	measure_operations(rounds);
	printf("\t\"rounds\": %d\n}\n", rounds);
	return 0;
}
