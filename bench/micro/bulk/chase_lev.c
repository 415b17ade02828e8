/* SPDX-License-Identifier: Apache-2.0 */
/* Moves items one by one: the cost of bulk operations on a deque without them. */
#include "../../../src/deque/chase_lev.h"

#include <filch/bulk.h>

static const struct filchi_deque_setup setup = {.capacity = 1 << 16, .max_capacity = FILCHI_CHASE_LEV_MAX_CAPACITY};

/* There is room, so it cannot fail. */
static inline void push_each(struct filchi_chase_lev *q, const struct filch_batch *batch)
{
	for (struct filch_node *node = batch->first; node; node = node->next)
		filchi_chase_lev_push(q, (uintptr_t)node);
}

static inline int pop_one(struct filchi_chase_lev *q, struct filch_node **node)
{
	uintptr_t item;

	if (filchi_chase_lev_pop(q, &item))
		return FILCH_EMPTY;
	*node = (struct filch_node *)item;
	return FILCH_OK;
}

static inline int steal_each(struct filchi_chase_lev *q, double proportion, struct filch_batch *batch)
{
	size_t count = (size_t)((double)filchi_chase_lev_size(q) * proportion + 0.5);
	struct filch_node *first = NULL, *last = NULL;
	uintptr_t item;
	size_t taken = 0;

	for (; taken < count && filchi_chase_lev_steal(q, &item) == FILCH_OK; taken++) {
		struct filch_node *node = (struct filch_node *)item;

		node->next = first;
		first = node;
		last = last ? last : node;
	}
	filch_batch_init(batch);
	batch->first = first;
	batch->last = last;
	batch->count = taken;
	return taken ? FILCH_OK : FILCH_EMPTY;
}

#define NAME filchi_bulk_bench_chase_lev
#define LABEL "chase_lev"
#define QUEUE struct filchi_chase_lev
#define CREATE(q) filchi_chase_lev_init(q, &setup)
#define DESTROY(q) filchi_chase_lev_fini(q)
#define PUSH(q, batch) push_each(q, batch)
#define POP(q, node) pop_one(q, node)
#define STEAL(q, proportion, batch) steal_each(q, proportion, batch)
#define SIZE(q) filchi_chase_lev_size(q)
#include "loops.h"
