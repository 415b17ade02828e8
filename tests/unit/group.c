/* SPDX-License-Identifier: Apache-2.0 */
/* Groups: each member runs once and is waited for, from whichever thread it comes; errors and cancellation. */
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static atomic_int runs, begun;
static struct filch_group *current_group;

static int count(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&runs, 1);
	return 0;
}

static int fail(void *arg, void **result)
{
	(void)result;
	return (int)(intptr_t)arg;
}

static void smoke(struct filch_pool *pool)
{
	struct filch_group *g;

	atomic_store(&runs, 0);
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_wait(g) == 0);
	for (int round = 1; round <= 3; round++) {
		for (int i = 0; i < 1000; i++)
			TEST_CHECK(filch_group_submit(g, count, NULL) == 0);
		TEST_CHECK(filch_group_wait(g) == 0);
		TEST_CHECK(atomic_load(&runs) == 1000 * round);
	}
	TEST_CHECK(filch_group_submit(g, count, NULL) == 0);
	TEST_CHECK(filch_group_destroy(g) == 0);
	TEST_CHECK(atomic_load(&runs) == 3001);
}

static int grow(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;

	atomic_fetch_add(&runs, 1);
	for (int i = 0; depth && i < 3; i++)
		TEST_CHECK(filch_group_submit(current_group, grow, (void *)(depth - 1)) == 0);
	*result = NULL;
	return 0;
}

static int wait_inside(void *arg, void **result)
{
	(void)arg;
	(void)result;
	TEST_CHECK(filch_group_submit(current_group, grow, (void *)5) == 0);
	TEST_CHECK(filch_group_wait(current_group) == 0);
	return atomic_load(&runs) == 364 ? 0 : -EPROTO;
}

/* Members submit members. Both an external thread and a job wait for the group. */
static void growing(struct filch_pool *pool)
{
	TEST_CHECK(filch_group_create(&current_group, pool) == 0);
	atomic_store(&runs, 0);
	TEST_CHECK(filch_group_submit(current_group, grow, (void *)5) == 0);
	TEST_CHECK(filch_group_wait(current_group) == 0);
	TEST_CHECK(atomic_load(&runs) == 364);
	atomic_store(&runs, 0);
	TEST_CHECK(test_job(pool, wait_inside, NULL) == 0);
	TEST_CHECK(filch_group_destroy(current_group) == 0);
}

static int nest(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_group *g;

	atomic_fetch_add(&runs, 1);
	*result = NULL;
	if (!depth)
		return 0;
	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	for (int i = 0; i < 3; i++)
		TEST_CHECK(filch_group_submit(g, nest, (void *)(depth - 1)) == 0);
	return filch_group_destroy(g);
}

/* A group in each job, in the default pool. */
static void nested(void)
{
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_options options = {.struct_size = sizeof(options), .workers = test_workers[i]};

		TEST_CHECK(filch_start(&options) == 0);
		atomic_store(&runs, 0);
		TEST_CHECK(test_job(NULL, nest, (void *)6) == 0);
		TEST_CHECK(atomic_load(&runs) == 1093);
		TEST_CHECK(filch_stop() == 0);
	}
}

/* The first error stays the result of the group. The other members run nevertheless. */
static void errors(struct filch_pool *pool)
{
	struct filch_group *g;

	atomic_store(&runs, 0);
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit(g, fail, (void *)-EIO) == 0);
	TEST_CHECK(filch_group_submit(g, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_group_wait(g) == -EIO && strstr(filch_error_message(), "a job of the group returned -"));
	TEST_CHECK(filch_group_submit(g, fail, (void *)-EPERM) == 0);
	for (int i = 0; i < 100; i++)
		TEST_CHECK(filch_group_submit(g, count, NULL) == 0);
	TEST_CHECK(filch_group_wait(g) == -EIO);
	TEST_CHECK(filch_group_submit(g, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_group_destroy(g) == -EIO && !strcmp(filch_error_message(), "a job of the group returned -5"));
	TEST_CHECK(atomic_load(&runs) == 100);
}

/* ---- series ---- */

enum { MANY = 3000 };
static atomic_int ran[MANY];

static int mark(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add((atomic_int *)arg, 1);
	return 0;
}

static int mark_index(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add(&ran[(uintptr_t)arg - 1], 1);
	return 0;
}

static int mark_through(void *arg, void **result)
{
	return mark(*(void **)arg, result);
}

static void each_ran(int times)
{
	for (int i = 0; i < MANY; i++)
		TEST_CHECK(atomic_load(&ran[i]) == times);
}

static int submit_inside(void *arg, void **result)
{
	(void)result;
	TEST_CHECK(filch_group_submit_n(arg, mark, ran, sizeof(ran[0]), MANY) == 0);
	return 0;
}

/* A member of a series waits for a series of its own. */
static int wait_for_own(void *arg, void **result)
{
	struct filch_group *g;

	(void)arg;
	(void)result;
	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, 10) == 0);
	return filch_group_destroy(g);
}

/* Arguments may be an array, an array of pointers, numbers, or the same for all. */
static void series(struct filch_pool *pool)
{
	static void *pointers[MANY];
	struct filch_group *g;

	for (int i = 0; i < MANY; i++) {
		atomic_store(&ran[i], 0);
		pointers[i] = &ran[i];
	}
	atomic_store(&runs, 0);
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit_n(g, mark, ran, sizeof(ran[0]), MANY) == 0);
	TEST_CHECK(filch_group_wait(g) == 0);
	each_ran(1);
	TEST_CHECK(filch_group_submit_n(g, mark_through, pointers, sizeof(pointers[0]), MANY) == 0);
	TEST_CHECK(filch_group_submit_n(g, mark_index, (void *)1, 1, MANY) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, 7) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, 1) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, 0) == 0);
	TEST_CHECK(filch_group_submit(g, submit_inside, g) == 0);
	TEST_CHECK(filch_group_wait(g) == 0);
	each_ran(4);
	TEST_CHECK(atomic_load(&runs) == 8);
	TEST_CHECK(filch_group_submit_n(g, wait_for_own, NULL, 0, 20) == 0);
	TEST_CHECK(filch_group_submit_n(g, fail, (void *)-EIO, 0, 3) == 0);
	TEST_CHECK(filch_group_destroy(g) == -EIO);
	TEST_CHECK(atomic_load(&runs) == 208);
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit_n(g, mark, ran, sizeof(ran[0]), MANY) == 0);
	while (filch_group_try_wait(g) == -EAGAIN)
		sched_yield();
	each_ran(5);
	TEST_CHECK(filch_group_destroy(g) == 0);
}

static void series_with_pools(void)
{
	test_with_pools(series);
}

static void series_misuse(struct filch_pool *pool)
{
	struct filch_group *g;

	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit_n(NULL, count, NULL, 0, 2) == -EINVAL);
	TEST_CHECK(filch_group_submit_n(g, NULL, NULL, 0, 2) == -EINVAL);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, ((size_t)1 << 29) + 1) == -EINVAL);
	TEST_CHECK(filch_group_cancel(g) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, 2) == -ECANCELED);
	TEST_CHECK(filch_group_destroy(g) == 0);
}

static void series_misuse_with_pools(void)
{
	test_with_pools(series_misuse);
}

/* A group counts at most 2^29 jobs that are not done. Four times as many would look like none. */
static void series_too_many(void)
{
	const size_t max = (size_t)1 << 29;
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	struct filch_group *g;

	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, max / 2) == 0);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, max / 2 + 1) == -EAGAIN);
	TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, max / 2) == 0);
	for (int i = 0; i < 3; i++)
		TEST_CHECK(filch_group_submit_n(g, count, NULL, 0, max) == -EAGAIN);
	TEST_CHECK(strstr(filch_error_message(), "jobs that are not done"));
	TEST_CHECK(filch_group_cancel(g) == 0);
	TEST_CHECK(filch_group_destroy(g) == -ECANCELED);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static int block_then_cancel(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&begun, 1);
	while (!filch_job_cancelled())
		sched_yield();
	return 0;
}

/* The members that have begun notice it, and the others never run: also while all workers are busy. */
static void series_cancelled(void)
{
	struct filch_pool *pool = test_pool(2, 0, NULL);
	struct filch_group *g;

	atomic_store(&begun, 0);
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit_n(g, block_then_cancel, NULL, 0, 1000000) == 0);
	test_await(&begun, 2);
	TEST_CHECK(filch_group_cancel(g) == 0);
	TEST_CHECK(filch_group_destroy(g) == -ECANCELED);
	TEST_CHECK(atomic_load(&begun) == 2);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* One long member does not keep the others from running. */
static int wait_for_others(void *arg, void **result)
{
	(void)result;
	if (arg == &ran[0])
		test_await(&runs, MANY - 1);
	else
		atomic_fetch_add(&runs, 1);
	return 0;
}

static void series_not_hidden(void)
{
	struct filch_pool *pool = test_pool(2, 0, NULL);
	struct filch_group *g;

	atomic_store(&runs, 0);
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit_n(g, wait_for_others, ran, sizeof(ran[0]), MANY) == 0);
	TEST_CHECK(filch_group_destroy(g) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static int until_cancelled(void *arg, void **result)
{
	struct filch_group *g;

	(void)arg;
	(void)result;
	/* A member that makes a group encloses it. */
	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	atomic_fetch_add(&begun, 1);
	while (!filch_job_cancelled())
		sched_yield();
	TEST_CHECK(filch_group_submit(g, count, NULL) == -ECANCELED);
	TEST_CHECK(filch_pool_submit(NULL, count, NULL, NULL) == -ECANCELED && filch_error_message()[0]);
	TEST_CHECK(filch_group_destroy(g) == 0);
	return 0;
}

static atomic_int drops;

static void drop(void *arg)
{
	free(arg);
	atomic_fetch_add(&drops, 1);
}

static int run_and_free(void *arg, void **result)
{
	free(arg);
	return count(NULL, result);
}

static void cancel(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};
	struct filch_group *g;

	TEST_CHECK(filch_start(&options) == 0);
	atomic_store(&runs, 0);
	atomic_store(&begun, 0);
	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	TEST_CHECK(filch_group_submit(g, until_cancelled, NULL) == 0);
	TEST_CHECK(filch_group_submit(g, until_cancelled, NULL) == 0);
	test_await(&begun, 2);
	for (int i = 0; i < 100; i++)
		TEST_CHECK(filch_group_submit_or_drop(g, run_and_free, drop, malloc(10)) == 0);
	TEST_CHECK(filch_group_cancel(g) == 0);
	TEST_CHECK(filch_group_submit(g, count, NULL) == -ECANCELED && strstr(filch_error_message(), "cancelled"));
	TEST_CHECK(filch_group_destroy(g) == -ECANCELED);
	TEST_CHECK(atomic_load(&runs) == 0 && atomic_load(&drops) == 100);
	TEST_CHECK(filch_stop() == 0);
}

/* Threads submit members while the group is cancelled. Each argument goes to the job or to drop, exactly once. */
static void *submit_many(void *g)
{
	intptr_t accepted = 0;

	for (int i = 0; i < 2000; i++) {
		void *arg = malloc(10);
		int err = filch_group_submit_or_drop(g, run_and_free, drop, arg);

		TEST_CHECK(!err || err == -ECANCELED);
		accepted += !err;
		if (err)
			free(arg);
	}
	return (void *)accepted;
}

static void cancel_while_submitting(struct filch_pool *pool)
{
	for (int i = 0; i < 20; i++) {
		struct filch_group *g;
		pthread_t thread[2];
		void *accepted[2];

		atomic_store(&runs, 0);
		atomic_store(&drops, 0);
		TEST_CHECK(filch_group_create(&g, pool) == 0);
		for (int k = 0; k < 2; k++)
			TEST_CHECK(!pthread_create(&thread[k], NULL, submit_many, g));
		usleep((useconds_t)(i * 20));
		TEST_CHECK(filch_group_cancel(g) == 0);
		for (int k = 0; k < 2; k++)
			pthread_join(thread[k], &accepted[k]);
		(void)filch_group_destroy(g);
		TEST_CHECK(atomic_load(&runs) + atomic_load(&drops) == (intptr_t)accepted[0] + (intptr_t)accepted[1]);
	}
}

/*
 * Only the member tells this thread that it was submitted. The group may end right then, with the submitter still
 * inside of the call.
 */
static int tell(void *arg, void **result)
{
	(void)result;
	atomic_store((atomic_int *)arg, 1);
	return 0;
}

static struct filch_group *volatile told_group;
static atomic_int told;

static void *submit_and_forget(void *unused)
{
	TEST_CHECK(filch_group_submit(told_group, tell, &told) == 0);
	return unused;
}

static void destroyed_early(void)
{
	struct filch_pool *pool = test_pool(2, -1, NULL);

	for (int i = 0; i < 2000; i++) {
		struct filch_group *g;
		pthread_t thread;

		atomic_store(&told, 0);
		TEST_CHECK(filch_group_create(&g, pool) == 0);
		told_group = g;
		TEST_CHECK(!pthread_create(&thread, NULL, submit_and_forget, NULL));
		test_await(&told, 1);
		TEST_CHECK(filch_group_destroy(g) == 0);
		pthread_join(thread, NULL);
	}
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* Waits with a time limit, and tries. */
static atomic_int open_now;

static int until_open(void *arg, void **result)
{
	(void)arg;
	(void)result;
	test_await(&open_now, 1);
	return -EIO;
}

static void limited_waits(void)
{
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_pool *pool = test_pool(test_workers[i], 0, NULL);
		struct filch_group *g;

		atomic_store(&open_now, test_workers[i] < 0);
		TEST_CHECK(filch_group_create(&g, pool) == 0);
		TEST_CHECK(filch_group_try_wait(g) == 0 && filch_group_wait_for(g, 0) == 0);
		TEST_CHECK(filch_group_submit(g, until_open, NULL) == 0);
		if (test_workers[i] > 0) {
			TEST_CHECK(filch_group_try_wait(g) == -EAGAIN);
			TEST_CHECK(filch_group_wait_for(g, 1000000) == -ETIMEDOUT && filch_error_message()[0]);
			atomic_store(&open_now, 1);
			TEST_CHECK(filch_group_wait_for(g, UINT64_MAX) == -EIO);
		}
		TEST_CHECK(filch_group_try_wait(g) == -EIO);
		TEST_CHECK(filch_group_destroy(g) == -EIO);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
	TEST_CHECK(filch_group_try_wait(NULL) == -EINVAL && filch_group_wait_for(NULL, 1) == -EINVAL);
}

/* The caller of a wait with a time limit runs the jobs itself, and begins none after the limit. */
static int slow(void *arg, void **result)
{
	struct timespec two_ms = {.tv_nsec = 2000000};

	(void)nanosleep(&two_ms, NULL);
	return count(arg, result);
}

static int wait_for_slow(void *arg, void **result)
{
	struct filch_group *g;

	(void)result;
	atomic_store(&runs, 0);
	TEST_CHECK(filch_group_create(&g, arg) == 0);
	for (int i = 0; i < 3; i++)
		TEST_CHECK(filch_group_submit(g, slow, NULL) == 0);
	for (int i = 1; i <= 2; i++) {
		TEST_CHECK(filch_group_wait_for(g, 1000000) == -ETIMEDOUT);
		TEST_CHECK(atomic_load(&runs) == i);
	}
	TEST_CHECK(filch_group_wait_for(g, 1000000) == 0);
	TEST_CHECK(filch_group_destroy(g) == 0);
	return 0;
}

static void limited_jobs(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	struct filch_future *f;

	TEST_CHECK(wait_for_slow(pool, NULL) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	pool = test_pool(1, 0, NULL);
	TEST_CHECK(filch_pool_submit(pool, wait_for_slow, NULL, &f) == 0);
	TEST_CHECK(filch_future_wait(f, NULL) == 0);
	filch_future_destroy(f);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* Only the waiting worker is free to run the late member. The first member ends only after the late one has run. */
static struct test_gate gate;

static int wait_for_group(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&gate.begun, 1);
	return filch_group_wait(current_group);
}

static void late_member(void)
{
	struct filch_pool *pool = test_pool(2, -1, NULL);

	for (int i = 0; i < 120; i++) {
		struct filch_future *f;

		atomic_store(&gate.begun, 0);
		atomic_store(&gate.open, 0);
		TEST_CHECK(filch_group_create(&current_group, pool) == 0);
		TEST_CHECK(filch_group_submit(current_group, test_wait_at_gate, &gate) == 0);
		test_await(&gate.begun, 1);
		TEST_CHECK(filch_pool_submit(pool, wait_for_group, NULL, &f) == 0);
		test_await(&gate.begun, 2);
		/* By now the worker may still look for members, sleep, or fall asleep right now. */
		usleep((useconds_t)(i % 30 * 50));
		TEST_CHECK(filch_group_submit(current_group, test_open_gate, &gate) == 0);
		TEST_CHECK(filch_future_wait(f, NULL) == 0);
		filch_future_destroy(f);
		TEST_CHECK(filch_group_destroy(current_group) == 0);
	}
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* Another worker finds the jobs that a job submits before that job ends, with each kind of deque. */
static int submit_and_stay(void *arg, void **result)
{
	(void)result;
	for (int i = 0; i < 3; i++)
		TEST_CHECK(filch_pool_submit(arg, test_open_gate, &gate, NULL) == 0);
	test_await(&gate.open, 1);
	return 0;
}

static void not_hidden(void)
{
	for (unsigned kind = 0; kind < filch_deque_kind_count(); kind++) {
		struct filch_pool *pool = test_pool(2, -1, filch_deque_kind_name(kind));

		for (int i = 0; i < 20; i++) {
			struct filch_group *g;

			atomic_store(&gate.open, 0);
			TEST_CHECK(test_job(pool, submit_and_stay, pool) == 0);
			/* Two members from outside do not go to the same worker while another worker is free. */
			atomic_store(&gate.open, 0);
			TEST_CHECK(filch_group_create(&g, pool) == 0);
			TEST_CHECK(filch_group_submit(g, test_wait_at_gate, &gate) == 0);
			TEST_CHECK(filch_group_submit(g, test_open_gate, &gate) == 0);
			TEST_CHECK(filch_group_destroy(g) == 0);
		}
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

static int wait_as_member(void *arg, void **result)
{
	(void)arg;
	(void)result;
	TEST_CHECK(filch_group_wait(current_group) == -EDEADLK);
	TEST_CHECK(filch_group_destroy(current_group) == -EDEADLK);
	return 0;
}

static void misuse(struct filch_pool *pool)
{
	struct filch_group *g;

	TEST_CHECK(filch_group_create(NULL, pool) == -EINVAL);
	TEST_CHECK(filch_group_create(&g, NULL) == -ESHUTDOWN);
	TEST_CHECK(filch_group_submit_or_drop(NULL, count, drop, NULL) == -EINVAL);
	TEST_CHECK(filch_group_submit(NULL, count, NULL) == -EINVAL &&
		   !strcmp(filch_error_message(), "the group is NULL"));
	TEST_CHECK(filch_group_wait(NULL) == -EINVAL && !strcmp(filch_error_message(), "the group is NULL"));
	TEST_CHECK(filch_group_cancel(NULL) == -EINVAL);
	TEST_CHECK(filch_group_destroy(NULL) == 0);
	TEST_CHECK(filch_group_create(&current_group, pool) == 0);
	TEST_CHECK(filch_group_submit(current_group, NULL, NULL) == -EINVAL &&
		   !strcmp(filch_error_message(), "fn is NULL"));
	TEST_CHECK(filch_group_submit(current_group, wait_as_member, NULL) == 0);
	TEST_CHECK(filch_group_destroy(current_group) == 0);
}

/* ---- order ---- */

#define ORDERED 200
static int order[ORDERED];
static int ordered;

static int note(void *arg, void **result)
{
	(void)result;
	order[ordered++] = (int)(intptr_t)arg;
	return 0;
}

static int submit_in_order(void *arg, void **result)
{
	(void)result;
	for (intptr_t i = 0; i < ORDERED; i++)
		TEST_CHECK(filch_pool_submit(arg, note, (void *)i, NULL) == 0);
	return 0;
}

static int group_in_order(void *arg, void **result)
{
	struct filch_group *g;

	(void)result;
	TEST_CHECK(filch_group_create(&g, arg) == 0);
	for (intptr_t i = 0; i < ORDERED; i++)
		TEST_CHECK(filch_group_submit(g, note, (void *)i) == 0);
	return filch_group_destroy(g);
}

/*
 * One worker, with each kind: jobs run in the order of the kind. Without workers they run in the order of submission.
 */
static void orders(void)
{
	for (unsigned kind = 0; kind <= filch_deque_kind_count(); kind++) {
		bool alone = kind == filch_deque_kind_count();
		const struct filch_deque_info *info = filch_deque_kind_info(alone ? 0 : kind);
		bool fifo = alone || info->owner_order == FILCH_FIFO;

		for (int grouped = 0; grouped < 2; grouped++) {
			struct filch_pool *pool = test_pool(alone ? FILCH_NONE : 1, -1, alone ? NULL : info->name);

			ordered = 0;
			TEST_CHECK(filch_pool_submit(pool, grouped ? group_in_order : submit_in_order, pool, NULL) ==
				   0);
			TEST_CHECK(filch_pool_destroy(pool) == 0);
			TEST_CHECK(ordered == ORDERED);
			for (int i = 0; i < ORDERED; i++)
				TEST_CHECK(order[i] == (fifo ? i : ORDERED - 1 - i));
		}
	}
}

static void with_pools(void)
{
	test_with_pools(smoke);
}

static void growing_with_pools(void)
{
	test_with_pools(growing);
}

static void errors_with_pools(void)
{
	test_with_pools(errors);
}

static void misuse_with_pools(void)
{
	test_with_pools(misuse);
}

static void cancelling_with_pools(void)
{
	test_with_pools(cancel_while_submitting);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"smoke", with_pools},
							 {"growing", growing_with_pools},
							 {"nested", nested},
							 {"errors", errors_with_pools},
							 {"series", series_with_pools},
							 {"series_misuse", series_misuse_with_pools},
							 {"series_too_many", series_too_many},
							 {"series_cancelled", series_cancelled},
							 {"series_not_hidden", series_not_hidden},
							 {"cancel", cancel},
							 {"misuse", misuse_with_pools},
							 {"orders", orders},
							 {"late_member", late_member},
							 {"not_hidden", not_hidden},
							 {"limited_waits", limited_waits},
							 {"limited_jobs", limited_jobs},
							 {"cancel_submitting", cancelling_with_pools},
							 {"destroyed_early", destroyed_early}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
