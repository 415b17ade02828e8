/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making tasks, running them, and FILCH_RUN.
 *
 * When to make one: a spawn at or above the worker's threshold is a call and never gets here. Below, it makes a task,
 * and then the threshold is set: just above that task if the worker now has enough for all that are idle, or left open,
 * so that the next spawn makes one, too. Who finds nothing to steal raises the threshold of its victim.
 *
 * A call leaves the end of the task stack where it is, so all that is called, however deep, is at the threshold.
 * Therefore a task that takes the place of one that was stolen may well be shorts. To make, and take back, such ones
 * all the time would cost more than they are worth. So there is a budget, which is what may be made in vain: a task
 * taken back unstolen is paid from it, and one that was stolen, and not shorts, adds to it, as does a request, and each
 * job starts with a little. A recursion of shorts calls, of which nothing is worth stealing, so ends up with calls; a
 * tree of which thieves take a good part keeps a stock for them.
 *
 * When it is used up spawns are calls, too, until someone asks, but for one: a spawn below the threshold makes a task
 * if there is none left, unless the last such was made within a microsecond. All that is then called is above it, so
 * that it is what comes last; when its owner gets to it, it is taken back and the next one is made of its first half,
 * and so on: a divide and conquer has the largest part of what remains ready for a thief, at the price of one task for
 * each level. Without it the thief that comes late would find a deep recursion of calls, and get leaves. Where one was
 * made too soon the threshold stays: a loop of small spawns goes on with calls.
 *
 * All that is different with SPAWN_Ns, of which it is known what they have yet to spawn: spawn_n.c. Who asks is served
 * from those first.
 *
 * Edges:
 *   J1   execute: store_rel state, join.c: load_acq state   who runs it has set base, current and waiting before
 *   J2   execute: exchange_rel state → join.c, run_there: load_acq state   the result, and how long it took
 *   J3   state of a task nobody else knows yet, or no more: the deque, the injector or the list publishes it
 *   H1   threshold: lowered here, raised by thieves; notify has the fence of S1 (sleep.c) between that and the look at
 *        the sleepers
 *   L1   waiting: none at the start of a job, for others by J1
 *   L2   execute, run_here: store_rel base, join.c: load_acq base   which jobs have ended
 *   B1   base, current: set for others by J1. What is older is below a new base, or in another region, so that it is
 *        refused whoever sees that one early
 */
#include "../base/clock.h"
#include "../deque/split.h"
#include "task.h"

/* Tasks that a worker has before its spawns are calls, and how many more for each idle worker. */
#define BACKLOG FILCHI_TUNE(256u, 2u)
/* The former for one whose budget a request has raised: nothing of late was worth stealing. */
#define BACKLOG_ON_REQUEST FILCHI_TUNE(8u, 1u)
#define FOR_EACH_IDLE FILCHI_TUNE(4u, 1u)

/* The budget: at least so much at the start of a job, and when someone asks; for each that was stolen; and at most. */
#define FOR_JOB FILCHI_TUNE(16u, 2u)
#define FOR_REQUEST FILCHI_TUNE(16u, 1u)
#define FOR_STOLEN FILCHI_TUNE(64u, 1u)
#define BUDGET_MAX 16384u
/* Not for one that took less than this: it was not worth the while to steal it. A checked build has no time. */
#define IS_SHORT(ns) FILCHI_TUNE((ns) < 80u, ((void)(ns), false))

/* Without a budget, one at a time, and not so soon after the last one. */
#define IS_RECENT(ns) FILCHI_TUNE((ns) < 1000u, ((void)(ns), false))

/* Of the task stack of a thread that is no worker: address space. */
#define ALONE_BYTES ((size_t)FILCHI_TUNE(1u << 28, 1u << 10))
#define ALONE_MIN_BYTES ((size_t)FILCHI_TUNE(1u << 18, 1u << 10))

/* How long one who waits looks by itself before it sleeps. */
#define SPINS FILCHI_TUNE(2500, 0)
#define YIELD_AFTER 512

/*
 * A task that nobody else has, run by its owner: on the task stack in its own place, which the arguments have left by
 * the time that anything is put there, and to which the result comes last. So the stack is as if it had been a call.
 */
static void run_own(struct filchi_worker *w, struct filch_task *t)
{
	uint16_t lines = t->lines;

	t->run(&w->public, t, t);
	t->lines = lines;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
}

void filchi_threshold_set(struct filchi_worker *w, uintptr_t threshold)
{
	filchi_store_rlx(filchi_threshold(w), threshold, H1);
	filchi_worker_notify(w);
}

/* Without a budget. */
static bool may_have_one(struct filchi_worker *w, size_t tasks)
{
	uint64_t now;

	if (tasks > w->suspended)
		return false;
	now = filchi_clock_ns();
	if (IS_RECENT(now - w->made_at))
		return false;
	w->made_at = now;
	return true;
}

FILCHI_COLD static void spawn_slow(struct filchi_worker *w, struct filch_task *t, size_t lines)
{
	const struct filchi_deque_ops *ops = w->deque->ops;
	uint32_t idle = filchi_sleep_counts(&w->sched->sleep);
	bool asked = filchi_load_rlx(filchi_threshold(w), H1) == FILCHI_THRESHOLD_REQUESTED;
	size_t tasks = ops->size(w->deque);
	size_t enough;

	/* What is older may well be more: then no need for this one. */
	if (asked && filchi_spawn_n_share(w, t)) {
		run_own(w, t);
		return;
	}
	if (asked && w->budget < FOR_REQUEST) {
		w->budget = FOR_REQUEST;
		w->on_request = true;
	}
	/* Those suspended are of what this worker has left off; some may be gone. */
	enough = w->suspended + (w->on_request ? BACKLOG_ON_REQUEST : BACKLOG) +
		 FOR_EACH_IDLE * (FILCHI_SLEEPING(idle) + FILCHI_SEARCHING(idle));
	if (!w->budget)
		enough = may_have_one(w, tasks) ? tasks + 1 : tasks;
	if (tasks >= enough) {
		/* A call after all; who asked may have of what there is. */
		if (ops->poll)
			ops->poll(w->deque);
		filchi_threshold_set(w, (uintptr_t)t);
		run_own(w, t);
	} else if (ops->push(w->deque, (uintptr_t)t)) {
		filchi_count(&w->counters.overflows);
		if (ops->poll)
			ops->poll(w->deque);
		filchi_threshold_set(w, (uintptr_t)t);
		run_own(w, t);
	} else {
		filchi_count(&w->counters.tasks);
		/* The next look at the deque may be far off: for who is idle, and who has asked, it is shared now. */
		if (ops->poll && (idle || asked))
			ops->poll(w->deque);
		w->credit = w->split ? (uint32_t)(enough - tasks - 1) : 0;
		filchi_threshold_set(w, tasks + 1 >= enough ? (uintptr_t)(t + lines) : FILCHI_THRESHOLD_OPEN);
	}
}

/*
 * One more of many: the threshold is open and stays so, nobody is idle or has asked, and there is room. The task is
 * then private to the deque: nothing is published that needs a fence or a look at who sleeps. Who asks from now on is
 * answered at the next spawn.
 */
FILCHI_HOT static void spawn_task(struct filchi_worker *w, struct filch_task *t, size_t lines)
{
	t->lines = (uint16_t)lines;
	t->owner = (uint16_t)w->id;
	*filchi_task_context(t) = w->job;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, J3);
	if (FILCHI_UNLIKELY(
		    !w->credit || !w->budget || filchi_load_rlx(filchi_threshold(w), H1) != FILCHI_THRESHOLD_OPEN ||
		    filchi_sleep_counts(&w->sched->sleep) || !filchi_split_push_plain(w->split, (uintptr_t)t))) {
		spawn_slow(w, t, lines);
		return;
	}
	w->credit--;
	filchi_count(&w->counters.tasks);
}

void filch_task_spawn_(struct filch_worker_ *public, struct filch_task *t, size_t lines)
{
	spawn_task(filchi_worker_of(public), t, lines);
}

void filchi_task_finish(struct filchi_worker *w, struct filch_task *t, struct filch_task *head)
{
	uint64_t took;

	w->joined++;
	if (!filchi_task_join(w, t, head)) {
		w->budget -= w->budget > 0;
		t->run(&w->public, t, head);
		filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
		return;
	}
	took = (uintptr_t)*filchi_task_context(t); /* what was its job */
	w->joined_ns += took;
	if (w->budget < BUDGET_MAX && !IS_SHORT(took)) {
		w->budget += FOR_STOLEN;
		w->on_request = false;
	}
}

FILCHI_COLD static void sync_slow(struct filchi_worker *w, struct filch_task *t)
{
	bool queued = FILCHI_TASK_STATE(filchi_load_rlx(filchi_task_state(t), J3)) == FILCHI_TASK_QUEUED;
	uintptr_t item;

	/* Otherwise it was stolen long ago, or is of a SPAWN_N and never was there. */
	while (queued && w->deque->ops->pop(w->deque, &item) == FILCH_OK) {
		if (item == (uintptr_t)t) {
			w->budget -= w->budget > 0;
			run_own(w, t);
			return;
		}
		/* Submitted to the pool by the same body, after the spawn: for anyone, and not now. */
		while (filchi_sched_inject(w->sched, item))
			filchi_thread_yield();
	}
	filchi_task_finish(w, t, t + t->lines);
}

FILCHI_HOT static void sync_task(struct filchi_worker *w, struct filch_task *t)
{
	if (FILCHI_UNLIKELY(!w->split || !filchi_split_pop_plain(w->split, (uintptr_t)t))) {
		sync_slow(w, t);
		return;
	}
	w->budget -= w->budget > 0;
	run_own(w, t);
}

void filch_task_sync_(struct filch_worker_ *public, struct filch_task *t)
{
	sync_task(filchi_worker_of(public), t);
}

/* Something starts or ends here: the threshold is of a task stack that is no longer, or not yet, the one in use. */
static void reset_policy(struct filchi_worker *w)
{
	if (w->sched->makes_tasks) {
		if (w->budget < FOR_JOB)
			w->budget = FOR_JOB;
		w->credit = 0;
		w->on_request = false;
		filchi_store_rlx(filchi_threshold(w), FILCHI_THRESHOLD_OPEN, H1);
	}
}

/* Notes how long it took, for the worker that has spawned it. */
static void run_stolen(struct filchi_worker *w, struct filch_task *t, struct filch_task *head)
{
	uint64_t start = filchi_clock_ns();

	t->run(&w->public, t, head);
	if (t->owner != FILCHI_TASK_NO_OWNER) {
		uint64_t took = filchi_clock_ns() - start;

		w->shorts = IS_SHORT(took) ? w->shorts + 1 : 0;
		*filchi_task_context(t) = (void *)(uintptr_t)took;
	}
}

void filchi_task_execute(struct filchi_worker *w, struct filch_task *t, struct filch_task *head)
{
	uintptr_t base = filchi_load_rlx(&w->base, B1);
	uint32_t current = filchi_load_rlx(&w->current, B1);
	uint32_t waited = filchi_load_rlx(filchi_task_state(t), J3) & FILCHI_TASK_WAITED;
	size_t suspended = w->suspended;
	struct filch_pending pending = w->public.pending;
	uint32_t blocking = w->blocking;
	void *job = w->job;

	w->suspended = w->deque->ops->size(w->deque);
	w->job = t->owner == FILCHI_TASK_NO_OWNER ? NULL : *filchi_task_context(t);
	w->public.pending = (struct filch_pending){NULL, NULL, &pending, w->job};
	w->run_id = (w->run_id + 1) & 0xffff;
	if (!w->run_id)
		w->run_id = 1; /* 0 is none */
	filchi_store_rlx(&w->waiting, 0, L1);
	filchi_store_rlx(&w->base, (uintptr_t)head, B1);
	filchi_store_rlx(&w->current, w->run_id, B1);
	filchi_store_rel(filchi_task_state(t), FILCHI_TASK_BY(w->id, w->run_id) | FILCHI_TASK_RUNNING | waited, J1);
	reset_policy(w);
	run_stolen(w, t, head);
	filchi_spare_unwind(w, blocking);
	w->public.pending = pending;
	w->suspended = suspended;
	w->job = job;
	reset_policy(w);
	waited = filchi_exchange_rel(filchi_task_state(t), FILCHI_TASK_DONE, J2) & FILCHI_TASK_WAITED;
	/* Now the task may be gone. Who sees the base as it was before must see that this job has ended. */
	filchi_store_rlx(&w->current, current, B1);
	filchi_store_rel(&w->base, base, L2);
	if (waited)
		filchi_futex_wake(filchi_task_state(t), 1); /* its address will do */
}

/* A task stack for what starts now, or NULL if there is no memory, or if this is too deep. */
static struct filch_task *enter(struct filchi_worker *w)
{
	struct filch_task **region;

	if (w->nested == FILCHI_MAX_TASK_STACKS)
		return NULL;
	region = &w->task_stacks[w->nested];
	if (!*region)
		*region = filchi_vm_map(w->sched->setup.task_stack_bytes);
	w->nested += *region != NULL;
	return *region;
}

void filchi_task_run_item(struct filchi_worker *w, struct filch_task *t)
{
	/*
	 * From the worker that had it, which need not be its owner. Not for a spare, which may have to give up its
	 * place soon.
	 */
	if (w->stolen_from && t->owner != FILCHI_TASK_NO_OWNER && t->owner != w->id && w->id < w->sched->worker_count &&
	    !filchi_stash_count(w))
		filchi_task_steal_more(w, w->stolen_from, 1, UINTPTR_MAX);
	/* A worker has its first task stack from the start. */
	filchi_task_execute(w, t, enter(w));
	w->nested--;
}

void filchi_task_run_here(struct filchi_worker *w, struct filch_task *t)
{
	struct filch_task *head = enter(w);
	uintptr_t base = filchi_load_rlx(&w->base, B1);
	struct filch_pending pending = w->public.pending;
	uint32_t blocking = w->blocking;
	size_t suspended = w->suspended;

	if (!head) {
		filchi_task_run_serial(t);
		filchi_spare_unwind(w, blocking);
		return;
	}
	w->public.pending = (struct filch_pending){NULL, NULL, &pending, w->job};
	w->suspended = w->deque->ops->size(w->deque);
	/* Part of what runs here, but on a stack elsewhere: thieves who wait for it may have all that is on this one.
	 */
	filchi_store_rlx(&w->base, (uintptr_t)head, B1);
	reset_policy(w);
	t->run(&w->public, t, head);
	filchi_spare_unwind(w, blocking);
	w->public.pending = pending;
	w->suspended = suspended;
	reset_policy(w);
	filchi_store_rel(&w->base, base, L2);
	w->nested--;
}

int filchi_task_run_there(struct filchi_sched *s, struct filch_task *t)
{
	uint32_t state;
	int err;

	t->owner = FILCHI_TASK_NO_OWNER;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED | FILCHI_TASK_WAITED, J3);
	err = filchi_sched_inject(s, (uintptr_t)t);
	if (err)
		return err;
	for (int looks = 0;; looks += looks < SPINS) {
		state = filchi_load_acq(filchi_task_state(t), J2);
		if (FILCHI_TASK_STATE(state) == FILCHI_TASK_DONE)
			return 0;
		if (looks >= SPINS)
			filchi_futex_wait(filchi_task_state(t), state);
		else if (s->setup.one_processor || looks % YIELD_AFTER == YIELD_AFTER - 1)
			filchi_thread_yield();
		else
			filchi_pause();
	}
}

/* Without address space for a task stack: on this one, which has room for loops with fewer spawns than that. */
FILCHI_COLD static void run_on_stack(struct filch_worker_ *calls, struct filch_task *t)
{
	struct filch_task stack[FILCHI_TUNE(2048, 8)];

	t->run(calls, t, stack);
}

void filchi_task_run_serial(struct filch_task *t)
{
	struct filch_worker_ calls = {0}; /* its threshold */
	struct filch_task *head = NULL;
	size_t bytes = ALONE_BYTES;

	while (!head && bytes >= ALONE_MIN_BYTES) {
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
