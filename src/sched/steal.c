/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A steal. filchi_steal takes the oldest item of the victim's stash or deque, or requests a task if there is no item.
 * filchi_steal_more then takes further items from the same victim.
 *
 * A steal also costs the victim: cache misses, and the tasks that it makes on request. If stolen tasks are short, the
 * victim loses more than the thief contributes. The thief therefore compares the time that it spent inside of stolen
 * items with the time that has passed since the steal. If that share is small, the steal was poor. After poor steals
 * the thief pauses, each time for longer, and tells the victim (filchi_steal_is_poor). After a good steal it does not
 * pause. A pausing thief looks at nothing. A thief that is about to sleep does not pause, because it will not look
 * again.
 *
 * From a stash a thief takes several items at once, runs the oldest and puts the others into its own stash. In an
 * irregular tree most tasks are short, and a steal of many costs the same as a steal of one. From a deque an idle
 * worker takes one item after the other (worker.c: steal_again). A worker that waits for a stolen task takes several.
 *
 * Edges:
 *   H1   request: a thief that finds nothing sets it, the owner clears it. S1 of sleep.c orders the two where that
 *        matters
 */
#include "steal.h"

#include "../base/clock.h"

/* A steal is poor if less than 9/20 of the time since then was spent inside of items, and good from 1/2 on. */
#define IS_POOR(busy, passed) FILCHI_TUNE(20 * (busy) < 9 * (passed), ((void)(busy), (void)(passed), false))
#define IS_GOOD(busy, passed) (2 * (busy) >= (passed))
/* The time before and after the items that a steal costs the two workers. */
#define STEAL_NS 300u
#define WAIT_MAX_NS 2500u
/* From so many poor steals in a row on the victim should know. */
#define POOR 2u
#define PAUSE_MIN_NS FILCHI_TUNE(250u, 0u)
#define PAUSE_MAX_NS FILCHI_TUNE(500000u, 0u)
/* Items that one steal takes besides the first. */
#define MORE FILCHI_TUNE(64u, 1u)

void filchi_steal_report(struct filchi_worker *w, uint64_t took_ns)
{
	w->thief.busy_ns += took_ns;
}

bool filchi_steal_is_poor(const struct filchi_worker *w)
{
	return w->thief.poor >= POOR;
}

void filchi_steal_count(struct filchi_worker *thief)
{
	filchi_count(&thief->counters.steals);
}

static void lengthen_pause(struct filchi_thief *t)
{
	t->pause_ns = t->pause_ns ? 2 * t->pause_ns : PAUSE_MIN_NS;
	if (t->pause_ns > PAUSE_MAX_NS)
		t->pause_ns = PAUSE_MAX_NS;
}

/* One good steal may be luck: only some of them in a row end the pauses. */
static void shorten_pause(struct filchi_thief *t)
{
	t->pause_ns = t->pause_ns > 8 * PAUSE_MIN_NS ? t->pause_ns / 8 : 0;
	if (!t->pause_ns)
		t->poor = 0;
}

/*
 * The first look after a steal: was it worth it? The wait for more items at the end of a streak is no part of it, but a
 * part of the wait for the next steal.
 */
static void judge(struct filchi_thief *t, uint64_t now)
{
	uint64_t end = t->dry_at ? t->dry_at : now;
	uint64_t passed = end - t->stole_at + t->waited_ns;

	t->stole_last = false;
	t->looked_at = end;
	t->dry_at = 0;
	if (IS_POOR(t->busy_ns, passed)) {
		t->poor++;
		lengthen_pause(t);
	} else if (IS_GOOD(t->busy_ns, passed)) {
		shorten_pause(t);
	}
}

void filchi_request(struct filchi_worker *victim)
{
	if (victim->request && filchi_load_rlx(victim->request, H1) != FILCHI_REQUESTED)
		filchi_store_rlx(victim->request, FILCHI_REQUESTED, H1);
}

static void request(struct filchi_thief *t, struct filchi_worker *victim, uint64_t now, bool last_look)
{
	if (filchi_load_rlx(victim->request, H1) == FILCHI_REQUESTED || (!last_look && now - t->asked_at < t->pause_ns))
		return;
	t->asked_at = now;
	filchi_store_rlx(victim->request, FILCHI_REQUESTED, H1);
}

int filchi_steal(struct filchi_worker *thief, struct filchi_worker *victim, struct filchi_item_range range,
		 uintptr_t *item, bool last_look)
{
	struct filchi_thief *t = &thief->thief;
	uint64_t now;
	int result;

	if (!victim->request)
		return victim->deque->ops->steal(victim->deque, item);
	now = filchi_clock_ns();
	if (t->stole_last)
		judge(t, now);
	if (!last_look && now - t->stole_at < t->pause_ns)
		return FILCH_EMPTY;
	/* A victim with a stash gets no request. */
	if (filchi_stash_take(&victim->stash, range, item, 1))
		result = FILCH_OK;
	else
		result = victim->deque->ops->steal(victim->deque, item);
	if (result == FILCH_EMPTY)
		request(t, victim, now, last_look);
	if (result == FILCH_OK) {
		t->waited_ns = now - t->looked_at < WAIT_MAX_NS ? now - t->looked_at : STEAL_NS;
		t->stole_at = now;
		t->busy_ns = 0;
		t->stole_last = true;
	}
	return result;
}

/* Half of count at most. One index of the stash stays free, for an item that a waiting worker may not run. */
static size_t share_of(struct filchi_worker *w, size_t count)
{
	size_t want = count / 2 < MORE ? count / 2 : MORE;

	return want + filchi_stash_count(&w->stash) < FILCHI_STASH_MAX ? want : 0;
}

void filchi_steal_stash(struct filchi_worker *w, const uintptr_t *items, size_t count)
{
	if (!count)
		return;
	if (w->sched->setup.stashed)
		w->sched->setup.stashed(w, items, filchi_stash_count(&w->stash), count);
	filchi_stash_append(&w->stash, items, count);
	filchi_worker_notify(w);
}

void filchi_steal_more(struct filchi_worker *thief, struct filchi_worker *victim, struct filchi_item_range range)
{
	const struct filchi_deque_ops *ops = victim->deque->ops;
	uintptr_t items[MORE], reversed[MORE], item, free_item = 0;
	size_t count =
		filchi_stash_take(&victim->stash, range, items, share_of(thief, filchi_stash_size(&victim->stash)));

	if (!count) {
		size_t want = share_of(thief, ops->size(victim->deque));

		while (count < want && ops->steal(victim->deque, &item) == FILCH_OK) {
			if (filchi_item_is_free(item)) {
				free_item = item;
				break;
			}
			items[count++] = item;
		}
	}
	/* The thief takes the newest item of its stash first. So the oldest goes to the end. */
	for (size_t i = 0; i < count; i++)
		reversed[count - 1 - i] = items[i];
	filchi_steal_stash(thief, reversed, count);
	if (free_item)
		filchi_worker_pass_on(thief, free_item);
}
