/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chase_lev: a circular array that grows; thieves and owner compete only for the last item.
 *
 * Chase and Lev, "Dynamic circular work-stealing deque" (SPAA 2005), with the memory orders of Lê, Pop, Cohen and
 * Zappa Nardelli, "Correct and efficient work-stealing for weak memory models" (PPoPP 2013). We differ in this:
 * - indices are unsigned and wrap; only differences are compared, as signed;
 * - bottom is stored with release instead of after a release fence, also in pop. A relaxed store there would end the
 *   release sequence, and a thief that reads it would read a slot that nothing has published to it;
 * - the owner keeps copies of its own fields, and the index up to which it may push. So a push reads no line that a
 *   thief writes;
 * - pop on an empty deque reads top before it lowers bottom, and needs no fence and no store;
 * - outgrown buffers stay until the deque is destroyed, because a late thief may still read one. Each is half as large
 *   as the next, so all of them together are smaller than the buffer in use.
 *
 * May run together:        push   pop   steal   size
 *   push (one owner)         -     -      x       x
 *   pop (one owner)          -     -      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 *
 * Linearization:
 *   push          the store of bottom
 *   pop, OK       the store of bottom; for the last item the CAS of top
 *   pop, EMPTY    the load of top that shows it, or the CAS that lost the last item
 *   steal, OK     the CAS of top
 *   steal, EMPTY  the load of bottom; an owner that is taking the last item counts as having taken it
 *   steal, LOST   changes nothing: some other steal or pop took the item
 *
 * Why a thief may read from an old buffer: in an outgrown buffer the owner never writes the slot of an index again that
 * a thief can still win. A thief sees an index that was pushed after the growth only through E1, and then it sees the
 * new buffer, which it loads after bottom.
 *
 * Edges:
 *   E1   push, pop: store_rel bottom → steal: load_acq bottom   publishes the slots below bottom, and their buffer
 *   E2   pop: fence_light → steal: fence_sc   of an owner lowering bottom and a thief raising top, one sees the other;
 *        both are full fences here; the owner's is weaker in chase_lev_asym
 *   E3   grow: store_rel buffer → steal: load_acq buffer   publishes the copies, when bottom was read before growth
 *   E4   steal: cas_rel top → make_room: load_acq top   the thief has read its slot before the owner writes it again;
 *        only load buffering could undo that order; C11 and machines allow it, RC11 and the checker do not
 *   R1   slots: a thief may read one while the owner writes it; then its CAS fails, and it drops the value
 *   R2   pop: top before lowering bottom; it only rises, up to bottom: if it is there, the deque is empty
 *   R3   pop, steal: top; the fence of E2 is on the other side of it
 *   R4   pop: CAS of top for the last item; the owner has written that item itself
 *   R5   pop: bottom put back; the fence of E2 before it makes it a release already
 *   R6   size: a hint orders nothing
 *   R7   grow, fini: buffer, read by the only thread that writes it
 */
#ifndef FILCHI_DEQUE_CHASE_LEV_H
#define FILCHI_DEQUE_CHASE_LEV_H

#include "../base/mem.h"
#include "../os/os.h"
#include "deque.h"

#include <errno.h>

#define FILCHI_CHASE_LEV_MAX_CAPACITY FILCHI_DEQUE_MAX_CAPACITY
#define FILCHI_CHASE_LEV_INFO                                                                                          \
	{                                                                                                              \
		.name = "chase_lev", .summary = "a circular array that grows, a fence in pop and in steal",            \
		.owner_order = FILCH_LIFO, .steal_order = FILCH_FIFO, .push_progress = FILCH_WAIT_FREE,                \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .loses = 1,                        \
	}

struct filchi_chase_lev_buffer {
	struct filchi_chase_lev_buffer *older; /* outgrown buffers; only the owner reads it */
	FILCHI_CELL(uint64_t) mask;	       /* of an index, to its slot; never changes */
	struct filchi_slot slots[];
};

/* Items are at [top, bottom). */
struct filchi_chase_lev {
	/* Only the owner reads and writes these. */
	FILCHI_OWN_LINE uint64_t own_bottom; /* between operations, equal to bottom */
	uint64_t limit;			     /* push up to here: the top last seen plus the capacity */
	uint64_t own_mask;
	struct filchi_slot *own_slots;
	size_t max_capacity;
	/* Written by the owner, read by thieves. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) bottom;
	/* Written by thieves, and by the owner for the last item. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) top;
	/* Read by thieves at each steal, written at growth only. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(struct filchi_chase_lev_buffer *) buffer;
};

static inline struct filchi_chase_lev_buffer *filchi_chase_lev_buffer(size_t capacity)
{
	struct filchi_chase_lev_buffer *buffer =
		filchi_alloc_array(sizeof(*buffer), capacity, sizeof(buffer->slots[0]));

	if (buffer) {
		buffer->older = NULL;
		filchi_cell_set(&buffer->mask, capacity - 1);
	}
	return buffer;
}

static inline int filchi_chase_lev_init(struct filchi_chase_lev *q, const struct filchi_deque_setup *setup)
{
	struct filchi_chase_lev_buffer *buffer = filchi_chase_lev_buffer(setup->capacity);

	if (!buffer)
		return -ENOMEM;
	q->own_bottom = setup->first;
	q->limit = setup->first + setup->capacity;
	q->own_mask = setup->capacity - 1;
	q->own_slots = buffer->slots;
	q->max_capacity = setup->max_capacity;
	filchi_atomic_init(&q->bottom, setup->first);
	filchi_atomic_init(&q->top, setup->first);
	filchi_atomic_init(&q->buffer, buffer);
	return 0;
}

static inline void filchi_chase_lev_fini(struct filchi_chase_lev *q)
{
	struct filchi_chase_lev_buffer *buffer = filchi_load_rlx(&q->buffer, R7);

	while (buffer) {
		struct filchi_chase_lev_buffer *older = buffer->older;

		filchi_free(buffer);
		buffer = older;
	}
}

/*
 * The buffer is full: each of its slots holds an item. The owner copies each item to both places that it could have in
 * the new buffer. So each slot has a value when a late thief, whose CAS will fail, reads it.
 */
FILCHI_COLD static int filchi_chase_lev_grow(struct filchi_chase_lev *q)
{
	uint64_t old_mask = q->own_mask;
	uint64_t capacity = old_mask + 1;
	struct filchi_chase_lev_buffer *buffer;

	if (2 * capacity > q->max_capacity)
		return filchi_deque_cannot_grow();
	buffer = filchi_chase_lev_buffer(2 * capacity);
	if (!buffer)
		return filchi_deque_cannot_grow();
	for (uint64_t i = 0; i < capacity; i++) {
		uintptr_t item = filchi_load_rlx(&q->own_slots[i].item, R1);

		filchi_atomic_init(&buffer->slots[i].item, item);
		filchi_atomic_init(&buffer->slots[i + capacity].item, item);
	}
	buffer->older = filchi_load_rlx(&q->buffer, R7);
	q->own_mask = 2 * capacity - 1;
	q->own_slots = buffer->slots;
	q->limit += capacity;
	filchi_store_rel(&q->buffer, buffer, E3);
	return 0;
}

/*
 * push has come to the limit: moves it by the number of items that thieves have taken since it was set, or else grows.
 */
FILCHI_COLD static int filchi_chase_lev_make_room(struct filchi_chase_lev *q)
{
	q->limit = filchi_load_acq(&q->top, E4) + q->own_mask + 1;
	return q->own_bottom == q->limit ? filchi_chase_lev_grow(q) : 0;
}

static inline int filchi_chase_lev_put(struct filchi_chase_lev *q, uint64_t bottom, uintptr_t item)
{
	filchi_store_rlx(&q->own_slots[bottom & q->own_mask].item, item, R1);
	q->own_bottom = bottom + 1;
	filchi_store_rel(&q->bottom, bottom + 1, E1);
	return 0;
}

/* The whole slow push, so that the fast push ends in a jump to it and needs no frame. */
FILCHI_COLD static int filchi_chase_lev_push_slow(struct filchi_chase_lev *q, uintptr_t item)
{
	int err = filchi_chase_lev_make_room(q);

	return err ? err : filchi_chase_lev_put(q, q->own_bottom, item);
}

static inline int filchi_chase_lev_push(struct filchi_chase_lev *q, uintptr_t item)
{
	uint64_t bottom = q->own_bottom;

	if (FILCHI_UNLIKELY(bottom == q->limit))
		return filchi_chase_lev_push_slow(q, item);
	return filchi_chase_lev_put(q, bottom, item);
}

/* The item at bottom is the last, or a thief has it already. In both cases the deque is empty in the end. */
static inline int filchi_chase_lev_pop_last(struct filchi_chase_lev *q, uintptr_t *item, uint64_t top)
{
	uint64_t bottom = q->own_bottom - 1;
	bool won = top == bottom && filchi_cas_rlx(&q->top, &top, bottom + 1, R4);

	filchi_store_rlx(&q->bottom, bottom + 1, R5);
	if (!won)
		return FILCH_EMPTY;
	*item = filchi_load_rlx(&q->own_slots[bottom & q->own_mask].item, R1);
	return FILCH_OK;
}

/* asymmetric: thieves replace the owner's fence, and pop has none. The compiler may or may not know the value. */
static inline int filchi_chase_lev_pop_fenced(struct filchi_chase_lev *q, uintptr_t *item, bool asymmetric)
{
	uint64_t bottom = q->own_bottom - 1;
	uint64_t top = filchi_load_rlx(&q->top, R2);

	if (top == bottom + 1)
		return FILCH_EMPTY;
	filchi_store_rel(&q->bottom, bottom, E1);
	filchi_fence_light(asymmetric, E2);
	top = filchi_load_rlx(&q->top, R3);
	if (FILCHI_UNLIKELY((int64_t)(bottom - top) <= 0))
		return filchi_chase_lev_pop_last(q, item, top);
	q->own_bottom = bottom;
	*item = filchi_load_rlx(&q->own_slots[bottom & q->own_mask].item, R1);
	return FILCH_OK;
}

static inline int filchi_chase_lev_pop(struct filchi_chase_lev *q, uintptr_t *item)
{
	return filchi_chase_lev_pop_fenced(q, item, false);
}

/* top: the value that the caller has just read. */
static inline int filchi_chase_lev_steal_fenced(struct filchi_chase_lev *q, uintptr_t *item, uint64_t top,
						bool asymmetric)
{
	struct filchi_chase_lev_buffer *buffer;
	uint64_t bottom, mask;
	uintptr_t found;

	filchi_fence_sc(E2);
	if (asymmetric && !filchi_membarrier())
		return FILCH_EMPTY;
	bottom = filchi_load_acq(&q->bottom, E1);
	if ((int64_t)(bottom - top) <= 0)
		return FILCH_EMPTY;
	buffer = filchi_load_acq(&q->buffer, E3);
	mask = filchi_cell_get(&buffer->mask);
	found = filchi_load_rlx(&buffer->slots[top & mask].item, R1);
	if (!filchi_cas_rel(&q->top, &top, top + 1, E4))
		return FILCH_LOST;
	*item = found;
	return FILCH_OK;
}

static inline int filchi_chase_lev_steal(struct filchi_chase_lev *q, uintptr_t *item)
{
	return filchi_chase_lev_steal_fenced(q, item, filchi_load_rlx(&q->top, R3), false);
}

static inline size_t filchi_chase_lev_size(const struct filchi_chase_lev *q)
{
	uint64_t bottom = filchi_load_rlx(&q->bottom, R6);
	uint64_t top = filchi_load_rlx(&q->top, R6);

	return (int64_t)(bottom - top) > 0 ? (size_t)(bottom - top) : 0;
}

#endif
