/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exploration of a directed acyclic graph, the workload of the paper on bulk queues (figures 9 and 10). One worker
 * claims each discovered node, visits it and discovers its successors. The work at a node is small, and the same for
 * all nodes.
 *
 * The graph is made during the exploration, so that a graph of 300 million nodes needs one bit for each node. Nodes are
 * numbers, and edges lead to larger numbers. Eight edges lead to the children in a heap, so that all nodes can be
 * reached from 0 and the graph is wide. Up to three edges lead to random nodes. A random edge discovers most nodes
 * first; later edges find them claimed.
 */
#ifndef FILCHI_BENCH_DAG_H
#define FILCHI_BENCH_DAG_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_DAG_SURE 8
#define FILCHI_DAG_RANDOM 3
#define FILCHI_DAG_SUCCESSORS (FILCHI_DAG_SURE + FILCHI_DAG_RANDOM)

struct filchi_dag {
	uint32_t nodes;
	uint64_t *claimed; /* a bit for each node */
};

/* The answer: the number of visited nodes, and the sum of their hashes. */
struct filchi_dag_count {
	uint64_t nodes, sum;
};

static inline uint64_t filchi_dag_hash(uint64_t x)
{
	x = (x + 1) * 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
	return x ^ (x >> 32);
}

/* True if this worker claims the node. shared false: no other worker exists. */
static inline bool filchi_dag_claim(const struct filchi_dag *dag, uint32_t node, bool shared)
{
	uint64_t *word = &dag->claimed[node / 64], bit = (uint64_t)1 << node % 64;

	if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit)
		return false;
	if (shared)
		return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
	*word |= bit;
	return true;
}

/* Visits a node: counts it, and writes the successors that it claims to found. Returns their number. */
static inline unsigned filchi_dag_visit(const struct filchi_dag *dag, uint32_t node, bool shared,
					struct filchi_dag_count *count, uint32_t found[FILCHI_DAG_SUCCESSORS])
{
	uint64_t hash = filchi_dag_hash(node), first = (uint64_t)FILCHI_DAG_SURE * node + 1;
	uint32_t larger = dag->nodes - 1 - node;
	unsigned n = 0;

	count->nodes++;
	count->sum += hash;
	for (unsigned i = 0; i < FILCHI_DAG_SURE && first + i < dag->nodes; i++)
		if (filchi_dag_claim(dag, (uint32_t)first + i, shared))
			found[n++] = (uint32_t)first + i;
	for (unsigned i = 0; larger && i < (hash & FILCHI_DAG_RANDOM); i++) {
		uint32_t step = (uint32_t)((filchi_dag_hash(hash + i) >> 32) * larger >> 32);

		if (filchi_dag_claim(dag, node + 1 + step, shared))
			found[n++] = node + 1 + step;
	}
	return n;
}

static inline void filchi_dag_add(struct filchi_dag_count *sum, struct filchi_dag_count part)
{
	sum->nodes += part.nodes;
	sum->sum += part.sum;
}

/* Starts from node 0, which is claimed. */
struct filchi_dag_count filchi_dag(const struct filchi_dag *dag);

FILCH_END_DECLS

#endif
