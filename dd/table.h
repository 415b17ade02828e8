/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash table of the states of one row: open addressing. A slot of an older generation is empty, so that the table is
 * never cleared.
 */
#ifndef FILCHI_DD_TABLE_H
#define FILCHI_DD_TABLE_H

#include "dd.h"

#include <errno.h>

static inline struct filchi_dd_slot *filchi_dd_slots(const struct filchi_dd_work *w)
{
	return (struct filchi_dd_slot *)(void *)w->slots.data;
}

static inline bool filchi_dd_equal(const struct filchi_dd_work *w, const unsigned char *a, const unsigned char *b)
{
	if (FILCHI_UNLIKELY(w->model->p.equal != NULL))
		return w->model->p.equal(a, b, w->model->p.arg);
	return filchi_dd_same_bytes(a, b, w->model->stride);
}

/*
 * The node with an equal state, of those from `first` on; or UINT32_MAX, and then *slot is the place for it. Numbers of
 * nodes count from first.
 */
static inline uint32_t filchi_dd_table_find(const struct filchi_dd_work *w, size_t first, const unsigned char *state,
					    uint64_t hash, struct filchi_dd_slot **slot)
{
	struct filchi_dd_slot *slots = filchi_dd_slots(w);
	const struct filchi_dd_node *nodes = filchi_dd_nodes(w, first);

	for (size_t i = hash & w->slot_mask;; i = (i + 1) & w->slot_mask) {
		if (slots[i].generation != w->generation) {
			*slot = &slots[i];
			return UINT32_MAX;
		}
		if (nodes[slots[i].node].hash == hash &&
		    filchi_dd_equal(w, filchi_dd_state(w, first + slots[i].node), state))
			return slots[i].node;
	}
}

/* A new generation: the table is empty. 0; -ENOMEM. */
int filchi_dd_table_begin(struct filchi_dd_work *w);
/* Room for so many nodes; the row has count nodes now, from first on. */
int filchi_dd_table_grow(struct filchi_dd_work *w, size_t first, uint32_t count, size_t room);

static inline int filchi_dd_table_need(struct filchi_dd_work *w, size_t first, uint32_t count, size_t room)
{
	return FILCHI_LIKELY(2 * room <= w->slot_mask) ? 0 : filchi_dd_table_grow(w, first, count, room);
}

#endif
