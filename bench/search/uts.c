/* SPDX-License-Identifier: Apache-2.0 */
/* Unbalanced Tree Search as a search program: the trees of bench/workloads/uts, with a stack and with filch_search. */
#include "../workloads/uts/uts.h"
#include "nodes.h"
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>

static const struct filchi_uts_tree trees[] = {
	{"T1", FILCHI_UTS_FIXED, 19, 4, 0, 0, 10},
	{"T3", FILCHI_UTS_BINOMIAL, 42, 2000, 0.124875, 8, 0},
};

struct node {
	_Alignas(FILCHI_SEARCH_LINE) struct filch_node node;
	struct filchi_uts_node state;
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

static struct node *new_node(struct filchi_search_nodes *nodes)
{
	struct filch_node *node = filchi_search_nodes_take(nodes, sizeof(struct node));

	return node ? FILCH_CONTAINER_OF(node, struct node, node) : NULL;
}

/* Apart, because most nodes have no children. */
static __attribute__((noinline)) int expand(struct filchi_search_nodes *nodes, struct node *parent, unsigned n,
					    struct filch_batch *children)
{
	for (unsigned i = 0; i < n; i++) {
		struct node *child = new_node(nodes);

		if (!child)
			return -1;
		child->state = filchi_uts_child(&parent->state, i);
		filch_batch_add(children, &child->node);
	}
	filchi_search_nodes_put(nodes, &parent->node);
	return 0;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct node *parent = FILCH_CONTAINER_OF(node, struct node, node);
	unsigned n = filchi_uts_children(arg, &parent->state);

	if (n)
		return expand(filch_search_local(w), parent, n, children);
	filchi_search_nodes_put(filch_search_local(w), node);
	return 0;
}

static void local_end(void *local, void *arg)
{
	(void)arg;
	filchi_search_nodes_end(local);
}

struct filchi_search_count filchi_search_uts_parallel(unsigned number, const struct filchi_search_how *how,
						      struct filchi_search_report *report)
{
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = (void *)(uintptr_t)&trees[number],
		.explore = explore,
		.local_size = sizeof(struct filchi_search_nodes),
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
