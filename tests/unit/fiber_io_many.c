/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 10,000 fibers that wait for sockets need no thread but the workers, and no processor. All go on when their bytes
 * come; others end by cancellation. Both ways.
 */
#define _GNU_SOURCE
#include "../fixtures/fiber/ways.h"

#include <sys/resource.h>

enum { MANY = 10000, WORKERS = 2 };

static int fds[MANY]; /* both ends of each pair wait */
static struct filch_fiber *fibers[MANY];
static atomic_int waiting;

static int receive(void *fd, void **result)
{
	char c;

	(void)result;
	atomic_fetch_add(&waiting, 1);
	return (int)filch_io_recv(*(int *)fd, &c, 1, 0);
}

static int count_threads(void)
{
	DIR *d = opendir("/proc/self/task");
	int count = -2;

	TEST_CHECK(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The workers fall asleep some time after the last fiber has begun to wait. */
static void idles(void)
{
	uint64_t used;
	int tries = 0;

	do {
		used = cpu_ns();
		usleep(200000);
		used = cpu_ns() - used;
		TEST_CHECK(++tries < 50);
	} while (used > 20000000);
}

static void one_way(void)
{
	begin_pool(NULL, WORKERS, 0);
	atomic_store(&waiting, 0);
	for (int i = 0; i < MANY; i += 2)
		TEST_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, &fds[i]) == 0);
	for (int i = 0; i < MANY; i++)
		fibers[i] = go(receive, &fds[i]);
	while (atomic_load(&waiting) < MANY)
		usleep(1000);
	idles();
	printf("%d fibers wait, %d threads\n", MANY, count_threads());
	TEST_CHECK(count_threads() == WORKERS + 1);
	/* Even ones get a byte, odd ones are cancelled. */
	for (int i = 0; i < MANY; i += 2) {
		TEST_CHECK(send(fds[i + 1], "m", 1, 0) == 1);
		filch_fiber_cancel(fibers[i + 1]);
	}
	for (int i = 0; i < MANY; i++)
		TEST_CHECK(join(fibers[i]) == (i % 2 ? -ECANCELED : 1));
	for (int i = 0; i < MANY; i++)
		close(fds[i]);
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	struct rlimit limit;

	TEST_CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	if (limit.rlim_max < 3 * MANY) {
		limit.rlim_max = 3 * MANY;
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit))
			getrlimit(RLIMIT_NOFILE, &limit);
	}
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur < MANY + 100) {
		printf("skipped: the limit of descriptors is %lu\n", (unsigned long)limit.rlim_cur);
		return TEST_SKIP;
	}
	both_ways(one_way);
	return 0;
}
