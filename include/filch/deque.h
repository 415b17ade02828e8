/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-stealing deques. One thread, the owner, pushes and pops items at one end. Other threads, the thieves, steal
 * items at the other end.
 *
 *	filch_deque_create(&deque, "chase_lev", NULL);
 *	filch_deque_push(deque, item);                  owner
 *	result = filch_deque_pop(deque, &item);         owner: FILCH_OK or FILCH_EMPTY
 *	result = filch_deque_steal(deque, &item);       any thread: FILCH_OK, FILCH_EMPTY or FILCH_LOST
 *
 * Rules
 * - An item is one machine word with any value.
 * - Only the owner calls push, pop and poll. Another thread may become the owner if the program orders the two threads,
 *   for example by a mutex or a join. In a kind with many_owners all threads may push and pop at the same time.
 * - Any thread may call steal, steal_many and size at any time.
 * - No other call on the deque may run at the same time as create and destroy.
 * - Writes before the push of an item are visible to the thread that takes the item.
 *
 * filch_deque_kind_name() lists the kinds, and filch_deque_kind_info() describes each. src/deque/README.md compares
 * the kinds: which calls may run together, progress, order, and the meaning of each result.
 *
 *   "locked"          a ring buffer with a mutex, for comparison
 *   "global"          a queue with a mutex that all threads share: any number of owners
 *   "abp"             a fixed array, by Arora, Blumofe and Plaxton
 *   "chase_lev"       a ring buffer that grows, by Chase and Lev: the usual choice
 *   "chase_lev_asym"  chase_lev without a fence in the owner; a steal takes microseconds
 *   "split"           a private part, and a part that the owner shares when thieves ask: push and pop are cheapest
 *   "private"         only the owner touches it, and hands items over when thieves ask
 *   "bwos_lifo"       made of blocks; thieves take from the full blocks. LIFO for the owner
 *   "bwos_fifo"       made of blocks; FIFO for the owner
 *
 * Manual: filch_deque(3).
 */
#ifndef FILCH_DEQUE_H
#define FILCH_DEQUE_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_deque;

/*
 * Capacities are rounded up to powers of two. A capacity above 2^36, or above max_capacity, is -EINVAL. A bounded kind
 * never grows: it has room for capacity items, or max_capacity if that is 0, or 8,192 if both are 0.
 */
struct filch_deque_options {
	size_t struct_size;  /* sizeof(struct filch_deque_options) */
	size_t capacity;     /* room for items at first; 0: 512 */
	size_t max_capacity; /* a push beyond it is -ENOMEM; 0: 2^36 ("split": 2^26, or capacity) */
	size_t block_size;   /* items in a block, a power of two up to capacity; 0: the kind chooses */
};

struct filch_deque_info {
	const char *name;
	const char *summary;		   /* one line */
	enum filch_order owner_order;	   /* the order in which pop takes items */
	enum filch_order steal_order;	   /* the order in which steal takes items */
	enum filch_progress push_progress; /* except for growth, which asks the system for memory */
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	unsigned thieves;  /* thieves that may steal at the same time; 0: any number */
	int many_owners;   /* 1: any number of threads may push and pop at the same time; 0: only the owner */
	int bounded;	   /* 1: push returns -ENOBUFS if the deque is full; 0: the deque grows, or push is -ENOMEM */
	int blocks;	   /* 1: made of blocks; the option block_size has an effect */
	int owner_private; /* 1: steal may return FILCH_EMPTY although the owner has items */
	int on_request;	   /* 1: after such a FILCH_EMPTY the owner shares items at its next push, pop or poll */
	int loses;	   /* 1: steal may return FILCH_LOST */
	int steal_many;	   /* 1: filch_deque_steal_many() can take several items in one step; 0: it takes one item */
};

/*
 * Makes a deque of a kind; NULL: "split". opt may be NULL. 0; -ENOENT: there is no such kind; -EINVAL: out is NULL, or
 * an option has a value that is not allowed; -ENOMEM.
 */
FILCH_API int filch_deque_create(struct filch_deque **out, const char *kind, const struct filch_deque_options *opt);

/* Frees the deque. Items that are still in it are lost. d may be NULL. */
FILCH_API void filch_deque_destroy(struct filch_deque *d);

/*
 * Owner. Pushes an item. 0; -ENOBUFS: a bounded deque is full; -ENOMEM: the deque cannot grow; -EINVAL: d is NULL. A
 * push that fails changes nothing.
 */
FILCH_API int filch_deque_push(struct filch_deque *d, uintptr_t item);

/* Owner. Takes an item. FILCH_OK or FILCH_EMPTY; only FILCH_OK writes *item. -EINVAL: an argument is NULL. */
FILCH_API int filch_deque_pop(struct filch_deque *d, uintptr_t *item);

/*
 * Any thread. Takes an item from the other end. FILCH_OK, FILCH_EMPTY or FILCH_LOST; only FILCH_OK writes *item.
 * -EINVAL: an argument is NULL.
 */
FILCH_API int filch_deque_steal(struct filch_deque *d, uintptr_t *item);

/*
 * Any thread. Takes up to max items, in one step if the kind can do that; the oldest first, if the kind has an order.
 * With FILCH_OK, *taken is the number of items, at least one. -EINVAL: an argument is NULL, or max is 0.
 */
FILCH_API int filch_deque_steal_many(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken);

/*
 * Owner. Shares items with thieves that have asked, as push and pop do, in a kind with on_request. "split" shares half
 * of its private items even if no thief has asked. Call this before work that takes long, and now and then during it.
 */
FILCH_API void filch_deque_poll(struct filch_deque *d);

/* Any thread. Returns the number of items: exact while no other call runs, else a hint. 0 if d is NULL. */
FILCH_API size_t filch_deque_size(const struct filch_deque *d);

/* Return the number of kinds, and the name and description of each, numbered from 0. NULL: no such kind. */
FILCH_API unsigned filch_deque_kind_count(void);
FILCH_API const char *filch_deque_kind_name(unsigned kind);
FILCH_API const struct filch_deque_info *filch_deque_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
