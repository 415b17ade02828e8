/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a task that another worker has stolen.
 *
 * Who waits runs only descendants of what it waits for, unless the policy is random: otherwise a lock that is held
 * across the sync might be asked for by what runs meanwhile, in the same thread. Descendants are with the thief:
 *
 *   leapfrog     steals from the thief
 *   transitive   and if the thief itself waits for what a third has stolen from it, from the third, and so on
 *   random       and then from anyone, anything
 *
 * A thief takes what is oldest, and it cannot know what that is before it has it. So it looks afterwards whether that
 * is a descendant, which is so if
 *
 *   - it is on the victim's task stack, above where the victim had it when it started on what is waited for (base), and
 *   - the victim has not ended that in the meantime: the task that is waited for is not done, and if the victim is a
 *     third, its job is still the one that the second waits for (current, waiting).
 *
 * Whatever was pushed after the end of that job, and any lower base that was set, comes with the news that it has
 * ended: so these looks may be relaxed, as long as they come after the steal.
 *
 * If it is none it stays in hand (sched/steal.c) where those who are idle find it, and the one it was stolen from, who
 * may wait for it, can take it back. Only the worker itself puts anything there, so that it knows before it steals
 * whether there is room.
 *
 * A thief takes more than one at a time, up to half of what there is to take: in an irregular tree most tasks are
 * shorts, and a steal costs the same for one as for many. It runs the oldest, and those in hand after that, if they are
 * still there; while it waits, by the same rule as for what it steals.
 *
 * Edges:
 *   J1   spawn.c: store_rel state, join: load_acq state   base, current and waiting of who runs it
 *   J2   spawn.c: exchange_rel state, join: as J1   the result
 *   J6   keep: store_rel state, join: as J1   the list it is on, which may be that of a spare made since
 *   J4   state: relaxed where all that counts is whether it is done, or that the lock of the list has it
 *   J5   timed_sleep: either it is done, then join sees it, or the one who ends it sees that someone sleeps
 *   L1   join: store_rel waiting → leap: load_acq waiting   base and current of whom that worker waits for
 *   L2   spawn.c: store_rel base, leap: load_acq base   which jobs have ended
 *   B1   current: after the steal, or after L1
 *   H1   threshold: as in spawn.c
 */
#include "task.h"

/* Fruitless looks before sleep, and when the processor is offered to others in between. */
#define SPINS FILCHI_TUNE(256, 0)
#define YIELD_AFTER 32
/* Sleep ends after so long even if the task is not done: its descendants may have become more. */
#define SLEEP_NS 200000u
#define SLEEP_MAX_NS 2000000u
/* Tasks taken at once, besides the first. */
#define MORE FILCHI_TUNE(64u, 1u)

/* Item of a victim, stolen while waiting for t; base was its base before. May it be run by the one who waits? */
static bool is_descendant(struct filchi_worker *w, uintptr_t item, uintptr_t base, struct filch_task *t)
{
	uintptr_t region = ~(uintptr_t)(w->sched->setup.task_stack_bytes - 1);

	return filchi_item_is_task(item) && (item & region) == (base & region) && item >= base &&
	       FILCHI_TASK_STATE(filchi_load_rlx(filchi_task_state(t), J4)) != FILCHI_TASK_DONE;
}

/* The state first: once it is in hand anyone may run it. */
void filchi_task_stash(struct filchi_worker *w, const uintptr_t *items, size_t count)
{
	uint32_t held = (uint32_t)filchi_stash_count(w);

	for (size_t i = 0; i < count; i++) {
		FILCHI_ATOMIC(uint32_t) *state = filchi_task_state((struct filch_task *)items[i]);
		/* One from outside: who waits for that sleeps from the start. */
		uint32_t waited = filchi_load_rlx(state, J4) & FILCHI_TASK_WAITED;

		filchi_store_rel(state, FILCHI_TASK_BY(w->id, held + (uint32_t)i) | FILCHI_TASK_STASHED | waited, J6);
	}
	if (count)
		filchi_stash_put(w, items, count);
}

/* No task: for anyone. */
static void pass_on(struct filchi_worker *w, uintptr_t item)
{
	while (filchi_sched_inject(w->sched, item))
		filchi_thread_yield();
}

static void give_back(struct filchi_worker *w, uintptr_t item)
{
	filchi_count(&w->counters.rejected);
	if (filchi_item_is_task(item))
		filchi_task_stash(w, &item, 1);
	else
		pass_on(w, item);
}

/* Of so many, half at most; and one place stays free for what may have to be given back. */
static size_t share_of(struct filchi_worker *w, size_t count)
{
	size_t want = count / 2 < MORE ? count / 2 : MORE;

	return want + filchi_stash_count(w) < FILCHI_STASH_MAX ? want : 0;
}

void filchi_task_steal_more(struct filchi_worker *w, struct filchi_worker *victim, uintptr_t first, uintptr_t last)
{
	const struct filchi_deque_ops *ops = victim->deque->ops;
	uintptr_t items[MORE], turned[MORE], item, other = 0;
	size_t count = filchi_stash_take(victim, first, last, items, share_of(w, filchi_stash_size(victim)));

	if (!count) {
		size_t want = share_of(w, ops->size(victim->deque));

		while (count < want && ops->steal(victim->deque, &item) == FILCH_OK) {
			if (!filchi_item_is_task(item)) {
				other = item;
				break;
			}
			items[count++] = item;
		}
	}
	/* The oldest came first, and is to be the last of those in hand, as it is the first to be run. */
	for (size_t i = 0; i < count; i++)
		turned[count - 1 - i] = items[i];
	filchi_task_stash(w, turned, count);
	if (other)
		pass_on(w, other);
}

/* What came of an attempt: nothing, one that had to be given back, or one that was run. */
enum attempt { NOTHING, REFUSED, RAN };

/*
 * One attempt at one victim. job: what it must be at, 0 if it is the thief of t itself. What was in hand before this
 * wait began is not for it.
 */
static enum attempt leap_to(struct filchi_worker *w, struct filchi_worker *victim, uint32_t job, struct filch_task *t,
			    struct filch_task *head)
{
	uintptr_t base, end, item;
	bool in_hand;

	if (filchi_stash_count(w) == FILCHI_STASH_MAX) {
		filchi_stash_trim(w, w->mark);
		if (filchi_stash_count(w) == FILCHI_STASH_MAX)
			return NOTHING;
	}
	base = filchi_load_acq(&victim->base, L2);
	end = base | (w->sched->setup.task_stack_bytes - 1);
	if (job && filchi_load_rlx(&victim->current, B1) != job)
		return NOTHING;
	in_hand = filchi_stash_take_own(w, w->mark, base, end, &item);
	if (!in_hand && filchi_worker_steal_within(w, victim, base, end, &item, false) != FILCH_OK)
		return NOTHING;
	if (!is_descendant(w, item, base, t) || (job && filchi_load_rlx(&victim->current, B1) != job)) {
		give_back(w, item);
		return REFUSED;
	}
	filchi_count(&w->counters.leapfrogs);
	if (!in_hand)
		filchi_task_steal_more(w, victim, base, end);
	filchi_task_execute(w, (struct filch_task *)item, head);
	return RAN;
}

static enum attempt leap(struct filchi_worker *w, struct filch_task *t, uint32_t state, struct filch_task *head)
{
	struct filchi_sched *s = w->sched;
	struct filchi_worker *victim = &s->workers[FILCHI_TASK_WORKER(state)];
	uint32_t job = 0;

	for (uint32_t hops = 0; hops < s->worker_count; hops++) {
		enum attempt result = leap_to(w, victim, job, t, head);
		uint32_t waiting;

		if (result != NOTHING || s->setup.join == FILCHI_JOIN_LEAPFROG)
			return result;
		waiting = filchi_load_acq(&victim->waiting, L1);
		/* As part of that job, and not of a later one, or it is none of ours. */
		if (!waiting || (job && filchi_load_rlx(&victim->current, B1) != job))
			return NOTHING;
		victim = &s->workers[FILCHI_TASK_WORKER(waiting)];
		job = FILCHI_TASK_RUN_ID(waiting);
		if (victim == w)
			return NOTHING;
	}
	return NOTHING;
}

/* Anything, from anyone. */
static bool help(struct filchi_worker *w, struct filch_task *head)
{
	uintptr_t item;

	for (uint32_t i = 0; i + 1 < w->sched->worker_count; i++) {
		struct filchi_worker *victim = &w->sched->workers[filchi_victim_pick(w, i)];

		if (filchi_worker_steal(w, victim, &item, false) != FILCH_OK)
			continue;
		if (!filchi_item_is_task(item)) {
			give_back(w, item);
			continue;
		}
		filchi_count(&w->counters.steals);
		filchi_task_execute(w, (struct filch_task *)item, head);
		return true;
	}
	return false;
}

/* Of one who waits. */
struct patience {
	int looks; /* in vain */
	uint64_t sleep_ns;
};

/* Sleeps until the task is done, or for a while. */
static void timed_sleep(struct filchi_sched *s, struct filch_task *t, uint32_t state, uint64_t ns)
{
	uint32_t waited = state | FILCHI_TASK_WAITED;

	if (state != waited && !filchi_cas_rlx(filchi_task_state(t), &state, waited, J5))
		return;
	if (s->setup.stalled && filchi_sched_stall(s))
		s->setup.stalled(s);
	filchi_futex_wait_for(filchi_task_state(t), waited, ns);
	if (s->setup.stalled)
		filchi_sched_unstall(s);
}

/* Helps with what is waited for, or naps when that has been of no use for long enough. False: it was of no use. */
static bool wait_for(struct filchi_worker *w, struct filch_task *t, uint32_t state, struct filch_task *head,
		     struct patience *p)
{
	enum attempt result;

	filchi_store_rel(&w->waiting, state & ~(uint32_t)15, L1);
	/* Others may have of what comes after this. */
	if (filchi_load_rlx(filchi_threshold(w), H1) == FILCHI_THRESHOLD_REQUESTED)
		(void)filchi_spawn_n_share(w, head);
	result = leap(w, t, state, head);
	if (result == NOTHING && w->sched->setup.join == FILCHI_JOIN_RANDOM && help(w, head))
		result = RAN;
	if (result == RAN) {
		p->looks = 0;
		p->sleep_ns = SLEEP_NS;
	} else if (result == NOTHING && p->looks >= SPINS) {
		(void)filchi_spawn_n_give(w, false);
		timed_sleep(w->sched, t, state, p->sleep_ns);
		p->sleep_ns = p->sleep_ns < SLEEP_MAX_NS ? 2 * p->sleep_ns : p->sleep_ns;
		return true;
	}
	/* With one refused there is one less in the way of those that are not. */
	return result != NOTHING;
}

bool filchi_task_join(struct filchi_worker *w, struct filch_task *t, struct filch_task *head)
{
	struct patience p = {.sleep_ns = SLEEP_NS};
	size_t mark = w->mark;

	filchi_stash_trim(w, mark);
	w->mark = filchi_stash_count(w);
	for (;;) {
		uint32_t state = filchi_load_acq(filchi_task_state(t), J1);

		switch (FILCHI_TASK_STATE(state)) {
		case FILCHI_TASK_DONE:
			filchi_store_rlx(&w->waiting, 0, L1);
			filchi_stash_trim(w, w->mark);
			w->mark = mark;
			return true;
		case FILCHI_TASK_STASHED:
			if (filchi_stash_remove(&w->sched->workers[FILCHI_TASK_WORKER(state)],
						FILCHI_TASK_RUN_ID(state), (uintptr_t)t)) {
				w->mark = mark;
				return false;
			}
			break;
		case FILCHI_TASK_RUNNING:
			if (wait_for(w, t, state, head, &p))
				continue;
			break;
		default:
			break;
		}
		filchi_spin_wait();
		p.looks += p.looks < SPINS;
		if (p.looks > YIELD_AFTER)
			filchi_thread_yield();
	}
}
