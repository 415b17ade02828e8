/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_SPAWN_N in jobs, and jobs, loops and FILCH_RUN in FILCH_SPAWN_N. All results are right. Idle workers get
 * numbers of all enclosing SPAWN_Ns, and run each number in the job to which it belongs.
 */
#include "../fixtures/task/spawn_n_asked.h"

/* ---- jobs, and loops ---- */

static atomic_long seen;

static void see(size_t from, size_t to, void *arg)
{
	(void)arg;
	atomic_fetch_add(&seen, (long)(to - from));
}

static int job(void *arg, void **result)
{
	(void)result;
	return (int)FILCH_RUN(tree, (unsigned)(uintptr_t)arg, 4);
}

/* Some numbers run a loop, some wait for a job, some run a task. All of these have SPAWN_Ns of their own. */
FILCH_TASK(long, anything, unsigned, number)
{
	struct filch_future *future;
	int nodes_of;

	switch (number % 4) {
	case 0:
		TEST_CHECK(filch_for(NULL, 0, 100, 1, see, NULL) == 0);
		return 0;
	case 1:
		TEST_CHECK(filch_pool_submit(NULL, job, (void *)(uintptr_t)number, &future) == 0);
		nodes_of = filch_future_wait(future, NULL);
		filch_future_destroy(future);
		return nodes_of;
	case 2:
		return FILCH_RUN(tree, number, 4);
	default:
		return FILCH_CALL(tree, number, 4);
	}
}

FILCH_TASK(void, all_things, unsigned, count)
{
	FILCH_SPAWN_N(anything, count);
	for (unsigned i = count; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(anything) == ((i - 1) % 4 ? nodes(i - 1, 4) : 0));
}

static int job_of_all(void *arg, void **result)
{
	(void)arg;
	(void)result;
	FILCH_RUN(all_things, 40);
	return 0;
}

static void one_in_a_loop(size_t from, size_t to, void *arg)
{
	(void)arg;
	for (size_t i = from; i < to; i++)
		FILCH_RUN(all_things, 12);
}

static void jobs_and_loops(void)
{
	static const int workers[] = {FILCH_NONE, 1, 2, 3, 8};

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		struct filch_group *group;

		start(workers[i]);
		atomic_store(&seen, 0);
		TEST_CHECK(filch_group_create(&group, NULL) == 0);
		for (int j = 0; j < 10; j++)
			TEST_CHECK(filch_group_submit(group, job_of_all, NULL) == 0);
		FILCH_RUN(all_things, 40);
		TEST_CHECK(filch_for(NULL, 0, 10, 1, one_in_a_loop, NULL) == 0);
		TEST_CHECK(filch_group_destroy(group) == 0);
		TEST_CHECK(atomic_load(&seen) == 10 * 1000 + 1000 + 10 * 300);
		TEST_CHECK(filch_stop() == 0);
	}
}

/* ---- a FILCH_RUN without numbers to give: other workers get numbers of the suspended SPAWN_N ---- */

FILCH_TASK(void, spawned, int, number)
{
	(void)number;
	by_other(OF_INNER);
	timed_sleep();
}

FILCH_TASK(void, loop_of_ones)
{
	release();
	for (int i = 0; i < LOOKS_MAX && !atomic_load(&begun); i++) {
		FILCH_SPAWN_N(spawned, 1);
		FILCH_SYNC(spawned);
	}
	atomic_store(&ended, 1);
}

FILCH_TASK(void, leaver, int, number)
{
	by_other(OF_OUTER);
	if (!number)
		FILCH_RUN(loop_of_ones);
}

FILCH_TASK(void, leaver_root)
{
	first_worker = filch_worker_id();
	FILCH_SPAWN_N(leaver, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(leaver);
}

static void outer(void)
{
	start_with_one_held();
	FILCH_RUN(leaver_root);
	TEST_CHECK(atomic_load(&begun) == OF_OUTER);
	stop_with_one_held();
}

/* ---- a number runs in its own job, also in another worker ---- */

/*
 * An outer job has a SPAWN_N. Its number 0 waits for an inner job, and so runs it. The inner job has a SPAWN_N of
 * inner_count numbers. With one number it has none to give, and the other worker gets a number of the outer job. The
 * test cancels the inner job, and then the outer job. Only numbers of the cancelled job notice.
 */
static struct filch_future *outer_job, *inner_job;
static int inner_count;

static void by_other_of(int what, int cancelled)
{
	int nobody = BY_NOBODY;

	if (filch_worker_id() == first_worker || !atomic_compare_exchange_strong(&begun, &nobody, what))
		return;
	while (!atomic_load(&ended))
		timed_sleep();
	TEST_CHECK(filch_job_cancelled() == cancelled);
	TEST_CHECK(filch_future_cancel(outer_job) == 0);
	TEST_CHECK(filch_job_cancelled());
}

FILCH_TASK(void, of_inner_job, int, number)
{
	by_other_of(OF_INNER, 1);
	if (number)
		return;
	release();
	for (int i = 0; i < LOOKS_MAX && !atomic_load(&begun); i++) {
		FILCH_SPAWN_N(spawned, 1);
		FILCH_SYNC(spawned);
	}
	TEST_CHECK(!filch_job_cancelled());
	TEST_CHECK(filch_future_cancel(inner_job) == 0);
	TEST_CHECK(filch_job_cancelled());
	atomic_store(&ended, 1);
}

FILCH_TASK(void, root_of_inner_job)
{
	FILCH_SPAWN_N(of_inner_job, inner_count);
	for (int i = 0; i < inner_count; i++)
		FILCH_SYNC(of_inner_job);
}

static int run_inner_job(void *arg, void **result)
{
	(void)arg;
	(void)result;
	FILCH_RUN(root_of_inner_job);
	return 0;
}

FILCH_TASK(void, of_outer_job, int, number)
{
	by_other_of(OF_OUTER, 0);
	if (number)
		return;
	TEST_CHECK(filch_pool_submit(NULL, run_inner_job, NULL, &inner_job) == 0);
	TEST_CHECK(filch_future_wait(inner_job, NULL) == 0);
	filch_future_destroy(inner_job);
}

FILCH_TASK(void, root_of_outer_job)
{
	first_worker = filch_worker_id();
	FILCH_SPAWN_N(of_outer_job, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(of_outer_job);
}

static int run_outer_job(void *arg, void **result)
{
	(void)arg;
	(void)result;
	FILCH_RUN(root_of_outer_job);
	return 0;
}

static void cancelled_with(int count, int first)
{
	inner_count = count;
	start_with_one_held();
	TEST_CHECK(filch_pool_submit(NULL, run_outer_job, NULL, &outer_job) == 0);
	TEST_CHECK(filch_future_wait(outer_job, NULL) == 0);
	filch_future_destroy(outer_job);
	TEST_CHECK(atomic_load(&begun) == first);
	stop_with_one_held();
}

static void cancelled(void)
{
	cancelled_with(1, OF_OUTER);
	cancelled_with(8, OF_INNER);
}

/* More nested FILCH_RUNs than a worker has task stacks: the innermost ones run serially. */
FILCH_TASK(long, nest, unsigned, number, int, depth)
{
	long sum;

	if (number || !depth)
		return FILCH_CALL(tree, number, 3);
	FILCH_SPAWN_N(nest, 3, 0);
	sum = FILCH_RUN(nest, 0, depth - 1);
	for (unsigned i = 3; i > 0; i--)
		sum += FILCH_SYNC(nest) * i;
	return sum;
}

static void nested(void)
{
	enum { NESTED = 100 };
	long each = nodes(0, 3) + 2 * nodes(1, 3) + 3 * nodes(2, 3);

	for (int workers = 1; workers <= 3; workers++) {
		start(workers);
		TEST_CHECK(FILCH_RUN(nest, 0, NESTED) == nodes(0, 3) + NESTED * each);
		TEST_CHECK(filch_stop() == 0);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"jobs_and_loops", jobs_and_loops},
		{"outer", outer},
		{"cancelled", cancelled},
		{"nested", nested},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
