/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract inside the library that all kinds of bulk queues keep. Each algorithm is a header with
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
 * so that the compiler can inline it in code that knows the kind. kinds.c makes a table of operations for each kind.
 *
 * The next of a node is plain data: only the owner of the node may touch it.
 */
#ifndef FILCHI_BULK_KINDS_H
#define FILCHI_BULK_KINDS_H

#include "../base/atomic.h"
#include "../base/compiler.h"

#include <filch/bulk.h>

/* Chunks of `bulk`. In a checked build there are so few that they run out. */
#define FILCHI_BULK_CHUNKS ((size_t)FILCHI_TUNE(1024, 4))
#define FILCHI_BULK_MAX_CHUNKS ((size_t)4096)

/* The properties of a new queue. filchi_bulk_setup() makes it from options; a test may set more than options can. */
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

/* NULL if no kind has that name. */
const struct filchi_bulk_kind *filchi_bulk_find(const char *name);

/* Checks options and completes them. 0 or -EINVAL. */
int filchi_bulk_setup(struct filchi_bulk_setup *setup, const struct filch_bulk_options *opt);

/* True if the batch has as many nodes as it says. Walks the list; for assertions. */
int filchi_batch_sane(const struct filch_batch *batch);

/* The proportion of count nodes, rounded to the nearest, but at least 1 if count is not 0. count is below 2^63. */
static inline uint64_t filchi_bulk_share_of(double proportion, uint64_t count)
{
	uint64_t share = (uint64_t)(proportion * (double)count + 0.5);

	if (share > count)
		return count;
	return share ? share : 1;
}

#endif
