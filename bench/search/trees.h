/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees whose nodes are explored by a hand-written serial stack and by filch_search, with the same function for a node.
 *
 * A node makes its children from its own state. kind_children() says how many, kind_child() makes one. spend() is the
 * time of a node apart from that.
 */
#ifndef FILCHI_BENCH_SEARCH_TREES_H
#define FILCHI_BENCH_SEARCH_TREES_H

#include <stdbool.h>
#include <stdint.h>

struct filchi_search_tree {
	const char *name;
	unsigned children, depth; /* of a synthetic tree: all inner nodes have as many */
	bool chance;		  /* of UTS T3's kind: binomial, so it is irregular */
	unsigned root_children;
	double probability;
	unsigned ns;	 /* of a node, about; 0: only the mixing of the state */
	bool log_normal; /* ns is the mean of a log-normal distribution */
	unsigned hashes; /* mixing steps for each node: its least cost */
};

struct filchi_search_state {
	uint64_t word;
	uint32_t depth;
};

struct filchi_search_count {
	uint64_t nodes, sum;
};

struct filchi_search_state filchi_search_tree_root(const struct filchi_search_tree *tree);

/* With an array as stack, in the calling thread. */
struct filchi_search_count filchi_search_serial(const struct filchi_search_tree *tree);

struct filchi_search_how {
	unsigned workers;
	const char *order, *move, *victim;
	double proportion;
	uint64_t round; /* deterministic; 0: not */
};

struct filchi_search_report {
	uint64_t batches, moved, starts, handed, idle_ns;
};

/* On the default pool, which has as many workers. */
struct filchi_search_count filchi_search_parallel(const struct filchi_search_tree *tree,
						  const struct filchi_search_how *how,
						  struct filchi_search_report *report);

/* UTS, tree 0 (T1) or 1 (T3): uts.c. */
struct filchi_search_count filchi_search_uts_serial(unsigned number);
struct filchi_search_count filchi_search_uts_parallel(unsigned number, const struct filchi_search_how *how,
						      struct filchi_search_report *report);

/* The graph of the bulk paper: dag.c. */
uint64_t filchi_search_dag(uint32_t nodes, const struct filchi_search_how *how, struct filchi_search_report *report);

/* ---- a node, the same for both ---- */

static inline uint64_t filchi_search_mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
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
struct filchi_search_state filchi_search_child(const struct filchi_search_tree *tree,
					       const struct filchi_search_state *parent, unsigned number);

#endif
