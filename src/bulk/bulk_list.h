/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bulk_list: a singly linked list of the owner's, and one segment of it set aside for thieves.
 *
 * After Kataru, Davarnia and Jannesari, "A Lock-Free Work-Stealing Algorithm for Bulk Operations". There the thief
 * walks the owner's list to where it cuts it, while the owner pops: it walks on nodes that are freed, cuts nodes that
 * have been popped, and nothing orders the two (docs/errata.md). A list whose nodes may be freed by who popped them
 * cannot be walked by another. So here the owner walks:
 *
 *      state: FREE, OFFERED or TAKING
 *      segment (the far part)    <-  private list      next of a node leads to the left, and ends at the segment
 *      ^ a thief's, if it comes      ^ owner pushes and pops, without atomics but hints
 *
 * - A thief that finds no segment leaves the proportion it would like, and answers EMPTY. The owner looks there at each
 *   push, pop and poll; it walks to the cut and offers the far part. The proportion is met to the node, as of then.
 * - A thief takes the segment whole: the proportion is that of the request it was made for.
 * - The owner takes the segment back when its list is empty, and never otherwise.
 * - As in the paper push is a few stores, whatever the size of the batch, and there is no bound and no allocation. A
 *   pop has no read-modify-write, as long as the private list lasts; theirs has one.
 *
 * Made for one thief, as the paper's. More may try: all but one are told LOST.
 *
 * May run together:               push, pop, poll   steal   size
 *   push, pop, poll (one owner)          -            x       x
 *   steal                                x            x       x
 *   size (any number)                    x            x       x
 *
 * Linearization:
 *   push          the store of count; for thieves nodes exist from the store of state that offers them
 *   pop, OK       the store of count; if the list was empty, the CAS of state
 *   pop, EMPTY    the CAS, or load, of state that found nothing offered
 *   steal, OK     the CAS of state
 *   steal, EMPTY  the load of state: nothing is offered. The owner may hold private nodes
 *   steal, LOST   changes nothing: another thief is at it, or the owner has taken the segment back
 *
 * Edges:
 *   E1   share: store_rel state → steal: cas_acq state   publishes the segment and its nodes
 *   E2   steal: store_rel state → share: load_acq state   the thief has read the segment before the owner writes it
 *        again
 *   R1   pop: state; what is in the segment the owner has written itself
 *   R2   count: the owner's own, and for others a hint
 *   R3   steal: state; if it is OFFERED the CAS says so again
 *   R4   wanted: a hint; what it leads to is ordered by E1
 *   R5   offered: written before E1, read after; for size a hint
 *   R6   size: a hint orders nothing
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

enum { FILCHI_BULK_LIST_FREE, FILCHI_BULK_LIST_OFFERED, FILCHI_BULK_LIST_TAKING };

struct filchi_bulk_list {
	/* The owner's own; of it only count is looked at by others. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) count; /* nodes in the private list */
	struct filch_node *first;
	struct filch_node *last;
	/* Where owner and thieves meet. The owner writes the segment while it is FREE. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) state;
	FILCHI_CELL(struct filch_node *) offered_first;
	FILCHI_CELL(struct filch_node *) offered_last;
	FILCHI_ATOMIC(uint64_t) offered; /* nodes in it */
	/* The proportion a thief would like, as the bits of a double; 0: none. Raised by thieves, lowered by the owner.
	 */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) wanted;
};

static inline int filchi_bulk_list_init(struct filchi_bulk_list *q, const struct filchi_bulk_setup *setup)
{
	(void)setup;
	q->first = NULL;
	q->last = NULL;
	filchi_atomic_init(&q->count, 0);
	filchi_atomic_init(&q->state, FILCHI_BULK_LIST_FREE);
	filchi_atomic_init(&q->offered, 0);
	filchi_atomic_init(&q->wanted, 0);
	return 0;
}

static inline void filchi_bulk_list_fini(struct filchi_bulk_list *q)
{
	(void)q;
}

/* Somebody asked: walks to where the list is to be cut, and offers the far part. Answers FILCH_OK. */
FILCHI_COLD static int filchi_bulk_list_share(struct filchi_bulk_list *q)
{
	uint64_t count = filchi_load_rlx(&q->count, R2), bits = filchi_load_rlx(&q->wanted, R4), share;
	struct filch_node *node = NULL, *first = q->first;
	double proportion;

	/* With nothing to share the request stands, for the next push to see. */
	if (!count)
		return FILCH_OK;
	filchi_store_rlx(&q->wanted, 0, R4);
	if (filchi_load_acq(&q->state, E2) != FILCHI_BULK_LIST_FREE)
		return FILCH_OK;
	memcpy(&proportion, &bits, sizeof(proportion));
	share = filchi_bulk_share_of(proportion, count);
	for (uint64_t i = share; i < count; i++) {
		node = first;
		first = filchi_plain_get(&node->next);
	}
	filchi_cell_set(&q->offered_first, first);
	filchi_cell_set(&q->offered_last, q->last);
	filchi_store_rlx(&q->offered, share, R5);
	filchi_store_rlx(&q->count, count - share, R2);
	filchi_store_rel(&q->state, FILCHI_BULK_LIST_OFFERED, E1);
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

/* The first node of the private list, which has this many, and one at least. */
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

/* The private list is empty: takes the segment back, if it is still there. */
FILCHI_COLD static int filchi_bulk_list_pop_offered(struct filchi_bulk_list *q, struct filch_node **node)
{
	uint32_t offered = FILCHI_BULK_LIST_OFFERED;

	/* While it is FREE only the owner changes that: no need for a CAS to know. */
	if (filchi_load_rlx(&q->state, R1) != FILCHI_BULK_LIST_OFFERED ||
	    !filchi_cas_rlx(&q->state, &offered, FILCHI_BULK_LIST_FREE, R1))
		return FILCH_EMPTY;
	q->first = filchi_cell_get(&q->offered_first);
	q->last = filchi_cell_get(&q->offered_last);
	return filchi_bulk_list_pop_own(q, filchi_load_rlx(&q->offered, R5), node);
}

static inline int filchi_bulk_list_pop(struct filchi_bulk_list *q, struct filch_node **node)
{
	uint64_t count = filchi_load_rlx(&q->count, R2);

	if (FILCHI_UNLIKELY(!count))
		return filchi_bulk_list_pop_offered(q, node);
	return filchi_bulk_list_pop_own(q, count, node);
}

/* Owner: shares if somebody has asked. */
static inline void filchi_bulk_list_poll(struct filchi_bulk_list *q)
{
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		filchi_bulk_list_share(q);
}

/* Nothing is offered: asks for it. */
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
	uint32_t state = filchi_load_rlx(&q->state, R3);

	if (state == FILCHI_BULK_LIST_FREE)
		return filchi_bulk_list_ask(q, proportion);
	if (state == FILCHI_BULK_LIST_TAKING || !filchi_cas_acq(&q->state, &state, FILCHI_BULK_LIST_TAKING, E1))
		return FILCH_LOST;
	filch_batch_init(batch);
	batch->first = filchi_cell_get(&q->offered_first);
	batch->last = filchi_cell_get(&q->offered_last);
	batch->count = filchi_load_rlx(&q->offered, R5);
	batch->step = batch->count / (FILCH_BATCH_MARKS + 1) + 1;
	batch->due = batch->count;
	filchi_store_rel(&q->state, FILCHI_BULK_LIST_FREE, E2);
	filchi_plain_set(&batch->last->next, NULL);
	return FILCH_OK;
}

/* Private nodes count: asking for them makes them shared. */
static inline size_t filchi_bulk_list_size(const struct filchi_bulk_list *q)
{
	size_t count = filchi_load_rlx(&q->count, R6);

	return filchi_load_rlx(&q->state, R6) == FILCHI_BULK_LIST_OFFERED ? count + filchi_load_rlx(&q->offered, R6)
									  : count;
}

#endif
