/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What binds the kinds of deques together. Each algorithm is a header of its own with
 *
 *   struct filchi_KIND
 *   static inline int    filchi_KIND_init(struct filchi_KIND *, const struct filchi_deque_setup *)
 *   static inline void   filchi_KIND_fini(struct filchi_KIND *)
 *   static inline int    filchi_KIND_push(struct filchi_KIND *, uintptr_t item)
 *   static inline int    filchi_KIND_pop(struct filchi_KIND *, uintptr_t *item)
 *   static inline int    filchi_KIND_steal(struct filchi_KIND *, uintptr_t *item)
 *   static inline size_t filchi_KIND_size(const struct filchi_KIND *)
 *   #define FILCHI_KIND_INFO, FILCHI_KIND_MAX_CAPACITY
 *
 * so that code which knows the kind can have it inlined, and where the algorithm has them
 *
 *   static inline int    filchi_KIND_steal_many(struct filchi_KIND *, uintptr_t *items, size_t max, size_t *taken)
 *   static inline void   filchi_KIND_poll(struct filchi_KIND *)
 *   static inline void   filchi_KIND_moves(const struct filchi_KIND *, uint64_t *grows, uint64_t *shrinks)
 *
 * deque.c makes a table of operations of each.
 */
#ifndef FILCHI_DEQUE_DEQUE_H
#define FILCHI_DEQUE_DEQUE_H

#include "../base/atomic.h"
#include "../base/compiler.h"
#include "../base/error.h"

#include <errno.h>
#include <filch/deque.h>

/* Where a deque starts: in a checked build so small that a few pushes make it grow. */
#define FILCHI_DEQUE_CAPACITY ((size_t)FILCHI_TUNE(512, 2))

/* More is a mistake, not a wish: half a terabyte of items. Keeps sizes in bytes far from overflow. */
#define FILCHI_DEQUE_MAX_CAPACITY ((size_t)1 << 36)

/* How a deque is to be made. From options by filchi_deque_setup(), or by a test that wants more. */
struct filchi_deque_setup {
	size_t capacity;     /* a power of two */
	size_t max_capacity; /* a power of two, not less; of a bounded kind, equal */
	uint64_t first;	     /* the index of the first item: tests start near where indices wrap */
	size_t block_size;   /* of a kind made of blocks: a power of two, at most the capacity; 0: it chooses */
};

/* A slot that a thief may read while the owner writes it. */
struct filchi_slot {
	FILCHI_ATOMIC(uintptr_t) item;
};

struct filchi_deque_ops {
	int (*create)(struct filch_deque **out, const struct filchi_deque_setup *setup);
	void (*destroy)(struct filch_deque *d);
	int (*push)(struct filch_deque *d, uintptr_t item);
	int (*pop)(struct filch_deque *d, uintptr_t *item);
	int (*steal)(struct filch_deque *d, uintptr_t *item);
	size_t (*size)(const struct filch_deque *d);
	/* NULL: one at a time; nothing to do; there is nothing that moves. */
	int (*steal_many)(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken);
	void (*poll)(struct filch_deque *d);
	/* Of the line between what is private and what is shared: a hint to others. */
	void (*moves)(const struct filch_deque *d, uint64_t *grows, uint64_t *shrinks);
};

struct filchi_deque_kind {
	struct filch_deque_info info;
	size_t max_capacity; /* unless the options say otherwise */
	struct filchi_deque_ops ops;
};

/* Every deque behind the public contract starts with this. */
struct filch_deque {
	const struct filchi_deque_ops *ops;
};

/*
 * For the push of a kind that grows. A worker whose deque cannot grow runs the item at once and may be here often: so
 * the text has no numbers in it.
 */
static inline int filchi_deque_cannot_grow(void)
{
	return filchi_fail_text(-ENOMEM, "the deque cannot grow: max_capacity or the memory allows no more items");
}

extern const struct filchi_deque_kind filchi_deque_kinds[];
extern const unsigned filchi_deque_kind_count;

/* NULL if there is none of that name. */
const struct filchi_deque_kind *filchi_deque_find(const char *name);

/* The deque itself, for who has it inlined, or NULL if it is not of this kind. */
struct filchi_split *filchi_deque_split(struct filch_deque *d);

/* Checks options and completes them. 0 or -EINVAL. */
int filchi_deque_setup(struct filchi_deque_setup *setup, const struct filchi_deque_kind *kind,
		       const struct filch_deque_options *opt);

#endif
