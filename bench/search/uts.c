/* SPDX-License-Identifier: Apache-2.0 */
/* Unbalanced Tree Search as a search program: the trees of bench/workloads/uts, with a stack and with filch_search. */
#include "../workloads/uts/uts.h"
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>

#define SLAB 1000

static const struct filchi_uts_tree trees[] = {
	{"T1", FILCHI_UTS_FIXED, 19, 4, 0, 0, 10},
	{"T3", FILCHI_UTS_BINOMIAL, 42, 2000, 0.124875, 8, 0},
};

struct node {
	struct filch_node node;
	struct filchi_uts_node state;
};

struct slab {
	struct slab *next;
	struct node nodes[SLAB];
};

struct local {
	struct filch_node *unused;
	struct slab *slabs;
};

struct filchi_search_count filchi_search_uts_serial(unsigned number)
{
	const struct filchi_uts_tree *tree = &trees[number];
	size_t size = 1, room = 1 << 20;
	struct filchi_uts_node *stack = malloc(room * sizeof(*stack));
	struct filchi_search_count count = {0, 0};

	if (!stack)
		return count;
	stack[0] = filchi_uts_root(tree);
	while (size) {
		struct filchi_uts_node node = stack[--size];

		count.nodes++;
		for (unsigned i = filchi_uts_children(tree, &node); i > 0; i--)
			stack[size++] = filchi_uts_child(&node, i - 1);
	}
	free(stack);
	return count;
}

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
static __attribute__((noinline)) int expand(struct local *l, const struct node *parent, unsigned n,
					    struct filch_batch *children)
{
	for (unsigned i = 0; i < n; i++) {
		struct node *child = new_node(l);

		if (!child)
			return -1;
		child->state = filchi_uts_child(&parent->state, i);
		filch_batch_add(children, &child->node);
	}
	return 0;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct filchi_uts_tree *tree = arg;
	struct local *l = filch_search_local(w);
	struct node *parent = FILCH_CONTAINER_OF(node, struct node, node);
	unsigned n = filchi_uts_children(tree, &parent->state);

	if (n && expand(l, parent, n, children))
		return -1;
	node->next = l->unused;
	l->unused = node;
	return 0;
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

struct filchi_search_count filchi_search_uts_parallel(unsigned number, const struct filchi_search_how *how,
						      struct filchi_search_report *report)
{
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = (void *)(uintptr_t)&trees[number],
		.explore = explore,
		.local_size = sizeof(struct local),
		.local_end = local_end,
	};
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = how->workers, .move = how->move};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filchi_search_count count = {0, 0};
	struct filch_search *s;
	struct node *root;

	if (filch_search_create(&s, &problem, &opt))
		return count;
	root = new_node(filch_search_local(filch_search_worker(s, 0)));
	if (root) {
		root->state = filchi_uts_root(&trees[number]);
		filch_search_add_node(s, &root->node);
		filch_search_run(s, &result);
		count.nodes = result.explored;
		filchi_search_read(s, report);
	}
	filch_search_destroy(s);
	return count;
}
