/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fans: who waits for a task takes from the hand of who runs it, and gets what is for it and nothing else.
 *
 * Worker 0 waits for a task, n = 0, that worker 1 has stolen and runs.
 */
#include "fan_scenarios.h"
#include "fan_stage.h"

static struct filch_task *stolen;
static int thread_2;
static bool leapt, was_refused, leapt_to_third;

const char *fan_leaps_fault(void)
{
	return !leapt		 ? "nobody who waits has got anything out of a hand"
	       : !was_refused	 ? "nothing that came out of a hand was refused"
	       : !leapt_to_third ? "nobody who waits has got anything out of the hand of a third"
				 : NULL;
}

/* If worker 0 comes later it waits for a flag first. */
static void play_leap(const void *arg, task_run *run, void (*thief)(void *), bool later)
{
	struct filchi_worker *w;
	int id;

	setup(arg);
	w = become(0);
	stolen = w->regions[0];
	filchi_cell_set(&now.state[0], NEW);
	stolen->run = run;
	stolen->lines = 1;
	stolen->owner = 0;
	filchi_store_rlx(filchi_task_state(stolen), FILCHI_TASK_QUEUED, FLAG);
	id = chk_thread(thief, NULL);
	if (later)
		await(&now.flag[0]);
	chk_assert(filchi_task_join(w, stolen, stolen + 1));
	chk_assert(filchi_cell_get(&now.state[0]) == RUN);
	filchi_cell_set(&now.state[0], 0);
	chk_join(id);
	was_refused |= filchi_load_rlx(&w->counters.returns, FLAG) != 0;
	finish();
}

static void run_stolen(void *unused)
{
	struct filchi_worker *w = become(1);

	(void)unused;
	filchi_task_execute(w, stolen, w->regions[0]);
}

/* ---- what was stolen has a fan ---- */

static void parent(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	begin(w, 0);
	request(w);
	chk_assert(spawn_n(w, head, 2, 1, fan_leaf) == 1);
	sync_n(w, head, 2, 1);
	leapt |= now.ran_by[2] == 0;
	end(0);
}

void fan_leap(void *arg)
{
	play_leap(arg, parent, run_stolen, false);
}

/*
 * ---- it has none, but who runs it has one of its own beneath ----
 *
 * Of that fan one is in hand, n = 2: not for who waits for what is above it.
 */

static void above(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	if (n == 1)
		filchi_task_execute(filchi_worker_of(w), stolen, head);
	end(n);
}

static void root_older(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	request(w);
	chk_assert(spawn_n(w, head, 2, 1, above) == 1);
	sync_n(w, head, 2, 1);
	chk_assert(now.ran_by[2] == 1);
}

static void older(void *unused)
{
	(void)unused;
	acts(1, root_older);
}

void fan_older(void *arg)
{
	play_leap(arg, leaf_0, older, false);
}

/* It is not even taken: whether it is for the one who waits is known before. */
static void until_asleep(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)head;
	begin(w, 0);
	while (!(filchi_load_rlx(filchi_task_state(t), FLAG) & FILCHI_TASK_WAITED))
		filchi_spin_wait();
	chk_assert(filchi_worker_left(filchi_worker_of(w)) == 1);
	chk_assert(filchi_load_rlx(&now.sched.workers[0].counters.returns, FLAG) == 0);
	end(0);
}

void fan_out_of_reach(void *arg)
{
	play_leap(arg, until_asleep, older, false);
}

/*
 * ---- the same, and it has that fan only afterwards ----
 *
 * In the same place of the task stack: who waits may look too late and get hold of it.
 */

static void root_late(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	filchi_task_execute(filchi_worker_of(w), stolen, head);
	request(w);
	chk_assert(spawn_n(w, head, 2, 1, fan_leaf) == 1);
	sync_n(w, head, 2, 1);
	chk_assert(now.ran_by[2] == 1);
}

static void late(void *unused)
{
	(void)unused;
	acts(1, root_late);
}

void fan_late(void *arg)
{
	play_leap(arg, leaf_0, late, false);
}

/* ---- worker 1 waits itself, for what a third has, whose fan is for both ---- */

/* The first one ends when the other one has been taken, or who waits for all of it has looked in vain. */
static void leaf_of_third(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	fan_leaf(w, head, n);
	filchi_store_rlx(&now.flag[n - 3], 1, FLAG);
	while (!filchi_load_rlx(&now.flag[1], FLAG) &&
	       !(filchi_load_rlx(filchi_task_state(stolen), FLAG) & FILCHI_TASK_WAITED))
		filchi_spin_wait();
}

static void of_third(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	begin(w, n);
	if (n == 1) {
		thread_2 = chk_thread(take_2, (void *)(uintptr_t)1);
	} else {
		request(w);
		chk_assert(spawn_n(w, head, 2, 3, leaf_of_third) == 1);
		sync_n(w, head, 2, 3);
		leapt_to_third |= now.ran_by[2] == 2 && now.ran_by[4] == 0;
	}
	end(n);
}

static void grandparent_of_fan(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	begin(w, 0);
	request(w);
	chk_assert(spawn_n(w, head, 2, 1, of_third) == 1);
	sync_n(w, head, 2, 1);
	chk_join(thread_2);
	end(0);
}

void fan_third(void *arg)
{
	play_leap(arg, grandparent_of_fan, run_stolen, true);
}
