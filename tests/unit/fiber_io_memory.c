/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each allocation of a pool, of its fibers and of their I/O is refused in turn. Each call then succeeds, or returns
 * -ENOMEM. Nothing hangs, and no descriptor is left. Both ways.
 */
#define _GNU_SOURCE
#include "../fixtures/fiber/ways.h"
#include "../fixtures/out_of_memory.h"

static int ends[2], file;

static int operate(void *arg, void **result)
{
	char c = 0;
	ssize_t n = filch_io_recv_for(ends[0], &c, 1, 0, 1000);
	int err;

	(void)arg, (void)result;
	TEST_CHECK(n == -ETIMEDOUT || n == -ENOMEM);
	err = filch_io_fsync(file, 0);
	TEST_CHECK(err == 0 || err == -ENOMEM);
	TEST_CHECK(send(ends[1], "x", 1, 0) == 1);
	TEST_CHECK(filch_io_recv(ends[0], &c, 1, 0) == 1 && c == 'x');
	return 7;
}

static void run(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 1, .stack = 1 << 20};
	struct filch_fiber *f;
	int err = filch_start(&o);

	if (err) {
		TEST_CHECK(err == -ENOMEM || err == -EAGAIN);
		return;
	}
	err = filch_fiber_start(&f, NULL, operate, NULL, NULL);
	TEST_CHECK(err == 0 || err == -ENOMEM);
	if (!err) {
		err = filch_fiber_join(f, NULL);
		TEST_CHECK(err == 7 || err == -ENOMEM); /* -ENOMEM: it got no stack */
	}
	TEST_CHECK(filch_stop() == 0);
}

static void one_way(void)
{
	int before = count_descriptors();
	unsigned n = 0;

	/* The mappings of a pool are trimmed, so they are not counted here. ASan finds memory that was not freed. */
	do {
		out_of_memory_at(++n);
		run();
	} while (out_of_memory_happened());
	out_of_memory_at(0);
	printf("%u refusals\n", n - 1);
	TEST_CHECK(count_descriptors() == before);
}

int main(void)
{
	char name[] = "fiber_io_memory_XXXXXX";

	TEST_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	file = mkstemp(name);
	TEST_CHECK(file >= 0 && unlink(name) == 0);
	both_ways(one_way);
	return 0;
}
