/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sleep protocol. README.md explains it.
 *
 * Edges:
 *   S1   notify: fence_sc → enter, found_alone: fence_sc   what was published before the one is found after the other,
 *        or the sleeper is seen, or that nobody searches: README.md
 *   C1   counts: changed by RMW only, and read after a fence of S1 where it matters
 *   B1   add: cas_rel beds → give: load_acq beds   the fields of a bed
 *   B2   give: fence_sc (B3), leave: exchange_acq state   a claimed worker sees the permit that it was claimed for
 *   B3   give: fence_sc, enter: fence_sc (S1)   a thread that gives a permit sees a bed in use, or the worker sees
 *        the permit before it sleeps
 *   B4   state: whether to sleep; enter and notify have the fence of S1
 */
#include "sleep.h"

void filchi_sleep_init(struct filchi_sleep *s)
{
	filchi_atomic_init(&s->counts, 0);
	filchi_permits_init(&s->permits);
	filchi_atomic_init(&s->beds, NULL);
}

/* ---- wakers ---- */

/* Only the claimer wakes the worker. False: the worker is awake, or another thread has claimed it. */
static bool claim(struct filchi_bed *bed)
{
	uint32_t state = filchi_load_rlx(&bed->state, B4);

	while (state == FILCHI_BED_ASLEEP || state == FILCHI_BED_ELSEWHERE) {
		if (!filchi_cas_rlx(&bed->state, &state, FILCHI_BED_CLAIMED, B4))
			continue;
		if (state == FILCHI_BED_ELSEWHERE)
			filchi_plain_get (&bed->wake)(bed->context);
		else
			filchi_futex_wake(&bed->state, 1);
		return true;
	}
	return false;
}

/* Gives permits. They are anonymous: a claimed worker takes one if it finds one. Workers without a bed sleep on them.
 */
static void give(struct filchi_sleep *s, uint32_t count)
{
	filchi_permits_add(&s->permits, count);
	filchi_fence_sc(B3);
	for (struct filchi_bed *bed = filchi_load_acq(&s->beds, B1); bed && count; bed = filchi_plain_get(&bed->next))
		count -= claim(bed);
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

/* ---- beds ---- */

void filchi_bed_add(struct filchi_sleep *s, struct filchi_bed *bed)
{
	struct filchi_bed *first = filchi_load_rlx(&s->beds, B4);

	filchi_atomic_init(&bed->state, FILCHI_BED_UP);
	do
		filchi_plain_set(&bed->next, first);
	while (!filchi_cas_rel(&s->beds, &first, bed, B1));
}

/* The fence of enter is also that of B3. */
void filchi_bed_enter(struct filchi_sleep *s, struct filchi_bed *bed, bool searching)
{
	filchi_store_rlx(&bed->state, FILCHI_BED_ASLEEP, B4);
	filchi_sleep_enter(s, searching);
}

bool filchi_bed_is_quiet(struct filchi_sleep *s, struct filchi_bed *bed)
{
	return !filchi_permits_count(&s->permits) && filchi_load_rlx(&bed->state, B4) == FILCHI_BED_ASLEEP;
}

bool filchi_bed_elsewhere(struct filchi_bed *bed)
{
	uint32_t state = FILCHI_BED_ASLEEP;

	return filchi_cas_rlx(&bed->state, &state, FILCHI_BED_ELSEWHERE, B4);
}

void filchi_bed_wait(struct filchi_bed *bed, uint64_t deadline)
{
	(void)filchi_wait_until(&bed->state, FILCHI_BED_ASLEEP, deadline);
}

/*
 * Takes a permit rather than a place in the counts. A claim may be for a permit, and no other sleeper is woken for that
 * permit. So as many sleepers are claimed as there are permits.
 */
void filchi_bed_leave(struct filchi_sleep *s, struct filchi_bed *bed)
{
	(void)filchi_exchange_acq(&bed->state, FILCHI_BED_UP, B2);
	while (filchi_permits_count(&s->permits))
		if (filchi_permits_try_take(&s->permits))
			return;
	filchi_sleep_leave(s);
}

bool filchi_bed_notify(struct filchi_bed *bed)
{
	filchi_fence_sc(S1);
	return claim(bed);
}
