/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a task that another worker has stolen.
 *
 * A waiting worker runs only descendants of the task that it waits for, unless the policy is random. Another task might
 * ask for a lock that this thread holds across the sync. The thief has the descendants:
 *
 *   leapfrog     steals from the thief
 *   transitive   and if the thief itself waits for a task that a third worker has stolen, from the third, and so on
 *   random       and then any task from any worker
 *
 * A thief takes the oldest task of a deque, and sees which task that is only after the steal. So it checks after the
 * steal. A stolen task is a descendant if
 *
 *   - it is on the victim's task stack, above the place where the awaited task began (base), and
 *   - the victim has not ended that task since: the awaited task is not done, and if the victim is a third worker, it
 *     still runs the task that the second worker waits for (current, waiting).
 *
 * The end of a run is published before anything that the victim pushes later, and with any lower base. So these reads
 * may be relaxed if they come after the steal.
 *
 * A task that is no descendant stays in the thief's stash (src/sched/stash.h). Idle workers can take it from there, and
 * so can the worker that spawned it and may wait for it. Only the thief itself puts tasks there. So it knows before it
 * steals whether there is room.
 *
 * Edges:
 *   J1   run.c: store_rel state, join: load_acq state   base, current and waiting of the thief
 *   J2   run.c: exchange_rel state, join: as J1   the result
 *   J6   stashed: store_rel state, join: as J1   the stash, which may be that of a spare made since
 *   J4   state: relaxed where only DONE matters, or where the lock of the stash orders the task
 *   L1   join: store_rel waiting → leap: load_acq waiting   base and current of the worker that is waited for
 *   L2   run.c: store_rel base, leap: load_acq base   which runs have ended
 *   B1   current: after the steal, or after L1
 *   H1   threshold: as in spawn.c
 */
#include "internal.h"

#include "../os/backoff.h"
#include "../os/wait.h"
#include "../sched/steal.h"

/* Attempts without a task before the worker sleeps. */
#define SPINS FILCHI_TUNE(256, 0)
static const struct filchi_backoff_limits limits = {.tries = SPINS, .yield_after = 32};
/* A sleep ends after this time even if the task is not done: there may be more descendants by then. */
#define SLEEP_NS 200000u
#define SLEEP_MAX_NS 2000000u

static struct filchi_sched *sched_of(struct filchi_task_worker *w)
{
	return filchi_worker_sched(&w->sched);
}

static struct filchi_task_worker *worker_at(struct filchi_task_worker *w, uint32_t state)
{
	return filchi_task_worker(filchi_sched_worker(sched_of(w), FILCHI_TASK_WORKER(state)));
}

/* True if a worker that waits for t may run this item. base: the value of the victim before the steal. */
static bool is_descendant(struct filchi_task_worker *w, uintptr_t item, uintptr_t base, struct filch_task *t)
{
	uintptr_t stack = ~(uintptr_t)(w->config->stack_bytes - 1);

	return !filchi_item_is_free(item) && (item & stack) == (base & stack) && item >= base &&
	       FILCHI_TASK_STATE(filchi_load_rlx(filchi_task_state(t), J4)) != FILCHI_TASK_DONE;
}

/* The state comes first: once a task is in the stash, any worker may run it. */
void filchi_task_stashed(struct filchi_worker *w, const uintptr_t *items, size_t index, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		FILCHI_ATOMIC(uint32_t) *state = filchi_task_state((struct filch_task *)items[i]);
		/* A thread that waits for a task from outside sleeps from the start. */
		uint32_t waited = filchi_load_rlx(state, J4) & FILCHI_TASK_WAITED;

		filchi_store_rel(
			state,
			FILCHI_TASK_AT(filchi_worker_id(w), (uint32_t)(index + i)) | FILCHI_TASK_STASHED | waited, J6);
	}
}

/* The waiting worker may not run this item. */
static void reject(struct filchi_task_worker *w, uintptr_t item)
{
	filchi_count(&w->counters.rejected);
	if (filchi_item_is_free(item))
		filchi_worker_pass_on(&w->sched, item);
	else
		filchi_steal_stash(&w->sched, &item, 1);
}

static bool has_room(struct filchi_task_worker *w)
{
	struct filchi_stash *stash = filchi_worker_stash(&w->sched);

	if (filchi_stash_count(stash) == FILCHI_STASH_MAX)
		filchi_stash_trim(stash, w->stash_base);
	return filchi_stash_count(stash) < FILCHI_STASH_MAX;
}

enum attempt { NOTHING, REJECTED, RAN };

/*
 * One attempt at one victim. run_id: the run that the victim must still be in; 0: the victim is the thief of t. The
 * worker leaves tasks in its stash that were there before this wait began.
 */
static enum attempt leap_to(struct filchi_task_worker *w, struct filchi_task_worker *victim, uint32_t run_id,
			    struct filch_task *t, struct filch_task *head)
{
	struct filchi_item_range range;
	uintptr_t base, item;
	bool stashed;

	if (!has_room(w))
		return NOTHING;
	base = filchi_load_acq(&victim->join.base, L2);
	range = filchi_items_between(base, base | (w->config->stack_bytes - 1));
	if (run_id && filchi_load_rlx(&victim->join.current, B1) != run_id)
		return NOTHING;
	stashed = filchi_stash_take_own(filchi_worker_stash(&w->sched), w->stash_base, range, &item);
	if (!stashed && filchi_steal(&w->sched, &victim->sched, range, &item, false) != FILCH_OK)
		return NOTHING;
	if (!is_descendant(w, item, base, t) || (run_id && filchi_load_rlx(&victim->join.current, B1) != run_id)) {
		reject(w, item);
		return REJECTED;
	}
	filchi_count(&w->counters.leapfrogs);
	if (!stashed)
		filchi_steal_more(&w->sched, &victim->sched, range);
	filchi_task_execute(w, (struct filch_task *)item, head);
	return RAN;
}

static enum attempt leap(struct filchi_task_worker *w, struct filch_task *t, uint32_t state, struct filch_task *head)
{
	struct filchi_task_worker *victim = worker_at(w, state);
	uint32_t run_id = 0;

	for (uint32_t hops = 0; hops < filchi_sched_workers(sched_of(w)); hops++) {
		enum attempt result = leap_to(w, victim, run_id, t, head);
		uint32_t waiting;

		if (result != NOTHING || w->config->join == FILCHI_JOIN_LEAPFROG)
			return result;
		waiting = filchi_load_acq(&victim->join.waiting, L1);
		/* The victim waits as a part of that run, and not of a later one. */
		if (!waiting || (run_id && filchi_load_rlx(&victim->join.current, B1) != run_id))
			return NOTHING;
		victim = worker_at(w, waiting);
		run_id = FILCHI_TASK_NUMBER(waiting);
		if (victim == w)
			return NOTHING;
	}
	return NOTHING;
}

/* Runs any task of any worker. */
static bool help(struct filchi_task_worker *w, struct filch_task *head)
{
	struct filchi_sched *s = sched_of(w);
	uintptr_t item;

	for (uint32_t i = 0; i + 1 < filchi_sched_workers(s); i++) {
		struct filchi_worker *victim = filchi_sched_worker(s, filchi_victim_pick(&w->sched, i));

		if (filchi_steal(&w->sched, victim, FILCHI_ITEMS_ALL, &item, false) != FILCH_OK)
			continue;
		if (filchi_item_is_free(item)) {
			reject(w, item);
			continue;
		}
		filchi_steal_count(&w->sched);
		filchi_task_execute(w, (struct filch_task *)item, head);
		return true;
	}
	return false;
}

struct backoff {
	struct filchi_backoff tries; /* attempts without a task */
	uint64_t sleep_ns;
};

/* Sleeps until the task is done, at most for ns. The thief that ends the task sees that a worker sleeps: os/wait.h. */
static void timed_sleep(struct filchi_sched *s, struct filch_task *t, uint32_t state, uint64_t ns)
{
	if (!filchi_wait_announce(filchi_task_state(t), state, FILCHI_TASK_WAITED))
		return;
	filchi_sched_stall_and_report(s);
	filchi_futex_wait_for(filchi_task_state(t), state | FILCHI_TASK_WAITED, ns);
	filchi_sched_unstall(s);
}

/* Runs a descendant of the awaited task, or sleeps after enough attempts. False: it did neither. */
static bool wait_for(struct filchi_task_worker *w, struct filch_task *t, uint32_t state, struct filch_task *head,
		     struct backoff *b)
{
	enum attempt result;

	filchi_store_rel(&w->join.waiting, FILCHI_TASK_PLACE(state), L1);
	/* Idle workers may have numbers of SPAWN_Ns that come after this sync. */
	if (filchi_is_requested(w))
		(void)filchi_spawn_n_share(w, head);
	result = leap(w, t, state, head);
	if (result == NOTHING && w->config->join == FILCHI_JOIN_RANDOM && help(w, head))
		result = RAN;
	if (result == RAN) {
		*b = (struct backoff){.sleep_ns = SLEEP_NS};
	} else if (result == NOTHING && filchi_backoff_is_over(&b->tries, &limits)) {
		(void)filchi_spawn_n_give(w);
		timed_sleep(sched_of(w), t, state, b->sleep_ns);
		b->sleep_ns *= b->sleep_ns < SLEEP_MAX_NS ? 2 : 1;
		return true;
	}
	/* After a rejected task the next one may be a descendant. */
	return result != NOTHING;
}

bool filchi_task_join(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct filchi_stash *stash = filchi_worker_stash(&w->sched);
	struct backoff b = {.sleep_ns = SLEEP_NS};
	size_t stash_base = w->stash_base;

	filchi_stash_trim(stash, stash_base);
	w->stash_base = filchi_stash_count(stash);
	for (;;) {
		uint32_t state = filchi_load_acq(filchi_task_state(t), J1);

		switch (FILCHI_TASK_STATE(state)) {
		case FILCHI_TASK_DONE:
			filchi_store_rlx(&w->join.waiting, 0, L1);
			filchi_stash_trim(stash, w->stash_base);
			w->stash_base = stash_base;
			return true;
		case FILCHI_TASK_STASHED:
			if (filchi_stash_remove(filchi_worker_stash(&worker_at(w, state)->sched),
						FILCHI_TASK_NUMBER(state), (uintptr_t)t)) {
				w->stash_base = stash_base;
				return false;
			}
			break;
		case FILCHI_TASK_RUNNING:
			if (wait_for(w, t, state, head, &b))
				continue;
			break;
		default:
			break;
		}
		filchi_backoff_stay(&b.tries, &limits);
	}
}
