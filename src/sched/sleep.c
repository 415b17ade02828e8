/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sleep protocol. README.md explains it.
 *
 * Edges:
 *   S1   notify: fence_sc → enter, found_alone: fence_sc   what was published before the one is found after the other,
 *        or the sleeper is seen, or that nobody searches: README.md
 *   C1   counts: changed by RMW only, and read after a fence of S1 where it matters
 */
#include "sleep.h"

void filchi_sleep_init(struct filchi_sleep *s)
{
	filchi_atomic_init(&s->counts, 0);
	filchi_permits_init(&s->permits);
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
	filchi_permits_give(&s->permits, 1);
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
	filchi_permits_give(&s->permits, 1);
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
	filchi_permits_give(&s->permits, sleepers);
}
