/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bulk queue of Kataru, Davarnia and Jannesari, "A Lock-Free Work-Stealing Algorithm for Bulk Operations", listings
 * 1 to 4, with the orders as printed. It is wrong when a thief runs beside the owner (docs/errata.md), so use it in one
 * thread.
 *
 * The optimized variant does not walk to the end: if size has not changed, it knows the number of nodes. Then it does
 * not know the last node, and the paper does not say how to find it.
 *
 *   PRINTED   the orders of the listings, which may be wrong
 */
#ifndef FILCHI_BENCH_BULK_PRINTED_H
#define FILCHI_BENCH_BULK_PRINTED_H

#include "../../../src/base/atomic.h"

#include <filch/bulk.h>
#include <stdbool.h>

struct printed {
	FILCHI_ATOMIC(size_t) size;
	FILCHI_ATOMIC(struct filch_node *) head;
};

static inline int printed_init(struct printed *q)
{
	filchi_atomic_init(&q->size, 0);
	filchi_atomic_init(&q->head, NULL);
	return 0;
}

static inline void printed_push(struct printed *q, const struct filch_batch *batch)
{
	batch->last->next = filchi_load_rlx(&q->head, PRINTED);
	filchi_store_rel(&q->head, batch->first, PRINTED);
	filchi_fetch_add_acq_rel(&q->size, batch->count, PRINTED);
}

static inline int printed_pop(struct printed *q, struct filch_node **node)
{
	struct filch_node *rv = filchi_load_rlx(&q->head, PRINTED);

	if (!rv)
		return FILCH_EMPTY;
	filchi_store_rlx(&q->head, rv->next, PRINTED);
	filchi_fetch_add_acq_rel(&q->size, (size_t)-1, PRINTED);
	rv->next = NULL;
	*node = rv;
	return FILCH_OK;
}

static inline int printed_steal(struct printed *q, double proportion, struct filch_batch *batch, bool optimized)
{
	size_t sz = filchi_load_acq(&q->size, PRINTED), n_skip, k, ssz, count = 0;
	struct filch_node *start, *begin, *end;

	n_skip = k = (size_t)((double)sz * (1 - proportion));
	start = filchi_load_acq(&q->head, PRINTED);
	while (n_skip && start) {
		start = start->next;
		n_skip--;
	}
	if (n_skip || !start)
		return FILCH_EMPTY;
	ssz = filchi_load_acq(&q->size, PRINTED);
	if (ssz <= sz - (k >> 1))
		return FILCH_LOST;
	begin = end = start->next;
	start->next = NULL;
	filchi_fetch_add_rel(&q->size, 0, PRINTED);
	if (optimized && ssz == sz) {
		count = sz - k - 1;
		end = NULL;
	}
	while (end) {
		count++;
		if (!end->next)
			break;
		end = end->next;
	}
	filchi_fetch_add_sc(&q->size, 0 - count, PRINTED);
	filch_batch_init(batch);
	batch->first = begin;
	batch->last = end;
	batch->count = count;
	return FILCH_OK;
}

#endif
