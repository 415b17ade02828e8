/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bulk queues: one thread, the owner, pushes whole batches of nodes and pops single nodes; other threads, the thieves,
 * take a proportion of the nodes, for example a half, in one operation.
 *
 *	filch_bulk_create(&queue, NULL, NULL);
 *	filch_batch_init(&batch);
 *	filch_batch_add(&batch, &thing->node);
 *	filch_bulk_push(queue, &batch);                   owner
 *	result = filch_bulk_pop(queue, &node);            owner: FILCH_OK or FILCH_EMPTY
 *	result = filch_bulk_steal(queue, 0.5, &batch);    any thread: FILCH_OK, FILCH_EMPTY or FILCH_LOST
 *	thing = FILCH_CONTAINER_OF(node, struct thing, node);
 *
 * Rules
 * - The program provides the nodes: put a struct filch_node into your own struct. The queue allocates no memory for
 *   nodes. A thread that has taken a node owns it, and may free it or push it again at once.
 * - Only the owner calls push, pop and poll. Another thread may become the owner if the program orders the two threads,
 *   for example by a mutex or a join.
 * - Any thread may call steal and size at any time.
 * - No other call on the queue may run at the same time as create and destroy.
 * - Writes before the push of a node are visible to the thread that takes the node.
 *
 * Order: the queue is a list. push puts a batch before all nodes of the list, with the first node of the batch first.
 * pop takes the first node of the list. steal takes the last part of the list and keeps its order. A thief that pushes
 * the stolen batch into its own queue pops the nodes in the order in which the victim would have popped them.
 *
 * src/bulk/README.md compares the kinds. Manual: filch_bulk(3).
 */
#ifndef FILCH_BULK_H
#define FILCH_BULK_H

#include "base.h"
#include "detail/cast.h"

FILCH_BEGIN_DECLS

struct filch_node {
	struct filch_node *next; /* in a batch: the node after this one; NULL for the last */
};

#define FILCH_CONTAINER_OF(node, type, member)                                                                         \
	FILCHI_CAST(type *, FILCHI_CAST(void *, FILCHI_RECAST(char *, node) - offsetof(type, member)))

/* The most marks of a batch: places where a queue can cut the batch without a walk along the list. */
#define FILCH_BATCH_MARKS 7

struct filch_mark {
	struct filch_node *last;  /* the last node before the cut */
	struct filch_node *first; /* the first node after the cut */
	size_t before;		  /* nodes of the batch before the cut */
};

/*
 * A list of nodes. The functions below make batches. A program can also make one by hand: it sets first, last and
 * count, and all other fields to zero. Such a batch is valid, but a queue may be unable to cut it. A batch of all zeros
 * is empty. If count is 0, first and last have no meaning.
 */
struct filch_batch {
	struct filch_node *first;
	struct filch_node *last;
	size_t count;
	/* For the library only. There are step nodes between marks, and filch_batch_add makes a mark at due nodes. */
	size_t step;
	size_t due;
	size_t marks;
	struct filch_mark mark[FILCH_BATCH_MARKS];
};

static inline void filch_batch_init(struct filch_batch *batch)
{
	batch->first = FILCHI_NULL;
	batch->last = FILCHI_NULL;
	batch->count = 0;
	batch->step = 0;
	batch->due = 0;
	batch->marks = 0;
}

/* For filch_batch_add() only: marks the node, which is about to be added, as the start of a new part. */
FILCH_API void filch_batch_mark_(struct filch_batch *batch, struct filch_node *node);

/* Adds a node at the end: the owner will pop it after the nodes that were added before. */
static inline void filch_batch_add(struct filch_batch *batch, struct filch_node *node)
{
	if (batch->count == batch->due)
		filch_batch_mark_(batch, node);
	node->next = FILCHI_NULL;
	if (batch->count)
		batch->last->next = node;
	else
		batch->first = node;
	batch->last = node;
	batch->count++;
}

/* Moves all nodes of more to the end of batch, in constant time. more is then empty. */
FILCH_API void filch_batch_append(struct filch_batch *batch, struct filch_batch *more);

struct filch_bulk;

struct filch_bulk_options {
	size_t struct_size; /* sizeof(struct filch_bulk_options) */
	size_t chunks;	    /* "bulk": the most chunks, 2 to 4096, rounded up to a power of two; 0: 1024 */
};

struct filch_bulk_info {
	const char *name;
	const char *summary; /* one line */
	enum filch_progress push_progress;
	enum filch_progress pop_progress;
	enum filch_progress steal_progress;
	int on_request; /* 1: after FILCH_EMPTY the owner shares more nodes at its next push, pop or poll */
};

/*
 * Makes a queue of a kind; NULL: "bulk". opt may be NULL. 0; -ENOENT: there is no such kind; -EINVAL: out is NULL, or
 * an option has a value that is not allowed; -ENOMEM.
 */
FILCH_API int filch_bulk_create(struct filch_bulk **out, const char *kind, const struct filch_bulk_options *opt);

/* Frees the queue, without a look at nodes that are still in it. q may be NULL. */
FILCH_API void filch_bulk_destroy(struct filch_bulk *q);

/*
 * Owner. Puts the whole batch before all nodes of the queue, in one operation. 0; -EINVAL: an argument is NULL. There
 * are no other errors, because push needs no memory. An empty batch changes nothing. The queue keeps the nodes but not
 * the struct filch_batch. count and last of the batch must be right; only debug builds check them.
 */
FILCH_API int filch_bulk_push(struct filch_bulk *q, const struct filch_batch *batch);

/*
 * Owner. Takes the first node of the list, which is the first node of the newest batch. FILCH_OK or FILCH_EMPTY; only
 * FILCH_OK writes *node. The next of that node has no meaning. -EINVAL: an argument is NULL.
 */
FILCH_API int filch_bulk_pop(struct filch_bulk *q, struct filch_node **node);

/*
 * Any thread. Takes about that proportion of the nodes, at least one node, from the end of the list, in one operation.
 * The kind decides how close the number comes to the proportion. FILCH_OK, FILCH_EMPTY or FILCH_LOST; only FILCH_OK
 * writes *batch. FILCH_EMPTY: there are no nodes; or the owner has private nodes and will share some at its next push,
 * pop or poll; or the proportion is 0. -EINVAL: an argument is NULL, or the proportion is not in 0..1.
 */
FILCH_API int filch_bulk_steal(struct filch_bulk *q, double proportion, struct filch_batch *batch);

/* Owner. Shares nodes with thieves that found none, as push and pop do. For use in long work. q may be NULL. */
FILCH_API void filch_bulk_poll(struct filch_bulk *q);

/* Any thread. Returns the number of nodes: exact while no other call runs, else a hint. 0 if q is NULL. */
FILCH_API size_t filch_bulk_size(const struct filch_bulk *q);

/* Return the number of kinds, and the name and description of each, numbered from 0. NULL: no such kind. */
FILCH_API unsigned filch_bulk_kind_count(void);
FILCH_API const char *filch_bulk_kind_name(unsigned kind);
FILCH_API const struct filch_bulk_info *filch_bulk_kind_info(unsigned kind);

FILCH_END_DECLS

#endif
