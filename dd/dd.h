/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the library share.
 *
 * Values inside the library are to be maximised: a problem that is minimised has its values and costs negated where they
 * enter and where they leave.
 *
 * A *workspace* holds one diagram while it is compiled. Each search worker has one and uses it for all its diagrams. All
 * nodes of all layers are in one array, their states in another, both in the order of the layers. Arcs are in the order
 * of the nodes that they leave. An arc names its child by its number in the layer *before* filter and cut. One map per
 * layer leads from these numbers to the final ones, so that a merge changes no arc.
 */
#ifndef FILCHI_DD_H
#define FILCHI_DD_H

#include "../src/base/atomic.h"
#include "../src/base/compiler.h"

#include <filch/dd.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* No best value, no path; and a threshold that no value exceeds. Sums with a value stay in range. */
#define FILCHI_DD_NONE (-(INT64_C(1) << 62))
#define FILCHI_DD_INFINITE (INT64_C(1) << 62)

enum filchi_dd_node_flag {
	FILCHI_DD_NODE_EXACT = 1,   /* no path to it passes a merged node */
	FILCHI_DD_NODE_MERGED = 2,  /* stands for several states */
	FILCHI_DD_NODE_SOLID = 4,   /* its best path passes no merged node */
	FILCHI_DD_NODE_OPEN = 8,    /* its bound is known not to prune it */
	FILCHI_DD_NODE_PRUNED = 16, /* by its bound */
	FILCHI_DD_NODE_CUTSET = 32,
	FILCHI_DD_NODE_STAYS = 64, /* has a child with the same state and value; only with STATE_ONLY */
	FILCHI_DD_NODE_COPY = 128  /* such a child */
};

struct filchi_dd_node {
	int64_t top;
	union {
		struct {
			uint32_t arc, arcs; /* the arcs that leave it */
		};
		int64_t theta; /* of a pruned node */
	};
	uint32_t parent; /* of its best arc: number in the layer above */
	int32_t label;
	uint64_t hash;
	uint32_t flags;
};

/* Where a node of a layer went: a number in the layer; or, with the first bit set, a place in the list of thetas. */
#define FILCHI_DD_GONE 0x80000000u
#define FILCHI_DD_DROPPED UINT32_MAX

struct filchi_dd_row {
	size_t node; /* the first one */
	size_t map;  /* the first entry of its map; SIZE_MAX: each node kept its number */
	uint32_t count, entries; /* nodes; entries of the map: nodes before filter and cut */
	int32_t variable;	 /* -1: the last layer */
};

/* An array that grows. Its bytes count for the memory limit. */
struct filchi_dd_array {
	unsigned char *data;
	size_t room; /* bytes */
};

/* The bytes in use, of all workers. */
struct filchi_dd_memory {
	FILCHI_ATOMIC(size_t) used;
	FILCHI_ATOMIC(size_t) peak;
	size_t limit; /* 0: none */
};

/* An entry of the log, with the state. */
struct filchi_dd_logged {
	int64_t theta;
	uint64_t hash;
	int depth;
	bool explored;
	unsigned char state[];
};

struct filchi_dd_slot {
	uint32_t generation, node;
};

/* Of the problem, and computed from it. */
struct filchi_dd_model {
	struct filch_dd_problem p;
	int64_t sign;
	size_t stride; /* bytes from state to state */
};

struct filchi_dd_cache;
struct filchi_dd_front;

struct filchi_dd_work {
	const struct filchi_dd_model *model;
	struct filchi_dd_memory *memory;
	struct filchi_dd_cache *cache;	/* NULL: no thresholds */
	struct filchi_dd_front *fronts; /* NULL: no dominance */
	struct filch_dd_layer layer;
	struct filchi_dd_array nodes, states, arcs, rows, maps, costs, thetas, keys, where, merged, merges, key, bottoms, lower, decided;
	struct filchi_dd_array slots;
	struct filchi_dd_array log; /* thresholds to publish later; see filchi_dd_logged */
	size_t log_count;
	bool defer; /* thresholds go to the log, and the cache stays as it is */
	size_t slot_mask;
	uint32_t generation;
	size_t node_count, arc_count, map_count, theta_count;
	int depth; /* of the root */
	int row_count;
	int cut_row;   /* the first row that was cut; 0: none */
	bool complete; /* nothing was dropped or merged */
	bool reaches;  /* the last row has nodes, and is the end */
	bool use_layer;	/* cutset: the last exact layer */
	bool keep_first; /* never cut the children of the root */
	int kind;
	size_t width;
	size_t bytes_max; /* of the nodes and arcs of a diagram; 0: no limit */
	size_t size_max; /* nodes and arcs of a diagram; 0: no limit */
	int64_t best;	    /* to beat */
	int64_t value;	    /* of the best path; NONE: there is no path */
	int64_t solid;	    /* of the best path without merged nodes; NONE */
	uint32_t end, solid_end; /* their last nodes */
	uint64_t compiled;  /* nodes, of all diagrams */
	uint64_t compared; /* states, for dominance */
	uint64_t asked, found; /* thresholds that were looked up, and nodes that they pruned */
	/* Called once per layer, and for each few thousand nodes or comparisons: nonzero ends the compile with this error. */
	int (*poll)(void *arg, int64_t *best);
	void *poll_arg;
};

static inline struct filchi_dd_node *filchi_dd_nodes(const struct filchi_dd_work *w, size_t first)
{
	return (struct filchi_dd_node *)(void *)w->nodes.data + first;
}

static inline unsigned char *filchi_dd_state(const struct filchi_dd_work *w, size_t node)
{
	return w->states.data + node * w->model->stride;
}

static inline struct filch_dd_arc *filchi_dd_arcs(const struct filchi_dd_work *w)
{
	return (struct filch_dd_arc *)(void *)w->arcs.data;
}

static inline struct filchi_dd_row *filchi_dd_row(const struct filchi_dd_work *w, int row)
{
	return (struct filchi_dd_row *)(void *)w->rows.data + row;
}

static inline uint32_t *filchi_dd_map(const struct filchi_dd_work *w, size_t first)
{
	return (uint32_t *)(void *)w->maps.data + first;
}

static inline int64_t *filchi_dd_words(const struct filchi_dd_array *a)
{
	return (int64_t *)(void *)a->data;
}

/* ---- memory.c ---- */

/* Room for so many elements, which keeps the contents. 0; -ENOMEM. */
int filchi_dd_grow(struct filchi_dd_memory *m, struct filchi_dd_array *a, size_t count, size_t size);
void filchi_dd_drop(struct filchi_dd_memory *m, struct filchi_dd_array *a);
/* Counts bytes that are allocated, or freed if negative. False: the limit is met, and nothing was counted. */
bool filchi_dd_count(struct filchi_dd_memory *m, ptrdiff_t bytes);
void *filchi_dd_alloc(struct filchi_dd_memory *m, size_t size);
void filchi_dd_free(struct filchi_dd_memory *m, void *block, size_t size);

static inline int filchi_dd_need(struct filchi_dd_memory *m, struct filchi_dd_array *a, size_t count, size_t size)
{
	return FILCHI_LIKELY(count <= a->room / size) ? 0 : filchi_dd_grow(m, a, count, size);
}

/* ---- model.c ---- */

/* Sets the text of filch_error_message(), and returns the error. */
int filchi_dd_error(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* base/sized.h has refused a struct. */
int filchi_dd_error_sized(const char *type, const void *theirs);
/* 0; -EINVAL: the problem makes no sense. */
int filchi_dd_model_init(struct filchi_dd_model *model, const struct filch_dd_problem *problem);
/* Which cutset. 0; -ENOENT: there is none of this name. */
int filchi_dd_cutset(const struct filchi_dd_model *model, const char *name, bool *use_layer);
uint64_t filchi_dd_hash(const struct filchi_dd_model *model, const void *state);

static inline bool filchi_dd_same_bytes(const unsigned char *a, const unsigned char *b, size_t stride)
{
	for (size_t i = 0; i < stride; i += 8) {
		uint64_t x, y;

		memcpy(&x, a + i, 8);
		memcpy(&y, b + i, 8);
		if (x != y)
			return false;
	}
	return true;
}

/* ---- compile.c ---- */

int filchi_dd_work_init(struct filchi_dd_work *w, const struct filchi_dd_model *model, struct filchi_dd_memory *memory);
void filchi_dd_work_end(struct filchi_dd_work *w);
/*
 * Compiles a diagram below a state. Set kind, width and best before. The first depth entries of w->decided are the
 * variables decided above. 0, or an error: -E2BIG, -ENOMEM, or that of poll; -EFBIG: it is larger than bytes_max
 * or size_max.
 */
int filchi_dd_build(struct filchi_dd_work *w, const void *state, int depth, int64_t top);

/* ---- cut.c ---- */

/* The new row `row` has count nodes: removes nodes by thresholds and dominance. */
int filchi_dd_filter(struct filchi_dd_work *w, int row);
/* Restricts or relaxes the row to the width. */
int filchi_dd_cut(struct filchi_dd_work *w, int row);

/* ---- order.c ---- */

/* Puts the numbers of the nodes of the row into order, by falling coordinate of dominance. 0; -ENOMEM. */
int filchi_dd_order(struct filchi_dd_work *w, const struct filchi_dd_row *r, uint32_t *order);

/* ---- bottom.c ---- */

/* From the last row up: values of best paths to the end, cutset, thresholds. 0; -ENOMEM. */
int filchi_dd_bottom_up(struct filchi_dd_work *w);
/* Puts the thresholds of exact nodes into the cache, or into the log. */
void filchi_dd_learn(struct filchi_dd_work *w);
/* Puts so many entries of the log into the cache, from first on. */
void filchi_dd_publish(struct filchi_dd_work *w, struct filchi_dd_cache *cache, size_t first, size_t count);

/* ---- cache.c ---- */

struct filchi_dd_cache *filchi_dd_cache_new(const struct filchi_dd_model *model, struct filchi_dd_memory *memory,
					    size_t bytes);
void filchi_dd_cache_free(struct filchi_dd_cache *cache);
/* Forgets all thresholds. No thread may use the cache. */
void filchi_dd_cache_clear(struct filchi_dd_cache *cache);
/* Tells that the threshold of a state will be looked up soon. */
void filchi_dd_cache_prefetch(struct filchi_dd_cache *cache, int depth, uint64_t hash);
/* The threshold of a state. False: there is none. */
bool filchi_dd_cache_get(struct filchi_dd_cache *cache, int depth, const void *state, uint64_t hash, int64_t *theta, bool *explored);
void filchi_dd_cache_put(struct filchi_dd_cache *cache, int depth, const void *state, uint64_t hash, int64_t theta, bool explored);

/* ---- dominance.c ---- */

struct filchi_dd_front *filchi_dd_front_new(const struct filchi_dd_model *model, struct filchi_dd_memory *memory,
					    size_t bytes);
void filchi_dd_front_free(struct filchi_dd_front *front);
/* Forgets all states. No thread may use the front. */
void filchi_dd_front_clear(struct filchi_dd_front *front);
/*
 * Whether a known state dominates this one. True: *theta is the largest value with which it would still be dominated.
 * False: the state is known from now on. key: room for a key. *compared grows by the number of comparisons.
 */
bool filchi_dd_front_dominated(struct filchi_dd_front *front, const struct filch_dd_layer *layer, const void *state,
			       int64_t top, void *key, int64_t *theta, uint64_t *compared);

#endif
