/* SPDX-License-Identifier: Apache-2.0 */
/* The slow paths of the table of states. */
#include "table.h"

#define FIRST_SLOTS 1024u

/* Slots of grown arrays are zero, so a generation is never 0. */
int filchi_dd_table_begin(struct filchi_dd_work *w)
{
	if (!w->slots.data) {
		int err = filchi_dd_grow(w->memory, &w->slots, FIRST_SLOTS, sizeof(struct filchi_dd_slot));

		if (err)
			return err;
		w->slot_mask = FIRST_SLOTS - 1;
	}
	if (++w->generation == 0) {
		memset(w->slots.data, 0, w->slots.room);
		w->generation = 1;
	}
	return 0;
}

int filchi_dd_table_grow(struct filchi_dd_work *w, size_t first, uint32_t count, size_t room)
{
	size_t slots = filchi_round_pow2(4 * room);
	int err = slots ? filchi_dd_need(w->memory, &w->slots, slots, sizeof(struct filchi_dd_slot)) : -ENOMEM;

	if (err)
		return err;
	w->slot_mask = slots - 1;
	err = filchi_dd_table_begin(w);
	for (uint32_t i = 0; !err && i < count; i++) {
		const unsigned char *state = filchi_dd_state(w, first + i);
		struct filchi_dd_slot *slot = NULL;

		if (filchi_dd_table_find(w, first, state, filchi_dd_hash(w->model, state), &slot) ==
		    UINT32_MAX)
			*slot = (struct filchi_dd_slot){w->generation, i};
	}
	return err;
}
