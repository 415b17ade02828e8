/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sleep protocol alone, under the checker: workers are short loops around a few words, each of which has an item or
 * none. A lost wake-up leaves a worker asleep for ever, and the checker reports that all threads wait.
 *
 * Some items end only when another item is done (needs). If that item stays in its word while a worker sleeps, all
 * threads wait as well. So the checker sees that a ready item runs at once, and not only in the end.
 */
#include "../../src/sched/sleep.h"
#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

enum { MAX_WORKERS = 3, MAX_ITEMS = 2 };

/*
 * How items are published, and by which threads. The worker that does the last item stops all workers. Without items,
 * the scenario stops them.
 */
struct scenario {
	unsigned workers;
	unsigned entered;   /* this many workers start half asleep: only the last look is left */
	unsigned cap;	    /* of searchers */
	unsigned published; /* items, each by a thread of its own */
	bool together;	    /* one thread publishes all items */
	bool search;	    /* looks around before it sleeps; otherwise sleeps at once */
	bool needs;	    /* the first item ends when the second one is done */
	bool quick;	    /* a worker that sees the end returns at once, and leaves the counts as they are */
	bool alone;	    /* a worker that finds an item wakes another only if it sees one more */
	bool shares;	    /* the worker that takes the first item publishes the second one and stays busy */
	unsigned parkers;   /* so many workers sleep in parkers, the first ones */
	bool own;	    /* item 1 is for the first worker only, and wakes that worker */
	bool elsewhere;	    /* parkers are in the hook */
	bool adds;	    /* each worker adds its own parker */
};

static struct {
	const struct scenario *s;
	struct filchi_sleep sleep;
	FILCHI_ATOMIC(uint32_t) item[MAX_ITEMS]; /* 1: there */
	FILCHI_ATOMIC(uint32_t) done[MAX_ITEMS]; /* how often */
	FILCHI_ATOMIC(uint32_t) left;
	FILCHI_ATOMIC(uint32_t) stopping;
	struct filchi_parker parker[MAX_WORKERS];
	FILCHI_ATOMIC(uint32_t) posted[MAX_WORKERS]; /* wakes of the hook that were not taken */
} now;

/*
 * Edges of the test: they order nothing. So only the protocol orders the accesses.
 *
 *   ITEM DONE STOP
 */
static void publish(unsigned n)
{
	filchi_store_rlx(&now.item[n], 1, ITEM);
	if (now.s->own && n == 1)
		(void)filchi_parker_notify(&now.parker[0]);
	else
		filchi_sleep_notify(&now.sleep);
}

static bool take(unsigned me, unsigned *n)
{
	for (unsigned i = 0; i < MAX_ITEMS; i++) {
		uint32_t there = filchi_load_rlx(&now.item[i], ITEM);

		if (now.s->own && i == 1 && me)
			continue;

		if (there && filchi_cas_rlx(&now.item[i], &there, 0, ITEM)) {
			*n = i;
			return true;
		}
	}
	return false;
}

static void stop(void)
{
	filchi_store_rlx(&now.stopping, 1, STOP);
	filchi_fence_sc(STOP);
	filchi_sleep_wake_all(&now.sleep);
}

/* Returns false after the last item. */
static bool run(unsigned n)
{
	if (now.s->shares && n == 0)
		publish(1);
	if (now.s->needs && n == 0)
		while (!filchi_load_rlx(&now.done[1], DONE))
			filchi_spin_wait();
	(void)filchi_fetch_add_rlx(&now.done[n], 1, DONE);
	if (filchi_fetch_add_rlx(&now.left, (uint32_t)-1, DONE) > 1)
		return true;
	stop();
	return false;
}

static bool any_item(void)
{
	for (unsigned i = 0; i < MAX_ITEMS; i++)
		if (filchi_load_rlx(&now.item[i], ITEM))
			return true;
	return false;
}

/* As wake_another() of worker.c does. */
static void wake_another(bool found)
{
	bool woken;

	if (!found || !now.s->alone)
		filchi_sleep_found(&now.sleep);
	else if (filchi_sleep_found_alone(&now.sleep, now.s->workers - 1, &woken) && any_item())
		filchi_sleep_notify(&now.sleep);
}

/* The hook's own way to sleep: a wake that came before ends the sleep. */
static void hook_wake(void *posted)
{
	(void)filchi_fetch_add_rlx((FILCHI_ATOMIC(uint32_t) *)posted, 1, DONE);
	filchi_futex_wake(posted, 1);
}

static void hook_sleep(unsigned me)
{
	while (!filchi_load_rlx(&now.posted[me], DONE))
		filchi_futex_wait(&now.posted[me], 0);
	(void)filchi_fetch_add_rlx(&now.posted[me], (uint32_t)-1, DONE);
}

static void enter(unsigned me, bool searching)
{
	if (me < now.s->parkers)
		filchi_parker_enter(&now.sleep, &now.parker[me], searching);
	else
		filchi_sleep_enter(&now.sleep, searching);
}

static void leave(unsigned me)
{
	if (me < now.s->parkers)
		filchi_parker_leave(&now.sleep, &now.parker[me]);
	else
		filchi_sleep_leave(&now.sleep);
}

/* As wait_in_parker() of worker.c does. */
static void wait_asleep(unsigned me)
{
	struct filchi_parker *parker = &now.parker[me];

	if (me >= now.s->parkers) {
		filchi_sleep_wait(&now.sleep);
		return;
	}
	if (filchi_parker_is_quiet(&now.sleep, parker)) {
		if (!now.s->elsewhere)
			filchi_parker_wait(parker, FILCHI_NO_DEADLINE);
		else if (filchi_parker_in_hook(parker))
			hook_sleep(me);
	}
	filchi_parker_leave(&now.sleep, parker);
}

/* As a worker does: idle() of worker.c. */
static bool idle(unsigned me, unsigned *n, bool entered)
{
	bool searching = !entered && filchi_sleep_search(&now.sleep, now.s->cap);

	for (;;) {
		bool found = searching && now.s->search && take(me, n);

		if (!found) {
			bool stopping;

			if (!entered)
				enter(me, searching);
			entered = false;
			stopping = filchi_load_rlx(&now.stopping, STOP);
			if (stopping && now.s->quick)
				return false;
			found = take(me, n);
			if (!found && !stopping) {
				wait_asleep(me);
				searching = true;
				continue;
			}
			leave(me);
		}
		wake_another(found);
		return found;
	}
}

static void add_parker(unsigned me)
{
	filchi_atomic_init(&now.posted[me], 0);
	filchi_plain_set(&now.parker[me].wake, hook_wake);
	now.parker[me].context = &now.posted[me];
	filchi_parker_add(&now.sleep, &now.parker[me]);
}

static void worker(void *number)
{
	unsigned me = (unsigned)(uintptr_t)number, n;

	if (now.s->adds)
		add_parker(me);
	for (bool first = me < now.s->entered; idle(me, &n, first) && run(n);)
		first = false;
}

static void publisher(void *n)
{
	publish((unsigned)(uintptr_t)n);
}

static void publisher_of_all(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < now.s->published; i++)
		publish(i);
}

static void play(void *arg)
{
	const struct scenario *s = now.s = arg;
	unsigned items = s->published + (s->shares ? 1 : 0), threads = 0;
	int id[2 * MAX_WORKERS];

	filchi_os_check_start();
	filchi_sleep_init(&now.sleep);
	filchi_atomic_init(&now.stopping, 0);
	filchi_atomic_init(&now.left, items);
	for (unsigned i = 0; i < MAX_ITEMS; i++) {
		filchi_atomic_init(&now.item[i], 0);
		filchi_atomic_init(&now.done[i], 0);
	}
	for (unsigned i = 0; i < s->parkers && !s->adds; i++)
		add_parker(i);
	for (unsigned i = 0; i < s->entered; i++)
		enter(i, false);
	for (unsigned i = 0; i < s->workers; i++)
		id[threads++] = chk_thread(worker, (void *)(uintptr_t)i);
	for (unsigned i = 1; i < s->published && !s->together; i++)
		id[threads++] = chk_thread(publisher, (void *)(uintptr_t)i);
	if (!items)
		stop();
	else if (s->together)
		publisher_of_all(NULL);
	else
		publish(0);
	while (threads)
		chk_join(id[--threads]);
	for (unsigned i = 0; i < items; i++)
		chk_assert(filchi_load_rlx(&now.done[i], DONE) == 1);
	chk_assert(s->quick || filchi_load_rlx(&now.sleep.counts, STOP) == 0);
	chk_assert(s->quick || filchi_permits_count(&now.sleep.permits) == 0);
}

static void sleeper(void *number)
{
	wait_asleep((unsigned)(uintptr_t)number);
}

/* A claimed worker takes the permit that it was claimed for. Otherwise the other sleeper would have to be woken. */
static void play_permit(void *arg)
{
	int id[2];

	now.s = arg;
	filchi_os_check_start();
	filchi_sleep_init(&now.sleep);
	for (unsigned i = 0; i < 2; i++)
		add_parker(i);
	for (unsigned i = 0; i < 2; i++)
		enter(i, false);
	id[1] = chk_thread(sleeper, (void *)(uintptr_t)1);
	filchi_sleep_notify(&now.sleep);
	chk_join(id[1]); /* the parker that was added last */
	chk_assert(filchi_load_rlx(&now.sleep.counts, STOP) == FILCHI_SLEEPING_ONE + 1);
	chk_assert(filchi_permits_count(&now.sleep.permits) == 0);
	id[0] = chk_thread(sleeper, (void *)(uintptr_t)0);
	filchi_sleep_wake_all(&now.sleep);
	chk_join(id[0]);
	chk_assert(filchi_load_rlx(&now.sleep.counts, STOP) == 2);
}

static void adder(void *unused)
{
	(void)unused;
	add_parker(0);
}

/* A worker adds its parker while another thread wakes each worker. */
static void play_each(void *arg)
{
	int id;

	now.s = arg;
	filchi_os_check_start();
	filchi_sleep_init(&now.sleep);
	id = chk_thread(adder, NULL);
	filchi_parker_wake_each(&now.sleep);
	chk_join(id);
}

#define SCENARIO(name_, deep_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario){__VA_ARGS__}, .deep = deep_               \
	}
#define WALKS(name_, ...)                                                                                              \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true               \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("stop", false, .workers = 1, .cap = 1),
	SCENARIO("wake", false, .workers = 1, .cap = 1, .published = 1),
	SCENARIO("wake_not_searching", false, .workers = 1, .published = 1),
	SCENARIO("wake_search", false, .workers = 1, .cap = 1, .published = 1, .search = true),
	SCENARIO("two_items", false, .workers = 1, .cap = 1, .published = 2, .together = true),
	SCENARIO("two_publishers", false, .workers = 1, .entered = 1, .published = 2),
	SCENARIO("stop_2", false, .workers = 2, .entered = 2),
	SCENARIO("wake_one_in_full", true, .workers = 2, .entered = 2, .published = 1, .quick = true),
	SCENARIO("parker", false, .workers = 1, .entered = 1, .published = 1, .parkers = 1, .quick = true),
	SCENARIO("parker_in_hook", false, .workers = 1, .entered = 1, .published = 1, .parkers = 1, .elsewhere = true,
		 .quick = true),
	SCENARIO("parker_added", false, .workers = 1, .published = 1, .parkers = 1, .adds = true, .quick = true),
	{.name = "parker_each", .play = play_each, .arg = &(const struct scenario){.workers = 1, .parkers = 1}},
	{.name = "parker_permit", .play = play_permit, .arg = &(const struct scenario){.workers = 2, .parkers = 2}},
	SCENARIO("parker_own", false, .workers = 1, .entered = 1, .published = 2, .parkers = 1, .own = true,
		 .quick = true),
	SCENARIO("parker_stop_2", true, .workers = 2, .entered = 2, .parkers = 2),
	WALKS("parker_in_hook_own", .workers = 1, .entered = 1, .published = 2, .parkers = 1, .own = true,
	      .elsewhere = true),
	WALKS("parker_own_of_two", .workers = 2, .entered = 2, .published = 2, .parkers = 2, .own = true,
	      .quick = true),
	WALKS("parker_mixed", .workers = 2, .entered = 2, .published = 2, .parkers = 1, .own = true, .quick = true),
	WALKS("parker_both", .workers = 2, .entered = 2, .published = 2, .parkers = 2, .together = true, .needs = true,
	      .quick = true),
	WALKS("parker_needs", .workers = 2, .entered = 2, .published = 2, .parkers = 2, .needs = true,
	      .elsewhere = true, .quick = true),
	WALKS("parker_walks", .workers = 2, .cap = 1, .published = 2, .parkers = 2, .own = true, .search = true),
	WALKS("parker_three_walks", .workers = 3, .cap = 1, .published = 2, .parkers = 3, .needs = true),
	WALKS("wake_one_of_two", .workers = 2, .entered = 2, .published = 1, .quick = true),
	WALKS("wake_next", .workers = 2, .entered = 2, .published = 2, .together = true, .needs = true, .quick = true),
	WALKS("alone", .workers = 2, .entered = 2, .published = 2, .needs = true, .alone = true, .quick = true),
	WALKS("alone_torch", .workers = 2, .entered = 2, .published = 2, .together = true, .needs = true, .alone = true,
	      .quick = true),
	WALKS("share", .workers = 2, .entered = 1, .published = 1, .shares = true, .needs = true, .quick = true),
	WALKS("leave", .workers = 2, .entered = 1, .published = 1, .quick = true),
	WALKS("leave_walks", .workers = 2, .cap = 1, .published = 1),
	WALKS("torch_walks", .workers = 2, .cap = 1, .published = 2, .together = true, .needs = true),
	WALKS("search_walks", .workers = 2, .cap = 2, .published = 2, .needs = true, .search = true),
	WALKS("three_walks", .workers = 3, .cap = 1, .published = 2, .needs = true),
	WALKS("share_walks", .workers = 3, .cap = 2, .published = 1, .shares = true, .needs = true, .search = true),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "sleep", .file = "/sched/sleep.c", .prefix = "filchi_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
