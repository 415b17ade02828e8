/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chase_lev_asym: chase_lev, but the owner's pop has no fence. A thief, once it has seen an item, has the system make
 * one in all threads that run (membarrier(2)): a steal takes microseconds, and interrupts the owner for one or two.
 *
 * Asymmetric Dekker synchronization, as in Ladan-Mozes, Lee and Vyukov, "Location-based memory fences" (SPAA 2011),
 * who try it on the deque of Cilk-5. All else is chase_lev's, and so is the code; see there. The difference:
 * - what pop needs of its fence is that its store of bottom is not overtaken by its load of top. Here the compiler
 *   keeps them in this order, and the processor finds them in it when it matters: each thief that could be fooled
 *   makes the owner's processor pass a full fence, before or after the two or between them. In any case one sees the
 *   other, as with a fence on both sides, which is what is checked (filchi_fence_light() is a full fence there). That
 *   the system call does this is taken on trust from the system;
 * - only two fences that meet here need be of any use to each other: the owner's and a thief's, and those of two
 *   thieves, which are full ones. Two owners, one after the other, are ordered by the program;
 * - a thief looks without a fence first whether there is anything: who finds nothing interrupts nobody;
 * - where the system does not have the call (before Linux 4.14, in a sandbox that forbids it), or the processor is none
 *   whose lesser fences are free (all but x86-64), the deque is created with fences on both sides: chase_lev again;
 * - if the call is forbidden later, when the owner has done without a fence, steals answer EMPTY and take nothing.
 *
 * May run together, linearization: as chase_lev. There is one more steal that answers EMPTY:
 *   steal, EMPTY  without a fence: the load of bottom. A thief that sees (A1) top where another has moved it sees all
 *                 pushes that one saw, and the owner's pushes before it moved top itself are gone from the deque
 *
 * Edges, besides those of chase_lev.h:
 *   A1   steal: load_acq top, of the cas_rel of E4 there: bottom, read next, is not older than what the others saw
 *   A2   steal: bottom, to see whether it is worth a fence; nothing is taken on its word
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
