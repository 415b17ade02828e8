/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The injector: a queue that any thread may put items in and any thread may take them from, the oldest first. It is
 * the way into a pool for work from outside.
 *
 * An item is one machine word, and any value is an item. Unbounded; push and take are lock-free but for the memory that
 * push asks the system for, once in many items and not at all while as much comes out as goes in. README.md says how.
 *
 * What a thread wrote before it pushed an item is visible to the thread that takes the item.
 */
#ifndef FILCHI_INJECT_INJECTOR_H
#define FILCHI_INJECT_INJECTOR_H

#include "../base/atomic.h"
#include "../base/compiler.h"

#include <filch/base.h>

/* Items in a segment, unless told otherwise: four kilobytes. Below half of what the words of injector.c can count. */
#define FILCHI_INJECTOR_SEGMENT 252u
#define FILCHI_INJECTOR_MAX_SEGMENT 2048u
/* Segments kept for use again. */
#define FILCHI_INJECTOR_SPARES FILCHI_TUNE(4u, 1u)

struct filchi_injector_segment;

struct filchi_injector {
	/* Where takers are, and how many segments they have left behind. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) head;
	FILCHI_ATOMIC(uint64_t) head_moves;
	/* Where pushers are, likewise. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) tail;
	FILCHI_ATOMIC(uint64_t) tail_moves;
	/* Read by all, changed seldom or never. */
	FILCHI_OWN_LINE uint32_t segment_size;
	FILCHI_ATOMIC(struct filchi_injector_segment *) spare[FILCHI_INJECTOR_SPARES];
};

/* segment_size 0: the default. 0; -EINVAL: it is more than FILCHI_INJECTOR_MAX_SEGMENT; -ENOMEM. */
int filchi_injector_init(struct filchi_injector *q, uint32_t segment_size);

/* Nobody may be using it. Items still in it are forgotten. */
void filchi_injector_fini(struct filchi_injector *q);

/* Anyone. 0; -ENOMEM: nothing has changed. */
int filchi_injector_push(struct filchi_injector *q, uintptr_t item);

/*
 * Anyone. FILCH_OK, FILCH_EMPTY or FILCH_LOST: another taker was first, or the pusher whose turn it was is not done
 * yet. *item is written only with FILCH_OK.
 */
int filchi_injector_take(struct filchi_injector *q, uintptr_t *item);

/*
 * Anyone. Takes up to max items, max at least 1, in one step: the oldest there are, in order. With FILCH_OK, *taken
 * says how many, at least one; fewer than there are when a segment ends, or when a pusher was overtaken.
 */
int filchi_injector_take_many(struct filchi_injector *q, uintptr_t *items, size_t max, size_t *taken);

/*
 * Anyone. False if an item is there that was there before: not only a hint, but what was pushed, with a fence after it,
 * before a fence of the caller's, is seen. It may say that there is something although there is not.
 */
bool filchi_injector_is_empty(const struct filchi_injector *q);

/* Anyone. How many items there are; exact when nothing else runs, otherwise a hint. */
size_t filchi_injector_size(const struct filchi_injector *q);

#endif
