/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spare takes over for each worker that blocks. So the job that the worker waits for runs, although the pool knows
 * nothing of the wait.
 */
#include "../../src/pool/pool.h"
#include "../../src/sched/borrow.h"
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <filch/algo.h>
#include <pthread.h>
#include <time.h>

static struct filch_pool *pool;
static atomic_int begun, ended, highest;

static void note_worker(void)
{
	int worker = filch_worker_id();
	int before = atomic_load(&highest);

	TEST_CHECK(worker < (int)filch_pool_worker_ids(pool));
	while (worker > before && !atomic_compare_exchange_weak(&highest, &before, worker))
		;
}

static int open_gate(void *arg, void **result)
{
	(void)result;
	note_worker();
	atomic_store((atomic_int *)arg, 1);
	return 0;
}

/* Submits a job and waits for it in a way that the pool cannot see. */
static int block(void *arg, void **result)
{
	atomic_int gate = 0;

	(void)arg;
	(void)result;
	note_worker();
	TEST_CHECK(filch_pool_submit(pool, open_gate, &gate, NULL) == 0);
	filch_blocking_begin();
	filch_blocking_begin();
	test_await(&gate, 1);
	filch_blocking_end();
	filch_blocking_end();
	return 0;
}

/* Runs with each kind of deque, because some kinds keep submitted jobs in an owner-private part. */
static void gets_spare(void)
{
	for (unsigned kind = 0; kind < filch_deque_kind_count(); kind++)
		for (int workers = 1; workers <= 2; workers++) {
			pool = test_pool(workers, 2, filch_deque_kind_name(kind));
			atomic_store(&highest, 0);
			for (int i = 0; i < 20; i++) {
				TEST_CHECK(test_job(pool, block, NULL) == 0);
			}
			TEST_CHECK(workers == 2 || atomic_load(&highest) == 1);
			TEST_CHECK(filch_pool_destroy(pool) == 0);
		}
}

/* As above, while another thread stops the pool. */
static void stopped(void)
{
	for (int workers = 1; workers <= 3; workers++)
		for (int i = 0; i < 50; i++) {
			pool = test_pool(workers, 2, NULL);
			TEST_CHECK(filch_pool_submit(pool, block, NULL, NULL) == 0);
			TEST_CHECK(filch_pool_destroy(pool) == 0);
		}
}

/* All threads of the pool block at once: the workers and all spares, but no further thread. */
static atomic_int gate;

static int block_together(void *arg, void **result)
{
	(void)arg;
	(void)result;
	note_worker();
	atomic_fetch_add(&begun, 1);
	filch_blocking_begin();
	test_await(&gate, 1);
	filch_blocking_end();
	atomic_fetch_add(&ended, 1);
	return 0;
}

static int nothing(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return 0;
}

static void bounded(void)
{
	for (int spares = -1; spares <= 3; spares++) {
		struct filch_future *f;
		struct filch_stats stats = {.struct_size = sizeof(stats)};
		int all = 2 + (spares == 0 ? 2 : spares < 0 ? 0 : spares);

		pool = test_pool(2, spares, NULL);
		TEST_CHECK((int)filch_pool_worker_ids(pool) == all && filch_pool_workers(pool) == 2);
		atomic_store(&gate, 0);
		atomic_store(&begun, 0);
		atomic_store(&ended, 0);
		atomic_store(&highest, 0);
		for (int i = 0; i < 10; i++)
			TEST_CHECK(filch_pool_submit(pool, block_together, NULL, NULL) == 0);
		test_await(&begun, all);
		/* All threads block, so this job must wait. */
		TEST_CHECK(filch_pool_submit(pool, nothing, NULL, &f) == 0);
		TEST_CHECK(filch_future_wait_for(f, 1000000, NULL) == -ETIMEDOUT);
		TEST_CHECK(atomic_load(&begun) == all);
		atomic_store(&gate, 1);
		TEST_CHECK(filch_future_wait(f, NULL) == 0);
		filch_future_destroy(f);
		test_await(&ended, 10);
		TEST_CHECK(atomic_load(&highest) == all - 1);
		TEST_CHECK(filch_pool_stats(pool, all - 1, &stats) == 0);
		TEST_CHECK(filch_pool_stats(pool, all, &stats) == -EINVAL);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

/* A begin without its end is over when the job returns. */
static int forget(void *arg, void **result)
{
	(void)arg;
	(void)result;
	filch_blocking_begin();
	return 0;
}

/* Spares retire: they run no jobs while no worker blocks. */
static int spin(void *arg, void **result)
{
	(void)arg;
	(void)result;
	if (filch_worker_id() >= 1)
		atomic_fetch_add(&ended, 1);
	return 0;
}

static void retires(void)
{
	pool = test_pool(1, 1, NULL);
	TEST_CHECK(test_job(pool, block, NULL) == 0);
	TEST_CHECK(test_job(pool, forget, NULL) == 0);
	atomic_store(&ended, 0);
	for (int i = 0; i < 1000; i++) {
		TEST_CHECK(test_job(pool, spin, NULL) == 0);
	}
	/* The spare may have been asleep. It then runs one job before it sees that it is no longer needed. */
	TEST_CHECK(atomic_load(&ended) <= 1);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* ---- forgotten ends: filch_stop() ends each case, and would hang if a worker still counted as blocked ---- */

FILCH_TASK(void, forget_in_task, int, times)
{
	for (int i = 0; i < times; i++)
		filch_blocking_begin();
}

/* The task's begins are over with the task. The begin of the job itself stays in force. */
static int forget_here(void *arg, void **result)
{
	struct filchi_worker *w = filchi_worker_self();

	(void)arg;
	(void)result;
	FILCH_RUN(forget_in_task, 1);
	TEST_CHECK(w->blocking == 0);
	filch_blocking_begin();
	FILCH_RUN(forget_in_task, 2);
	TEST_CHECK(w->blocking == 1);
	filch_blocking_end();
	TEST_CHECK(w->blocking == 0);
	return 0;
}

/* The task runs so deep inside the job that it gets no task stack. */
FILCH_TASK(void, forget_deep, unsigned, depth)
{
	if (!depth) {
		filch_blocking_begin();
		return;
	}
	FILCH_RUN(forget_deep, depth - 1);
	TEST_CHECK(filchi_worker_self()->blocking == 0);
}

static int forget_deeper(void *arg, void **result)
{
	(void)arg;
	(void)result;
	FILCH_RUN(forget_deep, FILCHI_MAX_TASK_STACKS + 2);
	return 0;
}

/* The stolen task's begin is over when the thief has run the task. */
FILCH_TASK(int, forget_stolen, int, owner)
{
	filch_blocking_begin();
	atomic_store(&gate, 1);
	return filch_worker_id() != owner;
}

FILCH_TASK(int, parent, int, unused)
{
	FILCH_SPAWN(forget_stolen, filch_worker_id());
	test_await(&gate, 1);
	(void)unused;
	return FILCH_SYNC(forget_stolen);
}

static pthread_t caller;

static void forget_in_loop(size_t from, size_t to, void *borrows)
{
	(void)from;
	(void)to;
	if (pthread_equal(pthread_self(), caller)) {
		filch_blocking_begin();
		*(bool *)borrows = filch_worker_id() >= 0;
	}
}

static void forgotten(void)
{
	/* Thieves can take each task of a chase_lev deque, even while its owner does nothing. */
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 2, .spares = 2, .deque = "chase_lev", .stack = 1 << 20};
	bool borrows = false;

	for (int i = 0; i < 20; i++) {
		TEST_CHECK(filch_start(&options) == 0);
		FILCH_RUN(forget_in_task, 3);
		TEST_CHECK(filch_stop() == 0);
	}
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_job(NULL, forget_here, NULL) == 0);
	TEST_CHECK(test_job(NULL, forget_deeper, NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
	for (int i = 0; i < 20; i++) {
		atomic_store(&gate, 0);
		TEST_CHECK(filch_start(&options) == 0);
		TEST_CHECK(FILCH_RUN(parent, 0));
		TEST_CHECK(filch_stop() == 0);
	}
	TEST_CHECK(filch_start(&options) == 0);
	caller = pthread_self();
	while (!borrows)
		TEST_CHECK(filch_for(NULL, 0, 100, 0, forget_in_loop, &borrows) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* A borrowed worker is as before when the thread gives it back, although the thread forgot its ends. */
static void forgotten_when_borrowed(void)
{
	struct filchi_worker *w = NULL;

	pool = test_pool(1, 1, NULL);
	while (!w)
		w = filchi_borrow(&pool->sched);
	filchi_spare_begin(w);
	filchi_spare_begin(w);
	filchi_give_back(w);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/*
 * A worker that waits for a future of another pool, or for a job that runs elsewhere, is replaced by a spare as well.
 */
static int wait_for(void *arg, void **result)
{
	return filch_future_wait(arg, result);
}

static void waiting_gets_spare(void)
{
	struct filch_pool *other = test_pool(1, -1, NULL);
	struct filch_future *held, *waits, *next;

	pool = test_pool(1, 1, NULL);
	atomic_store(&gate, 0);
	atomic_store(&begun, 0);
	TEST_CHECK(filch_pool_submit(other, block_together, NULL, &held) == 0);
	test_await(&begun, 1);
	TEST_CHECK(filch_pool_submit(pool, wait_for, held, &waits) == 0);
	TEST_CHECK(filch_pool_submit(pool, nothing, NULL, &next) == 0);
	TEST_CHECK(filch_future_wait(next, NULL) == 0);
	TEST_CHECK(filch_future_try_wait(waits, NULL) == -EAGAIN || filch_future_try_wait(held, NULL) == -EAGAIN);
	atomic_store(&gate, 1);
	TEST_CHECK(filch_future_wait(waits, NULL) == 0);
	filch_future_destroy(held);
	filch_future_destroy(waits);
	filch_future_destroy(next);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(filch_pool_destroy(other) == 0);
}

/* ---- jobs that a spare submits when the workers have ended ---- */

static atomic_int release_workers, spare_on, late_ran;
static struct filch_future *late;

static int block_worker(void *arg, void **result)
{
	(void)arg;
	(void)result;
	filch_blocking_begin();
	test_await(&release_workers, 1);
	filch_blocking_end();
	return 0;
}

static int run_late(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_store(&late_ran, 1);
	return 0;
}

/* The sleep makes it likely that stop has found the workers idle before. The test does not depend on it. */
static int submit_late(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_store(&spare_on, 1);
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	TEST_CHECK(filch_pool_submit(pool, run_late, NULL, &late) == 0);
	return 0;
}

static void submits_late(void)
{
	static const char *const kinds[] = {"split", "chase_lev", "private", "bwos_fifo"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		atomic_store(&release_workers, 0);
		atomic_store(&spare_on, 0);
		atomic_store(&late_ran, 0);
		pool = test_pool(2, 2, kinds[i]);
		TEST_CHECK(filch_pool_submit(pool, block_worker, NULL, NULL) == 0);
		TEST_CHECK(filch_pool_submit(pool, block_worker, NULL, NULL) == 0);
		TEST_CHECK(filch_pool_submit(pool, submit_late, NULL, NULL) == 0);
		test_await(&spare_on, 1);
		atomic_store(&release_workers, 1);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
		TEST_CHECK(atomic_load(&late_ran) == 1);
		TEST_CHECK(filch_future_try_wait(late, NULL) == 0);
		filch_future_destroy(late);
	}
}

static void outside(void)
{
	filch_blocking_end();
	filch_blocking_begin();
	filch_blocking_end();
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"gets_spare", gets_spare},
							 {"stopped", stopped},
							 {"bounded", bounded},
							 {"retires", retires},
							 {"forgotten", forgotten},
							 {"forgotten_when_borrowed", forgotten_when_borrowed},
							 {"waiting_gets_spare", waiting_gets_spare},
							 {"submits_late", submits_late},
							 {"outside", outside}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
