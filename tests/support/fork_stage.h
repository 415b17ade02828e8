/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stage on which fork and join are checked: tests/check/fork.c, fork_chains.c and tests/check/fan.c. Each of them
 * has one of its own.
 *
 * The workers of a scheduler are made but not started: each is acted by a thread of the scenario, which calls what a
 * worker would call, so that scenarios stay small enough to be exhausted. The macros of fork.h are not used, as the
 * checker does not see their accesses; what they expand to is written out.
 *
 * A task is a number. What it is made of, plain data, is written before it is spawned and read by who runs it, who then
 * writes the result, which is read after the sync: whatever is not ordered is a race. A second run is seen as well.
 */
#ifndef TEST_SUPPORT_FORK_STAGE_H
#define TEST_SUPPORT_FORK_STAGE_H

#include "../../check/chk.h"
#include "../../src/fork/fork.h"
#include "../../src/os/os_check.h"
#include "empty_deque.h"

#define STAGE static __attribute__((unused))

enum { MAX_WORKERS = 4, MAX_TASKS = 8, REGION = 1 << 10 };
enum { NEW = 1, RUN = 2 };

struct fork_scenario {
	const char *kind; /* of deques; NULL: none */
	unsigned workers;
	enum filchi_join_policy join;
	unsigned spares;
};

/*
 * Edges of the test: they order nothing, so that only the library does.
 *   FLAG
 */
static struct {
	const struct fork_scenario *s;
	struct filchi_sched sched;
	FILCHI_CELL(unsigned) state[MAX_TASKS];
	unsigned ran_by[MAX_TASKS];
	FILCHI_ATOMIC(uint32_t) flag[MAX_TASKS];
	struct filch_task outside;
	struct filch_task *awaited;
} now;

typedef void task_run(struct filch_worker_ *, struct filch_task *, struct filch_task *);

/* What a body does first and last. */
STAGE void begin(struct filch_worker_ *w, unsigned n)
{
	chk_assert(filchi_cell_get(&now.state[n]) == NEW);
	now.ran_by[n] = filchi_worker_of(w)->id;
}

STAGE void end(unsigned n)
{
	filchi_cell_set(&now.state[n], RUN);
}

/* FILCH_SPAWN where it makes a task, and FILCH_SYNC. */
STAGE void spawn(struct filch_worker_ *w, struct filch_task *t, unsigned n, task_run *run)
{
	filchi_cell_set(&now.state[n], NEW);
	t->run = run;
	filch_task_spawn_(w, t, 1);
}

/* The same whether there are enough already or not. */
STAGE void lay(struct filch_worker_ *w, struct filch_task *t, unsigned n, task_run *run)
{
	struct filchi_worker *me = filchi_worker_of(w);

	filchi_cell_set(&now.state[n], NEW);
	t->run = run;
	t->lines = 1;
	t->owner = (uint16_t)me->id;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, FLAG);
	chk_assert(me->deque->ops->push(me->deque, (uintptr_t)t) == 0);
}

STAGE void sync_with(struct filch_worker_ *w, struct filch_task *t, unsigned n)
{
	if (filchi_load_rlx(filchi_task_state(t), FLAG))
		filch_task_sync_(w, t);
	chk_assert(filchi_cell_get(&now.state[n]) == RUN);
	filchi_cell_set(&now.state[n], 0);
}

STAGE void await(FILCHI_ATOMIC(uint32_t) * flag)
{
	while (!filchi_load_rlx(flag, FLAG))
		filchi_spin_wait();
}

/* ---- bodies ---- */

#define LEAF(name, n)                                                                                                  \
	STAGE void name(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)                        \
	{                                                                                                              \
		(void)t;                                                                                               \
		(void)head;                                                                                            \
		begin(w, n);                                                                                           \
		end(n);                                                                                                \
	}
LEAF(leaf_0, 0)
LEAF(leaf_1, 1)
LEAF(leaf_2, 2)

/* A task with a child. */
#define PARENT(name, n, child, m)                                                                                      \
	STAGE void name(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)                        \
	{                                                                                                              \
		(void)t;                                                                                               \
		begin(w, n);                                                                                           \
		spawn(w, head, m, child);                                                                              \
		sync_with(w, head, m);                                                                                 \
		end(n);                                                                                                \
	}
PARENT(parent_1, 1, leaf_2, 2)
PARENT(parent_0, 0, leaf_1, 1)
PARENT(grandparent, 0, parent_1, 1)

/* ---- threads ---- */

STAGE struct filchi_worker *become(unsigned id)
{
	filchi_thread_local_set(&now.sched.workers[id]);
	return &now.sched.workers[id];
}

/* A worker in the midst of something. */
STAGE void acts(unsigned id, task_run *root)
{
	struct filch_task t = {.run = root};

	filchi_task_run_here(become(id), &t);
}

/* Tries once to steal from that worker, and runs what it got. */
STAGE bool steal_once(struct filchi_worker *w, unsigned from)
{
	uintptr_t item;

	if (filchi_worker_steal(w, &now.sched.workers[from], &item, true) != FILCH_OK)
		return false;
	filchi_task_run_item(w, (struct filch_task *)item);
	return true;
}

STAGE void thief_1(void *from)
{
	steal_once(become(1), (unsigned)(uintptr_t)from);
}

STAGE void thief_2(void *from)
{
	steal_once(become(2), (unsigned)(uintptr_t)from);
}

/* And then what it has in hand. */
STAGE void steal_some(struct filchi_worker *w, unsigned from)
{
	uintptr_t item;

	if (steal_once(w, from))
		while (filchi_worker_take_own(w, 0, 1, UINTPTR_MAX, &item))
			filchi_task_run_item(w, (struct filch_task *)item);
}

/* Where the deques are not of interest. */
STAGE const struct filchi_deque_kind none = {
	.info = {.name = "none", .owner_order = FILCH_LIFO},
	.ops = EMPTY_DEQUE_OPS,
};

STAGE void run_item(struct filchi_worker *w, uintptr_t item)
{
	filchi_task_run_item(w, (struct filch_task *)item);
}

STAGE void setup(const void *arg)
{
	struct filchi_sched_setup setup = {0};
	const struct fork_scenario *s = now.s = arg;

	filchi_os_check_start();
	setup.workers = s->workers;
	setup.spares = s->spares;
	setup.kind = s->kind ? filchi_deque_find(s->kind) : &none;
	setup.deque = (struct filchi_deque_setup){2, setup.kind->info.bounded ? 2 : 8, 0, 0};
	setup.join = s->join;
	setup.searchers = 1;
	setup.victim = FILCHI_VICTIM_SEQUENTIAL;
	setup.region_bytes = REGION;
	setup.run = run_item;
	chk_assert(filchi_sched_init(&now.sched, &setup) == 0);
	for (unsigned i = 0; i < MAX_TASKS; i++) {
		filchi_cell_set(&now.state[i], 0);
		filchi_atomic_init(&now.flag[i], 0);
	}
}

STAGE void finish(void)
{
	uintptr_t item;

	for (unsigned i = 0; i < now.s->workers; i++) {
		struct filchi_worker *w = &now.sched.workers[i];

		chk_assert(w->deque->ops->pop(w->deque, &item) == FILCH_EMPTY);
		chk_assert(!filchi_worker_left(w));
		chk_assert(filchi_load_rlx(&w->waiting, FLAG) == 0);
	}
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, FLAG) == 0);
	for (unsigned i = 0; i < MAX_TASKS; i++)
		chk_assert(filchi_cell_get(&now.state[i]) == 0);
	filchi_sched_fini(&now.sched);
}

/* One task, one thief. */
STAGE void root_1(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, leaf_0);
	sync_with(w, head, 0);
}

/* FILCH_RUN from outside. */
STAGE void outside_body(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	(void)head;
	begin(w, 3);
	end(3);
}

STAGE void run_from_outside(void)
{
	filchi_thread_local_set(NULL);
	filchi_cell_set(&now.state[3], NEW);
	now.outside.run = outside_body;
	chk_assert(filchi_task_run_there(&now.sched, &now.outside) == 0);
	chk_assert(filchi_cell_get(&now.state[3]) == RUN);
	filchi_cell_set(&now.state[3], 0);
}

/* The whole: workers that are started, and FILCH_RUN from outside of a body that has the number 3. */
STAGE void whole(const void *arg, task_run *run)
{
	setup(arg);
	chk_assert(filchi_sched_start(&now.sched) == 0);
	filchi_cell_set(&now.state[3], NEW);
	now.outside.run = run;
	chk_assert(filchi_task_run_there(&now.sched, &now.outside) == 0);
	chk_assert(filchi_cell_get(&now.state[3]) == RUN);
	filchi_cell_set(&now.state[3], 0);
	filchi_sched_stop(&now.sched);
	chk_assert(!filchi_sched_enter(&now.sched));
	finish();
}

#endif
