/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fork and join under the checker. The workers of a scheduler are made but not started: each is acted by a thread of
 * the scenario, which calls what a worker would call, so that scenarios stay small enough to be exhausted. The macros
 * of fork.h are not used, as the checker does not see their accesses; what they expand to is written out.
 *
 * A task is a number. What it is made of, plain data, is written before it is spawned and read by who runs it, who then
 * writes the result, which is read after the sync: whatever is not ordered is a race. A second run is seen as well.
 */
#include "../../src/fork/fork.h"
#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../support/check_main.h"

#include <errno.h>

enum { MAX_WORKERS = 4, MAX_TASKS = 4, REGION = 1 << 10 };
enum { NEW = 1, RUN = 2 };

struct scenario {
	const char *kind;
	unsigned workers;
	enum filchi_join_policy join;
};

/*
 * Edges of the test: they order nothing, so that only the library does.
 *   FLAG
 */
static struct {
	const struct scenario *s;
	struct filchi_sched sched;
	FILCHI_CELL(unsigned) state[MAX_TASKS];
	unsigned ran_by[MAX_TASKS];
	FILCHI_ATOMIC(uint32_t) flag[MAX_TASKS];
	struct filch_task outside;
	struct filch_task *awaited;
} now;

typedef void task_run(struct filch_worker *, struct filch_task *, struct filch_task *);

/* What a body does first and last. */
static void begin(struct filch_worker *w, unsigned n)
{
	chk_assert(filchi_cell_get(&now.state[n]) == NEW);
	now.ran_by[n] = filchi_worker_of(w)->id;
}

static void end(unsigned n)
{
	filchi_cell_set(&now.state[n], RUN);
}

/* FILCH_SPAWN where it makes a task, and FILCH_SYNC. */
static void spawn(struct filch_worker *w, struct filch_task *t, unsigned n, task_run *run)
{
	filchi_cell_set(&now.state[n], NEW);
	t->run = run;
	filch_task_spawn_(w, t, 1);
}

static void sync_with(struct filch_worker *w, struct filch_task *t, unsigned n)
{
	if (filchi_load_rlx(filchi_task_state(t), FLAG))
		filch_task_sync_(w, t);
	chk_assert(filchi_cell_get(&now.state[n]) == RUN);
	filchi_cell_set(&now.state[n], 0);
}

static void await(FILCHI_ATOMIC(uint32_t) * flag)
{
	while (!filchi_load_rlx(flag, FLAG))
		filchi_spin_wait();
}

/* ---- bodies ---- */

#define LEAF(name, n)                                                                                                  \
	static void name(struct filch_worker *w, struct filch_task *t, struct filch_task *head)                        \
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
	static void name(struct filch_worker *w, struct filch_task *t, struct filch_task *head)                        \
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

static struct filchi_worker *become(unsigned id)
{
	filchi_thread_local_set(&now.sched.workers[id]);
	return &now.sched.workers[id];
}

static void owner_runs(task_run *root)
{
	struct filch_task t = {.run = root};

	filchi_task_run_here(become(0), &t);
}

/* Tries once to steal from that worker, and runs what it got. */
static bool steal_once(struct filchi_worker *w, unsigned from)
{
	uintptr_t item;

	if (filchi_worker_steal(w, &now.sched.workers[from], &item) != FILCH_OK)
		return false;
	filchi_task_run_item(w, (struct filch_task *)item);
	return true;
}

static void thief_1(void *from)
{
	steal_once(become(1), (unsigned)(uintptr_t)from);
}

static void thief_2(void *from)
{
	steal_once(become(2), (unsigned)(uintptr_t)from);
}

static void run_item(struct filchi_worker *w, uintptr_t item)
{
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void setup(const void *arg)
{
	struct filchi_sched_setup setup = {0};
	const struct scenario *s = now.s = arg;

	filchi_os_check_start();
	setup.workers = s->workers;
	setup.kind = filchi_deque_find(s->kind);
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

static void finish(void)
{
	uintptr_t item;

	for (unsigned i = 0; i < now.s->workers; i++) {
		struct filchi_worker *w = &now.sched.workers[i];

		chk_assert(w->deque->ops->pop(w->deque, &item) == FILCH_EMPTY);
		chk_assert(!filchi_worker_take_returned(w, &item));
		chk_assert(filchi_load_rlx(&w->waiting, FLAG) == 0);
	}
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, FLAG) == 0);
	for (unsigned i = 0; i < MAX_TASKS; i++)
		chk_assert(filchi_cell_get(&now.state[i]) == 0);
	filchi_sched_fini(&now.sched);
}

/* ---- scenarios ---- */

/* One task, one thief. */
static void root_1(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, leaf_0);
	sync_with(w, head, 0);
}

static void steal(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	owner_runs(root_1);
	chk_join(id);
	finish();
}

/* Two tasks, synced in the other order. */
static void root_2(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, leaf_0);
	spawn(w, head + 1, 1, leaf_1);
	sync_with(w, head + 1, 1);
	sync_with(w, head, 0);
}

static void steal_two(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	owner_runs(root_2);
	chk_join(id);
	finish();
}

static void two_thieves(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(thief_1, NULL);
	id[1] = chk_thread(thief_2, NULL);
	owner_runs(root_1);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/* What is stolen has a child, which the owner may have back while it waits. */
static void root_parent(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, parent_0);
	sync_with(w, head, 0);
}

static void leapfrog(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(thief_1, NULL);
	owner_runs(root_parent);
	chk_join(id);
	finish();
}

/* And that is stolen by a third, and has a child itself. */
static void root_grandparent(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	spawn(w, head, 0, grandparent);
	sync_with(w, head, 0);
}

static void transitive(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(thief_1, NULL);
	id[1] = chk_thread(thief_2, (void *)(uintptr_t)1);
	owner_runs(root_grandparent);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/*
 * A worker that has an older task of its own while it runs one that it stole, as when it waits for something of the
 * pool: who waits for the stolen one may well get hold of the older one, but must not run it.
 */
static void root_older(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	uintptr_t item;

	(void)t;
	spawn(w, head, 1, leaf_1);
	if (filchi_worker_steal(filchi_worker_of(w), &now.sched.workers[0], &item) == FILCH_OK)
		filchi_task_execute(filchi_worker_of(w), (struct filch_task *)item, head + 1);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] == 1);
}

static void older(void *unused)
{
	struct filch_task t = {.run = root_older};

	(void)unused;
	filchi_task_run_here(become(1), &t);
}

static void give_back(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(older, NULL);
	owner_runs(root_1);
	chk_join(id);
	finish();
}

/* The same, with a FILCH_RUN after the stolen one. */
static void nothing(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)w;
	(void)t;
	(void)head;
}

static void root_older_run(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct filch_task inner = {.run = nothing};
	uintptr_t item;

	(void)t;
	spawn(w, head, 1, leaf_1);
	if (filchi_worker_steal(filchi_worker_of(w), &now.sched.workers[0], &item) == FILCH_OK)
		filchi_task_execute(filchi_worker_of(w), (struct filch_task *)item, head + 1);
	filchi_task_run_here(filchi_worker_of(w), &inner);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] == 1);
}

static void older_run(void *unused)
{
	struct filch_task t = {.run = root_older_run};

	(void)unused;
	filchi_task_run_here(become(1), &t);
}

static void give_back_run(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(older_run, NULL);
	owner_runs(root_1);
	chk_join(id);
	finish();
}

/* The same, and an idle worker that takes what was given back. */
static void idle_2(void *unused)
{
	struct filchi_worker *w = become(2);
	uintptr_t item;

	(void)unused;
	if (filchi_worker_take_returned(&now.sched.workers[0], &item))
		filchi_task_run_item(w, (struct filch_task *)item);
}

static void root_older_2(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	uintptr_t item;

	(void)t;
	spawn(w, head, 1, leaf_1);
	if (filchi_worker_steal(filchi_worker_of(w), &now.sched.workers[0], &item) == FILCH_OK)
		filchi_task_execute(filchi_worker_of(w), (struct filch_task *)item, head + 1);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] != 0);
}

static void older_2(void *unused)
{
	struct filch_task t = {.run = root_older_2};

	(void)unused;
	filchi_task_run_here(become(1), &t);
}

static void give_away(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(older_2, NULL);
	id[1] = chk_thread(idle_2, NULL);
	owner_runs(root_1);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/* FILCH_RUN from outside. */
static void outside_body(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	(void)head;
	begin(w, 3);
	end(3);
}

static void run_from_outside(void)
{
	filchi_thread_local_set(NULL);
	filchi_cell_set(&now.state[3], NEW);
	now.outside.run = outside_body;
	chk_assert(filchi_task_run_there(&now.sched, &now.outside) == 0);
	chk_assert(filchi_cell_get(&now.state[3]) == RUN);
	filchi_cell_set(&now.state[3], 0);
}

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

/* One from outside lies in the deque of a worker, and one who waits for that worker gets hold of it. */
static void root_with_outside(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
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

static void root_waits(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
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
	while (filchi_worker_steal(w, &now.sched.workers[0], &item) != FILCH_OK)
		filchi_spin_wait();
	filchi_store_rlx(&now.flag[1], 1, FLAG);
	filchi_task_run_item(w, (struct filch_task *)item);
	while (w->deque->ops->pop(w->deque, &item) != FILCH_OK &&
	       !filchi_worker_take_returned(&now.sched.workers[0], &item))
		filchi_spin_wait();
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void waits(void *unused)
{
	(void)unused;
	owner_runs(root_waits);
}

static void outside_in_deque(void *arg)
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

static void leaf_seen(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	leaf_1(w, t, head);
	filchi_store_rlx(&now.flag[2], 1, FLAG);
}

/* Job of worker 3: has a task that may be stolen, but not by 0. */
static void stranger(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
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
static void elsewhere(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *w3 = &now.sched.workers[3];
	struct filch_task *stolen = head;

	(void)w;
	(void)t;
	filchi_cell_set(&now.state[2], NEW);
	stolen->run = stranger;
	filchi_store_rlx(filchi_task_state(stolen), FILCHI_TASK_QUEUED, FLAG);
	filchi_task_run_item(w3, stolen);
	filchi_store_rel(&now.sched.workers[2].waiting, 0, FLAG);
	filchi_cell_set(&now.state[2], 0);
}

/* Job of worker 2, the first: for worker 1. */
static void soon_over(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)w;
	(void)t;
	(void)head;
	say_waits(1, 2);
}

/* Job of worker 1, for which 0 waits. */
static void chain(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *w2 = &now.sched.workers[2];
	struct filch_task first = {.run = soon_over, .state = 0}, second = {.run = elsewhere, .state = 0};

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

static void root_chain(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
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
	while (filchi_worker_steal(w, &now.sched.workers[0], &item) != FILCH_OK)
		filchi_spin_wait();
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void broken_chain(void *arg)
{
	int id;

	setup(arg);
	id = chk_thread(others, NULL);
	owner_runs(root_chain);
	chk_join(id);
	finish();
}

/*
 * Worker 0 waits for a task of worker 1, who waits for its child, which worker 2 has stolen; and that has an older task
 * of its own, which worker 0 must not run.
 */
static void child_of_stolen(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	(void)head;
	begin(w, 2);
	filchi_store_rlx(&now.flag[1], 1, FLAG);
	if (filchi_worker_of(w)->id == 2)
		await_look(2);
	end(2);
}

static void stolen_parent(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	begin(w, 0);
	spawn(w, head, 2, child_of_stolen);
	filchi_store_rlx(&now.flag[3], 1, FLAG);
	await(&now.flag[1]);
	sync_with(w, head, 2);
	end(0);
}

static void root_waits_for_third(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	now.awaited = head;
	spawn(w, head, 0, stolen_parent);
	filchi_store_rlx(&now.flag[0], 1, FLAG);
	await(&now.flag[1]);
	await(&now.sched.workers[1].waiting);
	sync_with(w, head, 0);
}

static void root_third(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	uintptr_t item;

	(void)t;
	spawn(w, head, 1, leaf_seen);
	await(&now.flag[3]);
	while (filchi_worker_steal(filchi_worker_of(w), &now.sched.workers[1], &item) != FILCH_OK)
		filchi_spin_wait();
	filchi_task_execute(filchi_worker_of(w), (struct filch_task *)item, head + 1);
	sync_with(w, head, 1);
	chk_assert(now.ran_by[1] != 0);
}

static void third(void *unused)
{
	struct filch_task t = {.run = root_third};

	(void)unused;
	filchi_task_run_here(become(2), &t);
}

static void stolen_first(void *unused)
{
	struct filchi_worker *w = become(1);
	uintptr_t item;

	(void)unused;
	await(&now.flag[0]);
	while (filchi_worker_steal(w, &now.sched.workers[0], &item) != FILCH_OK)
		filchi_spin_wait();
	filchi_task_run_item(w, (struct filch_task *)item);
}

static void older_third(void *arg)
{
	int id[2];

	setup(arg);
	id[0] = chk_thread(stolen_first, NULL);
	id[1] = chk_thread(third, NULL);
	owner_runs(root_waits_for_third);
	chk_join(id[0]);
	chk_join(id[1]);
	finish();
}

/*
 * The whole: workers that are started, FILCH_RUN from outside, and a worker that makes tasks only when it is asked. Its
 * second one must be run by the other, who may be asleep or about to be.
 */
static void leaf_of_other(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	leaf_1(w, t, head);
	filchi_store_rlx(&now.flag[0], 1, FLAG);
}

static void asked(struct filch_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_worker *me = filchi_worker_of(w);

	(void)t;
	begin(w, 3);
	me->budget = 0;
	spawn(w, head, 0, leaf_0);
	while ((uintptr_t)(head + 1) >= filchi_load_rlx(filchi_hurdle(me), FLAG))
		filchi_spin_wait();
	me->budget = 2;
	spawn(w, head + 1, 1, leaf_of_other);
	if (filchi_load_rlx(filchi_task_state(head + 1), FLAG))
		await(&now.flag[0]);
	sync_with(w, head + 1, 1);
	sync_with(w, head, 0);
	end(3);
}

static void hurdle(void *arg)
{
	setup(arg);
	chk_assert(filchi_sched_start(&now.sched) == 0);
	filchi_cell_set(&now.state[3], NEW);
	now.outside.run = asked;
	chk_assert(filchi_task_run_there(&now.sched, &now.outside) == 0);
	chk_assert(filchi_cell_get(&now.state[3]) == RUN);
	filchi_cell_set(&now.state[3], 0);
	filchi_sched_stop(&now.sched);
	chk_assert(filchi_task_run_there(&now.sched, &now.outside) == -ESHUTDOWN);
	finish();
}

/* ---- */

#define SCENARIO(play_, ...)                                                                                           \
	{                                                                                                              \
		.name = #play_, .play = play_, .arg = &(const struct scenario)                                         \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define WALKS(name_, play_, ...)                                                                                       \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true              \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO(steal, "chase_lev", 2, FILCHI_JOIN_TRANSITIVE),
	SCENARIO(steal_two, "locked", 2, FILCHI_JOIN_TRANSITIVE),
	SCENARIO(run_there, "locked", 2, FILCHI_JOIN_TRANSITIVE),
	SCENARIO(give_back, "locked", 2, FILCHI_JOIN_TRANSITIVE),
	SCENARIO(give_back_run, "locked", 2, FILCHI_JOIN_TRANSITIVE),
	SCENARIO(two_thieves, "locked", 3, FILCHI_JOIN_TRANSITIVE),
	WALKS("steal_split", steal_two, "split", 2, FILCHI_JOIN_TRANSITIVE),
	WALKS("steal_private", steal_two, "private", 2, FILCHI_JOIN_TRANSITIVE),
	WALKS("leapfrog", leapfrog, "locked", 2, FILCHI_JOIN_LEAPFROG),
	WALKS("leapfrog_chase_lev", leapfrog, "chase_lev", 2, FILCHI_JOIN_LEAPFROG),
	WALKS("random", leapfrog, "locked", 2, FILCHI_JOIN_RANDOM),
	WALKS("give_away", give_away, "locked", 3, FILCHI_JOIN_TRANSITIVE),
	WALKS("outside_in_deque", outside_in_deque, "locked", 2, FILCHI_JOIN_TRANSITIVE),
	WALKS("transitive", transitive, "locked", 3, FILCHI_JOIN_TRANSITIVE),
	{
		.name = "older_third",
		.play = older_third,
		.arg = &(const struct scenario){"locked", 3, FILCHI_JOIN_TRANSITIVE},
		.walks = true,
		.mutant_walks = 40000,
	},
	WALKS("broken_chain", broken_chain, "locked", 4, FILCHI_JOIN_TRANSITIVE),
	WALKS("hurdle", hurdle, "locked", 2, FILCHI_JOIN_TRANSITIVE),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "fork",
			    .file = "/fork/join.c",
			    .base = "/fork/fork.c",
			    .beside = true,
			    .prefix = "filchi_task_"},
		.scenarios = scenarios,
		.max_events = 600,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
