/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The injector: a queue. Each thread may push items, and each thread may take them, the oldest first. Work from outside
 * enters a pool through it.
 *
 * An item is one machine word with any value. The queue is unbounded. push and take are lock-free, except that push
 * sometimes asks the system for memory: once in many items, and never while items leave as fast as they come. README.md
 * says how.
 *
 * The writes of a thread before its push are visible to the thread that takes the item.
 */
#ifndef FILCHI_INJECT_INJECTOR_H
#define FILCHI_INJECT_INJECTOR_H

#include "../base/atomic.h"
#include "../base/compiler.h"

#include <filch/base.h>

/* The default number of items in a segment: four kilobytes. Less than half of the numbers that the words of injector.c
 * can count. */
#define FILCHI_INJECTOR_SEGMENT 252u
#define FILCHI_INJECTOR_MAX_SEGMENT 2048u
/* Segments that are kept for use again. */
#define FILCHI_INJECTOR_SPARES FILCHI_TUNE(4u, 1u)

struct filchi_injector_segment;

struct filchi_injector {
	/* The position of the takers, and the number of segments that they have left behind. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) head;
	FILCHI_ATOMIC(uint64_t) head_moves;
	/* The position of the pushers, and the number of segments that they have left behind. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) tail;
	FILCHI_ATOMIC(uint64_t) tail_moves;
	/* Read by all, changed seldom or never. */
	FILCHI_OWN_LINE uint32_t segment_size;
	FILCHI_ATOMIC(struct filchi_injector_segment *) spare[FILCHI_INJECTOR_SPARES];
};

/* segment_size 0: the default. 0; -EINVAL: segment_size is more than FILCHI_INJECTOR_MAX_SEGMENT; -ENOMEM. */
int filchi_injector_init(struct filchi_injector *q, uint32_t segment_size);

/* No other thread may use the queue. Items that are still in it are lost. */
void filchi_injector_fini(struct filchi_injector *q);

/* Any thread. 0; -ENOMEM: nothing has changed. */
int filchi_injector_push(struct filchi_injector *q, uintptr_t item);

/*
 * Any thread. FILCH_OK, FILCH_EMPTY or FILCH_LOST: another taker was first, or the pusher of the next item is not done
 * yet. *item is written only with FILCH_OK.
 */
int filchi_injector_take(struct filchi_injector *q, uintptr_t *item);

/*
 * Any thread. Takes up to max items in one step: the oldest ones, in order. max is at least 1. With FILCH_OK, *taken is
 * their number, at least one. There may be more items if a segment ends, or if a pusher is late.
 */
int filchi_injector_take_many(struct filchi_injector *q, uintptr_t *items, size_t max, size_t *taken);

/*
 * Any thread. False if the queue has an item that was pushed before. This is more than a hint: if a fence follows the
 * push and comes before a fence of the caller, the caller sees the item. The answer may be false for an empty queue.
 */
bool filchi_injector_is_empty(const struct filchi_injector *q);

/* Any thread. The number of items: exact if no other call runs at the same time, else a hint. */
size_t filchi_injector_size(const struct filchi_injector *q);

#endif
