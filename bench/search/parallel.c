/* SPDX-License-Identifier: Apache-2.0 */
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>

#define SLAB 1000

struct node {
	struct filch_node node;
	struct filchi_search_state state;
};

struct slab {
	struct slab *next;
	struct node nodes[SLAB];
};

/* Each worker's: nodes that are in no queue, and its count. */
struct local {
	struct filch_node *unused;
	struct slab *slabs;
	struct filchi_search_count count;
};

static struct node *new_node(struct local *l)
{
	struct filch_node *node = l->unused;

	if (!node) {
		struct slab *slab = malloc(sizeof(*slab));

		if (!slab)
			return NULL;
		slab->next = l->slabs;
		l->slabs = slab;
		for (unsigned i = SLAB; i > 0; i--) {
			slab->nodes[i - 1].node.next = node;
			node = &slab->nodes[i - 1].node;
		}
	}
	l->unused = node->next;
	return FILCH_CONTAINER_OF(node, struct node, node);
}

/* Apart, because most nodes have no children. */
static __attribute__((noinline)) int expand(const struct filchi_search_tree *tree, struct local *l,
					    const struct node *parent, unsigned n, struct filch_batch *children)
{
	for (unsigned i = 0; i < n; i++) {
		struct node *child = new_node(l);

		if (!child)
			return -1;
		filchi_search_child(tree, &parent->state, i, &child->state);
		filch_batch_add(children, &child->node);
	}
	return 0;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct filchi_search_tree *tree = arg;
	struct local *l = filch_search_local(w);
	struct node *parent = FILCH_CONTAINER_OF(node, struct node, node);
	unsigned n = filchi_search_children(tree, &parent->state);

	if (n && expand(tree, l, parent, n, children))
		return -1;
	l->count.nodes++;
	l->count.sum ^= parent->state.word;
	node->next = l->unused;
	l->unused = node;
	return 0;
}

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	union filch_search_value v = {.i = FILCH_CONTAINER_OF(node, struct node, node)->state.bound};

	(void)arg;
	return v;
}

static struct filchi_search_count sums(struct filch_search *s)
{
	struct filchi_search_count count = {0, 0};

	for (unsigned i = 0; i < filch_search_workers(s); i++) {
		struct local *l = filch_search_local(filch_search_worker(s, i));

		count.nodes += l->count.nodes;
		count.sum ^= l->count.sum;
	}
	return count;
}

static void local_end(void *local, void *arg)
{
	struct local *l = local;

	(void)arg;
	while (l->slabs) {
		struct slab *slab = l->slabs;

		l->slabs = slab->next;
		free(slab);
	}
}

void filchi_search_read(struct filch_search *s, struct filchi_search_report *report)
{
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};

	filch_search_stats(s, -1, &stats);
	*report = (struct filchi_search_report){stats.batches, stats.nodes, stats.starts, stats.handed, stats.idle_ns};
}

struct filchi_search_count filchi_search_parallel(const struct filchi_search_tree *tree,
						  const struct filchi_search_how *how,
						  struct filchi_search_report *report)
{
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = (void *)(uintptr_t)tree,
		.explore = explore,
		.bound = tree->bounds ? bound : NULL,
		.goal = tree->bounds ? FILCH_SEARCH_MINIMISE : FILCH_SEARCH_ALL,
		.local_size = sizeof(struct local),
		.local_end = local_end,
	};
	struct filch_search_options opt = {
		.struct_size = sizeof(opt),
		.workers = how->workers,
		.order = how->order,
		.move = how->move,
		.round = how->round,
	};
	struct filchi_search_count count = {0, 0};
	struct filch_search *s;
	struct node *root;

	if (filch_search_create(&s, &problem, &opt))
		return count;
	root = new_node(filch_search_local(filch_search_worker(s, 0)));
	if (root) {
		root->state = filchi_search_tree_root(tree);
		filch_search_add_node(s, &root->node);
		filch_search_run(s, NULL);
		count = sums(s);
		filchi_search_read(s, report);
	}
	filch_search_destroy(s);
	return count;
}
