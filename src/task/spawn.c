/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spawns that make a task, and the sync of such tasks. policy.h says which spawns make one.
 *
 * Most spawns never get here. FILCH_TASK defines a function NAME_filch_spawn_ (include/filch/detail/task_define.h). It
 * compares the end of the task stack with the worker's threshold. At or above the threshold it calls the body, and the
 * sync finds the result in a local variable. That is all.
 *
 * A spawn without a thief: filch_task_spawn_ pushes the task onto the deque, filch_task_sync_ pops it and runs it.
 * With the deque split both are plain accesses to the owner-private part.
 *
 * Requests are answered from pending SPAWN_Ns first: spawn_n.c.
 *
 * Edges:
 *   J2   run.c: exchange_rel state, sync_task: load_acq state   the result, and how long it took
 *   J3   state of a task that no other worker knows yet, or no longer: the deque, the injector or the stash
 *        publishes it
 *   H1   threshold: set here, REQUESTED by thieves. notify has the fence of S1 (sleep.c) between that and the look at
 *        the sleepers
 */
#include "internal.h"

#include "../base/clock.h"

/*
 * Runs a task that no other worker has. The owner runs it in the task's own place on the task stack. The body has read
 * its arguments before it writes there, and the result comes last. So the stack is as if the spawn had been a call.
 */
static void run_own(struct filchi_task_worker *w, struct filch_task *t)
{
	uint16_t lines = t->lines;

	t->run(&w->public, t, t);
	t->lines = lines;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
}

void filchi_threshold_set(struct filchi_task_worker *w, uintptr_t threshold)
{
	filchi_store_rlx(filchi_threshold(w), threshold, H1);
	filchi_worker_notify(&w->sched);
}

/* Spawns at head are calls after all. A thief that asked may take older tasks. */
static void decline(struct filchi_task_worker *w, struct filch_task *head)
{
	filchi_worker_poll(&w->sched);
	filchi_threshold_set(w, (uintptr_t)head);
}

static void call(struct filchi_task_worker *w, struct filch_task *t)
{
	decline(w, t);
	run_own(w, t);
}

static struct filchi_spawn_view look(struct filchi_task_worker *w)
{
	return (struct filchi_spawn_view){.queued = filchi_worker_size(&w->sched),
					  .suspended = w->suspended,
					  .idle = filchi_sched_idle(filchi_worker_sched(&w->sched)),
					  .requested = filchi_is_requested(w)};
}

static struct filchi_spawn_decision decide(struct filchi_task_worker *w, struct filchi_spawn_view *view)
{
	if (filchi_spawn_needs_clock(&w->spawn, view))
		view->now_ns = filchi_clock_ns();
	return filchi_spawn_decide(&w->spawn, view);
}

/* Pending SPAWN_Ns are older than a spawn at head, and may well be more work. Then that spawn is a call. */
static bool shares_instead(struct filchi_task_worker *w, const struct filchi_spawn_view *view, struct filch_task *head)
{
	return view->requested && filchi_spawn_n_share(w, head);
}

/* Looks, decides, does. */
FILCHI_COLD static void spawn_slow(struct filchi_task_worker *w, struct filch_task *t, size_t lines)
{
	struct filchi_spawn_view view = look(w);
	struct filchi_spawn_decision decision;

	if (!w->spawn.promised && shares_instead(w, &view, t)) {
		run_own(w, t);
		return;
	}
	decision = decide(w, &view);
	if (!decision.make_task) {
		call(w, t);
	} else if (filchi_worker_push(&w->sched, (uintptr_t)t)) {
		filchi_count(&w->counters.overflows);
		call(w, t);
	} else {
		filchi_count(&w->counters.tasks);
		/* The owner may not look at its deque for long: it publishes the task now for idle workers. */
		if (view.idle || view.requested)
			filchi_worker_poll(&w->sched);
		w->spawn.unchecked = w->split ? decision.unchecked : 0;
		filchi_threshold_set(w, decision.keep_open ? FILCHI_THRESHOLD_OPEN : (uintptr_t)(t + lines));
	}
}

/*
 * The fast path: one more of many. The threshold is open and stays open, no thief has asked, and there is room. The
 * task goes to the owner-private part of the deque. Without publication there is no need for a fence, or for a look at
 * the sleepers. The next spawn answers a request that comes now.
 */
FILCHI_HOT static void spawn_task(struct filchi_task_worker *w, struct filch_task *t, size_t lines)
{
	t->lines = (uint16_t)lines;
	t->owner = (uint16_t)filchi_worker_id(&w->sched);
	filchi_task_tail(t)->context = w->context;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, J3);
	if (FILCHI_UNLIKELY(!w->spawn.unchecked || !w->spawn.budget ||
			    filchi_load_rlx(filchi_threshold(w), H1) != FILCHI_THRESHOLD_OPEN ||
			    !filchi_split_push_plain(w->split, (uintptr_t)t))) {
		spawn_slow(w, t, lines);
		return;
	}
	w->spawn.unchecked--;
	w->spawn.promised = false;
	filchi_count(&w->counters.tasks);
}

void filch_task_spawn_(struct filch_worker_ *public, struct filch_task *t, size_t lines)
{
	spawn_task(filchi_task_worker_of(public), t, lines);
}

int filch_task_requested_(struct filch_worker_ *public, struct filch_task *head)
{
	struct filchi_task_worker *w = filchi_task_worker_of(public);
	struct filchi_spawn_view view = look(w);

	if (w->spawn.promised)
		return 1;
	if (shares_instead(w, &view, head))
		return 0;
	w->spawn.promised = decide(w, &view).make_task;
	if (!w->spawn.promised)
		decline(w, head);
	return w->spawn.promised;
}

/* ---- sync ---- */

/* What the thief says about the task. */
static void note_stolen(struct filchi_task_worker *w, struct filch_task *t)
{
	uint64_t took_ns = filchi_task_tail(t)->took_ns;

	filchi_spawn_n_was_stolen(&w->spawn_n, took_ns & ~FILCHI_TASK_POOR);
	filchi_spawn_was_stolen(&w->spawn, took_ns & FILCHI_TASK_POOR);
}

/* The first sync of a chunk comes to its last task, and waits for all of them. */
static void finish_chunk(struct filchi_task_worker *w, struct filch_task *last, struct filch_task *head)
{
	size_t before = FILCHI_TASK_NUMBER(filchi_load_rlx(filchi_task_state(last), J3));
	struct filch_task *t = last - before * last->lines;

	if (filchi_load_rlx(filchi_task_state(t), J3) != FILCHI_TASK_RESULT)
		filchi_task_finish(w, t, head);
	for (; t <= last; t += last->lines)
		filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
}

void filchi_task_finish(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head)
{
	if (FILCHI_TASK_STATE(filchi_load_rlx(filchi_task_state(t), J3)) == FILCHI_TASK_MEMBER) {
		finish_chunk(w, t, head);
		return;
	}
	if (!filchi_task_join(w, t, head)) {
		filchi_spawn_taken_back(&w->spawn);
		t->run(&w->public, t, head);
		filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
		return;
	}
	note_stolen(w, t);
}

/* Tasks below this one are synced next. If thieves have them, their lines are elsewhere: fetches them ahead. */
static void prefetch_older(const struct filch_task *t)
{
	__builtin_prefetch(t - 2);
	__builtin_prefetch(t - 4);
}

FILCHI_COLD static void sync_slow(struct filchi_task_worker *w, struct filch_task *t)
{
	bool queued = FILCHI_TASK_STATE(filchi_load_rlx(filchi_task_state(t), J3)) == FILCHI_TASK_QUEUED;
	uintptr_t item;

	/* Otherwise it was stolen long ago, or a SPAWN_N made it and it never was in the deque. */
	while (queued && filchi_worker_pop(&w->sched, &item)) {
		if (item == (uintptr_t)t) {
			filchi_spawn_taken_back(&w->spawn);
			run_own(w, t);
			return;
		}
		/* A job that the same body submitted after the spawn. Any worker may run it, but not this one now. */
		filchi_worker_pass_on(&w->sched, item);
	}
	filchi_task_finish(w, t, t + t->lines);
}

FILCHI_HOT static void sync_task(struct filchi_task_worker *w, struct filch_task *t)
{
	if (filchi_load_acq(filchi_task_state(t), J2) == FILCHI_TASK_DONE) {
		prefetch_older(t);
		note_stolen(w, t);
		return;
	}
	if (FILCHI_UNLIKELY(!w->split || !filchi_split_pop_plain(w->split, (uintptr_t)t))) {
		sync_slow(w, t);
		return;
	}
	filchi_spawn_taken_back(&w->spawn);
	run_own(w, t);
}

void filch_task_sync_(struct filch_worker_ *public, struct filch_task *t)
{
	sync_task(filchi_task_worker_of(public), t);
}

/* ---- demand ---- */

static uintptr_t threshold_of(const struct filch_frame *f)
{
	return filchi_load_rlx((FILCHI_ATOMIC(uintptr_t) *)&f->worker->threshold, H1);
}

bool filchi_frame_serial(const struct filch_frame *f)
{
	return !threshold_of(f);
}

bool filchi_frame_demand(const struct filch_frame *f, bool asleep)
{
	struct filchi_task_worker *w = filchi_task_worker_of(f->worker);
	struct filchi_sched *s = filchi_worker_sched(&w->sched);
	uintptr_t threshold = threshold_of(f);
	uint32_t idle;

	if ((uintptr_t)f->head >= threshold)
		return false;
	filchi_worker_poll(&w->sched);
	if (threshold == FILCHI_REQUESTED)
		return !filchi_spawn_n_share(w, f->head); /* enclosing SPAWN_Ns may well be more work */
	idle = asleep ? filchi_sched_idle(s) : filchi_sched_searching(s);
	return idle > filchi_worker_size(&w->sched);
}

const void *filchi_frame_worker(const struct filch_frame *f)
{
	return f->worker;
}

uint32_t filchi_frame_workers(const struct filch_frame *f)
{
	return filchi_sched_workers(filchi_worker_sched(&filchi_task_worker_of(f->worker)->sched));
}
