/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bulk queues. One thread, the owner, pushes whole batches of nodes and pops single nodes. Other threads, the thieves,
 * take a proportion of the nodes (a half, for example) in one operation.
 *
 * The nodes are yours: put a struct filch_node into your own struct, and get from the node to your struct with
 * FILCH_CONTAINER_OF(). The queue allocates no memory for nodes. The thread that has taken a node owns it, and may free
 * it or push it again at once.
 *
 * push, pop and poll are for the owner, that is for one thread at a time. Another thread may become the owner if the
 * program orders the two (by a mutex or a join, for example). steal and size are for any thread. create and destroy
 * must not run at the same time as any other call on the same queue. What a thread has written before it pushes a node
 * is visible to the thread that takes the node.
 *
 * Order: the queue is a list. push puts a batch before all the nodes that are there; the first node of the batch is
 * then the first of the list. pop takes the first node of the list. steal takes the last part of the list, and keeps
 * its order: a thief that pushes what it has stolen into its own queue pops the nodes in the same order as the victim
 * would have.
 *
 * src/bulk/README.md, in the sources of filch, compares the kinds.
 */
#ifndef FILCH_BULK_H
#define FILCH_BULK_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_node {
	struct filch_node *next; /* in a batch: the node after this one; NULL for the last */
};

#define FILCH_CONTAINER_OF(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* How many places of a batch are remembered, at most, where a queue can cut it without walking along the list. */
#define FILCH_BATCH_MARKS 7

struct filch_mark {
	struct filch_node *last;  /* before the cut */
	struct filch_node *first; /* after it */
	size_t before;		  /* nodes of the batch before the cut */
};

/*
 * A list of nodes. It is made by the functions below, or by hand: first, last and count are set, and all other fields
 * are zero. A batch that was made by hand is valid, but a queue may be unable to cut it. All zero is the empty batch.
 * If count is 0, first and last have no meaning.
 */
struct filch_batch {
	struct filch_node *first;
	struct filch_node *last;
	size_t count;
	/* For the library only. Marks are step nodes apart; the next one is made when there are due nodes. */
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

/* For filch_batch_add() only: remembers that a new part starts with this node, which is about to be added. */
FILCH_API void filch_batch_mark_(struct filch_batch *batch, struct filch_node *node);

/* Adds a node at the end: it will be popped after the nodes that were added before. */
static inline void filch_batch_add(struct filch_batch *batch, struct filch_node *node)
{
	if (batch->count == batch->due)
		filch_batch_mark_(batch, node);
	node->next = NULL;
	if (batch->count)
		batch->last->next = node;
	else
		batch->first = node;
	batch->last = node;
	batch->count++;
}

/* Moves all nodes of more to the end of batch, in constant time. more is empty afterwards. */
FILCH_API void filch_batch_append(struct filch_batch *batch, struct filch_batch *more);

struct filch_bulk;

struct filch_bulk_options {
	size_t struct_size; /* sizeof(struct filch_bulk_options) */
	size_t chunks; /* "bulk": how many chunks it can tell apart, 2 to 4096, rounded up to a power of two; 0: 1024 */
};

struct filch_bulk_info {
	const char *name;
	const char *summary; /* one line */
	enum filch_progress push_progress;
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	int on_request; /* 1: after FILCH_EMPTY the owner shares, or shares more, at its next push, pop or poll */
};

/*
 * Makes a queue of the kind with that name; NULL: "bulk". opt may be NULL.
 * 0; -ENOENT: there is no such kind; -EINVAL: out is NULL, or the options make no sense; -ENOMEM.
 */
FILCH_API int filch_bulk_create(struct filch_bulk **out, const char *kind, const struct filch_bulk_options *opt);

/* Frees the queue. Nodes that are still in it are not touched. q may be NULL. */
FILCH_API void filch_bulk_destroy(struct filch_bulk *q);

/*
 * Owner. Puts the whole batch before all the nodes that are there, in one operation. 0; -EINVAL: an argument is NULL.
 * There are no other errors: no memory is needed. An empty batch changes nothing. The queue keeps the nodes but not the
 * struct filch_batch. The batch's count and last must be right; only debug builds check that.
 */
FILCH_API int filch_bulk_push(struct filch_bulk *q, const struct filch_batch *batch);

/*
 * Owner. Takes the first node of the list, that is the first one of the newest batch. FILCH_OK or FILCH_EMPTY; *node is
 * written only with FILCH_OK, and the next of that node has no meaning. -EINVAL: an argument is NULL.
 */
FILCH_API int filch_bulk_pop(struct filch_bulk *q, struct filch_node **node);

/*
 * Any thread. Takes about that proportion of the nodes, and at least one, from the end of the list, in one operation.
 * How close it comes to the proportion depends on the kind. FILCH_OK, FILCH_EMPTY or FILCH_LOST; *batch is written only
 * with FILCH_OK. FILCH_EMPTY: there are no nodes; or the owner holds them back, and will share some at its next push,
 * pop or poll; or the proportion is 0. -EINVAL: an argument is NULL, or the proportion is not in 0..1.
 */
FILCH_API int filch_bulk_steal(struct filch_bulk *q, double proportion, struct filch_batch *batch);

/* Owner. Shares nodes with thieves that found none, as push and pop do. To be called in long work. q may be NULL. */
FILCH_API void filch_bulk_poll(struct filch_bulk *q);

/* Any thread. How many nodes there are: exact if no other call runs at the same time, else a hint. 0 if q is NULL. */
FILCH_API size_t filch_bulk_size(const struct filch_bulk *q);

/* The kinds there are, numbered from 0. NULL after the last. */
FILCH_API unsigned filch_bulk_kind_count(void);
FILCH_API const char *filch_bulk_kind_name(unsigned kind);
FILCH_API const struct filch_bulk_info *filch_bulk_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
