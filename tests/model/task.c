/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks under the checker: with fixtures/task/fixture.h, and with the scenarios of fixtures/task/chains.c. */
#include "../fixtures/check_main.h"
#include "../fixtures/task/chains.h"
#include "../fixtures/task/fixture.h"

/* ---- scenarios ---- */

static void steal(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	act_as(0, root_1);
	chk_join(id);
	finish();
}

/* Two tasks, synced in reverse order. */
static void root_2(struct filch_frame *f)
{
	spawn(f, 0, leaf_0);
	spawn(f, 1, leaf_1);
	sync_with(f, 1);
	sync_with(f, 0);
}

static void steal_two(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	act_as(0, root_2);
	chk_join(id);
	finish();
}

static void two_thieves(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(thief_1, NULL);
	id[1] = chk_thread(thief_2, NULL);
	act_as(0, root_1);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/* The stolen task has a child, which the waiting owner may run. */
static void root_parent(struct filch_frame *f)
{
	spawn(f, 0, parent_0);
	sync_with(f, 0);
}

static void leapfrog(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	act_as(0, root_parent);
	chk_join(id);
	finish();
}

/* A third worker steals the child, which has a child as well. */
static void root_grandparent(struct filch_frame *f)
{
	spawn(f, 0, grandparent);
	sync_with(f, 0);
}

static void transitive(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(thief_1, NULL);
	id[1] = chk_thread(thief_2, (void *)(uintptr_t)1);
	act_as(0, root_grandparent);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/* A thief takes two of three tasks: the oldest, and one for its stash. It runs that one, or the owner takes it back. */
static void root_3(struct filch_frame *f)
{
	push_task(f, 0, leaf_0);
	push_task(f, 1, leaf_1);
	push_task(f, 2, leaf_2);
	sync_with(f, 2);
	sync_with(f, 1);
	sync_with(f, 0);
}

static void thief_of_some(void *unused)
{
	(void)unused;
	steal_some(become(1), 0);
}

static void steal_more(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_of_some, NULL);
	act_as(0, root_3);
	chk_join(id);
	finish();
}

/* The same with an idle third worker, which takes the task from the thief's stash if it sees one. */
static void root_3_over(struct filch_frame *f)
{
	root_3(f);
	filchi_store_rlx(&now.flag[0], 1, FLAG);
}

static void idle_third(void *unused)
{
	struct filchi_worker *w = become(2);
	uintptr_t item;

	(void)unused;
	while (!filchi_stash_take(&now.sched.workers[1]->stash, FILCHI_ITEMS_ALL, &item, 1)) {
		if (filchi_load_rlx(&now.flag[0], FLAG))
			return;
		filchi_spin_wait();
	}
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void stash_of_thief(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(thief_of_some, NULL);
	id[1] = chk_thread(idle_third, NULL);
	act_as(0, root_3_over);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/*
 * The thief is a new spare: its stash is as new to the owner as the tasks in it. The deque must be a kind whose steals
 * order nothing for the owner.
 */
static void spare_has_stash(void *unused)
{
	struct filchi_worker *w;
	uintptr_t item;

	(void)unused;
	chk_assert(filchi_sched_create_worker(&now.sched, 2) == 0);
	w = become(2);
	filchi_steal_more(w, now.sched.workers[0], FILCHI_ITEMS_ALL);
	while (filchi_stash_take_own(&w->stash, 0, FILCHI_ITEMS_ALL, &item))
		filchi_task_run_item(w, (struct filch_task *)item);
}

static void root_2_shared(struct filch_frame *f)
{
	struct filch_deque *d = filchi_task_worker_of(f->worker)->sched.deque;
	int id;

	push_task(f, 0, leaf_0);
	push_task(f, 1, leaf_1);
	d->ops->poll(d);
	id = chk_thread(spare_has_stash, NULL);
	sync_with(f, 1);
	sync_with(f, 0);
	chk_join(id);
}

static void new_stash(void *arg)
{
	setup(arg);
	act_as(0, root_2_shared);
	now.sched.spares.made = 1;
	finish();
}

/* The stolen task has three children. The waiting owner may take two of them at once. */
static void parent_of_3(struct filch_frame *f)
{
	begin(f, 3);
	root_3(f);
	end(3);
}

static void root_parent_of_3(struct filch_frame *f)
{
	spawn(f, 3, parent_of_3);
	sync_with(f, 3);
}

static void leap_for_more(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	act_as(0, root_parent_of_3);
	chk_join(id);
	finish();
}

/* FILCH_RUN from an external thread. */
static void idle_1(void *unused)
{
	struct filchi_worker *w = become(1);
	uintptr_t item;

	(void)unused;
	while (filchi_injector_take(&now.sched.injector, &item) != FILCH_OK)
		filchi_spin_wait();
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void run_there(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(idle_1, NULL);
	run_from_outside();
	chk_join(id);
	finish();
}

/*
 * Started workers, with FILCH_RUN from an external thread. A worker makes tasks only on request. The other worker must
 * run the second task, and may sleep or be about to sleep.
 */
static void leaf_of_other(struct filch_frame *f)
{
	leaf_1(f);
	filchi_store_rlx(&now.flag[0], 1, FLAG);
}

static void asked(struct filch_frame *f)
{
	struct filchi_worker *me = &filchi_task_worker_of(f->worker)->sched;

	begin(f, 3);
	filchi_task_worker(me)->spawn.budget = 0;
	spawn(f, 0, leaf_0);
	while ((uintptr_t)f->head >= filchi_load_rlx(filchi_threshold(filchi_task_worker(me)), FLAG))
		filchi_spin_wait();
	filchi_task_worker(me)->spawn.budget = 2;
	spawn(f, 1, leaf_of_other);
	if (last_is_task(f))
		await(&now.flag[0]);
	sync_with(f, 1);
	sync_with(f, 0);
	end(3);
}

static void threshold(void *arg)
{
	whole(arg, asked);
}

/* The same with split, whose fast path must not ignore a request. The other worker must get one of the two tasks. */
static void tell_if_other(struct filch_frame *f)
{
	if (filchi_task_worker_of(f->worker)->sched.id != now.ran_by[3])
		filchi_store_rlx(&now.flag[0], 1, FLAG);
}

static void either_0(struct filch_frame *f)
{
	leaf_0(f);
	tell_if_other(f);
}

static void either_1(struct filch_frame *f)
{
	leaf_1(f);
	tell_if_other(f);
}

static void asked_split(struct filch_frame *f)
{
	struct filch_task *first = f->head;
	struct filchi_worker *me = &filchi_task_worker_of(f->worker)->sched;

	begin(f, 3);
	spawn(f, 0, either_0);
	while (filchi_load_rlx(filchi_threshold(filchi_task_worker(me)), FLAG) != FILCHI_REQUESTED &&
	       !filchi_load_rlx(&now.flag[0], FLAG))
		filchi_spin_wait();
	filchi_task_worker(me)->spawn.budget = 2;
	filchi_task_worker(me)->spawn.unchecked = 3; /* as with a larger backlog */
	spawn(f, 1, either_1);
	if (last_is_task(f) || filchi_load_rlx(filchi_task_state(first), FLAG))
		await(&now.flag[0]);
	sync_with(f, 1);
	sync_with(f, 0);
	end(3);
}

static void threshold_split(void *arg)
{
	whole(arg, asked_split);
}

/*
 * FILCH_WORK_REQUESTED is a promise. A worker that is idle at the question may have found a task by the time of the
 * spawn. Then there are enough tasks, but the spawn must not run its body before the code that follows.
 */
static void leaf_of_promise(struct filch_frame *f)
{
	chk_assert(filchi_load_rlx(&now.flag[0], FLAG) != filchi_task_worker_of(f->worker)->sched.id + 1);
	leaf_1(f);
}

static void asks(struct filch_frame *filch_only_inside_a_task_)
{
	struct filch_frame *f = filch_only_inside_a_task_;
	struct filchi_worker *me = &filchi_task_worker_of(f->worker)->sched;

	begin(f, 3);
	spawn(f, 0, leaf_0);
	filchi_task_worker(me)->spawn.budget = 1;
	if (FILCH_WORK_REQUESTED()) {
		filchi_store_rlx(&now.flag[0], me->id + 1, FLAG);
		spawn(f, 1, leaf_of_promise);
		filchi_store_rlx(&now.flag[0], 0, FLAG);
		sync_with(f, 1);
	}
	sync_with(f, 0);
	end(3);
}

static void promise(void *arg)
{
	whole(arg, asks);
}

/* ---- */

#define SCENARIO(name_, play_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct task_scenario)                                     \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define WALKS(name_, play_, ...)                                                                                       \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct task_scenario){__VA_ARGS__}, .walks = true         \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("steal", steal, "chase_lev", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("steal_two", steal_two, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("run_there", run_there, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("give_back", task_give_back, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("give_back_run", task_give_back_run, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("steal_more", steal_more, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("new_stash", new_stash, "split", 2, FILCHI_JOIN_TRANSITIVE, 1),
	WALKS("stash_of_thief", stash_of_thief, "locked", 3, FILCHI_JOIN_TRANSITIVE, 0),
	WALKS("leap_for_more", leap_for_more, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("two_thieves", two_thieves, "locked", 3, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("steal_split", steal_two, "split", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("steal_private", steal_two, "private", 2, FILCHI_JOIN_TRANSITIVE, 0),
	SCENARIO("leapfrog", leapfrog, "locked", 2, FILCHI_JOIN_LEAPFROG, 0),
	WALKS("leapfrog_chase_lev", leapfrog, "chase_lev", 2, FILCHI_JOIN_LEAPFROG, 0),
	WALKS("random", leapfrog, "locked", 2, FILCHI_JOIN_RANDOM, 0),
	WALKS("give_away", task_give_away, "locked", 3, FILCHI_JOIN_TRANSITIVE, 0),
	WALKS("outside_in_deque", task_outside_in_deque, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	WALKS("transitive", transitive, "locked", 3, FILCHI_JOIN_TRANSITIVE, 0),
	{.name = "older_third",
	 .play = task_older_third,
	 .arg = &(const struct task_scenario){"split", 3, FILCHI_JOIN_TRANSITIVE, 0},
	 .walks = true,
	 .mutant_walks = 30000},
	WALKS("broken_chain", task_broken_chain, "locked", 4, FILCHI_JOIN_TRANSITIVE, 0),
	WALKS("threshold", threshold, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
	WALKS("threshold_split", threshold_split, "split", 2, FILCHI_JOIN_TRANSITIVE, 0),
	WALKS("promise", promise, "locked", 2, FILCHI_JOIN_TRANSITIVE, 0),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "task",
			    .file = "/task/run.c",
			    .base = "/task/join.c",
			    .beside = true,
			    .prefix = "filchi_task_"},
		.scenarios = scenarios,
		.max_events = 600,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
		.fault = task_fault,
	};

	return check_main(&program, argc, argv);
}
