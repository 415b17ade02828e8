/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chase_lev_asym: chase_lev, but the owner's pop has no fence. A thief that has seen an item lets the system make a
 * fence in all running threads (membarrier(2)). So a steal takes microseconds, and interrupts the owner for one or two.
 *
 * Asymmetric Dekker synchronization, as in Ladan-Mozes, Lee and Vyukov, "Location-based memory fences" (SPAA 2011),
 * which tries it on the deque of Cilk-5. The rest, with its code, is chase_lev; see there. The difference:
 * - the fence of pop keeps its load of top behind its store of bottom. Here the compiler keeps this order, and a thief
 *   that could be fooled makes the owner's processor pass a full fence, before, between or after the two. In each case
 *   one sees the other, as with a fence on both sides. The checker checks fences on both sides (filchi_fence_light() is
 *   a full fence there), and we trust the system that its call has this effect;
 * - two fences must order each other only if they are the owner's and a thief's, or of two thieves, which have full
 *   fences. The program orders two owners, one after the other;
 * - a thief first looks without a fence for an item. A thief that finds no item interrupts no thread;
 * - the deque has fences on both sides, as chase_lev, if the system does not have the call (before Linux 4.14, or in a
 *   sandbox that forbids it). The same holds on processors other than x86-64, where weaker fences are not free;
 * - if the system forbids the call later, when the owner has worked without a fence, steals answer EMPTY and take
 *   nothing.
 *
 * May run together, linearization: as chase_lev. There is one more steal that answers EMPTY:
 *   steal, EMPTY  without a fence: the load of bottom. A thief that sees (A1) top where another thief has moved it sees
 *                 all pushes that the other saw. If the owner moved top, the items pushed before are gone from the
 *                 deque
 *
 * Edges, besides those of chase_lev.h:
 *   A1   steal: load_acq top, of the cas_rel of E4 there: bottom, read next, is not older than the bottom that the
 *        other thieves saw
 *   A2   steal: bottom, to see whether a fence is worth its price; no item is taken on this load alone
 */
#ifndef FILCHI_DEQUE_CHASE_LEV_ASYM_H
#define FILCHI_DEQUE_CHASE_LEV_ASYM_H

#include "chase_lev.h"

#define FILCHI_CHASE_LEV_ASYM_MAX_CAPACITY FILCHI_DEQUE_MAX_CAPACITY
#define FILCHI_CHASE_LEV_ASYM_INFO                                                                                     \
	{                                                                                                              \
		.name = "chase_lev_asym", .summary = "chase_lev without the fence in pop: thieves pay for it",         \
		.owner_order = FILCH_LIFO, .steal_order = FILCH_FIFO, .push_progress = FILCH_WAIT_FREE,                \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .loses = 1,                        \
	}

struct filchi_chase_lev_asym {
	struct filchi_chase_lev q;
	FILCHI_OWN_LINE bool asymmetric; /* never changes */
};

static inline int filchi_chase_lev_asym_init(struct filchi_chase_lev_asym *q, const struct filchi_deque_setup *setup)
{
	q->asymmetric = filchi_membarrier_ready();
	return filchi_chase_lev_init(&q->q, setup);
}

static inline void filchi_chase_lev_asym_fini(struct filchi_chase_lev_asym *q)
{
	filchi_chase_lev_fini(&q->q);
}

static inline int filchi_chase_lev_asym_push(struct filchi_chase_lev_asym *q, uintptr_t item)
{
	return filchi_chase_lev_push(&q->q, item);
}

static inline int filchi_chase_lev_asym_pop(struct filchi_chase_lev_asym *q, uintptr_t *item)
{
	return filchi_chase_lev_pop_fenced(&q->q, item, q->asymmetric);
}

static inline int filchi_chase_lev_asym_steal(struct filchi_chase_lev_asym *q, uintptr_t *item)
{
	uint64_t top = filchi_load_acq(&q->q.top, A1);
	uint64_t bottom = filchi_load_rlx(&q->q.bottom, A2);

	if ((int64_t)(bottom - top) <= 0)
		return FILCH_EMPTY;
	return filchi_chase_lev_steal_fenced(&q->q, item, top, q->asymmetric);
}

static inline size_t filchi_chase_lev_asym_size(const struct filchi_chase_lev_asym *q)
{
	return filchi_chase_lev_size(&q->q);
}

#endif
