/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees whose nodes are explored by a hand-written serial program and by filch_search, with the same function for a
 * node. A node makes its children from its own state: filchi_search_children() says how many, filchi_search_child()
 * makes one.
 */
#ifndef FILCHI_BENCH_SEARCH_TREES_H
#define FILCHI_BENCH_SEARCH_TREES_H

#include <stdbool.h>
#include <stdint.h>

/* The bounds of nodes, for best first. A child's bound is never better than its parent's. */
enum filchi_search_bounds {
	FILCHI_SEARCH_NONE,
	FILCHI_SEARCH_FEW, /* one child in 16 has the next integer */
	FILCHI_SEARCH_MANY /* nearly all differ */
};

struct filchi_search_tree {
	unsigned children, depth; /* all inner nodes have as many children */
	bool chance;		  /* as UTS T3: children by chance, so the tree is irregular */
	unsigned root_children;
	double probability;
	unsigned ns;	 /* of a node, about; 0: only the mixing of the state */
	bool log_normal; /* ns is the mean of a log-normal distribution */
	unsigned hashes; /* mixing steps for each node: its least cost */
	enum filchi_search_bounds bounds;
};

struct filchi_search_state {
	uint64_t word;
	int64_t bound;
	uint32_t depth;
};

struct filchi_search_count {
	uint64_t nodes, sum;
};

/* In the calling thread: with an array as stack, or as heap if there are bounds. No memory: a count of 0 nodes. */
struct filchi_search_count filchi_search_serial(const struct filchi_search_tree *tree);

/* What filch_search should do. 0 and NULL: its defaults. */
struct filchi_search_how {
	unsigned workers;
	const char *order, *move;
	uint64_t round;
};

struct filchi_search_report {
	uint64_t batches, moved, starts, handed, idle_ns;
};

struct filch_search;
void filchi_search_read(struct filch_search *s, struct filchi_search_report *report);

/* On the default pool. No memory: 0 nodes. */
struct filchi_search_count filchi_search_parallel(const struct filchi_search_tree *tree,
						  const struct filchi_search_how *how,
						  struct filchi_search_report *report);

/* UTS, tree 0 (T1) or 1 (T3): uts.c. */
struct filchi_search_count filchi_search_uts_serial(unsigned number);
struct filchi_search_count filchi_search_uts_parallel(unsigned number, const struct filchi_search_how *how,
						      struct filchi_search_report *report);

/* The graph of the bulk paper: dag.c. How many nodes were visited. */
uint64_t filchi_search_dag_serial(uint32_t nodes);
uint64_t filchi_search_dag(uint32_t nodes, const struct filchi_search_how *how, struct filchi_search_report *report);

/* The nodes that a knapsack of so many items takes: knapsack.c. 0: the answer is wrong. */
uint64_t filchi_search_knapsack(unsigned items, unsigned instances, const struct filchi_search_how *how,
				struct filchi_search_report *report);

/* The time of moving half of a queue of so many nodes: batch.c. 0: it failed. */
double filchi_search_batch(unsigned nodes, struct filchi_search_report *report);

/* ---- a node, the same for both ---- */

static inline uint64_t filchi_search_mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline struct filchi_search_state filchi_search_tree_root(const struct filchi_search_tree *tree)
{
	return (struct filchi_search_state){filchi_search_mix(tree->children + 19), 0, 0};
}

static inline unsigned filchi_search_children(const struct filchi_search_tree *tree,
					      const struct filchi_search_state *state)
{
	if (tree->chance) {
		if (!state->depth)
			return tree->root_children;
		return (double)(state->word >> 11) * 0x1p-53 < tree->probability ? tree->children : 0;
	}
	return state->depth < tree->depth ? tree->children : 0;
}

/* As in UTS, the child's state is a hash of its parent's and its number. Out of line: the same code for both. */
void filchi_search_child(const struct filchi_search_tree *tree, const struct filchi_search_state *parent,
			 unsigned number, struct filchi_search_state *child);

#endif
