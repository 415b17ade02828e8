/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_SPAWN_N under the checker: with fixtures/task/fixture.h, and with the scenarios of
 * fixtures/task/spawn_n_nested.c and spawn_n_leaps.c. A worker makes tasks of the remaining numbers and puts them into
 * its stash. Other workers take them from there, or the worker takes them back.
 *
 * A checked build makes two tasks at once, and a stash has room for three besides the reserved index. A request makes
 * tasks of half of the remaining numbers, rounded up, from the end. If a request is there when a SPAWN_N of four
 * begins, the last two become tasks.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/task/spawn_n_fixture.h"
#include "../fixtures/task/spawn_n_scenarios.h"

#include <string.h>

static int threads[2];

/* Situations that the scenarios must have reached in the end. */
static bool got_it, got_one_each, taken_from_stash, chunk_stolen, chunk_taken_back;

static const char *fault(void)
{
	const char *nested = spawn_n_nested_fault();

	return !got_it		   ? "no thief has got a number after its request"
	       : !got_one_each	   ? "no two thieves have got one number each"
	       : !taken_from_stash ? "no number was taken back from the stash of a busy thief"
	       : !chunk_stolen	   ? "no thief has run a chunk"
	       : !chunk_taken_back ? "no chunk was taken back"
	       : nested		   ? nested
				   : spawn_n_leaps_fault();
}

/* ---- one SPAWN_N ---- */

/* A thief makes a request, and looks again. */
static void ask_and_take(void *unused)
{
	struct filchi_worker *w = become(1);

	(void)unused;
	if (!take_and_run(w, 0))
		take_and_run(w, 0);
}

static void root_asked(struct filch_frame *f)
{
	threads[0] = chk_thread(ask_and_take, NULL);
	spawn_n(f, 3, 0, spawn_n_leaf);
	sync_n(f, 3, 0);
	got_it |= now.ran_by[2] == 1;
	chk_join(threads[0]);
}

static void asked(void *arg)
{
	play(arg, root_asked);
}

/* No thief comes: the worker takes all tasks back. It makes tasks only while the stash has room. */
static void leaf_asked(struct filch_frame *f, unsigned n)
{
	spawn_n_leaf(f, n);
	if (n < 2) {
		chk_assert(!is_requested(f) &&
			   filchi_stash_size(&filchi_task_worker_of(f->worker)->sched.stash) == 2 + n);
		request(f);
	} else if (n < 4) {
		chk_assert(is_requested(f) && filchi_stash_size(&filchi_task_worker_of(f->worker)->sched.stash) == 3);
	}
}

static void root_take_back(struct filch_frame *f)
{
	for (unsigned i = 0; i < 2; i++) {
		request(f);
		chk_assert(spawn_n(f, 7, 0, leaf_asked) == 4);
		for (unsigned n = 0; n < 7; n++)
			chk_assert(filchi_cell_get(&now.state[n]) == (n < 4 ? RUN : NEW));
		sync_n(f, 7, 0);
	}
}

/* The stash is full: the worker makes no task, and the request stays. */
static void root_full(struct filch_frame *f)
{
	struct filchi_worker *me = &filchi_task_worker_of(f->worker)->sched;

	memset(me->stash.items, 1, sizeof(me->stash.items));
	filchi_store_rlx(&me->stash.count, FILCHI_STASH_MAX, FLAG);
	request(f);
	chk_assert(spawn_n(f, 3, 0, spawn_n_leaf) == 3 && is_requested(f));
	filchi_store_rlx(&me->stash.count, 0, FLAG);
	sync_n(f, 3, 0);
}

static void full(void *arg)
{
	play(arg, root_full);
}

static void take_back(void *arg)
{
	play(arg, root_take_back);
}

/* The stash has one or two tasks, and two thieves come. */
static void two_come(struct filch_frame *f, unsigned n)
{
	spawn_n_leaf(f, n);
	if (n == 0) {
		threads[0] = chk_thread(take_1, NULL);
		threads[1] = chk_thread(take_2, NULL);
	}
}

static void root_two_thieves(struct filch_frame *f)
{
	request(f);
	chk_assert(spawn_n(f, 2, 0, two_come) == 1);
	sync_n(f, 2, 0);
	chk_join(threads[0]);
	chk_join(threads[1]);
}

static void root_one_each(struct filch_frame *f)
{
	request(f);
	chk_assert(spawn_n(f, 4, 0, two_come) == 2);
	sync_n(f, 4, 0);
	chk_join(threads[0]);
	chk_join(threads[1]);
	got_one_each |= now.ran_by[2] && now.ran_by[3] && now.ran_by[2] != now.ran_by[3];
}

static void two_thieves(void *arg)
{
	play(arg, root_two_thieves);
}

static void one_each(void *arg)
{
	play(arg, root_one_each);
}

/*
 * A thief takes two tasks and puts the second into its stash. The owner may take it back while the thief runs the
 * first. steal_more does the same, but takes at most half.
 */
static void take_both(void *unused)
{
	struct filchi_worker *w = become(1);
	uintptr_t items[2], item;
	size_t count;

	(void)unused;
	count = filchi_stash_take(&now.sched.workers[0]->stash, FILCHI_ITEMS_ALL, items, 2);
	if (count == 2)
		filchi_steal_stash(w, items + 1, 1);
	if (count)
		run_item(w, items[0]);
	while (filchi_stash_take_own(&w->stash, 0, FILCHI_ITEMS_ALL, &item))
		run_item(w, item);
}

static void one_comes(struct filch_frame *f, unsigned n)
{
	spawn_n_leaf(f, n);
	if (n == 0)
		threads[0] = chk_thread(take_both, NULL);
}

static void root_stash_of_thief(struct filch_frame *f)
{
	request(f);
	chk_assert(spawn_n(f, 4, 0, one_comes) == 2);
	sync_n(f, 4, 0);
	chk_join(threads[0]);
	taken_from_stash |= now.ran_by[2] == 1 && now.ran_by[3] == 0;
}

static void stash_of_thief(void *arg)
{
	play(arg, root_stash_of_thief);
}

/* The last two numbers are one task, because numbers are known to be short. A thief runs both, or the owner does. */
static void root_chunk(struct filch_frame *f)
{
	filchi_task_worker_of(f->worker)->spawn_n.known = true;
	request(f);
	chk_assert(spawn_n(f, 4, 0, one_comes) == 2);
	chk_assert(is_made(f->head - 1) && is_made(f->head - 2));
	sync_n(f, 4, 0);
	chk_join(threads[0]);
	chk_assert(now.ran_by[2] == now.ran_by[3]);
	*(now.ran_by[2] ? &chunk_stolen : &chunk_taken_back) = true;
}

static void chunk(void *arg)
{
	play(arg, root_chunk);
}

/* ---- SPAWN_Ns, and a worker that sleeps or is about to sleep ---- */

/* Is counted as sleeping, and looks once more. */
static void sleeper(void *unused)
{
	struct filchi_sleep *s = &now.sched.sleep;
	struct filchi_worker *w = become(1);
	uintptr_t item;

	(void)unused;
	while (!look_at(w, 0, &item)) {
		filchi_sleep_wait(s);
		filchi_sleep_enter(s, true);
	}
	filchi_sleep_leave(s);
	(void)filchi_sleep_found(s);
	run_item(w, item);
}

static void awake(void *unused)
{
	filchi_sleep_enter(&now.sched.sleep, false);
	sleeper(unused);
}

/* The sleeper has made a request. The first number ends only after the last one has run. */
static void needs_1(struct filch_frame *f, unsigned n)
{
	spawn_n_leaf(f, n);
	if (n == 0)
		await(&now.flag[0]);
	else
		filchi_store_rlx(&now.flag[0], 1, FLAG);
}

static void root_sleeps(struct filch_frame *f)
{
	filchi_sleep_enter(&now.sched.sleep, false);
	threads[0] = chk_thread(sleeper, NULL);
	while (!is_requested(f))
		filchi_spin_wait();
	chk_assert(spawn_n(f, 2, 0, needs_1) == 1);
	sync_n(f, 2, 0);
	chk_assert(now.ran_by[1] == 1);
	chk_join(threads[0]);
}

static void sleeps(void *arg)
{
	play(arg, root_sleeps);
}

/* The sleeper makes its request now. If it does not find the last number, the next number finds its request. */
static void needs_2(struct filch_frame *f, unsigned n)
{
	FILCHI_ATOMIC(uint32_t) *done = &now.flag[0];

	spawn_n_leaf(f, n);
	if (n == 0)
		while (!is_requested(f) && !filchi_load_rlx(done, FLAG))
			filchi_spin_wait();
	if (n == 1)
		await(done);
	if (n == 2)
		filchi_store_rlx(done, 1, FLAG);
}

static void root_falls_asleep(struct filch_frame *f)
{
	threads[0] = chk_thread(awake, NULL);
	chk_assert(spawn_n(f, 3, 0, needs_2) == 2);
	sync_n(f, 3, 0);
	chk_assert(now.ran_by[2] == 1);
	chk_join(threads[0]);
}

static void falls_asleep(void *arg)
{
	play(arg, root_falls_asleep);
}

/* The same with started workers. */
static void root_whole(struct filch_frame *f)
{
	begin(f, 3);
	chk_assert(spawn_n(f, 3, 0, needs_2) == 2);
	sync_n(f, 3, 0);
	chk_assert(now.ran_by[2] != now.ran_by[3]);
	end(3);
}

static void started(void *arg)
{
	whole(arg, root_whole);
}

/* The same with nested SPAWN_Ns, and no number waits for another worker. */
static void spawn_n_of_two(struct filch_frame *f, unsigned n)
{
	begin(f, n);
	spawn_n(f, 2, 4 + 2 * n, spawn_n_leaf);
	sync_n(f, 2, 4 + 2 * n);
	end(n);
}

static void root_whole_nested(struct filch_frame *f)
{
	begin(f, 3);
	spawn_n(f, 2, 0, spawn_n_of_two);
	sync_n(f, 2, 0);
	end(3);
}

static void started_nested(void *arg)
{
	whole(arg, root_whole_nested);
}

/* ---- */

#define ARG(kind_, workers_, join_)                                                                                    \
	.arg = &(const struct task_scenario)                                                                           \
	{                                                                                                              \
		.kind = kind_, .workers = workers_, .join = FILCHI_JOIN_##join_                                        \
	}
static const struct check_scenario scenarios[] = {
	{.name = "take_back", .play = take_back, ARG(NULL, 2, TRANSITIVE)},
	{.name = "full", .play = full, ARG(NULL, 2, TRANSITIVE)},
	{.name = "in_turn", .play = spawn_n_in_turn, ARG(NULL, 2, TRANSITIVE)},
	{.name = "outer", .play = spawn_n_outer, ARG(NULL, 2, TRANSITIVE)},
	{.name = "asked", .play = asked, ARG(NULL, 2, TRANSITIVE)},
	{.name = "two_thieves", .play = two_thieves, ARG(NULL, 3, TRANSITIVE)},
	{.name = "one_each", .play = one_each, ARG(NULL, 3, TRANSITIVE), .walks = true},
	{.name = "stash_of_thief", .play = stash_of_thief, ARG(NULL, 2, TRANSITIVE)},
	{.name = "chunk", .play = chunk, ARG(NULL, 2, TRANSITIVE)},
	{.name = "nested", .play = spawn_n_nested, ARG(NULL, 2, TRANSITIVE)},
	{.name = "reused", .play = spawn_n_reused, ARG(NULL, 2, TRANSITIVE)},
	{.name = "older", .play = spawn_n_older, ARG(NULL, 2, TRANSITIVE)},
	{.name = "out_of_reach", .play = spawn_n_out_of_reach, ARG(NULL, 2, TRANSITIVE)},
	{.name = "late", .play = spawn_n_late, ARG(NULL, 2, TRANSITIVE)},
	{.name = "for_spawn", .play = spawn_n_for_spawn, ARG("locked", 2, TRANSITIVE)},
	{.name = "suspended", .play = spawn_n_suspended, ARG("locked", 2, TRANSITIVE)},
	{.name = "suspended_split", .play = spawn_n_suspended, ARG("split", 2, TRANSITIVE)},
	{.name = "waits", .play = spawn_n_waits, ARG("locked", 2, TRANSITIVE), .walks = true},
	{.name = "third", .play = spawn_n_third, ARG(NULL, 3, TRANSITIVE), .walks = true},
	{.name = "falls_asleep", .play = falls_asleep, ARG(NULL, 2, TRANSITIVE), .walks = true},
	{.name = "started", .play = started, ARG(NULL, 2, TRANSITIVE), .walks = true},
	{.name = "started_nested", .play = started_nested, ARG("split", 2, TRANSITIVE), .walks = true},
	{.name = "sleeps", .play = sleeps, ARG(NULL, 2, TRANSITIVE)},
	{.name = "leap", .play = spawn_n_leap, ARG(NULL, 2, LEAPFROG)},
	{.name = "leap_on", .play = spawn_n_leap, ARG(NULL, 2, TRANSITIVE), .walks = true},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "spawn_n",
			    .file = "/task/spawn_n.c",
			    .base = "/task/spawn.c",
			    .beside = true,
			    .prefix = "filchi_spawn_n_"},
		.scenarios = scenarios,
		.max_events = 600,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
		.fault = fault,
	};

	return check_main(&program, argc, argv);
}
