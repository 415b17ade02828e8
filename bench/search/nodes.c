/* SPDX-License-Identifier: Apache-2.0 */
#include "nodes.h"

#include <stdlib.h>

enum { SLAB = 1000 };

struct filchi_search_slab {
	struct filchi_search_slab *next;
	_Alignas(FILCHI_SEARCH_LINE) char nodes[];
};

bool filchi_search_nodes_grow(struct filchi_search_nodes *nodes, size_t size)
{
	size_t bytes = sizeof(struct filchi_search_slab) + SLAB * size;
	struct filchi_search_slab *slab;

	slab = aligned_alloc(FILCHI_SEARCH_LINE,
			     (bytes + FILCHI_SEARCH_LINE - 1) / FILCHI_SEARCH_LINE * FILCHI_SEARCH_LINE);
	if (!slab)
		return false;
	slab->next = nodes->slabs;
	nodes->slabs = slab;
	for (size_t i = SLAB; i > 0; i--)
		filchi_search_nodes_put(nodes, (struct filch_node *)(void *)(slab->nodes + (i - 1) * size));
	return true;
}

void filchi_search_nodes_end(struct filchi_search_nodes *nodes)
{
	while (nodes->slabs) {
		struct filchi_search_slab *slab = nodes->slabs;

		nodes->slabs = slab->next;
		free(slab);
	}
}
