/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stealing, and what a thief has in hand.
 *
 * A steal costs the victim, too: cache misses, and the tasks that it makes because someone asked. If what is stolen is
 * shorts, and it is often enough, that slows down the victim by more than the thief can do for it. So a thief who comes
 * back for more too soon pauses, for longer each time, until what it gets keeps it busy for a while. Who pauses looks
 * at nothing; who is about to fall asleep insists, as it will not look again.
 *
 * Items in hand: a thief takes several at once (fork/join.c), runs one and keeps the others on a list; and a worker
 * puts there what it makes for others when it is asked (fork/spawn_n.c). Only the worker itself puts items there, at
 * the end. Anyone who is idle may take some, from the start, where they have been for longest; and the one who has
 * spawned it, who may wait for it, can take it back: it is told the place. So a place stays what it is, and one that is
 * taken leaves a hole; the worker itself cuts off those at the end.
 *
 * Edges:
 *   H1   threshold: who finds nothing raises it, the owner lowers it; S1 of sleep.c orders the two where it matters
 *   N1   held_count, held_left: the lock orders them; a look without the lock is a hint, or that of the worker itself
 */
#include "../base/clock.h"
#include "sched.h"

/* Back for more within this time: too soon. After that one: what it got was worth it. */
#define RECENT_NS FILCHI_TUNE(1000u, 0u)
#define WORTH_NS 2500u
/* Unless the last ones, so many of them, were hardly more than what it takes to steal them. */
#define ALL_SHORT 8u
#define PAUSE_MIN_NS FILCHI_TUNE(250u, 0u)
#define PAUSE_MAX_NS FILCHI_TUNE(4000u, 0u)

/* Something was taken, or asked for, so long after the time before. */
static void adapt_pause(struct filchi_worker *thief, uint64_t ns)
{
	if (ns < thief->pause_ns + RECENT_NS || thief->shorts >= ALL_SHORT) {
		thief->pause_ns = thief->pause_ns ? 2 * thief->pause_ns : PAUSE_MIN_NS;
		if (thief->pause_ns > PAUSE_MAX_NS)
			thief->pause_ns = PAUSE_MAX_NS;
	}
}

/* Raises the threshold. */
static void ask(struct filchi_worker *thief, struct filchi_worker *victim, uint64_t now, bool insist)
{
	FILCHI_ATOMIC(uintptr_t) *threshold = (FILCHI_ATOMIC(uintptr_t) *)&victim->public.threshold;

	if (filchi_load_rlx(threshold, H1) == FILCHI_THRESHOLD_REQUESTED ||
	    (!insist && now - thief->asked_at < thief->pause_ns))
		return;
	adapt_pause(thief, now - thief->asked_at);
	thief->asked_at = now;
	filchi_store_rlx(threshold, FILCHI_THRESHOLD_REQUESTED, H1);
}

int filchi_worker_steal_within(struct filchi_worker *thief, struct filchi_worker *victim, uintptr_t first,
			       uintptr_t last, uintptr_t *item, bool insist)
{
	uint64_t now;
	int result;

	if (!thief->sched->makes_tasks)
		return victim->deque->ops->steal(victim->deque, item);
	now = filchi_clock_ns();
	if (thief->away) {
		thief->away = false;
		if (now - thief->stole_at > WORTH_NS && thief->shorts < ALL_SHORT)
			thief->pause_ns = 0;
	}
	if (!insist && now - thief->stole_at < thief->pause_ns)
		return FILCH_EMPTY;
	/* Who has something in hand is not asked for more. */
	if (filchi_stash_take(victim, first, last, item, 1))
		result = FILCH_OK;
	else
		result = victim->deque->ops->steal(victim->deque, item);
	if (result == FILCH_EMPTY)
		ask(thief, victim, now, insist);
	if (result == FILCH_OK) {
		adapt_pause(thief, now - thief->stole_at);
		thief->stole_at = now;
		thief->away = true;
		thief->stolen_from = victim;
	}
	return result;
}

/* ---- in hand ---- */

size_t filchi_stash_count(struct filchi_worker *w)
{
	return filchi_load_rlx(&w->stash_count, N1);
}

size_t filchi_stash_size(struct filchi_worker *w)
{
	return filchi_load_rlx(&w->stash_left, N1);
}

void filchi_stash_put(struct filchi_worker *w, const uintptr_t *items, size_t count)
{
	size_t there;

	filchi_mutex_lock(&w->stash_lock);
	there = filchi_load_rlx(&w->stash_count, N1);
	for (size_t i = 0; i < count; i++)
		w->held[there + i] = items[i];
	filchi_store_rlx(&w->stash_count, (uint32_t)(there + count), N1);
	filchi_store_rlx(&w->stash_left, filchi_load_rlx(&w->stash_left, N1) + (uint32_t)count, N1);
	filchi_mutex_unlock(&w->stash_lock);
	filchi_worker_notify(w);
}

/* With the lock held: one leaves a hole; those at the end are cut off. */
static void take(struct filchi_worker *w, size_t place)
{
	w->held[place] = 0;
	filchi_store_rlx(&w->stash_left, filchi_load_rlx(&w->stash_left, N1) - 1, N1);
}

static void cut(struct filchi_worker *w, size_t mark)
{
	size_t count = filchi_load_rlx(&w->stash_count, N1);

	while (count > mark && !w->held[count - 1])
		count--;
	filchi_store_rlx(&w->stash_count, (uint32_t)count, N1);
}

void filchi_stash_trim(struct filchi_worker *w, size_t mark)
{
	if (filchi_load_rlx(&w->stash_count, N1) <= mark)
		return;
	filchi_mutex_lock(&w->stash_lock);
	cut(w, mark);
	filchi_mutex_unlock(&w->stash_lock);
}

bool filchi_stash_take_own(struct filchi_worker *w, size_t mark, uintptr_t first, uintptr_t last, uintptr_t *item)
{
	bool found = false;
	size_t i;

	if (filchi_load_rlx(&w->stash_count, N1) <= mark)
		return false;
	filchi_mutex_lock(&w->stash_lock);
	for (i = filchi_load_rlx(&w->stash_count, N1); i > mark && !found; i--)
		found = w->held[i - 1] && w->held[i - 1] >= first && w->held[i - 1] <= last;
	if (found) {
		*item = w->held[i];
		take(w, i);
	}
	cut(w, mark);
	filchi_mutex_unlock(&w->stash_lock);
	return found;
}

size_t filchi_stash_take(struct filchi_worker *w, uintptr_t first, uintptr_t last, uintptr_t *items, size_t max)
{
	size_t count, taken = 0;

	if (!max || !filchi_stash_size(w))
		return 0;
	filchi_mutex_lock(&w->stash_lock);
	count = filchi_load_rlx(&w->stash_count, N1);
	for (size_t i = 0; i < count && taken < max; i++)
		if (w->held[i] && w->held[i] >= first && w->held[i] <= last) {
			items[taken++] = w->held[i];
			take(w, i);
		}
	filchi_mutex_unlock(&w->stash_lock);
	return taken;
}

bool filchi_stash_remove(struct filchi_worker *w, size_t place, uintptr_t item)
{
	bool found;

	filchi_mutex_lock(&w->stash_lock);
	found = place < filchi_load_rlx(&w->stash_count, N1) && w->held[place] == item;
	if (found)
		take(w, place);
	filchi_mutex_unlock(&w->stash_lock);
	return found;
}
