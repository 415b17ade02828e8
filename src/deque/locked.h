/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locked: a growing ring behind a mutex. No paper: the other kinds are measured and tested against it.
 *
 * May run together:        push   pop   steal   size
 *   push (one owner)         -     -      x       x
 *   pop (one owner)          -     -      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 * With the mutex all calls may run together. But programs that keep to one owner work with the other kinds, too.
 *
 * Linearization: push, pop and steal where they hold the mutex. Answers are exact, and steal never answers LOST.
 *
 * Edges: the mutex orders all accesses (unlock → the next lock); it has no tag.
 *   R1   size: load_rlx count; written with the mutex held, read without: a hint orders nothing
 */
#ifndef FILCHI_DEQUE_LOCKED_H
#define FILCHI_DEQUE_LOCKED_H

#include "../base/mem.h"
#include "../os/os.h"
#include "deque.h"

#include <errno.h>

#define FILCHI_LOCKED_MAX_CAPACITY FILCHI_DEQUE_MAX_CAPACITY
#define FILCHI_LOCKED_INFO                                                                                             \
	{                                                                                                              \
		.name = "locked", .summary = "a growing ring behind a mutex", .owner_order = FILCH_LIFO,               \
		.steal_order = FILCH_FIFO, .push_progress = FILCH_BLOCKING, .pop_progress = FILCH_BLOCKING,            \
		.steal_progress = FILCH_BLOCKING,                                                                      \
	}

/* A slot. Threads touch it only with the mutex held; the checker verifies that. */
struct filchi_locked_slot {
	FILCHI_CELL(uintptr_t) item;
};

/* Items are at [top, bottom). Indices only rise, and wrap with their type. slots has mask + 1 places. */
struct filchi_locked {
	FILCHI_OWN_LINE struct filchi_mutex mutex;
	FILCHI_CELL(uint64_t) top;
	FILCHI_CELL(uint64_t) bottom;
	FILCHI_CELL(uint64_t) mask;
	FILCHI_CELL(struct filchi_locked_slot *) slots;
	size_t max_capacity;
	/* On its own line: threads that ask for the size do not disturb threads that push and take. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(size_t) count;
};

static inline int filchi_locked_init(struct filchi_locked *q, const struct filchi_deque_setup *setup)
{
	struct filchi_locked_slot *slots = filchi_alloc_array(0, setup->capacity, sizeof(*slots));
	int err;

	if (!slots)
		return -ENOMEM;
	err = filchi_mutex_init(&q->mutex);
	if (err) {
		filchi_free(slots);
		return err;
	}
	filchi_cell_set(&q->top, setup->first);
	filchi_cell_set(&q->bottom, setup->first);
	filchi_cell_set(&q->mask, setup->capacity - 1);
	filchi_cell_set(&q->slots, slots);
	q->max_capacity = setup->max_capacity;
	filchi_atomic_init(&q->count, 0);
	return 0;
}

static inline void filchi_locked_fini(struct filchi_locked *q)
{
	filchi_mutex_destroy(&q->mutex);
	filchi_free(filchi_cell_get(&q->slots));
}

/* The ring is full. The caller holds the mutex. */
FILCHI_COLD static int filchi_locked_grow(struct filchi_locked *q)
{
	struct filchi_locked_slot *old = filchi_cell_get(&q->slots);
	uint64_t top = filchi_cell_get(&q->top);
	uint64_t bottom = filchi_cell_get(&q->bottom);
	uint64_t old_mask = filchi_cell_get(&q->mask);
	uint64_t mask = 2 * old_mask + 1;
	struct filchi_locked_slot *slots;

	if (mask >= q->max_capacity)
		return filchi_deque_cannot_grow();
	slots = filchi_alloc_array(0, mask + 1, sizeof(*slots));
	if (!slots)
		return filchi_deque_cannot_grow();
	for (uint64_t i = top; i != bottom; i++) {
		uintptr_t item = filchi_cell_get(&old[i & old_mask].item);

		filchi_cell_set(&slots[i & mask].item, item);
	}
	filchi_cell_set(&q->slots, slots);
	filchi_cell_set(&q->mask, mask);
	filchi_free(old);
	return 0;
}

/* The caller holds the mutex. */
static inline struct filchi_locked_slot *filchi_locked_slot(const struct filchi_locked *q, uint64_t index)
{
	struct filchi_locked_slot *slots = filchi_cell_get(&q->slots);
	uint64_t mask = filchi_cell_get(&q->mask);

	return &slots[index & mask];
}

static inline int filchi_locked_push(struct filchi_locked *q, uintptr_t item)
{
	struct filchi_locked_slot *slot;
	uint64_t bottom, count;
	int err = 0;

	filchi_mutex_lock(&q->mutex);
	bottom = filchi_cell_get(&q->bottom);
	count = bottom - filchi_cell_get(&q->top);
	if (FILCHI_UNLIKELY(count > filchi_cell_get(&q->mask)))
		err = filchi_locked_grow(q);
	if (FILCHI_LIKELY(!err)) {
		slot = filchi_locked_slot(q, bottom);
		filchi_cell_set(&slot->item, item);
		filchi_cell_set(&q->bottom, bottom + 1);
		filchi_store_rlx(&q->count, count + 1, R1);
	}
	filchi_mutex_unlock(&q->mutex);
	return err;
}

static inline int filchi_locked_pop(struct filchi_locked *q, uintptr_t *item)
{
	struct filchi_locked_slot *slot;
	uint64_t bottom, count;

	filchi_mutex_lock(&q->mutex);
	bottom = filchi_cell_get(&q->bottom);
	count = bottom - filchi_cell_get(&q->top);
	if (count) {
		slot = filchi_locked_slot(q, bottom - 1);
		*item = filchi_cell_get(&slot->item);
		filchi_cell_set(&q->bottom, bottom - 1);
		filchi_store_rlx(&q->count, count - 1, R1);
	}
	filchi_mutex_unlock(&q->mutex);
	return count ? FILCH_OK : FILCH_EMPTY;
}

static inline int filchi_locked_steal(struct filchi_locked *q, uintptr_t *item)
{
	struct filchi_locked_slot *slot;
	uint64_t top, count;

	filchi_mutex_lock(&q->mutex);
	top = filchi_cell_get(&q->top);
	count = filchi_cell_get(&q->bottom) - top;
	if (count) {
		slot = filchi_locked_slot(q, top);
		*item = filchi_cell_get(&slot->item);
		filchi_cell_set(&q->top, top + 1);
		filchi_store_rlx(&q->count, count - 1, R1);
	}
	filchi_mutex_unlock(&q->mutex);
	return count ? FILCH_OK : FILCH_EMPTY;
}

static inline size_t filchi_locked_size(const struct filchi_locked *q)
{
	return filchi_load_rlx(&q->count, R1);
}

#endif
