/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running tasks, and FILCH_RUN.
 *
 * Edges:
 *   J1   execute: store_rel state, join.c: load_acq state   the thief has set base, current and waiting before
 *   J2   execute: exchange_rel state → join.c, run_there: load_acq state   the result, and how long it took
 *   J3   state: as in spawn.c
 *   H1   threshold: as in spawn.c
 *   L1   waiting: 0 at the start of a task, for others by J1
 *   L2   execute, run_here: store_rel base, join.c: load_acq base   which tasks have ended
 *   B1   base, current: set for others by J1. Older tasks are below a new base, or on another task stack. So a joiner
 *        that sees the new base early rejects them
 */
#include "internal.h"

#include "../base/clock.h"
#include "../os/backoff.h"
#include "../sched/steal.h"

#include <filch/pool.h>

#include <errno.h>
#include <string.h>

/* Address space of the task stack of an external thread. */
#define SERIAL_BYTES ((size_t)FILCHI_TUNE(1u << 28, 1u << 10))
#define SERIAL_MIN_BYTES ((size_t)FILCHI_TUNE(1u << 18, 1u << 10))

/* In a streak of tasks that take less than TIMED_NS, every 16th is timed. */
#define TIMED_EACH 16u
#define TIMED_NS 1000u

/* How long a thread spins in run_there before it sleeps. */
static const struct filchi_backoff_limits limits = {
	.tries = FILCHI_TUNE(2500, 0), .yield_after = 127, .yield_every = 32};

/* ---- workers ---- */

void filchi_task_config_init(struct filchi_task_config *c, uint32_t workers, const struct filchi_deque_kind *kind,
			     enum filchi_join_policy join, size_t stack_bytes)
{
	c->join = join;
	c->stack_bytes = stack_bytes;
	c->makes_tasks = workers > 1 && kind->info.owner_order == FILCH_LIFO;
}

static void init_words(struct filchi_task_worker *w)
{
	filchi_atomic_init(filchi_threshold(w), w->config->makes_tasks ? FILCHI_THRESHOLD_OPEN : 0);
	filchi_atomic_init(&w->join.base, 0);
	filchi_atomic_init(&w->join.current, 0);
	filchi_atomic_init(&w->join.waiting, 0);
	filchi_atomic_init(&w->counters.tasks, 0);
	filchi_atomic_init(&w->counters.leapfrogs, 0);
	filchi_atomic_init(&w->counters.rejected, 0);
	filchi_atomic_init(&w->counters.overflows, 0);
	filchi_atomic_init(&w->counters.misuses, 0);
}

int filchi_task_worker_init(struct filchi_task_worker *w, const struct filchi_task_config *config,
			    struct filchi_sched *s, uint32_t id)
{
	int err;

	memset(w, 0, offsetof(struct filchi_task_worker, sched));
	w->config = config;
	init_words(w);
	w->stacks[0] = filchi_vm_map(config->stack_bytes);
	if (!w->stacks[0])
		return -ENOMEM;
	err = filchi_worker_init(&w->sched, s, id, config->makes_tasks ? filchi_threshold(w) : NULL);
	if (err)
		filchi_vm_unmap(w->stacks[0], config->stack_bytes);
	else
		w->split = filchi_deque_split(filchi_worker_deque(&w->sched));
	return err;
}

void filchi_task_worker_fini(struct filchi_task_worker *w)
{
	filchi_worker_fini(&w->sched);
	for (uint32_t i = 0; i < FILCHI_MAX_TASK_STACKS && w->stacks[i]; i++)
		filchi_vm_unmap(w->stacks[i], w->config->stack_bytes);
}

bool filchi_task_stack_guard(const struct filchi_worker *worker, uintptr_t address, size_t guard_bytes)
{
	const struct filchi_task_worker *w = filchi_task_worker((struct filchi_worker *)(uintptr_t)worker);

	for (uint32_t i = 0; i < FILCHI_MAX_TASK_STACKS && w->stacks[i]; i++)
		if (address - (uintptr_t)w->stacks[i] - w->config->stack_bytes < guard_bytes)
			return true;
	return false;
}

/* A task stack for a new run, or NULL: no memory, or too deep. */
static struct filch_task *take_stack(struct filchi_task_worker *w)
{
	struct filch_task **stack;

	if (w->stacks_used == FILCHI_MAX_TASK_STACKS)
		return NULL;
	stack = &w->stacks[w->stacks_used];
	if (!*stack)
		*stack = filchi_vm_map(w->config->stack_bytes);
	w->stacks_used += *stack != NULL;
	return *stack;
}

/* ---- a run inside of another ---- */

/* The state that a worker suspends to run something else. */
struct suspended {
	struct filch_pending pending;
	size_t items;
	uint32_t blocking;
};

/* A threshold is an address of the task stack in use: it must not outlive the run. */
static void restart_policy(struct filchi_task_worker *w)
{
	if (w->config->makes_tasks) {
		filchi_spawn_started(&w->spawn);
		filchi_store_rlx(filchi_threshold(w), FILCHI_THRESHOLD_OPEN, H1);
	}
}

static void suspend(struct filchi_task_worker *w, struct suspended *s)
{
	s->pending = w->public.pending;
	s->items = w->suspended;
	s->blocking = filchi_spare_depth(&w->sched);
	w->suspended = filchi_worker_size(&w->sched);
	w->public.pending = (struct filch_pending){NULL, NULL, &s->pending, w->context};
}

static void resume(struct filchi_task_worker *w, const struct suspended *s)
{
	filchi_spare_unwind(&w->sched, s->blocking);
	w->public.pending = s->pending;
	w->suspended = s->items;
	restart_policy(w);
}

/* ---- running ---- */

/*
 * Notes how long the task took, for the worker that spawned it. Two looks at the clock may take longer than a short
 * task. In a streak of steals the tasks are alike: one in TIMED_EACH is timed, if they are short, and the others count
 * as much.
 */
static void run_stolen(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head, bool again)
{
	bool timed = !again || ++w->timed >= TIMED_EACH || w->took_ns >= TIMED_NS;
	uint64_t look = timed ? filchi_clock_ns() : 0;
	uint64_t start = timed ? filchi_clock_ns() : 0;

	w->owner_ns = 0;
	t->run(&w->public, t, head);
	if (timed) {
		uint64_t took = filchi_clock_ns() - start;

		w->timed = 0;
		w->took_ns = took > start - look ? took - (start - look) : 0;
	}
	if (t->owner != FILCHI_TASK_NO_OWNER) {
		filchi_steal_report(&w->sched, w->took_ns > w->owner_ns ? w->took_ns - w->owner_ns : 0);
		filchi_task_tail(t)->took_ns = w->took_ns | (filchi_steal_is_poor(&w->sched) ? FILCHI_TASK_POOR : 0);
	}
}

/* What a worker did before it began to run tasks of other workers. */
struct outer {
	struct suspended suspended;
	void *context;
	uintptr_t base;
	uint32_t current;
};

static void begin(struct filchi_task_worker *w, struct outer *o)
{
	o->base = filchi_load_rlx(&w->join.base, B1);
	o->current = filchi_load_rlx(&w->join.current, B1);
	o->context = w->context;
	suspend(w, &o->suspended);
}

/* Runs a task between begin and end, and marks it as done. again: it is not the first one. */
static void run_one(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head, bool again)
{
	uint32_t waited = filchi_load_rlx(filchi_task_state(t), J3) & FILCHI_TASK_WAITED;
	uint32_t blocking = filchi_spare_depth(&w->sched);

	w->context = t->owner == FILCHI_TASK_NO_OWNER ? NULL : filchi_task_tail(t)->context;
	w->public.pending.job = w->context;
	w->run_id = (w->run_id + 1) & 0xffff;
	if (!w->run_id)
		w->run_id = 1; /* 0 is none */
	filchi_store_rlx(&w->join.waiting, 0, L1);
	filchi_store_rlx(&w->join.base, (uintptr_t)head, B1);
	filchi_store_rlx(&w->join.current, w->run_id, B1);
	filchi_store_rel(filchi_task_state(t),
			 FILCHI_TASK_AT(filchi_worker_id(&w->sched), w->run_id) | FILCHI_TASK_RUNNING | waited, J1);
	restart_policy(w);
	run_stolen(w, t, head, again);
	filchi_spare_unwind(&w->sched, blocking);
	waited = filchi_exchange_rel(filchi_task_state(t), FILCHI_TASK_DONE, J2) & FILCHI_TASK_WAITED;
	/* Now the task may be gone. */
	if (waited)
		filchi_futex_wake(filchi_task_state(t), 1); /* its address is enough */
}

/* A joiner that sees the older base must see that the runs have ended. */
static void end(struct filchi_task_worker *w, const struct outer *o)
{
	w->context = o->context;
	resume(w, &o->suspended);
	filchi_store_rlx(&w->join.current, o->current, B1);
	filchi_store_rel(&w->join.base, o->base, L2);
}

void filchi_task_execute(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct outer outer;

	begin(w, &outer);
	run_one(w, t, head, false);
	end(w, &outer);
}

/* A thief that has run a task looks into the same deque for the next one. */
void filchi_task_run_item(struct filchi_worker *worker, struct filch_task *t)
{
	struct filchi_task_worker *w = filchi_task_worker(worker);
	struct filch_task *head = take_stack(w); /* a worker has its first task stack from the start */
	struct outer outer;
	uintptr_t item;

	begin(w, &outer);
	run_one(w, t, head, false);
	while (filchi_worker_steal_again(worker, &item)) {
		if (filchi_item_is_free(item))
			filchi_worker_pass_on(worker, item);
		else
			run_one(w, (struct filch_task *)item, head, true);
	}
	end(w, &outer);
	w->stacks_used--;
}

void filchi_task_run_here(struct filchi_worker *worker, struct filch_task *t)
{
	struct filchi_task_worker *w = filchi_task_worker(worker);
	uintptr_t base = filchi_load_rlx(&w->join.base, B1);
	struct filch_task *head = take_stack(w);
	struct suspended suspended;

	if (!head) {
		uint32_t blocking = filchi_spare_depth(worker);

		filchi_task_run_serial(t);
		filchi_spare_unwind(worker, blocking);
		return;
	}
	suspend(w, &suspended);
	/*
	 * The run belongs to the running task and has another task stack. A joiner may steal each task of that stack.
	 */
	filchi_store_rlx(&w->join.base, (uintptr_t)head, B1);
	restart_policy(w);
	t->run(&w->public, t, head);
	resume(w, &suspended);
	filchi_store_rel(&w->join.base, base, L2);
	w->stacks_used--;
}

int filchi_task_run_there(struct filchi_sched *s, struct filch_task *t)
{
	struct filchi_backoff spins = filchi_backoff_start(filchi_sched_setup(s)->one_processor);
	int err;

	t->owner = FILCHI_TASK_NO_OWNER;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED | FILCHI_TASK_WAITED, J3);
	err = filchi_sched_inject(s, (uintptr_t)t);
	if (err)
		return err;
	for (;;) {
		uint32_t state = filchi_load_acq(filchi_task_state(t), J2);

		if (FILCHI_TASK_STATE(state) == FILCHI_TASK_DONE)
			return 0;
		if (!filchi_backoff(&spins, &limits))
			filchi_futex_wait(filchi_task_state(t), state);
	}
}

/* ---- in an external thread ---- */

/* Without address space for a task stack, spawns use the thread's stack. It has room for loops with 2,048 spawns. */
FILCHI_COLD static void run_on_stack(struct filch_worker_ *calls, struct filch_task *t)
{
	struct filch_task stack[FILCHI_TUNE(2048, 8)];

	t->run(calls, t, stack);
}

void filchi_task_run_serial(struct filch_task *t)
{
	struct filch_worker_ calls = {0}; /* a threshold of 0: all spawns are calls */
	struct filch_task *head = NULL;
	size_t bytes = SERIAL_BYTES;

	while (!head && bytes >= SERIAL_MIN_BYTES) {
		head = filchi_vm_map_briefly(bytes);
		bytes >>= head ? 0 : 2;
	}
	if (!head) {
		run_on_stack(&calls, t);
		return;
	}
	t->run(&calls, t, head);
	filchi_vm_unmap(head, bytes);
}

/* ---- statistics ---- */

void filchi_task_stats(struct filchi_worker *worker, struct filch_stats *stats)
{
	const struct filchi_task_counters *c = &filchi_task_worker(worker)->counters;

	stats->tasks += filchi_count_read(&c->tasks);
	stats->leapfrogs += filchi_count_read(&c->leapfrogs);
	stats->rejected += filchi_count_read(&c->rejected);
	stats->overflows += filchi_count_read(&c->overflows);
	stats->misuses += filchi_count_read(&c->misuses);
	filchi_worker_stats(worker, stats);
}
