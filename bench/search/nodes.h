/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unused nodes of one worker. Nodes come from slabs, and are used again.
 *
 * A node that moves to another worker is freed there. So after some time neighbours in a slab belong to different
 * workers. With two nodes in a cache line the line then goes to and fro between the processors, also if no work moves.
 * So nodes that are short to explore have cache lines of their own.
 */
#ifndef FILCHI_BENCH_SEARCH_NODES_H
#define FILCHI_BENCH_SEARCH_NODES_H

#include <filch/bulk.h>
#include <stdbool.h>
#include <stddef.h>

#define FILCHI_SEARCH_LINE 64

struct filchi_search_nodes {
	struct filch_node *unused;
	struct filchi_search_slab *slabs;
};

/* Adds a slab with nodes of so many bytes. False: no memory. */
bool filchi_search_nodes_grow(struct filchi_search_nodes *nodes, size_t size);
/* Frees all slabs. */
void filchi_search_nodes_end(struct filchi_search_nodes *nodes);

/* size: of each node, the same in all calls, and a multiple of its alignment. NULL: no memory. */
static inline struct filch_node *filchi_search_nodes_take(struct filchi_search_nodes *nodes, size_t size)
{
	struct filch_node *node;

	if (__builtin_expect(!nodes->unused, 0) && !filchi_search_nodes_grow(nodes, size))
		return NULL;
	node = nodes->unused;
	nodes->unused = node->next;
	return node;
}

static inline void filchi_search_nodes_put(struct filchi_search_nodes *nodes, struct filch_node *node)
{
	node->next = nodes->unused;
	nodes->unused = node;
}

#endif
