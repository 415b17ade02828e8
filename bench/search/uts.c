/* SPDX-License-Identifier: Apache-2.0 */
/* Unbalanced Tree Search as a search program: the trees of bench/workloads/uts, with a stack and with filch_search. */
#include "../workloads/uts/uts.h"
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>

static const struct filchi_uts_tree trees[] = {
	{"T1", FILCHI_UTS_FIXED, 19, 4, 0, 0, 10},
	{"T3", FILCHI_UTS_BINOMIAL, 42, 2000, 0.124875, 8, 0},
};

struct node {
	struct filch_node node;
	struct filchi_uts_node state;
};

struct local {
	struct filch_node *unused;
	uint64_t nodes;
};

struct filchi_search_count filchi_search_uts_serial(unsigned number)
{
	const struct filchi_uts_tree *tree = &trees[number];
	size_t size = 1;
	struct filchi_uts_node *stack = malloc(sizeof(*stack) << 20);
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

	if (!node)
		return malloc(sizeof(struct node));
	l->unused = node->next;
	return FILCH_CONTAINER_OF(node, struct node, node);
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct filchi_uts_tree *tree = arg;
	struct local *l = filch_search_local(w);
	struct node *parent = FILCH_CONTAINER_OF(node, struct node, node);
	unsigned n = filchi_uts_children(tree, &parent->state);

	for (unsigned i = 0; i < n; i++) {
		struct node *child = new_node(l);

		if (!child)
			return -1;
		child->state = filchi_uts_child(&parent->state, i);
		filch_batch_add(children, &child->node);
	}
	l->nodes++;
	node->next = l->unused;
	l->unused = node;
	return 0;
}

static void local_end(void *local, void *arg)
{
	struct local *l = local;

	(void)arg;
	while (l->unused) {
		struct filch_node *node = l->unused;

		l->unused = node->next;
		free(FILCH_CONTAINER_OF(node, struct node, node));
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
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct filchi_search_count count = {0, 0};
	struct filch_search *s;
	struct node *root;

	if (filch_search_create(&s, &problem, &opt))
		return count;
	root = new_node(filch_search_local(filch_search_worker(s, 0)));
	if (root) {
		root->state = filchi_uts_root(&trees[number]);
		filch_search_add_node(s, &root->node);
		filch_search_run(s, NULL);
		filch_search_stats(s, -1, &stats);
		count.nodes = stats.explored;
		if (report)
			*report = (struct filchi_search_report){stats.batches, stats.nodes, stats.starts, stats.handed,
								stats.idle_ns};
	}
	filch_search_destroy(s);
	return count;
}
