/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sleep protocol under the checker, on its own: workers that are shorts loops around a few words, each of which
 * holds work or not. A wake-up that is lost leaves a worker asleep for good, and the checker reports that nobody goes
 * on.
 *
 * Some work ends only when other work has been done (needs): if that was left lying about while a worker sleeps, nobody
 * goes on, either. That is how the checker sees that what could run does run, not only that it does in the end.
 */
#include "../../src/sched/sleep.h"
#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

enum { MAX_WORKERS = 3, MAX_ITEMS = 2 };

/* How work is put in, and by whom. Who does the last of it stops all; without any, it is stopped from outside. */
struct scenario {
	unsigned workers;
	unsigned entered;   /* of them start on their way to sleep: what is left is to look once more */
	unsigned cap;	    /* of searchers */
	unsigned published; /* items, by so many threads, one each */
	bool together;	    /* all of them by one thread */
	bool search;	    /* a look around before going to sleep; else straight to sleep */
	bool needs;	    /* the first item ends when the second has been done */
	bool quick;	    /* who sees that it is over ends at once, and leaves the counts as they are */
	bool shares;	    /* who takes the first item publishes the second itself, then it is busy */
};

static struct {
	const struct scenario *s;
	struct filchi_sleep sleep;
	FILCHI_ATOMIC(uint32_t) item[MAX_ITEMS]; /* 1: there */
	FILCHI_ATOMIC(uint32_t) done[MAX_ITEMS]; /* how often */
	FILCHI_ATOMIC(uint32_t) left;
	FILCHI_ATOMIC(uint32_t) stopping;
} now;

/*
 * Edges of the test: none orders anything, so that only the protocol does.
 *   ITEM DONE STOP
 */
static void publish(unsigned n)
{
	filchi_store_rlx(&now.item[n], 1, ITEM);
	filchi_sleep_notify(&now.sleep);
}

static bool take(unsigned *n)
{
	for (unsigned i = 0; i < MAX_ITEMS; i++) {
		uint32_t there = filchi_load_rlx(&now.item[i], ITEM);

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

/* False: that was all there is. */
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

/* As a worker does: idle() of worker.c. */
static bool idle(unsigned *n, bool entered)
{
	bool searching = !entered && filchi_sleep_search(&now.sleep, now.s->cap);

	for (;;) {
		bool found = searching && now.s->search && take(n);

		if (!found) {
			bool stopping;

			if (!entered)
				filchi_sleep_enter(&now.sleep, searching);
			entered = false;
			stopping = filchi_load_rlx(&now.stopping, STOP);
			if (stopping && now.s->quick)
				return false;
			found = take(n);
			if (!found && !stopping) {
				filchi_sleep_wait(&now.sleep);
				searching = true;
				continue;
			}
			filchi_sleep_leave(&now.sleep);
		}
		filchi_sleep_found(&now.sleep);
		return found;
	}
}

static void worker(void *entered)
{
	unsigned n;

	for (bool first = entered; idle(&n, first) && run(n);)
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
	for (unsigned i = 0; i < s->entered; i++)
		filchi_sleep_enter(&now.sleep, false);
	for (unsigned i = 0; i < s->workers; i++)
		id[threads++] = chk_thread(worker, i < s->entered ? &now : NULL);
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
	chk_assert(s->quick || filchi_load_rlx(&now.sleep.permits, STOP) == 0);
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
	WALKS("wake_one_of_two", .workers = 2, .entered = 2, .published = 1, .quick = true),
	WALKS("torch", .workers = 2, .entered = 2, .published = 2, .together = true, .needs = true, .quick = true),
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
		.mutants = {.name = "sleep", .file = "/sched/sleep.c", .prefix = "filchi_sleep_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
