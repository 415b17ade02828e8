/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-stealing deques: one owner pushes and pops at one end, thieves steal at the other.
 *
 * An item is one machine word, and any value is an item. push and pop are for the owner: one thread at a time, and
 * when another becomes the owner the program orders the two (a mutex, a join). steal and size are for anyone. create
 * and destroy must not run together with any other call on the same deque.
 *
 * What a thread wrote before it pushed an item is visible to the thread that takes the item.
 *
 * src/deque/README.md compares the kinds: which calls may run together, progress, order, and what each answer means.
 */
#ifndef FILCH_DEQUE_H
#define FILCH_DEQUE_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_deque;

struct filch_deque_options {
	size_t size;	     /* sizeof(struct filch_deque_options) */
	size_t capacity;     /* items to have room for from the start; rounded up to a power of two */
	size_t max_capacity; /* never hold more than this, rounded up likewise; beyond it push answers -ENOMEM */
	size_t block_size;   /* kinds made of blocks: items in one, a power of two that divides the capacity */
};

/* A bounded kind has room for capacity items, or else for max_capacity; it never grows. */

struct filch_deque_info {
	const char *name;
	const char *summary;		   /* one line */
	enum filch_order owner_order;	   /* of pop, against push */
	enum filch_order steal_order;	   /* of steal, against push */
	enum filch_progress push_progress; /* growth aside: it asks the system for memory */
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	unsigned thieves; /* how many may steal at once; 0: any number */
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

/* Owner. 0; -ENOBUFS: full (bounded kinds); -ENOMEM: could not grow. A refused push changes nothing. */
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

/* Owner. Serves thieves that wait (kinds that share on request), as push and pop do. To be called in long work. */
FILCH_API void filch_deque_poll(struct filch_deque *d);

/* Anyone. How many items there are; exact when nothing else runs, otherwise a hint. NULL has none. */
FILCH_API size_t filch_deque_size(const struct filch_deque *d);

/* The kinds there are, numbered from 0. NULL beyond the last. */
FILCH_API unsigned filch_deque_kind_count(void);
FILCH_API const char *filch_deque_kind_name(unsigned kind);
FILCH_API const struct filch_deque_info *filch_deque_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
