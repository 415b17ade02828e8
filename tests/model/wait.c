/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait for each other under the checker: on the fixture of fixtures/pool/fixture.h, where checker threads
 * act as workers. Waits in a circle end with -EDEADLK. The only worker of a pool waits, and another thread waits for a
 * queued job of the pool: this thread runs the job, whichever of the two falls asleep first.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/pool/fixture.h"

#include <errno.h>

/*
 * Edges of the test.
 *
 *   FLAG   orders nothing, so that only the library orders the accesses
 *   WOKEN   suspend_wake: store_rel woken → suspend_end: load_acq woken   as a deque
 *   PUT   circle: store_rel flag → await_futures: load_acq flag   the futures
 */

static const struct fixture_setup one = {"locked", 1, 0}, two = {"locked", 2, 0};
static struct filch_pool second;
static int told[2];

/* ---- circles ---- */

static void await_futures(void)
{
	while (!filchi_load_acq(&fixture.flag, PUT))
		filchi_spin_wait();
}

static void wait_for_next(unsigned n)
{
	await_futures();
	told[n] = filch_future_wait(fixture.future[!n], NULL);
}

static void circle(void *unused)
{
	int id[2];

	(void)unused;
	fixture_begin(&two, false);
	told[0] = told[1] = 0;
	fixture_prepare(0, wait_for_next, 0);
	fixture_prepare(1, wait_for_next, 0);
	fixture_submit_future(0);
	fixture_submit_future(1);
	filchi_store_rel(&fixture.flag, 1, PUT);
	id[0] = chk_thread(fixture_serve_one, (void *)(uintptr_t)0);
	id[1] = chk_thread(fixture_serve_one, (void *)(uintptr_t)1);
	chk_join(id[0]);
	chk_join(id[1]);
	/* The last wait of the circle failed. This ended the other wait. */
	chk_assert((told[0] == -EDEADLK) != (told[1] == -EDEADLK));
	filch_future_destroy(fixture.future[0]);
	filch_future_destroy(fixture.future[1]);
	fixture_end();
}

/* ---- stalled pools ---- */

/* Job 0, in the first pool, waits for job 1 in the second, which waits for job 2 in the first. */
static bool late; /* the first job waits only after the others were submitted */

static void wait_in_other(unsigned n)
{
	fixture_submit_future_to(n ? &fixture.pool : &second, n + 1);
	if (n)
		filchi_store_rlx(&fixture.flag, 1, FLAG);
	while (!n && late && !filchi_load_rlx(&fixture.flag, FLAG))
		filchi_spin_wait();
	chk_assert(fixture_wait(n + 1));
	filch_future_destroy(fixture.future[n + 1]);
}

static void serve_second(void *unused)
{
	(void)unused;
	filchi_thread_local_set(second.sched.workers[0]);
	fixture_serve(second.sched.workers[0], 1);
}

static void across(void *is_late)
{
	int id;

	late = is_late;
	fixture_begin(&one, false);
	fixture_make_pool(&second, &one);
	fixture_prepare(0, wait_in_other, 0);
	fixture_prepare(1, wait_in_other, 0);
	fixture_prepare(2, NULL, 0);
	fixture_submit_future(0);
	id = chk_thread(serve_second, NULL);
	fixture_serve_one(NULL);
	chk_join(id);
	filchi_thread_local_set(NULL);
	chk_assert(fixture_wait(0));
	fixture_has_run(2);
	filch_future_destroy(fixture.future[0]);
	fixture_end_pool(&second);
	fixture_end();
}

/* ---- any of several ---- */

static void any(void *unused)
{
	size_t which = 9;
	int id;

	(void)unused;
	fixture_begin(&one, false);
	for (unsigned n = 0; n < 2; n++) {
		fixture_prepare(n, NULL, 0);
		fixture_submit_future(n);
	}
	id = chk_thread(fixture_serve_one, NULL);
	chk_assert(filch_future_wait_any(fixture.future, 2, UINT64_MAX, &which) == 0);
	chk_assert(which == 0);
	fixture_has_run(0);
	chk_join(id);
	fixture_serve_one(NULL);
	fixture_has_run(1);
	for (unsigned n = 0; n < 2; n++)
		filch_future_destroy(fixture.future[n]);
	fixture_end();
}

/* ---- suspended callers ---- */

/* Hooks suspend the caller: here it spins until it is woken, once. */
static FILCHI_ATOMIC(uint32_t) woken;

static void *suspend_begin(void *context)
{
	filchi_store_rlx(&woken, 0, FLAG);
	return context;
}

static int suspend_end(void *token, uint64_t deadline)
{
	(void)token;
	(void)deadline;
	while (!filchi_load_acq(&woken, WOKEN))
		filchi_spin_wait();
	return 0;
}

static void suspend_wake(void *token)
{
	chk_assert(token == &woken && !filchi_load_rlx(&woken, FLAG));
	filchi_store_rel(&woken, 1, WOKEN);
}

enum way { OF_ONE, OF_ANY, SECOND };
static enum way of_one = OF_ONE, of_any = OF_ANY, second_wait = SECOND;

static void suspends(void *way)
{
	static const struct filch_hooks hooks = {
		.wait_begin = suspend_begin, .wait_end = suspend_end, .wait_wake = suspend_wake};
	struct filchi_worker *w;
	size_t which = 9;
	int id;

	fixture_begin(&two, false);
	filchi_atomic_init(&woken, 0);
	fixture_prepare(0, NULL, 0);
	fixture_submit_future(0);
	/* A wait whose time is over leaves its bit in the state of the job. */
	if (*(enum way *)way == SECOND)
		chk_assert(filch_future_wait_for(fixture.future[0], 0, NULL) == -ETIMEDOUT);
	id = chk_thread(fixture_serve_one, (void *)(uintptr_t)1);
	w = fixture.pool.sched.workers[0];
	w->hooks = &hooks;
	w->hook_context = &woken;
	filchi_thread_local_set(w);
	if (*(enum way *)way == OF_ANY)
		chk_assert(filch_future_wait_any(fixture.future, 1, UINT64_MAX, &which) == 0 && which == 0);
	else
		chk_assert(fixture_wait(0));
	fixture_has_run(0);
	w->hooks = NULL;
	filchi_thread_local_set(NULL);
	chk_join(id);
	filch_future_destroy(fixture.future[0]);
	fixture_end();
}

/* ---- */

static const struct check_scenario scenarios[] = {
	{.name = "any", .play = any},
	{.name = "suspends", .play = suspends, .arg = &of_one, .walks = true},
	{.name = "suspends_any", .play = suspends, .arg = &of_any, .walks = true},
	{.name = "suspends_second", .play = suspends, .arg = &second_wait, .walks = true},
	{.name = "circle", .play = circle, .walks = true},
	{.name = "across", .play = across, .walks = true},
	{.name = "across_late", .play = across, .arg = &one, .walks = true},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "wait", .file = "/pool/wait.c", .prefix = "filchi_"},
		.scenarios = scenarios,
		.max_events = 900,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
