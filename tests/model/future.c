/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs and futures under the checker: on the fixture of fixtures/pool/fixture.h, where checker threads act as workers.
 * Each job must run once, or must not run if it was cancelled. A waiting thread gets the result of the job and sees its
 * writes. The memory of a job is used again only after the last thread that looks at it.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/pool/fixture.h"
#include "../fixtures/pool/future_cancel.h"
#include "../fixtures/pool/gone.h"

#include <errno.h>

/*
 * Edges of the test: they order nothing. So only the library orders the accesses.
 *
 *   FLAG
 */

static const struct fixture_setup one = {"locked", 1, 0}, two = {"locked", 2, 0}, two_chase_lev = {"chase_lev", 2, 0};

/* ---- threads ---- */

static void waiter(void *unused)
{
	(void)unused;
	fixture_wait(0);
}

static void clock_hand(void *unused)
{
	(void)unused;
	filchi_os_check_time_over();
}

static void thief(void *worker)
{
	fixture_steal(fixture_become((unsigned)(uintptr_t)worker), 0);
}

/* ---- waiting ---- */

static void wait(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_future(&one, NULL, -EIO);
	id = chk_thread(fixture_serve_one, NULL);
	fixture_wait(0);
	fixture_end_future(id);
}

static void two_waiters(void *unused)
{
	int id[2];

	(void)unused;
	fixture_begin_future(&one, NULL, 0);
	id[0] = chk_thread(fixture_serve_one, NULL);
	id[1] = chk_thread(waiter, NULL);
	fixture_wait(0);
	chk_join(id[1]);
	fixture_end_future(id[0]);
}

static void timed(void *unused)
{
	void *result = NULL;
	int id[2], err;

	(void)unused;
	fixture_begin(&one, false);
	filchi_os_check_limit();
	fixture_prepare(0, NULL, -EIO);
	fixture_submit_future(0);
	id[0] = chk_thread(fixture_serve_one, NULL);
	id[1] = chk_thread(clock_hand, NULL);
	err = filch_future_wait_for(fixture.future[0], 1, &result);
	if (err == -ETIMEDOUT)
		chk_assert(!result);
	else
		chk_assert(err == -EIO && result == &fixture.job[0]);
	fixture_wait(0);
	filch_future_destroy(fixture.future[0]);
	chk_join(id[0]);
	chk_join(id[1]);
	fixture_end();
}

/* No worker runs the job: only the time limit ends the wait. */
static void timed_out(void *unused)
{
	int id;

	(void)unused;
	fixture_begin(&one, false);
	filchi_os_check_limit();
	fixture_prepare(0, NULL, 0);
	fixture_submit_future(0);
	id = chk_thread(clock_hand, NULL);
	chk_assert(filch_future_wait_for(fixture.future[0], 1, NULL) == -ETIMEDOUT);
	chk_join(id);
	fixture_serve_one(NULL);
	filchi_thread_local_set(NULL);
	fixture_wait(0);
	filch_future_destroy(fixture.future[0]);
	fixture_end();
}

static void try(void *unused)
{
	void *result;
	int id, err;

	(void)unused;
	fixture_begin_future(&one, NULL, -EIO);
	id = chk_thread(fixture_serve_one, NULL);
	while ((err = filch_future_try_wait(fixture.future[0], &result)) == -EAGAIN)
		filchi_spin_wait();
	chk_assert(err == -EIO && result == &fixture.job[0]);
	fixture_has_run(0);
	fixture_end_future(id);
}

/* ---- the end of a job, and its memory ---- */

static void free_early(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_future(&one, NULL, 0);
	id = chk_thread(fixture_serve_one, NULL);
	filch_future_destroy(fixture.future[0]);
	chk_join(id);
	fixture_has_run(0);
	fixture_end();
}

/* When the worker has ended the first job, it submits another one, perhaps in the same memory. */
static void serve_and_submit(void *unused)
{
	struct filchi_worker *w = fixture_become(0);
	uintptr_t item;

	(void)unused;
	fixture_serve(w, 1);
	fixture_prepare(1, NULL, 0);
	fixture_submit(1);
	chk_assert(w->deque->ops->pop(w->deque, &item) == FILCH_OK);
	filchi_job_run_item(w, item);
	fixture_has_run(1);
}

static void used_again(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_future(&one, NULL, 0);
	id = chk_thread(serve_and_submit, NULL);
	fixture_wait(0);
	fixture_end_future(id);
}

/* Right after the wait all memory of jobs is freed: by this thread, or by the worker if it comes last. */
static void serve_and_flush(void *unused)
{
	struct filchi_worker *w = fixture_become(0);

	(void)unused;
	fixture_serve(w, 1);
	filchi_job_memory_flush(w);
}

static void freed(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_future(&one, NULL, 0);
	id = chk_thread(serve_and_flush, NULL);
	fixture_wait(0);
	filch_future_destroy(fixture.future[0]);
	filchi_job_memory_close();
	chk_join(id);
	filchi_job_memory_open();
	fixture_end();
}

/* ---- waiting in a worker ---- */

/*
 * The worker runs the job that it waits for, unless another worker has begun the job. The future stays valid while
 * there are others.
 */
static void helps(void *setup)
{
	int id;

	fixture_begin(setup, false);
	fixture_become(0);
	fixture_prepare(0, NULL, 0);
	fixture_submit_future(0);
	id = chk_thread(thief, (void *)(uintptr_t)1);
	fixture_wait(0);
	fixture_prepare(1, NULL, 0);
	fixture_submit_future(1);
	chk_assert(fixture.future[0] != fixture.future[1]);
	fixture_wait(1);
	fixture_wait(0);
	filch_future_destroy(fixture.future[0]);
	filch_future_destroy(fixture.future[1]);
	chk_join(id);
	fixture_end();
}

/* Items above the job that the worker runs stay in the deque. */
static void drop_stale(void *setup)
{
	struct filchi_worker *w;
	uintptr_t item;
	int id;

	fixture_begin(setup, false);
	w = fixture_become(0);
	fixture_prepare(0, NULL, 0);
	fixture_prepare(1, NULL, 0);
	fixture_submit_future(0);
	fixture_submit(1);
	id = chk_thread(thief, (void *)(uintptr_t)1);
	fixture_wait(0);
	filch_future_destroy(fixture.future[0]);
	while (w->deque->ops->pop(w->deque, &item) == FILCH_OK)
		filchi_job_run_item(w, item);
	chk_join(id);
	fixture_has_run(1);
	fixture_end();
}

/* Two workers wait for the same job, which is in the injector. */
static void wait_in_worker(void *worker)
{
	fixture_become((unsigned)(uintptr_t)worker);
	fixture_wait(0);
}

static void both_help(void *unused)
{
	int id[2];

	(void)unused;
	fixture_begin_future(&two, NULL, 0);
	id[0] = chk_thread(wait_in_worker, (void *)(uintptr_t)0);
	id[1] = chk_thread(wait_in_worker, (void *)(uintptr_t)1);
	chk_join(id[0]);
	chk_join(id[1]);
	filch_future_destroy(fixture.future[0]);
	fixture_end();
}

/* ---- without workers ---- */

/* The waiting thread or the end of the pool runs the job. Then the pool is gone. */
static void serial_end(void *unused)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = FILCH_NONE};
	struct filch_pool *pool;
	int id;

	(void)unused;
	fixture_begin(&one, false);
	chk_assert(filch_pool_create(&pool, &options) == 0);
	fixture_prepare(0, NULL, 0);
	fixture_submit_future_to(pool, 0);
	id = chk_thread(waiter, NULL);
	chk_assert(filch_pool_destroy(pool) == 0);
	fixture_has_run(0);
	chk_join(id);
	filch_future_destroy(fixture.future[0]);
	fixture_end();
}

/* ---- */

static const struct check_scenario scenarios[] = {
	{.name = "wait", .play = wait},
	{.name = "try", .play = try},
	{.name = "timed", .play = timed},
	{.name = "timed_out", .play = timed_out},
	{.name = "free_early", .play = free_early},
	{.name = "used_again", .play = used_again},
	{.name = "cancel", .play = future_cancel},
	{.name = "cancel_running", .play = future_cancel_running},
	{.name = "cancel_above", .play = future_cancel_above},
	{.name = "over", .play = future_over},
	{.name = "over_above", .play = future_over_above},
	{.name = "over_above_noticed", .play = future_over_above, .arg = &one},
	{.name = "over_pair", .play = future_over_pair},
	{.name = "over_both", .play = future_over_both},
	{.name = "helps", .play = helps, .arg = &two},
	{.name = "helps_chase_lev", .play = helps, .arg = &two_chase_lev},
	{.name = "drop_stale", .play = drop_stale, .arg = &two},
	{.name = "both_help", .play = both_help},
	{.name = "serial_end", .play = serial_end},
	{.name = "two_cancel", .play = future_two_cancel},
	{.name = "freed", .play = freed},
	{.name = "two_waiters", .play = two_waiters, .walks = true},
	{.name = "gone", .play = pool_gone, .walks = true},
	{.name = "gone_future", .play = pool_gone_future, .walks = true},
	{.name = "gone_refused", .play = pool_gone_refused, .walks = true, .fail_alloc = POOL_GONE_REFUSED},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "future",
			    .file = "/pool/future.c",
			    .base = "/pool/job.c",
			    .beside = true,
			    .prefix = "filchi_job_"},
		.scenarios = scenarios,
		.max_events = 600,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
