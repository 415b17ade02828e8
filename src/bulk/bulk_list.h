/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bulk_list: a singly linked list that the owner uses, and one segment of it set aside for thieves.
 *
 * After Kataru, Davarnia and Jannesari, "A Lock-Free Work-Stealing Algorithm for Bulk Operations". In the paper the
 * thief walks the owner's list to the cut while the owner pops. The thief may walk over freed nodes, and cut at popped
 * nodes, and nothing orders the two (docs/errata.md). No other thread can walk a list whose nodes may be freed after a
 * pop. So here the owner walks:
 *
 *      turn: odd while a segment is offered
 *      segment (the far part)    <-  private list      next of a node leads to the left, and ends at the segment
 *      ^ a thief's, if it comes      ^ owner pushes and pops, without atomics but hints
 *
 * - A thief that finds no segment leaves the proportion that it needs, and answers EMPTY. The owner looks for it at
 *   each push, pop and poll, walks to the cut and offers the far part. The segment has exactly the proportion of the
 *   nodes at that moment.
 * - A thief takes the whole segment: its proportion is the proportion of the request that caused it.
 * - The owner takes the segment back when its list is empty, and never otherwise.
 * - turn goes up by one when a segment is offered, taken or taken back. So a thief may read the offered segment before
 *   its CAS: the owner writes it only while turn is even, and turn never returns to an old value.
 * - As in the paper, push is a few stores for a batch of any size, without bound or allocation. A pop from the private
 *   list has no read-modify-write; the paper's pop has one.
 *
 * Made for one thief, as in the paper. If several thieves try, one gets the segment, and the others get LOST.
 *
 * May run together:               push, pop, poll   steal   size
 *   push, pop, poll (one owner)          -            x       x
 *   steal (any number)                   x            x       x
 *   size (any number)                    x            x       x
 *
 * Linearization:
 *   push          the store of count; for thieves nodes exist from the store of turn that offers them
 *   pop, OK       the store of count; if the list was empty, the CAS of turn
 *   pop, EMPTY    the CAS, or load, of turn that found nothing offered
 *   steal, OK     the CAS of turn
 *   steal, EMPTY  the load of turn: nothing is offered. The owner may hold private nodes
 *   steal, LOST   changes nothing: another thief has taken the segment, or the owner has taken it back
 *
 * Edges:
 *   E1   share: store_rel turn → steal: load_acq turn   publishes the segment and its nodes
 *   E2   steal: cas_rel turn → share: load_acq turn   the thief has read the segment before the owner writes it again;
 *        only load buffering could undo that; C11 and machines allow it, RC11 and the checker do not
 *   R1   pop: turn; the owner has written the segment itself
 *   R2   count: the owner's own, and for others a hint
 *   R3   the segment: a thief may read it while the owner writes; then its CAS fails. For size a hint
 *   R4   wanted: a hint; E1 orders the offer that follows
 *   R5   size: a hint orders nothing
 */
#ifndef FILCHI_BULK_BULK_LIST_H
#define FILCHI_BULK_BULK_LIST_H

#include "kinds.h"

#include <string.h>

#define FILCHI_BULK_LIST_INFO                                                                                          \
	{                                                                                                              \
		.name = "bulk_list", .summary = "a linked list: the owner cuts it on request, for one thief",          \
		.push_progress = FILCH_WAIT_FREE, .pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE,  \
		.on_request = 1,                                                                                       \
	}

struct filchi_bulk_list {
	/* Only the owner writes these. Other threads read only count. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) count; /* nodes in the private list */
	struct filch_node *first;
	struct filch_node *last;
	/* Written by owner and thieves. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) turn;
	FILCHI_ATOMIC(struct filch_node *) offered_first;
	FILCHI_ATOMIC(struct filch_node *) offered_last;
	FILCHI_ATOMIC(uint64_t) offered; /* nodes in the segment */
	/* The proportion that a thief has asked for, as the bits of a double; 0: no request. Thieves set it, the owner
	 * clears it.
	 */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) wanted;
};

static inline int filchi_bulk_list_init(struct filchi_bulk_list *q, const struct filchi_bulk_setup *setup)
{
	q->first = NULL;
	q->last = NULL;
	filchi_atomic_init(&q->count, 0);
	filchi_atomic_init(&q->turn, 2 * setup->first);
	filchi_atomic_init(&q->offered_first, NULL);
	filchi_atomic_init(&q->offered_last, NULL);
	filchi_atomic_init(&q->offered, 0);
	filchi_atomic_init(&q->wanted, 0);
	return 0;
}

static inline void filchi_bulk_list_fini(struct filchi_bulk_list *q)
{
	(void)q;
}

static inline bool filchi_bulk_list_is_offered(uint64_t turn)
{
	return turn & 1;
}

/* A thief has asked: walks to the cut, and offers the far part. Answers FILCH_OK. */
FILCHI_COLD static int filchi_bulk_list_share(struct filchi_bulk_list *q)
{
	uint64_t count = filchi_load_rlx(&q->count, R2), bits = filchi_load_rlx(&q->wanted, R4), share;
	uint64_t turn = filchi_load_acq(&q->turn, E2);
	struct filch_node *node = NULL, *first = q->first;
	double proportion;

	/* The request stands if there is no node to share, or if a segment is offered. The load may be stale, and the
	 * segment gone. */
	if (!count || filchi_bulk_list_is_offered(turn))
		return FILCH_OK;
	filchi_store_rlx(&q->wanted, 0, R4);
	memcpy(&proportion, &bits, sizeof(proportion));
	share = filchi_bulk_share_of(proportion, count);
	for (uint64_t i = share; i < count; i++) {
		node = first;
		first = filchi_plain_get(&node->next);
	}
	filchi_store_rlx(&q->offered_first, first, R3);
	filchi_store_rlx(&q->offered_last, q->last, R3);
	filchi_store_rlx(&q->offered, share, R3);
	filchi_store_rlx(&q->count, count - share, R2);
	filchi_store_rel(&q->turn, turn + 1, E1);
	q->last = node;
	return FILCH_OK;
}

static inline int filchi_bulk_list_push(struct filchi_bulk_list *q, const struct filch_batch *batch)
{
	uint64_t count = filchi_load_rlx(&q->count, R2);

	if (count)
		filchi_plain_set(&batch->last->next, q->first);
	else
		q->last = batch->last;
	q->first = batch->first;
	filchi_store_rlx(&q->count, count + batch->count, R2);
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		return filchi_bulk_list_share(q);
	return 0;
}

/* Takes the first node of the private list, which has this many nodes, at least one. */
static inline int filchi_bulk_list_pop_own(struct filchi_bulk_list *q, uint64_t count, struct filch_node **node)
{
	struct filch_node *first = q->first;

	q->first = filchi_plain_get(&first->next);
	filchi_store_rlx(&q->count, count - 1, R2);
	*node = first;
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		return filchi_bulk_list_share(q);
	return FILCH_OK;
}

/* The private list is empty: takes the segment back, if no thief has taken it. */
FILCHI_COLD static int filchi_bulk_list_pop_offered(struct filchi_bulk_list *q, struct filch_node **node)
{
	uint64_t turn = filchi_load_rlx(&q->turn, R1);

	if (!filchi_bulk_list_is_offered(turn) || !filchi_cas_rlx(&q->turn, &turn, turn + 1, R1))
		return FILCH_EMPTY;
	q->first = filchi_load_rlx(&q->offered_first, R3);
	q->last = filchi_load_rlx(&q->offered_last, R3);
	return filchi_bulk_list_pop_own(q, filchi_load_rlx(&q->offered, R3), node);
}

static inline int filchi_bulk_list_pop(struct filchi_bulk_list *q, struct filch_node **node)
{
	uint64_t count = filchi_load_rlx(&q->count, R2);

	if (FILCHI_UNLIKELY(!count))
		return filchi_bulk_list_pop_offered(q, node);
	return filchi_bulk_list_pop_own(q, count, node);
}

/* Owner. Shares if a thief has asked. */
static inline void filchi_bulk_list_poll(struct filchi_bulk_list *q)
{
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		filchi_bulk_list_share(q);
}

/* No segment is offered: asks. */
FILCHI_COLD static int filchi_bulk_list_ask(struct filchi_bulk_list *q, double proportion)
{
	uint64_t bits;

	memcpy(&bits, &proportion, sizeof(bits));
	if (filchi_load_rlx(&q->wanted, R4) != bits)
		filchi_store_rlx(&q->wanted, bits, R4);
	return FILCH_EMPTY;
}

static inline int filchi_bulk_list_steal(struct filchi_bulk_list *q, double proportion, struct filch_batch *batch)
{
	uint64_t turn = filchi_load_acq(&q->turn, E1), count;
	struct filch_node *first, *last;

	if (FILCHI_UNLIKELY(!filchi_bulk_list_is_offered(turn)))
		return filchi_bulk_list_ask(q, proportion);
	first = filchi_load_rlx(&q->offered_first, R3);
	last = filchi_load_rlx(&q->offered_last, R3);
	count = filchi_load_rlx(&q->offered, R3);
	if (!filchi_cas_rel(&q->turn, &turn, turn + 1, E2))
		return FILCH_LOST;
	filchi_plain_set(&last->next, NULL);
	filch_batch_init(batch);
	batch->first = first;
	batch->last = last;
	batch->count = count;
	batch->step = count / (FILCH_BATCH_MARKS + 1) + 1;
	batch->due = count;
	return FILCH_OK;
}

/* Private nodes count, because the owner shares them if a thief asks. */
static inline size_t filchi_bulk_list_size(const struct filchi_bulk_list *q)
{
	size_t count = filchi_load_rlx(&q->count, R5);

	if (!filchi_bulk_list_is_offered(filchi_load_rlx(&q->turn, R5)))
		return count;
	return count + filchi_load_rlx(&q->offered, R5);
}

#endif
