/* SPDX-License-Identifier: Apache-2.0 */
/* An external thread takes part in its own loops: it borrows a sleeping worker. */
#define _GNU_SOURCE
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <filch/algo.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ELEMENTS = 20000 };

/* Where a loop ran. Some thread runs each element once. */
struct seen {
	pthread_t caller;
	atomic_uint here, elsewhere, wrong;
	unsigned workers;
	uint8_t times[ELEMENTS];
};

static void look(size_t from, size_t to, void *arg)
{
	struct seen *s = arg;
	int worker = filch_worker_id();

	if (worker < 0 || (unsigned)worker >= s->workers)
		atomic_fetch_add(&s->wrong, 1);
	atomic_fetch_add(pthread_equal(pthread_self(), s->caller) ? &s->here : &s->elsewhere, (unsigned)(to - from));
	for (size_t i = from; i < to; i++)
		s->times[i]++;
}

static void run(struct seen *s)
{
	memset(s, 0, sizeof(*s));
	s->caller = pthread_self();
	s->workers = filch_pool_workers(NULL);
	TEST_CHECK(filch_worker_id() == -1);
	TEST_CHECK(filch_for(NULL, 0, ELEMENTS, 0, look, s) == 0);
	TEST_CHECK(filch_worker_id() == -1);
	TEST_CHECK(s->wrong == 0 && s->here + s->elsewhere == ELEMENTS);
	for (size_t i = 0; i < ELEMENTS; i++)
		TEST_CHECK(s->times[i] == 1);
}

static void start(int workers, const char *deque, const char *wait)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = workers, .deque = deque, .wait = wait, .stack = 1 << 20};

	TEST_CHECK(filch_start(&options) == 0);
}

/* The caller borrows a worker as soon as one sleeps. */
static void takes_part(void)
{
	static const int workers[] = {1, 2, 8};
	static struct seen s;

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		start(workers[i], NULL, NULL);
		do
			run(&s);
		while (!s.here);
		if (workers[i] == 1)
			TEST_CHECK(s.here == ELEMENTS);
		TEST_CHECK(filch_stop() == 0);
	}
}

/* A pool whose kind of deque is FIFO for its owner has no task stack: its workers run the whole loop. */
static void all_kinds(void)
{
	static struct seen s;

	for (unsigned i = 0; i < filch_deque_kind_count(); i++) {
		const struct filch_deque_info *kind = filch_deque_kind_info(i);

		start(3, kind->name, NULL);
		for (int round = 0; round < 200; round++) {
			run(&s);
			if (kind->owner_order != FILCH_LIFO)
				TEST_CHECK(s.here == 0);
		}
		TEST_CHECK(filch_stop() == 0);
	}
}

static void hook(int worker, void *context)
{
	(void)worker;
	(void)context;
}

/* A worker that has run a hook, or that never sleeps, cannot be borrowed: workers run the whole loop. */
static void not_here(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .worker_begin = hook};
	static struct seen s;

	TEST_CHECK(filch_start(&options) == 0);
	for (int round = 0; round < 100; round++) {
		run(&s);
		TEST_CHECK(s.here == 0);
	}
	TEST_CHECK(filch_stop() == 0);
	start(2, NULL, "latency");
	for (int round = 0; round < 100; round++) {
		run(&s);
		TEST_CHECK(s.here == 0);
	}
	TEST_CHECK(filch_stop() == 0);
}

/* ---- an external thread may do with a borrowed worker whatever a worker may do ---- */

static int answer(void *arg, void **result)
{
	*result = arg;
	return 0;
}

static void submit(size_t from, size_t to, void *futures)
{
	for (size_t i = from; i < to; i++)
		TEST_CHECK(filch_pool_submit(NULL, answer, NULL, (struct filch_future **)futures + i) == 0);
	TEST_CHECK(filch_stop() == -EDEADLK);
}

/* Other workers run the jobs that the external thread has left in the deque. */
static void submits(void)
{
	static const char *const deques[] = {"split", "chase_lev", "bwos_lifo", "locked"};
	struct filch_future *futures[16];

	for (size_t i = 0; i < sizeof(deques) / sizeof(deques[0]); i++)
		for (int workers = 1; workers < 4; workers++) {
			start(workers, deques[i], NULL);
			for (int round = 0; round < 50; round++) {
				TEST_CHECK(filch_for(NULL, 0, 16, 1, submit, futures) == 0);
				for (int k = 0; k < 16; k++) {
					TEST_CHECK(filch_future_wait(futures[k], NULL) == 0);
					filch_future_destroy(futures[k]);
				}
			}
			TEST_CHECK(filch_stop() == 0);
		}
}

static struct filch_local *local;

static void count(size_t from, size_t to, void *unused)
{
	uint64_t *mine = filch_local_get(local);

	(void)unused;
	TEST_CHECK(mine);
	*mine += to - from; /* no other thread has this storage */
}

static void add_up(void *storage, void *sum)
{
	*(uint64_t *)sum += *(uint64_t *)storage;
}

static void storage(void)
{
	uint64_t sum = 0;

	start(3, NULL, NULL);
	TEST_CHECK(filch_local_create(&local, NULL, sizeof(uint64_t), NULL, add_up, &sum) == 0);
	for (size_t round = 0; round < 500; round++)
		TEST_CHECK(filch_for(NULL, 0, 1000, round % 2, count, NULL) == 0);
	filch_local_destroy(local);
	TEST_CHECK(sum == 500000);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- several ---- */

static atomic_int arrived;

static void meet(size_t from, size_t to, void *all)
{
	(void)from;
	(void)to;
	atomic_fetch_add(&arrived, 1);
	test_await(&arrived, *(int *)all);
}

static void *come(void *all)
{
	TEST_CHECK(filch_for(NULL, 0, 1, 1, meet, all) == 0);
	return NULL;
}

/* With enough workers all loops run at once: in the caller, or submitted to a worker. */
static void at_once(void)
{
	int all = 3;

	start(all, NULL, NULL);
	for (int round = 0; round < 200; round++) {
		pthread_t threads[2];

		atomic_store(&arrived, 0);
		for (int i = 0; i < 2; i++)
			TEST_CHECK(pthread_create(&threads[i], NULL, come, &all) == 0);
		come(&all);
		for (int i = 0; i < 2; i++)
			TEST_CHECK(pthread_join(threads[i], NULL) == 0);
	}
	TEST_CHECK(filch_stop() == 0);
}

static int rendezvous(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add(&arrived, 1);
	test_await(&arrived, *(int *)arg);
	return 0;
}

static void submit_second(size_t from, size_t to, void *futures)
{
	static int two = 2;

	(void)from;
	(void)to;
	TEST_CHECK(filch_pool_submit(NULL, rendezvous, &two, (struct filch_future **)futures + 1) == 0);
}

/*
 * One worker waits for a second job. An external thread borrows the other worker and submits that job. When the thread
 * gives the worker back, the worker must wake and run it.
 */
static void makes_room(void)
{
	int two = 2;

	start(2, NULL, NULL);
	for (int round = 0; round < 500; round++) {
		struct filch_future *futures[2];

		atomic_store(&arrived, 0);
		TEST_CHECK(filch_pool_submit(NULL, rendezvous, &two, &futures[0]) == 0);
		TEST_CHECK(filch_for(NULL, 0, 1, 1, submit_second, futures) == 0);
		for (int i = 0; i < 2; i++) {
			TEST_CHECK(filch_future_wait(futures[i], NULL) == 0);
			filch_future_destroy(futures[i]);
		}
	}
	TEST_CHECK(filch_stop() == 0);
}

/* ---- cancelled ---- */

static atomic_int in_body;

static void sleep_in_body(size_t from, size_t to, void *unused)
{
	(void)unused;
	atomic_store(&in_body, 1);
	for (size_t i = from; i < to; i++)
		usleep(1000); /* a cancellation point */
}

static void *sleep_in_loop(void *unused)
{
	TEST_CHECK(filch_for(NULL, 0, 50, 1, sleep_in_body, NULL) == 0);
	pthread_testcancel();
	return unused;
}

/* A thread cannot be cancelled while it borrows a worker, but right after. */
static void cancelled(void)
{
	static struct seen s;

	start(2, NULL, NULL);
	for (int round = 0; round < 3; round++) {
		pthread_t thread;
		void *result;

		do
			run(&s);
		while (!s.here);
		atomic_store(&in_body, 0);
		TEST_CHECK(pthread_create(&thread, NULL, sleep_in_loop, NULL) == 0);
		test_await(&in_body, 1);
		TEST_CHECK(pthread_cancel(thread) == 0);
		TEST_CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	}
	run(&s);
	TEST_CHECK(filch_stop() == 0);
}

enum { TIMES = 200 };

/* The thread runs on the first of its processors from here on. Returns its processors from before. */
static cpu_set_t keep_first(void)
{
	cpu_set_t all, one;
	size_t first = 0;

	TEST_CHECK(sched_getaffinity(0, sizeof(all), &all) == 0);
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	TEST_CHECK(sched_setaffinity(0, sizeof(one), &one) == 0);
	return all;
}

/* Some of the loops must run here. */
static void run_often(void)
{
	static struct seen s;
	int here = 0;

	for (int i = 0; i < TIMES; i++) {
		run(&s);
		here += s.here > 0;
	}
	TEST_CHECK(here > TIMES / 10);
}

/*
 * On one processor, the loop that was submitted ends and wakes the caller before the worker sleeps. The caller must let
 * the worker fall asleep. Otherwise it would submit the next loop as well, and no loop would ever run here.
 */
static void one_processor(void)
{
	cpu_set_t all = keep_first();

	TEST_CHECK(filch_start(NULL) == 0);
	run_often();
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(sched_setaffinity(0, sizeof(all), &all) == 0);
}

static int move_to_first(void *arg, void **result)
{
	(void)arg;
	(void)result;
	(void)keep_first();
	return 0;
}

/* The pool has several processors, but its only worker runs on the processor of the caller. */
static void same_processor(void)
{
	struct filch_future *future;
	cpu_set_t all;

	start(1, NULL, NULL);
	all = keep_first();
	TEST_CHECK(filch_pool_submit(NULL, move_to_first, NULL, &future) == 0);
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
	run_often();
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(sched_setaffinity(0, sizeof(all), &all) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"takes_part", takes_part},
							 {"all_kinds", all_kinds},
							 {"not_here", not_here},
							 {"submits", submits},
							 {"storage", storage},
							 {"at_once", at_once},
							 {"makes_room", makes_room},
							 {"cancelled", cancelled},
							 {"one_processor", one_processor},
							 {"same_processor", same_processor}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
