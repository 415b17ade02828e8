/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-stealing deques. One thread, the owner, pushes and pops items at one end. Other threads, the thieves, steal
 * items at the other end.
 *
 * An item is one machine word, and may have any value.
 *
 * push, pop and poll are for the owner, that is for one thread at a time. Another thread may become the owner if the
 * program orders the two (by a mutex or a join, for example). Only with a kind that has many_owners set, all threads
 * may push and pop at the same time. steal and size are for any thread. create and destroy must not run at the same
 * time as any other call on the same deque.
 *
 * What a thread has written before it pushes an item is visible to the thread that takes the item.
 *
 * These are the kinds. filch_deque_kind_name() lists those that the library has, and filch_deque_kind_info() says what
 * each can do. src/deque/README.md, in the sources of filch, compares them: which calls may run together, progress,
 * order, and what each result means.
 *
 *   "locked"          a ring buffer with a mutex, for comparison
 *   "global"          a queue with a mutex that all threads share: any number of owners
 *   "abp"             a fixed array, by Arora, Blumofe and Plaxton
 *   "chase_lev"       a ring buffer that grows, by Chase and Lev: the usual choice
 *   "chase_lev_asym"  the same, but the owner needs no fence, and a steal takes microseconds
 *   "split"           a private part, and a part that is shared when thieves ask: push and pop are cheapest
 *   "private"         only the owner touches it; the owner hands items over when thieves ask
 *   "bwos_lifo"       made of blocks; thieves get the full ones. LIFO for the owner
 *   "bwos_fifo"       the same, FIFO for the owner
 */
#ifndef FILCH_DEQUE_H
#define FILCH_DEQUE_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_deque;

/*
 * Capacities are rounded up to powers of two. More than 2^36 is -EINVAL, and so is a capacity that is greater than
 * max_capacity, if that is not 0. A bounded kind never grows: it has room for capacity items; if that is 0, for
 * max_capacity; if that is 0 as well, for 8,192.
 */
struct filch_deque_options {
	size_t struct_size;  /* sizeof(struct filch_deque_options); 0 is -EINVAL */
	size_t capacity;     /* how many items there is room for at first; 0: 512 */
	size_t max_capacity; /* it grows up to this, then push is -ENOMEM; 0: 2^36 ("split": 2^26, or capacity) */
	size_t block_size;   /* kinds made of blocks: items in one, a power of two up to capacity; 0: it chooses */
};

struct filch_deque_info {
	const char *name;
	const char *summary;		   /* one line */
	enum filch_order owner_order;	   /* in which pop takes items */
	enum filch_order steal_order;	   /* in which steal takes items */
	enum filch_progress push_progress; /* except when it grows, and asks the system for memory */
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	unsigned thieves;  /* how many may steal at the same time; 0: any number */
	int many_owners;   /* 1: any number of threads may push and pop at the same time; 0: only the owner */
	int bounded;	   /* 1: push returns -ENOBUFS when it is full; 0: it grows, or returns -ENOMEM */
	int blocks;	   /* 1: made of blocks; the option block_size has an effect */
	int owner_private; /* 1: steal may return FILCH_EMPTY although the owner has items */
	int on_request;	   /* 1: it does, but then the owner shares items at its next push, pop or poll */
	int loses;	   /* 1: steal may return FILCH_LOST */
	int steal_many;	   /* 1: filch_deque_steal_many() can take several items in one step; 0: it takes one */
};

/*
 * Makes a deque of the kind with that name; NULL: "split". opt may be NULL.
 * 0; -ENOENT: there is no such kind; -EINVAL: out is NULL, or the options make no sense; -ENOMEM.
 */
FILCH_API int filch_deque_create(struct filch_deque **out, const char *kind, const struct filch_deque_options *opt);

/* Frees the deque. Items that are still in it are lost. d may be NULL. */
FILCH_API void filch_deque_destroy(struct filch_deque *d);

/*
 * Owner. 0; -ENOBUFS: a bounded kind is full; -ENOMEM: it cannot grow, or not beyond max_capacity; -EINVAL: d is NULL.
 * A push that fails changes nothing.
 */
FILCH_API int filch_deque_push(struct filch_deque *d, uintptr_t item);

/* Owner. FILCH_OK or FILCH_EMPTY; *item is written only with FILCH_OK. -EINVAL: an argument is NULL. */
FILCH_API int filch_deque_pop(struct filch_deque *d, uintptr_t *item);

/* Any thread. FILCH_OK, FILCH_EMPTY or FILCH_LOST; *item is written only with FILCH_OK. -EINVAL: as with pop. */
FILCH_API int filch_deque_steal(struct filch_deque *d, uintptr_t *item);

/*
 * Any thread. Takes up to max items, the oldest first if the kind has an order; in one step, if the kind can do that.
 * With FILCH_OK, *taken is how many: at least one. -EINVAL: an argument is NULL, or max is 0.
 */
FILCH_API int filch_deque_steal_many(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken);

/*
 * Owner. For kinds that share on request: hands items over to thieves that wait, as push and pop do. "split" shares
 * half of what it holds back even if no thief waits. Call it before work that takes long, and now and then during it.
 */
FILCH_API void filch_deque_poll(struct filch_deque *d);

/* Any thread. How many items there are: exact if no other call runs at the same time, else a hint. 0 if d is NULL. */
FILCH_API size_t filch_deque_size(const struct filch_deque *d);

/* The kinds there are, numbered from 0. NULL after the last. */
FILCH_API unsigned filch_deque_kind_count(void);
FILCH_API const char *filch_deque_kind_name(unsigned kind);
FILCH_API const struct filch_deque_info *filch_deque_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
