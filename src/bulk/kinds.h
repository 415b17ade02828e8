/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What binds the kinds of bulk queues together. Each algorithm is a header of its own with
 *
 *   struct filchi_KIND
 *   static inline int    filchi_KIND_init(struct filchi_KIND *, const struct filchi_bulk_setup *)
 *   static inline void   filchi_KIND_fini(struct filchi_KIND *)
 *   static inline int    filchi_KIND_push(struct filchi_KIND *, const struct filch_batch *)      not an empty one
 *   static inline int    filchi_KIND_pop(struct filchi_KIND *, struct filch_node **)
 *   static inline int    filchi_KIND_steal(struct filchi_KIND *, double, struct filch_batch *)   proportion in (0..1]
 *   static inline void   filchi_KIND_poll(struct filchi_KIND *)
 *   static inline size_t filchi_KIND_size(const struct filchi_KIND *)
 *   #define FILCHI_KIND_INFO
 *
 * so that code which knows the kind can have it inlined. kinds.c makes a table of operations of each.
 *
 * The next of a node is plain data: whoever owns the node may touch it, and nobody else.
 */
#ifndef FILCHI_BULK_KINDS_H
#define FILCHI_BULK_KINDS_H

#include "../base/atomic.h"
#include "../base/compiler.h"

#include <filch/bulk.h>

/* Of `bulk`: in a checked build so few that they run out. */
#define FILCHI_BULK_CHUNKS ((size_t)FILCHI_TUNE(1024, 4))
#define FILCHI_BULK_MAX_CHUNKS ((size_t)4096)

/* How a queue is to be made. From options by filchi_bulk_setup(), or by a test that wants more. */
struct filchi_bulk_setup {
	size_t chunks;	/* a power of two, at least 2 */
	uint64_t first; /* the index of the first chunk: tests start near where indices wrap */
};

struct filchi_bulk_ops {
	int (*create)(struct filch_bulk **out, const struct filchi_bulk_setup *setup);
	void (*destroy)(struct filch_bulk *q);
	int (*push)(struct filch_bulk *q, const struct filch_batch *batch);
	int (*pop)(struct filch_bulk *q, struct filch_node **node);
	int (*steal)(struct filch_bulk *q, double proportion, struct filch_batch *batch);
	void (*poll)(struct filch_bulk *q);
	size_t (*size)(const struct filch_bulk *q);
};

struct filchi_bulk_kind {
	struct filch_bulk_info info;
	struct filchi_bulk_ops ops;
};

/* Every queue behind the public contract starts with this. */
struct filch_bulk {
	const struct filchi_bulk_ops *ops;
};

extern const struct filchi_bulk_kind filchi_bulk_kinds[];
extern const unsigned filchi_bulk_kind_count;

/* NULL if there is none of that name. */
const struct filchi_bulk_kind *filchi_bulk_find(const char *name);

/* Checks options and completes them. 0 or -EINVAL. */
int filchi_bulk_setup(struct filchi_bulk_setup *setup, const struct filch_bulk_options *opt);

/* Does the batch have the nodes it says it has? Walks; for assertions. */
int filchi_batch_sane(const struct filch_batch *batch);

/* The proportion of so many nodes, to the nearest, at least one if there is one. count is below 2^63. */
static inline uint64_t filchi_bulk_share_of(double proportion, uint64_t count)
{
	uint64_t share = (uint64_t)(proportion * (double)count + 0.5);

	if (share > count)
		return count;
	return share ? share : 1;
}

#endif
