/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sleep protocol. README.md explains it.
 *
 * Edges:
 *   S1   notify: fence_sc → enter, found_alone: fence_sc   what was published before the one is found after the other,
 *        or the sleeper is seen, or that nobody searches: README.md
 *   C1   counts: changed by RMW only, and read after a fence of S1 where it matters
 *   B1   add: cas_rel parkers → give, wake_each: load_acq parkers   the fields of a parker
 *   B2   give: fence_sc (B3), leave: exchange_acq state   a claimed worker sees the permit that it was claimed for
 *   B3   give: fence_sc, enter: fence_sc (S1)   a thread that gives a permit sees a parker in use, or the worker sees
 *        the permit before it sleeps
 *   B4   state: whether to sleep; enter and notify have the fence of S1
 */
#include "sleep.h"

void filchi_sleep_init(struct filchi_sleep *s)
{
	filchi_atomic_init(&s->counts, 0);
	filchi_permits_init(&s->permits);
	filchi_atomic_init(&s->parkers, NULL);
}

/* ---- wakers ---- */

/* Only the claimer wakes the worker. False: the worker is awake, or another thread has claimed it. */
static bool claim(struct filchi_parker *parker)
{
	uint32_t state = filchi_load_rlx(&parker->state, B4);

	while (state == FILCHI_PARKER_ASLEEP || state == FILCHI_PARKER_IN_HOOK) {
		if (!filchi_cas_rlx(&parker->state, &state, FILCHI_PARKER_CLAIMED, B4))
			continue;
		if (state == FILCHI_PARKER_IN_HOOK)
			filchi_plain_get (&parker->wake)(parker->context);
		else
			filchi_futex_wake(&parker->state, 1);
		return true;
	}
	return false;
}

/*
 * Gives permits. They are anonymous: a claimed worker takes one if it finds one. Workers without a parker sleep on the
 * permits.
 */
static void give(struct filchi_sleep *s, uint32_t count)
{
	filchi_permits_add(&s->permits, count);
	filchi_fence_sc(B3);
	for (struct filchi_parker *parker = filchi_load_acq(&s->parkers, B1); parker && count;
	     parker = filchi_plain_get(&parker->next))
		count -= claim(parker);
	if (count)
		filchi_permits_wake(&s->permits, count);
}

bool filchi_sleep_search(struct filchi_sleep *s, uint32_t cap)
{
	uint32_t counts = filchi_load_rlx(&s->counts, C1);

	do
		if (FILCHI_SEARCHING(counts) >= cap)
			return false;
	while (!filchi_cas_rlx(&s->counts, &counts, counts + 1, C1));
	return true;
}

/* Wakes a worker if one sleeps and none searches. */
static bool wake_one(struct filchi_sleep *s)
{
	uint32_t counts = filchi_load_rlx(&s->counts, C1);

	do
		if (!FILCHI_SLEEPING(counts) || FILCHI_SEARCHING(counts))
			return false;
	while (!filchi_cas_rlx(&s->counts, &counts, counts - FILCHI_SLEEPING_ONE + 1, C1));
	give(s, 1);
	return true;
}

bool filchi_sleep_found(struct filchi_sleep *s)
{
	uint32_t before = filchi_fetch_add_rlx(&s->counts, (uint32_t)-1, C1);

	return FILCHI_SEARCHING(before) == 1 && FILCHI_SLEEPING(before) && wake_one(s);
}

bool filchi_sleep_found_alone(struct filchi_sleep *s, uint32_t others, bool *woken)
{
	uint32_t before = filchi_fetch_add_rlx(&s->counts, (uint32_t)-1, C1);

	if (others && before == others * FILCHI_SLEEPING_ONE + 1) {
		filchi_fence_sc(S1);
		return true;
	}
	*woken = FILCHI_SEARCHING(before) == 1 && FILCHI_SLEEPING(before) && wake_one(s);
	return false;
}

void filchi_sleep_enter(struct filchi_sleep *s, bool searching)
{
	(void)filchi_fetch_add_rlx(&s->counts, FILCHI_SLEEPING_ONE - (searching ? 1 : 0), C1);
	filchi_fence_sc(S1);
}

void filchi_sleep_wait(struct filchi_sleep *s)
{
	filchi_permits_take(&s->permits);
}

/*
 * The worker must not sleep, because it has an item to run. If wakers have moved all sleepers, this one as well, then a
 * permit is there or will come. The worker must not sleep until then: a worker that falls asleep now may take the
 * permit.
 */
void filchi_sleep_leave(struct filchi_sleep *s)
{
	for (;;) {
		uint32_t counts = filchi_load_rlx(&s->counts, C1);

		if (FILCHI_SLEEPING(counts)) {
			if (filchi_cas_rlx(&s->counts, &counts, counts - FILCHI_SLEEPING_ONE + 1, C1))
				return;
		} else if (filchi_permits_try_take(&s->permits)) {
			return;
		} else {
			filchi_thread_yield();
		}
		filchi_spin_wait();
	}
}

bool filchi_sleep_notify(struct filchi_sleep *s)
{
	filchi_fence_sc(S1);
	return wake_one(s);
}

void filchi_sleep_pass(struct filchi_sleep *s)
{
	give(s, 1);
}

bool filchi_sleep_replace(struct filchi_sleep *s)
{
	uint32_t counts = filchi_load_rlx(&s->counts, C1);

	do
		if (!FILCHI_SLEEPING(counts))
			return false;
	while (!filchi_cas_rlx(&s->counts, &counts, counts - FILCHI_SLEEPING_ONE, C1));
	return true;
}

void filchi_sleep_wake_all(struct filchi_sleep *s)
{
	uint32_t counts = filchi_load_rlx(&s->counts, C1);
	uint32_t sleepers;

	do {
		sleepers = FILCHI_SLEEPING(counts);
		if (!sleepers)
			return;
	} while (!filchi_cas_rlx(&s->counts, &counts, counts - sleepers * FILCHI_SLEEPING_ONE + sleepers, C1));
	give(s, sleepers);
}

/* ---- parkers ---- */

void filchi_parker_add(struct filchi_sleep *s, struct filchi_parker *parker)
{
	struct filchi_parker *first = filchi_load_rlx(&s->parkers, B4);

	filchi_atomic_init(&parker->state, FILCHI_PARKER_AWAKE);
	do
		filchi_plain_set(&parker->next, first);
	while (!filchi_cas_rel(&s->parkers, &first, parker, B1));
}

/* The fence of enter is also that of B3. */
void filchi_parker_enter(struct filchi_sleep *s, struct filchi_parker *parker, bool searching)
{
	filchi_store_rlx(&parker->state, FILCHI_PARKER_ASLEEP, B4);
	filchi_sleep_enter(s, searching);
}

bool filchi_parker_is_quiet(struct filchi_sleep *s, struct filchi_parker *parker)
{
	return !filchi_permits_count(&s->permits) && filchi_load_rlx(&parker->state, B4) == FILCHI_PARKER_ASLEEP;
}

bool filchi_parker_in_hook(struct filchi_parker *parker)
{
	uint32_t state = FILCHI_PARKER_ASLEEP;

	return filchi_cas_rlx(&parker->state, &state, FILCHI_PARKER_IN_HOOK, B4);
}

void filchi_parker_wait(struct filchi_parker *parker, uint64_t deadline)
{
	(void)filchi_wait_until(&parker->state, FILCHI_PARKER_ASLEEP, deadline);
}

/*
 * Takes a permit rather than a place in the counts. A claim may be for a permit, and no other sleeper is woken for that
 * permit. So as many sleepers are claimed as there are permits.
 */
void filchi_parker_leave(struct filchi_sleep *s, struct filchi_parker *parker)
{
	(void)filchi_exchange_acq(&parker->state, FILCHI_PARKER_AWAKE, B2);
	while (filchi_permits_count(&s->permits))
		if (filchi_permits_try_take(&s->permits))
			return;
	filchi_sleep_leave(s);
}

bool filchi_parker_notify(struct filchi_parker *parker)
{
	filchi_fence_sc(S1);
	return claim(parker);
}

void filchi_parker_wake_each(struct filchi_sleep *s)
{
	for (struct filchi_parker *p = filchi_load_acq(&s->parkers, B1); p; p = filchi_plain_get(&p->next))
		(void)claim(p);
}
