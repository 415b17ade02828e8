/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups under the checker: on the fixture of fixtures/pool/fixture.h, where checker threads act as workers. A waiting
 * thread goes on when all members are done. It sees their writes, gets the first error, and may destroy the group at
 * once.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/pool/fixture.h"
#include "../fixtures/pool/group_cancel.h"

#include <errno.h>

/*
 * Edges of the test: they order nothing. So only the library orders the accesses.
 *
 *   FLAG
 *
 * One edge orders as in a program: the member says that it runs.
 *
 *   TOLD   tell: store_rel flag → gone: load_acq flag
 */

static const struct fixture_setup one = {"locked", 1, 0}, two = {"locked", 2, 0}, two_chase_lev = {"chase_lev", 2, 0};

static void run_own(struct filchi_worker *w)
{
	uintptr_t item;

	if (w->deque->ops->pop(w->deque, &item) == FILCH_OK)
		filchi_job_run_item(w, item);
}

/* ---- threads ---- */

static void serve_two(void *worker)
{
	fixture_serve(fixture_become((unsigned)(uintptr_t)worker), 2);
}

static void serve_and_own(void *worker)
{
	struct filchi_worker *w = fixture_become((unsigned)(uintptr_t)worker);

	fixture_serve(w, 1);
	run_own(w);
}

static void thief(void *worker)
{
	fixture_steal(fixture_become((unsigned)(uintptr_t)worker), 0);
}

static void waiter(void *unused)
{
	(void)unused;
	chk_assert(filch_group_wait(fixture.group) == 0);
	fixture_has_run(0);
}

/* ---- waiting from outside ---- */

static void wait(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, NULL, -EIO);
	id = chk_thread(fixture_serve_one, NULL);
	chk_assert(filch_group_wait(fixture.group) == -EIO);
	fixture_has_run(0);
	chk_assert(filch_group_destroy(fixture.group) == -EIO);
	chk_join(id);
	fixture_end();
}

static void destroy(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, NULL, 0);
	id = chk_thread(fixture_serve_one, NULL);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	chk_join(id);
	fixture_end();
}

static void try(void *unused)
{
	int id, err;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, NULL, -EIO);
	id = chk_thread(fixture_serve_one, NULL);
	while ((err = filch_group_try_wait(fixture.group)) == -EAGAIN)
		filchi_spin_wait();
	chk_assert(err == -EIO);
	fixture_has_run(0);
	chk_assert(filch_group_destroy(fixture.group) == -EIO);
	chk_join(id);
	fixture_end();
}

/* The member that runs first has the first error. */
static void two_members(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, NULL, -EIO);
	fixture_submit_new_member(1, NULL, -ENOSPC);
	id = chk_thread(serve_two, NULL);
	chk_assert(filch_group_destroy(fixture.group) == -EIO);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_join(id);
	fixture_end();
}

/* Two workers run one member each: the group has one error or the other, and keeps it. */
static void first_error(void *unused)
{
	int id[2], err;

	(void)unused;
	fixture_begin_group(&two);
	fixture_submit_new_member(0, NULL, -EIO);
	fixture_submit_new_member(1, NULL, -ENOSPC);
	id[0] = chk_thread(fixture_serve_one, (void *)(uintptr_t)0);
	id[1] = chk_thread(fixture_serve_one, (void *)(uintptr_t)1);
	err = filch_group_wait(fixture.group);
	chk_assert(err == -EIO || err == -ENOSPC);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_assert(filch_group_destroy(fixture.group) == err);
	chk_join(id[0]);
	chk_join(id[1]);
	fixture_end();
}

static void two_waiters(void *unused)
{
	int id[2];

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, NULL, 0);
	id[0] = chk_thread(fixture_serve_one, NULL);
	id[1] = chk_thread(waiter, NULL);
	waiter(NULL);
	chk_join(id[1]);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	chk_join(id[0]);
	fixture_end();
}

/*
 * A member says that it runs, and then the group is destroyed. The submitter of the member may still be inside of
 * submit.
 */
static void tell(unsigned n)
{
	(void)n;
	filchi_store_rel(&fixture.flag, 1, TOLD);
}

static void submitter(void *unused)
{
	(void)unused;
	fixture_submit_new_member(0, tell, 0);
}

static void gone(void *unused)
{
	int id[2];

	(void)unused;
	fixture_begin_group(&one);
	id[0] = chk_thread(submitter, NULL);
	id[1] = chk_thread(fixture_serve_one, NULL);
	while (!filchi_load_acq(&fixture.flag, TOLD))
		filchi_spin_wait();
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	chk_join(id[0]);
	chk_join(id[1]);
	fixture_end();
}

/* ---- members that submit members ---- */

static void submit_next(unsigned n)
{
	fixture_submit_new_member(n + 1, NULL, 0);
}

static void grows(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, submit_next, 0);
	id = chk_thread(serve_and_own, NULL);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_join(id);
	fixture_end();
}

/* The memory of the first member is used again, when the worker runs the second one. Nothing else orders the two. */
static void serve_three(void *worker)
{
	fixture_serve(fixture_become((unsigned)(uintptr_t)worker), 3);
}

static void used_again(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_new_member(0, NULL, 0);
	fixture_submit_new_member(1, NULL, 0);
	id = chk_thread(serve_three, NULL);
	fixture_await(1);
	fixture_submit_new_member(2, NULL, 0);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	for (unsigned n = 0; n < 3; n++)
		fixture_has_run(n);
	chk_join(id);
	fixture_end();
}

/*
 * The member ends when the next member has run. Another worker runs that one: it waits for the group, and may be
 * asleep.
 */
static void submit_and_await(unsigned n)
{
	fixture_submit_new_member(n + 1, NULL, 0);
	fixture_await(n + 1);
}

static void wake_waiters(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&two);
	fixture_submit_new_member(0, submit_and_await, 0);
	id = chk_thread(fixture_serve_one, (void *)(uintptr_t)1);
	fixture_await_begun(0);
	fixture_become(0);
	chk_assert(filch_group_wait(fixture.group) == 0);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	chk_join(id);
	fixture_end();
}

/* ---- waiting in a worker ---- */

static void helps(void *setup)
{
	int id;

	fixture_begin_group(setup);
	fixture_become(0);
	fixture_submit_new_member(0, NULL, 0);
	id = chk_thread(thief, (void *)(uintptr_t)1);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	chk_join(id);
	fixture_end();
}

static void helps_two(void *setup)
{
	int id;

	fixture_begin_group(setup);
	fixture_become(0);
	fixture_submit_new_member(0, NULL, 0);
	fixture_submit_new_member(1, NULL, 0);
	id = chk_thread(thief, (void *)(uintptr_t)1);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_join(id);
	fixture_end();
}

/* ---- series ---- */

static void series(void *unused)
{
	int id;

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_series(2);
	id = chk_thread(serve_and_own, NULL);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_join(id);
	fixture_end();
}

/* The worker that takes the item puts it back for the other worker. */
static void series_two_workers(void *unused)
{
	int id[2];

	(void)unused;
	fixture_begin_group(&two);
	fixture_submit_series(2);
	id[0] = chk_thread(serve_and_own, (void *)(uintptr_t)0);
	id[1] = chk_thread(thief, (void *)(uintptr_t)1);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_join(id[0]);
	chk_join(id[1]);
	fixture_end();
}

/* The waiting worker takes members from the list, and the thief takes the item. */
static void series_helps(void *setup)
{
	int id;

	fixture_begin_group(setup);
	fixture_become(0);
	fixture_submit_series(2);
	id = chk_thread(thief, (void *)(uintptr_t)1);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	fixture_has_run(0);
	fixture_has_run(1);
	chk_join(id);
	fixture_end();
}

static void series_cancel(void *unused)
{
	int id, err;
	bool begun[2];

	(void)unused;
	fixture_begin_group(&one);
	fixture_submit_series(2);
	id = chk_thread(serve_and_own, NULL);
	chk_assert(filch_group_cancel(fixture.group) == 0);
	err = filch_group_wait(fixture.group);
	for (unsigned n = 0; n < 2; n++) {
		begun[n] = filchi_load_rlx(&fixture.job[n].begun, FLAG);
		(begun[n] ? fixture_has_run : fixture_has_not_run)(n);
	}
	chk_assert(err == (begun[0] && begun[1] ? 0 : -ECANCELED));
	chk_assert(filch_group_destroy(fixture.group) == err);
	chk_join(id);
	fixture_end();
}

/* ---- without workers ---- */

enum { WASTED = 40 };
static struct filch_pool *serial;

static int job_zero(void *unused, void **result)
{
	(void)unused;
	(void)result;
	fixture.job[0].error++;
	return 0;
}

/* The queue has no memory for the member. But the waiting thread may have found it on the list of the group. */
static void submit_refused(void *ran)
{
	int err;

	for (unsigned i = 0; i < WASTED; i++)
		chk_free(chk_alloc(1));
	err = filch_group_submit(fixture.group, job_zero, NULL);
	chk_assert(err == 0 || err == -ENOMEM);
	*(bool *)ran = !err;
}

/* In both cases the pool knows that it has no unfinished job. */
static void refused(void *unused)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = FILCH_NONE};
	bool ran = false;
	int id;

	(void)unused;
	fixture_begin(&one, false);
	chk_assert(filch_pool_create(&serial, &options) == 0);
	chk_assert(filch_group_create(&fixture.group, serial) == 0);
	for (unsigned i = 0; i < 2; i++)
		chk_assert(filch_pool_submit(serial, job_zero, NULL, NULL) == 0);
	id = chk_thread(submit_refused, &ran);
	chk_assert(filch_group_wait(fixture.group) == 0);
	chk_join(id);
	chk_assert(fixture.job[0].error == ran);
	chk_assert(filch_group_destroy(fixture.group) == 0);
	chk_assert(filch_pool_destroy(serial) == 0);
	fixture_end();
}

/* ---- */

static const struct check_scenario scenarios[] = {
	{.name = "wait", .play = wait},
	{.name = "destroy", .play = destroy},
	{.name = "try", .play = try},
	{.name = "grows", .play = grows, .walks = true},
	{.name = "gone", .play = gone},
	{.name = "used_again", .play = used_again, .walks = true},
	{.name = "wake_waiters", .play = wake_waiters},
	{.name = "helps", .play = helps, .arg = &two},
	{.name = "helps_chase_lev", .play = helps, .arg = &two_chase_lev},
	{.name = "helps_two", .play = helps_two, .arg = &two},
	{.name = "series", .play = series},
	{.name = "series_helps", .play = series_helps, .arg = &two},
	{.name = "series_helps_chase_lev", .play = series_helps, .arg = &two_chase_lev},
	{.name = "series_two_workers", .play = series_two_workers, .walks = true},
	{.name = "series_cancel", .play = series_cancel},
	{.name = "cancel", .play = group_cancel},
	{.name = "cancel_before", .play = group_cancel_before},
	{.name = "cancel_running", .play = group_cancel_running},
	{.name = "cancel_alone", .play = group_cancel_alone},
	{.name = "error_or_cancel", .play = group_error_or_cancel},
	{.name = "error_after_cancel", .play = group_error_after_cancel},
	{.name = "two_members", .play = two_members},
	{.name = "refused", .play = refused, .fail_alloc = (uint64_t)7 << WASTED},
	{.name = "first_error", .play = first_error},
	{.name = "two_waiters", .play = two_waiters, .walks = true},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "group", .file = "/pool/group.c", .prefix = "filchi_group_"},
		.scenarios = scenarios,
		.max_events = 600,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
