/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract inside the library that all kinds of deques keep. Each algorithm is a header with
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
 * so that the compiler can inline it in code that knows the kind. If the algorithm has them, there are also
 *
 *   static inline int    filchi_KIND_steal_many(struct filchi_KIND *, uintptr_t *items, size_t max, size_t *taken)
 *   static inline void   filchi_KIND_poll(struct filchi_KIND *)
 *   static inline void   filchi_KIND_moves(const struct filchi_KIND *, uint64_t *grows, uint64_t *shrinks)
 *
 * deque.c makes a table of operations for each kind.
 */
#ifndef FILCHI_DEQUE_DEQUE_H
#define FILCHI_DEQUE_DEQUE_H

#include "../base/atomic.h"
#include "../base/compiler.h"
#include "../base/error.h"

#include <errno.h>
#include <filch/deque.h>

/* The capacity at first. In a checked build it is so small that a few pushes make the deque grow. */
#define FILCHI_DEQUE_CAPACITY ((size_t)FILCHI_TUNE(512, 2))

/*
 * Half a terabyte of items, or with 32 bits a quarter of a gigabyte: a larger value must be a mistake. Keeps sizes in
 * bytes far from overflow.
 */
#define FILCHI_DEQUE_MAX_CAPACITY ((size_t)1 << (FILCHI_WORD_BITS == 64 ? 36 : 26))

/* The properties of a new deque. filchi_deque_setup() makes it from options; a test may set more than options can. */
struct filchi_deque_setup {
	size_t capacity;     /* a power of two */
	size_t max_capacity; /* a power of two, not less than capacity; equal to it for a bounded kind */
	uint64_t first;	     /* the index of the first item: tests start near where indices wrap */
	size_t block_size;   /* for a kind made of blocks: a power of two, at most the capacity; 0: the kind chooses */
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
	/* Each may be NULL: the kind steals single items, has nothing to poll, has no border that moves. */
	int (*steal_many)(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken);
	void (*poll)(struct filch_deque *d);
	/* Moves of the border between the owner-private and the shared part. For other threads a hint. */
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
 * For the push of a kind that grows. A worker whose deque cannot grow runs the item at once, and may call this often.
 * So the text has no numbers.
 */
static inline int filchi_deque_cannot_grow(void)
{
	return filchi_fail_text(-ENOMEM, "the deque cannot grow: max_capacity or the memory allows no more items");
}

extern const struct filchi_deque_kind filchi_deque_kinds[];
extern const unsigned filchi_deque_kind_count;

/* NULL if no kind has that name. */
const struct filchi_deque_kind *filchi_deque_find(const char *name);

/* The split deque itself, for callers that inline its operations; NULL if d is of another kind. */
struct filchi_split *filchi_deque_split(struct filch_deque *d);

/* Checks options and completes them. 0 or -EINVAL. */
int filchi_deque_setup(struct filchi_deque_setup *setup, const struct filchi_deque_kind *kind,
		       const struct filch_deque_options *opt);

#endif
