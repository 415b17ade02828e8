/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-stealing deques: one owner pushes and pops at one end, thieves steal at the other.
 *
 * An item is one machine word, and any value is an item. push and pop are for the owner: one thread at a time, and
 * when another becomes the owner the program orders the two (a mutex, a join); only of a kind with many_owners all
 * threads may push and pop. steal and size are for anyone. create and destroy must not run together with any other call
 * on the same deque.
 *
 * What a thread wrote before it pushed an item is visible to the thread that takes the item.
 *
 * The kinds. filch_deque_kind_name() lists those of the library in use, filch_deque_kind_info() says what each can do,
 * and src/deque/README.md compares them: which calls may run together, progress, order, and what each answer means.
 *
 *   "locked"          a ring behind a mutex: to compare with
 *   "global"          a queue behind a mutex that all threads share: any number of owners
 *   "abp"             a fixed array, Arora, Blumofe and Plaxton's
 *   "chase_lev"       a growing ring, Chase and Lev's: the usual choice
 *   "chase_lev_asym"  likewise, but the owner is spared its fence, and a steal takes microseconds
 *   "split"           a private part, and one that is shared on request: push and pop are cheapest
 *   "private"         the owner's alone, who gives when it is asked
 *   "bwos_lifo"       blocks, of which thieves get full ones; a stack to the owner
 *   "bwos_fifo"       likewise, a queue to the owner
 */
#ifndef FILCH_DEQUE_H
#define FILCH_DEQUE_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_deque;

/*
 * Capacities are rounded up to powers of two; more than 2^36 is -EINVAL, as is a capacity above a max_capacity that is
 * not 0. A bounded kind never grows: it has room for capacity items, or if that is 0 for max_capacity, or else for the
 * kind's own number: 8,192.
 */
struct filch_deque_options {
	size_t size;	     /* sizeof(struct filch_deque_options); 0 is -EINVAL */
	size_t capacity;     /* items to have room for from the start; 0: 512 */
	size_t max_capacity; /* what it may grow to, a push beyond is -ENOMEM; 0: 2^36 ("split": 2^26, or capacity) */
	size_t block_size;   /* kinds made of blocks: items in one, a power of two up to the capacity; 0: it chooses */
};

struct filch_deque_info {
	const char *name;
	const char *summary;		   /* one line */
	enum filch_order owner_order;	   /* of pop, against push */
	enum filch_order steal_order;	   /* of steal, against push */
	enum filch_progress push_progress; /* growth aside: it asks the system for memory */
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	unsigned thieves; /* how many may steal at once; 0: any number */
	int many_owners;  /* any number of threads may push and pop at once; else one, the owner */
	int bounded;	  /* push answers -ENOBUFS when full; else it grows, and refuses only with -ENOMEM */
	int blocks;	  /* made of blocks: block_size is of use */
	int holds_back;	  /* steal may answer EMPTY while the owner holds items */
	int on_request;	  /* it holds back, but after an EMPTY it shares at the owner's next push, pop or poll */
	int loses;	  /* steal may answer LOST */
	int steal_many;	  /* takes several in one step; else filch_deque_steal_many() takes one */
};

/*
 * Makes a deque of the kind named. opt may be NULL.
 * -ENOENT: no such kind. -EINVAL: a NULL argument, or options that make no sense. -ENOMEM.
 */
FILCH_API int filch_deque_create(struct filch_deque **out, const char *kind, const struct filch_deque_options *opt);

/* Items still in it are forgotten. NULL is let be. */
FILCH_API void filch_deque_destroy(struct filch_deque *d);

/*
 * Owner. 0; -ENOBUFS: full (bounded kinds); -ENOMEM: could not grow, or has max_capacity; -EINVAL: d is NULL. A refused
 * push changes nothing.
 */
FILCH_API int filch_deque_push(struct filch_deque *d, uintptr_t item);

/* Owner. FILCH_OK or FILCH_EMPTY; *item is written only with FILCH_OK. -EINVAL: a NULL argument. */
FILCH_API int filch_deque_pop(struct filch_deque *d, uintptr_t *item);

/* Anyone. FILCH_OK, FILCH_EMPTY or FILCH_LOST; *item is written only with FILCH_OK. -EINVAL: a NULL argument. */
FILCH_API int filch_deque_steal(struct filch_deque *d, uintptr_t *item);

/*
 * Anyone. Takes up to max items, oldest first as far as the kind has an order, in one step where the kind can. With
 * FILCH_OK, *taken says how many, at least one. -EINVAL: a NULL argument, or a max of 0.
 */
FILCH_API int filch_deque_steal_many(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken);

/*
 * Owner. Serves thieves that wait (kinds that share on request), as push and pop do; "split" shares half of what it
 * holds back even if nobody waits. To be called in long work, and before it.
 */
FILCH_API void filch_deque_poll(struct filch_deque *d);

/* Anyone. How many items there are; exact when nothing else runs, otherwise a hint. NULL has none. */
FILCH_API size_t filch_deque_size(const struct filch_deque *d);

/* The kinds there are, numbered from 0. NULL beyond the last. */
FILCH_API unsigned filch_deque_kind_count(void);
FILCH_API const char *filch_deque_kind_name(unsigned kind);
FILCH_API const struct filch_deque_info *filch_deque_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
