/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shipped scheduler under the checker: workers start and stop, with items from outside and from workers. An item is
 * an odd number. Each item must run once, with the writes before its push visible, and stop must end.
 *
 * Some items end only when another item has run (needs). If a worker slept through that item, all threads would wait.
 */
#include "../../src/sched/sched.h"
#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"
#include "../fixtures/deque/empty.h"
#include "../fixtures/sched/gone.h"
#include "../fixtures/sched/put.h"
#include "../fixtures/sched/stop.h"

#include <errno.h>

enum { MAX_ITEMS = 4, REGION = 1 << 10 };
enum { IN = 1, RUN = 2 };

struct scenario {
	const char *kind; /* of deques; NULL: none */
	unsigned workers;
	unsigned before;  /* items that are put in before the workers start */
	unsigned items;	  /* items from the thread that then stops the scheduler */
	unsigned others;  /* items from another thread at the same time; they may be refused */
	unsigned offered; /* items from the worker that runs the first item, for any worker */
	bool needs;	  /* the first item ends when the second one has run */
	bool injects;	  /* offered items go to the injector */
	bool sleepy;	  /* a worker searches only after a wake-up, and otherwise sleeps at once */
};

/*
 * Edges of the test: they order nothing. So only the library orders the accesses.
 *
 *   FLAG
 */
static struct {
	const struct scenario *s;
	struct filchi_sched sched;
	FILCHI_CELL(unsigned) state[MAX_ITEMS];
	FILCHI_ATOMIC(uint32_t) ran[MAX_ITEMS];
	bool refused[MAX_ITEMS];
} now;

static uintptr_t item_of(unsigned n)
{
	return 2 * n + 1;
}

/* For scenarios in which the deques play no part. */
static const struct filchi_deque_kind none = {
	.info = {.name = "none", .owner_order = FILCH_FIFO, .owner_private = 1},
	.ops = EMPTY_DEQUE_OPS,
};

static void put_in(unsigned n, bool may_be_refused)
{
	int err;

	filchi_cell_set(&now.state[n], IN);
	err = sched_put(&now.sched, item_of(n));
	chk_assert(!err || (may_be_refused && err == -ESHUTDOWN));
	if (err)
		now.refused[n] = true;
}

static void offer(struct filchi_worker *w, unsigned n)
{
	filchi_cell_set(&now.state[n], IN);
	chk_assert((now.s->injects ? filchi_sched_inject(w->sched, item_of(n)) : filchi_sched_offer(w, item_of(n))) ==
		   0);
}

static void run(struct filchi_worker *w, uintptr_t item)
{
	unsigned n = (unsigned)(item / 2), last = now.s->before + now.s->items + now.s->others + now.s->offered - 1;

	chk_assert(item % 2 && n <= last);
	chk_assert(filchi_cell_get(&now.state[n]) == IN);
	filchi_cell_set(&now.state[n], RUN);
	for (unsigned i = 0; n == 0 && i < now.s->offered; i++)
		offer(w, last - i);
	while (n == 0 && now.s->needs && !filchi_load_rlx(&now.ran[1], FLAG))
		filchi_spin_wait();
	chk_assert(filchi_fetch_add_rlx(&now.ran[n], 1, FLAG) == 0);
}

static void other(void *unused)
{
	const struct scenario *s = now.s;

	(void)unused;
	for (unsigned i = 0; i < s->others; i++)
		put_in(s->before + s->items + i, true);
}

static void init(const struct scenario *s)
{
	struct filchi_sched_setup setup = {.run = run, .workers = s->workers, .searchers = !s->sleepy};

	now.s = s;
	filchi_os_check_start();
	setup.kind = s->kind ? filchi_deque_find(s->kind) : &none;
	setup.deque = (struct filchi_deque_setup){2, setup.kind->info.bounded ? 2 : 8, 0, 0};
	setup.victim = FILCHI_VICTIM_SEQUENTIAL;
	chk_assert(filchi_sched_init(&now.sched, &setup) == 0);
	for (unsigned i = 0; i < MAX_ITEMS; i++) {
		filchi_cell_set(&now.state[i], 0);
		filchi_atomic_init(&now.ran[i], 0);
		now.refused[i] = false;
	}
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	int id = 0;

	init(s);
	for (unsigned i = 0; i < s->before; i++)
		put_in(i, false);
	chk_assert(filchi_sched_start(&now.sched) == 0);
	if (s->others)
		id = chk_thread(other, NULL);
	for (unsigned i = 0; i < s->items; i++)
		put_in(s->before + i, false);
	filchi_sched_stop(&now.sched);
	chk_assert(sched_put(&now.sched, item_of(MAX_ITEMS)) == -ESHUTDOWN);
	if (s->others)
		chk_join(id);
	for (unsigned i = 0; i < s->before + s->items + s->others + s->offered; i++) {
		chk_assert(filchi_load_rlx(&now.ran[i], FLAG) == !now.refused[i]);
		chk_assert(filchi_cell_get(&now.state[i]) == (now.refused[i] ? IN : RUN));
	}
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, FLAG) == 0);
	chk_assert(filchi_permits_count(&now.sched.sleep.permits) == 0);
	filchi_sched_fini(&now.sched);
}

#define SCENARIO(name_, ...)                                                                                           \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario)                                           \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define WALKS(name_, ...)                                                                                              \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true               \
	}
#define GONE(name_, ...)                                                                                               \
	{                                                                                                              \
		.name = name_, .play = sched_gone, .arg = &(const struct sched_gone)                                   \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("stop", .kind = "locked", .workers = 1),
	{.name = "submitters", .play = sched_submitters},
	{.name = "busy", .play = sched_busy, .walks = true},
	{.name = "busy_two", .play = sched_busy_two, .walks = true},
	GONE("gone", .pushers = 1),
	GONE("gone_woken", .pushers = 1, .asleep = true),
	GONE("gone_append", .pushers = 1, .before = 2),
	{.name = "gone_no_memory",
	 .play = sched_gone,
	 .arg = &(const struct sched_gone){.pushers = 1, .before = 2, .no_memory = true},
	 .fail_alloc = SCHED_GONE_NO_MEMORY},
	{.name = "permit", .play = sched_permit, .walks = true},
	{.name = "end", .play = sched_end, .walks = true},
	SCENARIO("one_before", .kind = "locked", .workers = 1, .before = 1),
	SCENARIO("two_before", .kind = "chase_lev", .workers = 1, .before = 2),
	{.name = "gone_two_no_memory",
	 .play = sched_gone,
	 .arg = &(const struct sched_gone){.pushers = 2, .before = 2, .no_memory = true},
	 .fail_alloc = SCHED_GONE_NO_MEMORY},
	{.name = "gone_two", .play = sched_gone, .arg = &(const struct sched_gone){.pushers = 2}, .walks = true},
	WALKS("stop_two", .kind = "locked", .workers = 2),
	WALKS("one_item", .kind = "locked", .workers = 1, .items = 1),
	WALKS("one_other", .kind = "locked", .workers = 1, .others = 1),
	WALKS("two_and_other", .kind = "locked", .workers = 1, .items = 2, .others = 1),
	WALKS("two_workers", .kind = "locked", .workers = 2, .items = 1),
	WALKS("needs", .kind = "locked", .workers = 2, .items = 2, .needs = true),
	WALKS("needs_before", .kind = "chase_lev", .workers = 2, .before = 2, .needs = true),
	WALKS("needs_share", .kind = "chase_lev", .workers = 2, .before = 3, .needs = true),
	WALKS("needs_split", .kind = "split", .workers = 2, .items = 2, .needs = true),
	WALKS("needs_private", .kind = "private", .workers = 2, .before = 2, .needs = true),
	WALKS("offer", .kind = "locked", .workers = 2, .items = 1, .offered = 1, .needs = true),
	WALKS("offer_chase_lev", .kind = "chase_lev", .workers = 2, .before = 1, .offered = 1, .needs = true),
	WALKS("offer_split", .kind = "split", .workers = 2, .before = 1, .offered = 2),
	WALKS("offer_private", .kind = "private", .workers = 2, .before = 1, .offered = 2),
	WALKS("inject", .kind = "split", .workers = 2, .items = 1, .offered = 1, .needs = true, .injects = true),
	WALKS("one_item_sleepy", .workers = 1, .items = 1, .sleepy = true),
	WALKS("stop_two_sleepy", .workers = 2, .sleepy = true),
	WALKS("stop_three_sleepy", .workers = 3, .before = 1, .sleepy = true),
	WALKS("three", .kind = "chase_lev", .workers = 3, .items = 2, .others = 1, .offered = 1),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "sched",
			    .file = "/sched/worker.c",
			    .base = "/sched/sched.c",
			    .beside = true,
			    .prefix = "filchi_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
		.max_events = 600,
	};

	return check_main(&program, argc, argv);
}
