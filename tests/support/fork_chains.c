/* SPDX-License-Identifier: Apache-2.0 */
/* Fork and join: who waits gets hold of what it must not run, through workers that wait for each other or by chance. */
#include "fork_chains.h"
#include "fork_stage.h"

#include <string.h>

/*
 * A worker that has an older task of its own while it runs one that it stole, as when it waits for something of the
 * pool: who waits for the stolen one may well get hold of the older one, but must not run it.
 */
static void steal_on_top(struct filch_worker_ *w, struct filch_task *head)
{
	uintptr_t item;

	spawn(w, head, 1, leaf_1);
	if (filchi_worker_steal(filchi_worker_of(w), &now.sched.workers[0], &item, true) == FILCH_OK)
		filchi_task_execute(filchi_worker_of(w), (struct filch_task *)item, head + 1);
}

static void root_older(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	steal_on_top(w, head);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] == 1);
}

static void older(void *unused)
{
	(void)unused;
	acts(1, root_older);
}

void fork_give_back(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(older, NULL);
	acts(0, root_1);
	chk_join(id);
	finish();
}

/* The same, with a FILCH_RUN after the stolen one. */
static void nothing(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)w;
	(void)t;
	(void)head;
}

static void root_older_run(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filch_task inner = {.run = nothing};

	(void)t;
	steal_on_top(w, head);
	filchi_task_run_here(filchi_worker_of(w), &inner);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] == 1);
}

static void older_run(void *unused)
{
	(void)unused;
	acts(1, root_older_run);
}

void fork_give_back_run(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(older_run, NULL);
	acts(0, root_1);
	chk_join(id);
	finish();
}

/* The same, and an idle worker that takes what was given back: it waits until there is something, or all is over. */
static bool was_given_away;

static void idle_2(void *unused)
{
	struct filchi_worker *w = become(2), *holder = &now.sched.workers[0];
	uintptr_t item;

	(void)unused;
	w->stolen_from = holder;
	while (!filchi_worker_left(holder) && !filchi_load_rlx(&now.flag[1], FLAG))
		filchi_spin_wait();
	if (filchi_worker_take_held(holder, 1, UINTPTR_MAX, &item, 1)) {
		was_given_away = true;
		filchi_task_run_item(w, (struct filch_task *)item);
	}
}

static void root_older_2(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	steal_on_top(w, head);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] != 0);
	filchi_store_rlx(&now.flag[1], 1, FLAG);
}

static void older_2(void *unused)
{
	(void)unused;
	acts(1, root_older_2);
}

void fork_give_away(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(older_2, NULL);
	id[1] = chk_thread(idle_2, NULL);
	acts(0, root_1);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/* One from outside lies in the deque of a worker, and one who waits for that worker gets hold of it. */
static void root_with_outside(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *me = filchi_worker_of(w);
	uintptr_t item;

	(void)t;
	(void)head;
	begin(w, 0);
	while (filchi_injector_take(&now.sched.injector, &item) != FILCH_OK)
		filchi_spin_wait();
	chk_assert(me->deque->ops->push(me->deque, item) == 0);
	end(0);
}

static void root_waits(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, root_with_outside);
	filchi_store_rlx(&now.flag[0], 1, FLAG);
	await(&now.flag[1]);
	sync_with(w, head, 0);
	chk_assert(now.ran_by[0] == 1);
}

static void with_outside(void *unused)
{
	struct filchi_worker *w = become(1);
	uintptr_t item;

	(void)unused;
	await(&now.flag[0]);
	while (filchi_worker_steal(w, &now.sched.workers[0], &item, true) != FILCH_OK)
		filchi_spin_wait();
	filchi_store_rlx(&now.flag[1], 1, FLAG);
	filchi_task_run_item(w, (struct filch_task *)item);
	while (w->deque->ops->pop(w->deque, &item) != FILCH_OK &&
	       !filchi_worker_take_held(&now.sched.workers[0], 1, UINTPTR_MAX, &item, 1))
		filchi_spin_wait();
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void waits(void *unused)
{
	(void)unused;
	acts(0, root_waits);
}

void fork_outside_in_deque(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(with_outside, NULL);
	id[1] = chk_thread(waits, NULL);
	run_from_outside();
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/*
 * Worker 0 waits for a task of worker 1, who waits for one of worker 2, who ends that and then waits, for something
 * else, for worker 3: what that has is no business of worker 0's. One thread acts all but worker 0.
 */
static void say_waits(unsigned who, unsigned for_whom)
{
	struct filchi_worker *v = &now.sched.workers[for_whom];

	filchi_store_rel(&now.sched.workers[who].waiting, FILCHI_TASK_BY(for_whom, filchi_load_rlx(&v->current, FLAG)),
			 FLAG);
}

/* Worker 0 has looked and gone to sleep, or it did run what it should not. */
static void await_look(unsigned n)
{
	while (!(filchi_load_rlx(filchi_task_state(now.awaited), FLAG) & FILCHI_TASK_WAITED) &&
	       !filchi_load_rlx(&now.flag[n], FLAG))
		filchi_spin_wait();
}

static void leaf_seen(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	leaf_1(w, t, head);
	filchi_store_rlx(&now.flag[2], 1, FLAG);
}

/* Job of worker 3: has a task that may be stolen, but not by 0. */
static void stranger(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	begin(w, 2);
	spawn(w, head, 1, leaf_seen);
	say_waits(2, 3);
	filchi_store_rlx(&now.flag[1], 1, FLAG);
	await_look(2);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] != 0);
	end(2);
}

/* Job of worker 2, the second. */
static void elsewhere(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *w3 = &now.sched.workers[3];
	struct filch_task *stolen = head;

	(void)w;
	(void)t;
	filchi_cell_set(&now.state[2], NEW);
	stolen->run = stranger;
	stolen->owner = 2;
	filchi_store_rlx(filchi_task_state(stolen), FILCHI_TASK_QUEUED, FLAG);
	filchi_task_run_item(w3, stolen);
	filchi_store_rel(&now.sched.workers[2].waiting, 0, FLAG);
	filchi_cell_set(&now.state[2], 0);
}

/* Job of worker 2, the first: for worker 1. */
static void soon_over(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)w;
	(void)t;
	(void)head;
	say_waits(1, 2);
}

/* Job of worker 1, for which 0 waits. */
static void chain(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *w2 = &now.sched.workers[2];
	struct filch_task first = {.run = soon_over, .lines = 1, .owner = 1};
	struct filch_task second = {.run = elsewhere, .lines = 1, .owner = 1};

	(void)t;
	(void)head;
	begin(w, 0);
	filchi_atomic_init(filchi_task_state(&first), FILCHI_TASK_QUEUED);
	filchi_atomic_init(filchi_task_state(&second), FILCHI_TASK_QUEUED);
	filchi_task_run_item(w2, &first);
	filchi_task_run_item(w2, &second);
	filchi_store_rel(&now.sched.workers[1].waiting, 0, FLAG);
	end(0);
}

static void root_chain(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	now.awaited = head;
	spawn(w, head, 0, chain);
	filchi_store_rlx(&now.flag[0], 1, FLAG);
	await(&now.flag[1]);
	sync_with(w, head, 0);
}

static void others(void *unused)
{
	struct filchi_worker *w = become(1);
	uintptr_t item;

	(void)unused;
	await(&now.flag[0]);
	while (filchi_worker_steal(w, &now.sched.workers[0], &item, true) != FILCH_OK)
		filchi_spin_wait();
	filchi_task_run_item(w, (struct filch_task *)item);
}

void fork_broken_chain(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(others, NULL);
	acts(0, root_chain);
	chk_join(id);
	finish();
}

/*
 * Worker 0 waits for a task of worker 1, who waits for its child, which worker 2 runs above an older task of its own:
 * that one worker 0 must not run. Worker 1 has its hands full and steals nothing.
 */
static struct filch_task *task_of(unsigned worker, unsigned place)
{
	return now.sched.workers[worker].regions[0] + place;
}

static void make_task(struct filch_task *t, unsigned owner, unsigned n, task_run *run)
{
	filchi_cell_set(&now.state[n], NEW);
	t->run = run;
	t->lines = 1;
	t->owner = (uint16_t)owner;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, FLAG);
}

static void join_task(unsigned worker, struct filch_task *t, unsigned n)
{
	chk_assert(filchi_task_join(&now.sched.workers[worker], t, t + 1));
	chk_assert(filchi_cell_get(&now.state[n]) == RUN);
	filchi_cell_set(&now.state[n], 0);
}

static void waits_for_third(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	(void)head;
	begin(w, 0);
	join_task(1, task_of(1, 0), 2);
	end(0);
}

static void second_waits(void *unused)
{
	(void)unused;
	filchi_task_execute(become(1), task_of(0, 0), task_of(1, 1));
}

static void third_runs(void *unused)
{
	struct filchi_worker *w = become(2);

	(void)unused;
	filchi_task_execute(w, task_of(1, 0), task_of(2, 1));
	sync_with(&w->public, task_of(2, 0), 1);
	chk_assert(now.ran_by[1] != 0);
}

void fork_older_third(void *arg)
{
	struct filchi_worker *second, *third;
	int id[2];

	setup(arg);
	second = &now.sched.workers[1];
	third = &now.sched.workers[2];
	make_task(task_of(0, 0), 0, 0, waits_for_third);
	make_task(task_of(1, 0), 1, 2, leaf_2);
	lay(&third->public, task_of(2, 0), 1, leaf_1);
	third->deque->ops->poll(third->deque);
	filchi_store_rlx(&third->base, (uintptr_t)task_of(2, 0), FLAG);
	memset(second->held, 1, sizeof(second->held));
	filchi_store_rlx(&second->held_count, FILCHI_HELD_MAX, FLAG);
	id[0] = chk_thread(second_waits, NULL);
	id[1] = chk_thread(third_runs, NULL);
	become(0);
	join_task(0, task_of(0, 0), 0);
	chk_join(id[0]);
	chk_join(id[1]);
	filchi_store_rlx(&second->held_count, 0, FLAG);
	finish();
}

const char *fork_fault(void)
{
	return was_given_away ? NULL : "give_away: no execution gives the task away";
}
