/* SPDX-License-Identifier: Apache-2.0 */
/* Fans: in fans, in what was left off, and with spawns around them and in them. */
#include "fan_scenarios.h"
#include "fan_stage.h"

static int thread;
static bool stolen_above, shared_for_spawn, shared_by_waiter;

const char *fan_nested_fault(void)
{
	return !stolen_above	   ? "no thief has got one above what is in the deque"
	       : !shared_for_spawn ? "no thief has got what was made in the place of a spawn"
	       : !shared_by_waiter ? "no thief has got what one who waits has made for it"
				   : NULL;
}

/* ---- fans in fans: n of the outer one from 0 ---- */

static struct filch_task *outer_last;

/* The outer one comes first, though the inner one is at work. */
static void take_outer(void *unused)
{
	struct filchi_worker *w = become(1);
	uintptr_t item;

	(void)unused;
	if (!look_at(w, 0, &item))
		return;
	chk_assert(item == (uintptr_t)outer_last);
	run_item(w, item);
}

static void inner(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	fan_leaf(w, head, n);
	if (n == 3)
		thread = chk_thread(take_outer, NULL);
}

static void outer(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	if (n == 0) {
		request(w);
		chk_assert(spawn_n(w, head, 2, 3, inner) == 1);
		sync_n(w, head, 2, 3);
	}
	end(n);
}

static void root_nested(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	outer_last = head + 2;
	filchi_store_rlx(filchi_hurdle(filchi_worker_of(w)), 0, FLAG);
	chk_assert(spawn_n(w, head, 3, 0, outer) == 2);
	sync_n(w, head, 3, 0);
	chk_join(thread);
}

void fan_nested(void *arg)
{
	play(arg, root_nested);
}

/* When nothing is left of the outer one it is the turn of the inner one, and of others after that. */
static void give_all(struct filch_worker_ *w)
{
	struct filchi_worker *other = &now.sched.workers[1];

	while (filchi_worker_left(filchi_worker_of(w)))
		chk_assert(take_and_run(other, 0));
}

static void inner_in_turn(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	fan_leaf(w, head, n);
	if (filchi_worker_of(w)->id == 0 && n == 2) {
		give_all(w);
		request(w);
	}
}

static void outer_in_turn(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	for (unsigned i = 0; n == 0 && i < 2; i++) {
		request(w);
		/* The first time one of the outer and one of the inner are made, then the last of the inner. */
		chk_assert(spawn_n(w, head, 4, 2, inner_in_turn) == 2);
		sync_n(w, head, 4, 2);
	}
	end(n);
}

static void root_in_turn(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	filchi_store_rlx(filchi_hurdle(filchi_worker_of(w)), 0, FLAG);
	chk_assert(spawn_n(w, head, 2, 0, outer_in_turn) == 1);
	sync_n(w, head, 2, 0);
}

void fan_in_turn(void *arg)
{
	play(arg, root_in_turn);
}

/*
 * What is left of a fan stays while its worker is at something else that has a fan. If that has nothing left, it is for
 * those who are idle. Tasks have the job of where they come from.
 */
static int job;

static void at_fan(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *me = filchi_worker_of(w);

	(void)t;
	request(w);
	chk_assert(spawn_n(w, head, 2, 5, fan_leaf) == 1);
	chk_assert(filchi_worker_left(me) == 1 && *filchi_task_job(head + 1) == me->job);
	sync_n(w, head, 2, 5);
	chk_assert(!filchi_worker_left(me));
}

static void at_no_fan(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *me = filchi_worker_of(w);

	(void)t;
	request(w);
	chk_assert(spawn_n(w, head, 1, 5, fan_leaf) == 1);
	sync_n(w, head, 1, 5);
	chk_assert(me->job == &job && is_requested(w) && !filchi_worker_left(me));
	chk_assert(filchi_sleep_search(&now.sched.sleep, 1));
	chk_assert(spawn_n(w, head, 1, 5, fan_leaf) == 1);
	(void)filchi_sleep_found(&now.sched.sleep);
	sync_n(w, head, 1, 5);
	chk_assert(!is_requested(w) && filchi_worker_left(me) == 2 && !*filchi_task_job(outer_last));
}

static void run_other(struct filch_worker_ *w, struct filch_task *head, task_run *run)
{
	struct filch_task other = {.run = run, .lines = 1};

	*filchi_task_job(&other) = &job;
	filchi_atomic_init(filchi_task_state(&other), FILCHI_TASK_QUEUED);
	filchi_task_execute(filchi_worker_of(w), &other, head);
}

static void left_off_body(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	struct filch_task here = {.run = at_fan};

	begin(w, n);
	if (n == 0) {
		filchi_task_run_here(filchi_worker_of(w), &here);
		run_other(w, head, at_fan);
		run_other(w, head, at_no_fan);
		give_all(w);
		request(w);
	}
	end(n);
}

static void root_left_off(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	outer_last = head + 4;
	filchi_store_rlx(filchi_hurdle(filchi_worker_of(w)), 0, FLAG);
	/* The last two were made while it was left off, and one more after that. */
	chk_assert(spawn_n(w, head, 5, 0, left_off_body) == 2);
	sync_n(w, head, 5, 0);
}

void fan_left_off(void *arg)
{
	play(arg, root_left_off);
}

/*
 * One that is taken leaves a place, where another one is by the time that its owner wants it back, and may not yet know
 * who has it.
 */
static void reuses(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	struct filchi_worker *me = filchi_worker_of(w);

	fan_leaf(w, head, n);
	if (n == 2) {
		thread = chk_thread(take_1, NULL);
		while (filchi_worker_left(me))
			filchi_spin_wait();
		chk_assert(filchi_sleep_search(&now.sched.sleep, 1));
		request(w);
		spawn_n(w, head, 1, 4, fan_leaf);
		(void)filchi_sleep_found(&now.sched.sleep);
		chk_assert(filchi_worker_left(me) == 1 && filchi_worker_held(me) == 1);
		sync_n(w, head, 1, 4);
	}
}

static void at_reuse(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	request(w);
	chk_assert(spawn_n(w, head, 2, 2, reuses) == 1);
	sync_n(w, head, 2, 2);
	chk_assert(now.ran_by[3] == 1);
}

static void reused_body(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	if (n == 0)
		run_other(w, head, at_reuse);
	end(n);
}

static void root_reused(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	filchi_store_rlx(filchi_hurdle(filchi_worker_of(w)), 0, FLAG);
	chk_assert(spawn_n(w, head, 2, 0, reused_body) == 1);
	sync_n(w, head, 2, 0);
	chk_join(thread);
	chk_assert(now.ran_by[1] == 0);
}

void fan_reused(void *arg)
{
	play(arg, root_reused);
}

/* ---- fans and spawns ---- */

/* One who asks gets the rest of the fan, and not what is spawned just then, which is a call. */
static void spawns(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	if (n == 0) {
		request(w);
		spawn(w, head, 2, leaf_2);
		chk_assert(!is_made(head) && !is_requested(w));
		thread = chk_thread(take_1, NULL);
		sync_with(w, head, 2);
	}
	end(n);
}

static void root_spawns(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	filchi_store_rlx(filchi_hurdle(filchi_worker_of(w)), 0, FLAG);
	chk_assert(spawn_n(w, head, 2, 0, spawns) == 1);
	sync_n(w, head, 2, 0);
	chk_join(thread);
	shared_for_spawn |= now.ran_by[1] == 1;
}

void fan_for_spawn(void *arg)
{
	play(arg, root_spawns);
}

/* What is in the deque beneath a fan stays there when the fan is synced. */
static void one_takes(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	fan_leaf(w, head, n);
	if (n == 1)
		thread = chk_thread(take_1, NULL);
}

static void root_beneath(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, leaf_0);
	chk_assert(is_made(head));
	request(w);
	chk_assert(spawn_n(w, head + 1, 2, 1, one_takes) == 1);
	sync_n(w, head + 1, 2, 1);
	sync_with(w, head, 0);
	chk_join(thread);
	stolen_above |= now.ran_by[2] == 1 && now.ran_by[0] == 0;
}

void fan_beneath(void *arg)
{
	play(arg, root_beneath);
}

/* Who waits for what was spawned shares what is left of the fan around it. */
static void take_two(void *unused)
{
	struct filchi_worker *w = become(1);

	(void)unused;
	if (take_and_run(w, 0))
		take_and_run(w, 0);
}

/* If it was stolen it ends when its owner has shared, or has looked in vain. */
static void until_shared(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *owner = &now.sched.workers[0];

	(void)head;
	begin(w, 2);
	while (filchi_worker_of(w) != owner && !filchi_worker_left(owner) &&
	       !(filchi_load_rlx(filchi_task_state(t), FLAG) & FILCHI_TASK_WAITED))
		filchi_spin_wait();
	end(2);
}

static void waits(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	if (n == 0) {
		spawn(w, head, 2, until_shared);
		thread = chk_thread(take_two, NULL);
		request(w);
		sync_with(w, head, 2);
	}
	end(n);
}

static void root_waits(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	unsigned calls = spawn_n(w, head, 2, 0, waits);

	(void)t;
	chk_assert(calls == (now.ran_by[2] == 1 ? 1 : 2));
	sync_n(w, head, 2, 0);
	chk_join(thread);
	shared_by_waiter |= now.ran_by[1] == 1;
}

void fan_waits(void *arg)
{
	play(arg, root_waits);
}
