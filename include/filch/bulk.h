/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bulk queues: one owner pushes whole batches of nodes and pops single ones; thieves take a proportion of what is
 * there, in one operation.
 *
 * Nodes are the caller's: put a struct filch_node into your own struct, and get back to it with FILCH_CONTAINER_OF().
 * The queue allocates nothing per node. Who has taken a node owns it, and may free or push it again at once.
 *
 * push, pop and poll are for the owner: one thread at a time, and when another becomes the owner the program orders the
 * two (a mutex, a join). steal and size are for anyone. create and destroy must not run together with any other call on
 * the same queue. What a thread wrote before it pushed a node is visible to the thread that takes the node.
 *
 * Order: the queue is a list with a near end, the owner's, and a far end. push puts a batch before all that is there,
 * its first node foremost. pop takes the foremost node. steal cuts the list and takes the far part; the batch it
 * answers has its nodes in the order of the list, so that a thief which pushes it into a queue of its own pops them in
 * the order in which the victim would have.
 *
 * src/bulk/README.md compares the kinds.
 */
#ifndef FILCH_BULK_H
#define FILCH_BULK_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_node {
	struct filch_node *next; /* in a batch: what comes after it; NULL for the last */
};

#define FILCH_CONTAINER_OF(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* So many places in a batch are known, at most, where a queue may cut it without walking. */
#define FILCH_BATCH_MARKS 7

struct filch_mark {
	struct filch_node *last;  /* before the cut */
	struct filch_node *first; /* after it */
	size_t before;		  /* nodes of the batch before the cut */
};

/*
 * A list of nodes. Made by the functions below, or by hand: {.first, .last, .count} and the rest zero, which is right,
 * but then no queue can tell its parts. All zero is the empty batch. first and last mean nothing when count is 0.
 */
struct filch_batch {
	struct filch_node *first;
	struct filch_node *last;
	size_t count;
	/* The queue's own. Marks are kept step nodes apart; the next is due at so many nodes. */
	size_t step;
	size_t due;
	size_t marks;
	struct filch_mark mark[FILCH_BATCH_MARKS];
};

static inline void filch_batch_init(struct filch_batch *batch)
{
	batch->first = NULL;
	batch->last = NULL;
	batch->count = 0;
	batch->step = 0;
	batch->due = 0;
	batch->marks = 0;
}

/* For filch_batch_add(): the node, about to be added, starts a new part. */
FILCH_API void filch_batch_mark(struct filch_batch *batch, struct filch_node *node);

/* Adds a node at the end: it will be popped after those added before. */
static inline void filch_batch_add(struct filch_batch *batch, struct filch_node *node)
{
	if (batch->count == batch->due)
		filch_batch_mark(batch, node);
	node->next = NULL;
	if (batch->count)
		batch->last->next = node;
	else
		batch->first = node;
	batch->last = node;
	batch->count++;
}

/* Moves all of more to the end of batch, in constant time; more is empty then. */
FILCH_API void filch_batch_append(struct filch_batch *batch, struct filch_batch *more);

struct filch_bulk;

struct filch_bulk_options {
	size_t size;   /* sizeof(struct filch_bulk_options) */
	size_t chunks; /* "bulk": tell apart so many chunks, 2 to 4096, rounded up to a power of two; 1024 */
};

struct filch_bulk_info {
	const char *name;
	const char *summary; /* one line */
	enum filch_progress push_progress;
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	int on_request; /* the owner shares, or shares more, at its next push, pop or poll after steal answered EMPTY */
};

/*
 * Makes a queue of the kind named; NULL: "bulk". opt may be NULL.
 * -ENOENT: no such kind. -EINVAL: out is NULL, or options that make no sense. -ENOMEM.
 */
FILCH_API int filch_bulk_create(struct filch_bulk **out, const char *kind, const struct filch_bulk_options *opt);

/* Nodes still in it are forgotten. NULL is let be. */
FILCH_API void filch_bulk_destroy(struct filch_bulk *q);

/*
 * Owner. Puts the whole batch before all that is there, in one operation. 0; -EINVAL: a NULL argument. Nothing else can
 * go wrong: no memory is needed. An empty batch changes nothing. The struct itself is not kept, the nodes are. A batch
 * whose count or last is not that of its list is a mistake of the caller's; only assertions find it.
 */
FILCH_API int filch_bulk_push(struct filch_bulk *q, const struct filch_batch *batch);

/*
 * Owner. Takes the foremost node, that is the first of the newest batch. FILCH_OK or FILCH_EMPTY; *node is written only
 * with FILCH_OK, and its next is then without meaning. -EINVAL: a NULL argument.
 */
FILCH_API int filch_bulk_pop(struct filch_bulk *q, struct filch_node **node);

/*
 * Anyone. Takes about that proportion of what is there, and at least one node, from the far end, in one operation: how
 * near it comes to the proportion is a matter of the kind. FILCH_OK, FILCH_EMPTY or FILCH_LOST; *batch is written only
 * with FILCH_OK. FILCH_EMPTY: there is nothing, or the owner holds it back, and will share at its next push, pop or
 * poll. A proportion of 0 takes nothing: FILCH_EMPTY. -EINVAL: a NULL argument, a proportion that is not in 0..1.
 */
FILCH_API int filch_bulk_steal(struct filch_bulk *q, double proportion, struct filch_batch *batch);

/* Owner. Serves thieves that found nothing, as push and pop do. To be called in long work. NULL is let be. */
FILCH_API void filch_bulk_poll(struct filch_bulk *q);

/* Anyone. How many nodes there are; exact when nothing else runs, otherwise a hint. NULL has none. */
FILCH_API size_t filch_bulk_size(const struct filch_bulk *q);

/* The kinds there are, numbered from 0. NULL beyond the last. */
FILCH_API unsigned filch_bulk_kind_count(void);
FILCH_API const char *filch_bulk_kind_name(unsigned kind);
FILCH_API const struct filch_bulk_info *filch_bulk_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
