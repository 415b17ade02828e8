/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unbalanced Tree Search (Olivier and others, 2006): counts the nodes of an unpredictable tree. Each node has a
 * state of 20 bytes, made by SHA-1 from the state of its parent and its index among the siblings. The state
 * determines the number of children. A task is a node; it makes its own state.
 */
#ifndef FILCHI_BENCH_UTS_H
#define FILCHI_BENCH_UTS_H

#include "../common/workload.h"

/* The fastest call for input this short. The newer calls look up the algorithm, which takes far longer. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

FILCH_BEGIN_DECLS

#define FILCHI_UTS_MAX_CHILDREN 100 /* of a node of a geometric tree */

enum filchi_uts_type {
	FILCHI_UTS_BINOMIAL, /* the root has b0 children, others m with probability q or none */
	FILCHI_UTS_FIXED,    /* geometric with mean b0 down to a depth */
	FILCHI_UTS_CYCLIC    /* geometric; the mean goes up and down with the depth */
};

struct filchi_uts_tree {
	const char *name;
	enum filchi_uts_type type;
	uint32_t seed;
	double b0, q;
	unsigned m, depth;
};

struct filchi_uts_node {
	unsigned char state[SHA_DIGEST_LENGTH];
	uint32_t depth;
};

struct filchi_uts_count {
	uint64_t nodes, leaves, depth;
};

static inline void filchi_uts_hash(unsigned char state[SHA_DIGEST_LENGTH], const unsigned char *from, size_t bytes,
				   uint32_t number)
{
	const unsigned char tail[4] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16),
				       (unsigned char)(number >> 8), (unsigned char)number};
	SHA_CTX context;

	SHA1_Init(&context);
	SHA1_Update(&context, from, bytes);
	SHA1_Update(&context, tail, sizeof(tail));
	SHA1_Final(state, &context);
}

static inline struct filchi_uts_node filchi_uts_root(const struct filchi_uts_tree *tree)
{
	static const unsigned char zero[16] = {0};
	struct filchi_uts_node root;

	root.depth = 0;
	filchi_uts_hash(root.state, zero, sizeof(zero), tree->seed);
	return root;
}

static inline struct filchi_uts_node filchi_uts_child(const struct filchi_uts_node *parent, unsigned number)
{
	struct filchi_uts_node child;

	child.depth = parent->depth + 1;
	filchi_uts_hash(child.state, parent->state, sizeof(parent->state), number);
	return child;
}

/* For a geometric tree; u is from 0 to 1. */
unsigned filchi_uts_geometric(const struct filchi_uts_tree *tree, uint32_t depth, double u);

static inline unsigned filchi_uts_children(const struct filchi_uts_tree *tree, const struct filchi_uts_node *node)
{
	const unsigned char *v = node->state + SHA_DIGEST_LENGTH - 4;
	double u = ((uint32_t)(v[0] & 0x7f) << 24 | (uint32_t)v[1] << 16 | (uint32_t)v[2] << 8 | v[3]) / 2147483648.0;

	if (tree->type != FILCHI_UTS_BINOMIAL)
		return filchi_uts_geometric(tree, node->depth, u);
	if (!node->depth)
		return (unsigned)tree->b0;
	return u < tree->q ? tree->m : 0;
}

/* Returns the counts of a node alone. */
static inline struct filchi_uts_count filchi_uts_one(const struct filchi_uts_node *node, unsigned children)
{
	struct filchi_uts_count count = {1, !children, node->depth};

	return count;
}

static inline void filchi_uts_add(struct filchi_uts_count *sum, struct filchi_uts_count part)
{
	sum->nodes += part.nodes;
	sum->leaves += part.leaves;
	if (sum->depth < part.depth)
		sum->depth = part.depth;
}

struct filchi_uts_count filchi_uts(const struct filchi_uts_tree *tree);

FILCH_END_DECLS

#endif
