/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abp: a fixed array that is filled from the start and starts over when the owner finds it empty.
 *
 * Arora, Blumofe and Plaxton, "Thread scheduling for multiprogrammed multiprocessors" (SPAA 1998), the first deque of
 * its kind. The algorithm printed in Figure 2.6 of the thesis differs from it and loses items: see docs/errata.md.
 *
 *     slots  0         top              bottom      capacity
 *            |  stolen  |     items       |   free     |
 *                       ^ thieves CAS     ^ owner pushes and pops
 *
 * - top is in one word with a tag, the age. When pop takes the last item, or finds that thieves have taken it, pop puts
 *   bottom and top back to 0 and changes the tag. So the CAS of a thief that slept meanwhile fails, even if top is the
 *   same.
 * - The slots of stolen items are not free before that: the capacity shrinks, as published. A push beyond the end
 *   answers -ENOBUFS even if no item is left. A pop then gives an item or starts over. So a loop that pushes, and pops
 *   after a refusal, always makes progress.
 * We differ in this:
 * - the array has an end, where the paper leaves its bounds to the reader, and slots are atomic;
 * - the memory model is C11, where the paper's memory is sequentially consistent;
 * - the owner keeps copies of the fields that only it changes: a push reads no line that a thief writes;
 * - in the age, top has just the bits that the capacity needs, and the tag all others: 50 with the default capacity of
 *   8,192, 43 with 2^20, 27 with the largest, 2^36. An old word can come again only after 2^50 resets, which take
 *   months at 10 ns each. To be fooled, a thief must sleep between its load and its CAS through a multiple of these
 *   resets, and top must be the same.
 *
 * May run together:        push   pop   steal   size
 *   push (one owner)         -     -      x       x
 *   pop (one owner)          -     -      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 *
 * Linearization:
 *   push          the store of bottom; refused: anywhere
 *   pop, OK       the store of bottom; for the last item the CAS of age
 *   pop, EMPTY    the load of age that shows it, or the CAS that lost the last item; with bottom at 0, anywhere
 *   steal, OK     the CAS of age
 *   steal, EMPTY  the load of bottom; an owner that is taking the last item counts as having taken it. If the
 *                 deque started over after the load of age: then, for it was empty
 *   steal, LOST   changes nothing: some other steal or pop took the item
 *
 * Edges:
 *   E1   push: store_rel bottom; pop: store_sc bottom (E2) → steal: load_sc bottom   publishes the slots below bottom;
 *        pop has to do it anew, since its store ends the release sequence of push. The load is one of E2 too
 *   E2   pop: store_sc bottom, load_sc age → steal: load_sc age, load_sc bottom (E1), cas_sc age   of an owner lowering
 *        bottom and a thief raising top, one sees the other
 *   E3   pop: cas_rel age, store_rel age → steal: load_sc age (E2)   who sees the new tag sees bottom put back
 *   E4   pop: fence_acq, after a CAS that lost; its other end is the cas_sc age of steal (E2)   the thief has read its
 *        slot before the owner writes it again; where pop sees by its load that it lost, that load does it. Only load
 *        buffering could undo that order, which C11 and machines allow, but RC11 and the checker do not
 *   R1   slots: a thief may read one while the owner writes it; then its CAS fails, and the value is dropped
 *   R2   pop: bottom put back; who reads it here takes nothing, and E3 shows it to whom it could mislead
 *   R3   size: a hint orders nothing
 */
#ifndef FILCHI_DEQUE_ABP_H
#define FILCHI_DEQUE_ABP_H

#include "../base/mem.h"
#include "deque.h"

#include <errno.h>

/* The array does not grow: enough for a deep recursion, in 64 kilobytes. */
#define FILCHI_ABP_MAX_CAPACITY ((size_t)FILCHI_TUNE(8192, 4))
#define FILCHI_ABP_INFO                                                                                                \
	{                                                                                                              \
		.name = "abp", .summary = "a fixed array that starts over when it is empty",                           \
		.owner_order = FILCH_LIFO, .steal_order = FILCH_FIFO, .push_progress = FILCH_WAIT_FREE,                \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .bounded = 1, .loses = 1,          \
	}

/* Items are at [top, bottom), no index is beyond the capacity. */
struct filchi_abp {
	/* Only the owner reads and writes these. */
	FILCHI_OWN_LINE uint64_t own_bottom; /* between operations, equal to bottom */
	uint64_t capacity;
	struct filchi_slot *own_slots;
	/* Written by the owner, read by thieves. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) bottom;
	/* The tag above, top below. Written by thieves, and by the owner when it starts over. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) age;
	/* Read by thieves at each steal, never written. */
	FILCHI_OWN_LINE uint64_t top_mask; /* the bits of age that are top */
	struct filchi_slot *slots;
};

/* top may be as large as the capacity, a power of two: it takes one bit more than an index. */
static inline uint64_t filchi_abp_top_mask(uint64_t capacity)
{
	return 2 * capacity - 1;
}

/* Indices start at 0 again and again, so the first tag stands for the first index. */
static inline int filchi_abp_init(struct filchi_abp *q, const struct filchi_deque_setup *setup)
{
	struct filchi_slot *slots = filchi_alloc_array(0, setup->capacity, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	q->own_bottom = 0;
	q->capacity = setup->capacity;
	q->own_slots = slots;
	q->top_mask = filchi_abp_top_mask(setup->capacity);
	q->slots = slots;
	filchi_atomic_init(&q->bottom, 0);
	filchi_atomic_init(&q->age, setup->first * (q->top_mask + 1));
	return 0;
}

static inline void filchi_abp_fini(struct filchi_abp *q)
{
	filchi_free(q->own_slots);
}

static inline int filchi_abp_push(struct filchi_abp *q, uintptr_t item)
{
	uint64_t bottom = q->own_bottom;

	if (FILCHI_UNLIKELY(bottom == q->capacity))
		return -ENOBUFS;
	filchi_store_rlx(&q->own_slots[bottom].item, item, R1);
	q->own_bottom = bottom + 1;
	filchi_store_rel(&q->bottom, bottom + 1, E1);
	return 0;
}

/*
 * The item at bottom is the last, or a thief has it already. In both cases the deque is empty in the end, and starts
 * over. Without the CAS, or when it fails, top is at the old bottom: no thief passes it, and a store is enough.
 */
static inline int filchi_abp_pop_last(struct filchi_abp *q, uintptr_t *item, uint64_t bottom, uint64_t age)
{
	uint64_t top_mask = filchi_abp_top_mask(q->capacity);
	uint64_t over = (age | top_mask) + 1; /* the next tag, top 0 */

	q->own_bottom = 0;
	filchi_store_rlx(&q->bottom, 0, R2);
	if ((age & top_mask) == bottom && filchi_cas_rel(&q->age, &age, over, E3)) {
		*item = filchi_load_rlx(&q->own_slots[bottom].item, R1);
		return FILCH_OK;
	}
	filchi_fence_acq(E4);
	filchi_store_rel(&q->age, over, E3);
	return FILCH_EMPTY;
}

static inline int filchi_abp_pop(struct filchi_abp *q, uintptr_t *item)
{
	uint64_t bottom = q->own_bottom - 1;
	uint64_t age;

	if (!q->own_bottom)
		return FILCH_EMPTY;
	filchi_store_sc(&q->bottom, bottom, E2);
	age = filchi_load_sc(&q->age, E2);
	if (FILCHI_UNLIKELY(bottom <= (age & filchi_abp_top_mask(q->capacity))))
		return filchi_abp_pop_last(q, item, bottom, age);
	q->own_bottom = bottom;
	*item = filchi_load_rlx(&q->own_slots[bottom].item, R1);
	return FILCH_OK;
}

static inline int filchi_abp_steal(struct filchi_abp *q, uintptr_t *item)
{
	uint64_t age = filchi_load_sc(&q->age, E2);
	uint64_t top = age & q->top_mask;
	uintptr_t found;

	if (filchi_load_sc(&q->bottom, E1) <= top)
		return FILCH_EMPTY;
	found = filchi_load_rlx(&q->slots[top].item, R1);
	/* One more of top: it is below the capacity and does not run into the tag. */
	if (!filchi_cas_sc(&q->age, &age, age + 1, E2))
		return FILCH_LOST;
	*item = found;
	return FILCH_OK;
}

static inline size_t filchi_abp_size(const struct filchi_abp *q)
{
	uint64_t bottom = filchi_load_rlx(&q->bottom, R3);
	uint64_t top = filchi_load_rlx(&q->age, R3) & q->top_mask;

	return bottom > top ? (size_t)(bottom - top) : 0;
}

#endif
