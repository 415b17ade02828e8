/* SPDX-License-Identifier: Apache-2.0 */
/*
 * global: one queue behind a mutex. All workers push their items there and take items from there, the oldest item
 * first. Work stealing is measured against it: "Global Queue Scheduling", section 2.4.1 of Duwadi, "Analysis of Novel
 * Approaches for Work-Stealing Scheduling" (thesis, Bamberg 2025).
 *
 * It is the ring of locked, but items leave at one end only: pop is steal.
 *
 * May run together:        push   pop   steal   size
 *   push (any number)        x     x      x       x
 *   pop (any number)         x     x      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 * There is no owner: with this kind only, several threads may push and pop.
 *
 * Linearization: push, pop and steal where they hold the mutex. Answers are exact, and no call answers LOST.
 *
 * Edges: see locked.h.
 */
#ifndef FILCHI_DEQUE_GLOBAL_H
#define FILCHI_DEQUE_GLOBAL_H

#include "locked.h"

#define FILCHI_GLOBAL_MAX_CAPACITY FILCHI_DEQUE_MAX_CAPACITY
#define FILCHI_GLOBAL_INFO                                                                                             \
	{                                                                                                              \
		.name = "global", .summary = "a queue behind a mutex that all share", .owner_order = FILCH_FIFO,       \
		.steal_order = FILCH_FIFO, .push_progress = FILCH_BLOCKING, .pop_progress = FILCH_BLOCKING,            \
		.steal_progress = FILCH_BLOCKING, .many_owners = 1,                                                    \
	}

struct filchi_global {
	struct filchi_locked ring;
};

static inline int filchi_global_init(struct filchi_global *q, const struct filchi_deque_setup *setup)
{
	return filchi_locked_init(&q->ring, setup);
}

static inline void filchi_global_fini(struct filchi_global *q)
{
	filchi_locked_fini(&q->ring);
}

static inline int filchi_global_push(struct filchi_global *q, uintptr_t item)
{
	return filchi_locked_push(&q->ring, item);
}

static inline int filchi_global_pop(struct filchi_global *q, uintptr_t *item)
{
	return filchi_locked_steal(&q->ring, item);
}

static inline int filchi_global_steal(struct filchi_global *q, uintptr_t *item)
{
	return filchi_locked_steal(&q->ring, item);
}

static inline size_t filchi_global_size(const struct filchi_global *q)
{
	return filchi_locked_size(&q->ring);
}

#endif
