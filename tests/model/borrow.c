/* SPDX-License-Identifier: Apache-2.0 */
/*
 * External threads that borrow sleeping workers, under the checker; on the fixture of fixtures/sched/borrow_fixture.h.
 * Checker threads act as the workers, as in sleep.c: they follow idle() of worker.c, and wait in filchi_worker_sleep as
 * it does.
 *
 * If an item stays in a box while a worker sleeps, all threads wait, and the checker reports it: the scenario stops the
 * workers only when each item is done.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/sched/borrow_fixture.h"

enum { MAX_EXTERNALS = 2 };

/* ---- workers ---- */

/* A worker that finds nothing requests tasks from the other workers. */
static void ask(const struct filchi_worker *w)
{
	for (unsigned i = 0; now.s->asks && i < now.s->workers; i++)
		if (i != w->id)
			filchi_store_rlx(threshold_of(i), FILCHI_REQUESTED, THRESHOLD);
}

/* A worker that goes to sleep at once: idle() of worker.c. */
static bool idle(struct filchi_worker *w, unsigned *n, bool entered)
{
	struct filchi_sleep *s = &now.sched.sleep;
	bool searching = false;

	for (;;) {
		bool found, stopping;

		if (!entered)
			filchi_sleep_enter(s, searching);
		entered = false;
		stopping = filchi_load_rlx(&now.stopping, STOP);
		use_own(w);
		found = take(n);
		if (!found)
			ask(w);
		if (found || stopping) {
			filchi_sleep_leave(s);
			(void)filchi_sleep_found(s);
			return found;
		}
		filchi_lease_wait(w);
		use_own(w); /* it searches */
		searching = true;
	}
}

/* One worker with one item ends when the item is done. No thread need stop it. */
static bool is_quick(void)
{
	return now.s->workers == 1 && now.s->items == 1;
}

static void worker(void *arg)
{
	struct filchi_worker *w = arg;
	unsigned n;

	for (bool entered = now.s->entered; idle(w, &n, entered); entered = false) {
		(void)filchi_fetch_add_rlx(&now.done[n], 1, DONE);
		if (is_quick())
			return;
	}
}

static void await(unsigned n)
{
	while (!filchi_load_rlx(&now.done[n], DONE))
		filchi_spin_wait();
}

/* ---- external threads ---- */

static void borrow_once(void)
{
	struct filchi_worker *w = filchi_borrow(&now.sched);

	if (!w)
		return;
	chk_assert(filchi_worker_self() == w);
	use_own(w);
	if (now.s->offers) {
		now.offered[w->id] = true;
		publish(w->id);
	}
	if (now.s->needs)
		await(now.s->offers ? w->id : 0);
	filchi_give_back(w);
	chk_assert(!filchi_worker_self());
}

static void external(void *unused)
{
	(void)unused;
	borrow_once();
	if (now.s->again)
		borrow_once();
}

/* ---- */

static void run(struct filchi_worker *w, uintptr_t item);

static void init(const struct scenario *s)
{
	struct filchi_sched_setup setup = {.workers = s->workers,
					   .kind = &box_kind,
					   .worker_create = create_worker,
					   .run = run,
					   .victim = FILCHI_VICTIM_SEQUENTIAL,
					   .searchers = 1};

	now.s = s;
	now.boxes = 0;
	filchi_os_check_start();
	chk_assert(filchi_sched_init(&now.sched, &setup) == 0);
	filchi_atomic_init(&now.stopping, 0);
	for (unsigned i = 0; i < s->workers; i++) {
		filchi_cell_set(&now.own[i], 0);
		filchi_atomic_init(&now.done[i], 0);
		now.offered[i] = false;
		if (s->entered)
			filchi_sleep_enter(&now.sched.sleep, false);
	}
}

/* No external thread has borrowed a worker, so stop may run. */
static void stop(void)
{
	filchi_store_rlx(&now.stopping, 1, STOP);
	filchi_fence_sc(STOP);
	filchi_sleep_wake_all(&now.sched.sleep);
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	int workers[MAX_WORKERS], externals[MAX_EXTERNALS];

	init(s);
	for (unsigned i = 0; i < s->workers; i++)
		workers[i] = chk_thread(worker, now.sched.workers[i]);
	for (unsigned i = 1; i < s->externals; i++)
		externals[i] = chk_thread(external, NULL);
	if (s->items) {
		externals[0] = chk_thread(external, NULL);
		for (unsigned i = 0; i < s->items; i++)
			publish(i);
	} else {
		external(NULL);
	}
	for (unsigned i = !s->items; i < s->externals; i++)
		chk_join(externals[i]);
	for (unsigned i = 0; i < s->workers; i++)
		if (i < s->items || now.offered[i])
			await(i);
	if (!is_quick())
		stop();
	for (unsigned i = 0; i < s->workers; i++)
		chk_join(workers[i]);
	for (unsigned i = 0; i < s->workers; i++)
		chk_assert(filchi_load_rlx(&now.done[i], DONE) == (i < s->items || now.offered[i]));
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, STOP) == 0);
	chk_assert(filchi_permits_count(&now.sched.sleep.permits) == 0);
	filchi_sched_fini(&now.sched);
}

/* A busy worker has answered a request and looks for the next one. While no worker sleeps, no request is necessary. */
static void busy(void *unused)
{
	(void)unused;
	filchi_store_rlx(threshold_of(0), 0, THRESHOLD);
	(void)filchi_sleep_notify(&now.sched.sleep);
	while (filchi_load_rlx(threshold_of(0), THRESHOLD) != FILCHI_REQUESTED)
		filchi_spin_wait();
}

static void threshold(void *arg)
{
	int id[2];

	init(arg);
	id[0] = chk_thread(busy, NULL);
	id[1] = chk_thread(worker, now.sched.workers[1]);
	external(NULL);
	chk_join(id[0]);
	stop();
	chk_join(id[1]);
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, STOP) == 0);
	filchi_sched_fini(&now.sched);
}

/* ---- whole workers: items are odd numbers, and come through the injector ---- */

static void run(struct filchi_worker *w, uintptr_t item)
{
	use_own(w);
	chk_assert(filchi_fetch_add_rlx(&now.done[item / 2], 1, DONE) == 0);
}

static void inject(void *unused)
{
	(void)unused;
	for (unsigned n = 0; n < now.s->items; n++)
		chk_assert(filchi_sched_inject(&now.sched, 2 * n + 1) == 0);
}

static void whole(void *arg)
{
	const struct scenario *s = arg;
	int id[2] = {0};

	init(s);
	chk_assert(filchi_sched_start(&now.sched) == 0);
	id[0] = chk_thread(inject, NULL);
	if (s->externals > 1)
		id[1] = chk_thread(external, NULL);
	external(NULL);
	chk_join(id[0]);
	if (s->externals > 1)
		chk_join(id[1]);
	for (unsigned n = 0; n < s->items; n++)
		await(n);
	filchi_sched_stop(&now.sched);
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, STOP) == 0);
	chk_assert(filchi_permits_count(&now.sched.sleep.permits) == 0);
	filchi_sched_fini(&now.sched);
}

#define SCENARIO(name_, play_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario)                                          \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define WALKS(name_, play_, ...)                                                                                       \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true              \
	}
/* Takes some seconds: runs in full only in a deep run. */
#define DEEP(name_, play_, ...)                                                                                        \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario){__VA_ARGS__}, .deep = true               \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("borrow", play, .workers = 1, .externals = 1, .entered = true),
	SCENARIO("borrow_again", play, .workers = 1, .externals = 1, .entered = true, .again = true),
	SCENARIO("early", play, .workers = 1, .externals = 1),
	SCENARIO("item", play, .workers = 1, .externals = 1, .items = 1, .entered = true),
	WALKS("injected", play, .workers = 1, .externals = 1, .items = 1, .entered = true, .injects = true),
	DEEP("injected_in_full", play, .workers = 1, .externals = 1, .items = 1, .entered = true, .injects = true),
	WALKS("item_again", play, .workers = 1, .externals = 1, .items = 1, .entered = true, .again = true),
	SCENARIO("offers", play, .workers = 1, .externals = 1, .entered = true, .offers = true),
	SCENARIO("two_externals", play, .workers = 1, .externals = 2, .entered = true),
	WALKS("two_externals_item", play, .workers = 1, .externals = 2, .items = 1, .entered = true),
	WALKS("needs", play, .workers = 2, .externals = 1, .items = 1, .entered = true, .needs = true),
	WALKS("two_of_two", play, .workers = 2, .externals = 2, .items = 1, .entered = true),
	WALKS("two_items", play, .workers = 2, .externals = 1, .items = 2, .entered = true, .again = true),
	WALKS("offers_two", play, .workers = 2, .externals = 1, .entered = true, .offers = true),
	WALKS("offers_needs", play, .workers = 2, .externals = 1, .offers = true, .needs = true),
	SCENARIO("threshold", threshold, .workers = 2, .externals = 1, .asks = true),
	WALKS("whole", whole, .workers = 1, .externals = 1, .items = 1, .again = true),
	WALKS("whole_two", whole, .workers = 2, .externals = 2, .items = 2),
	WALKS("two_again", play, .workers = 2, .externals = 2, .items = 2, .again = true),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "borrow", .file = "/sched/borrow.c", .prefix = "filchi_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
		.max_events = 400,
	};

	return check_main(&program, argc, argv);
}
