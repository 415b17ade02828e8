/* SPDX-License-Identifier: Apache-2.0 */
#include "nodes.h"
#include "trees.h"

#include <filch.h>
#include <filch/search.h>

struct node {
	struct filch_node node;
	struct filchi_search_state state;
};

_Static_assert(sizeof(struct node) <= FILCHI_SEARCH_LINE, "a node needs more than a line");

struct local {
	struct filchi_search_nodes nodes;
	struct filchi_search_count count;
};

/* Best first has many open nodes, so they share cache lines. */
static struct node *new_node(const struct filchi_search_tree *tree, struct local *l)
{
	size_t size = tree->bounds ? sizeof(struct node) : FILCHI_SEARCH_LINE;
	struct filch_node *node = filchi_search_nodes_take(&l->nodes, size);

	return node ? FILCH_CONTAINER_OF(node, struct node, node) : NULL;
}

static void done(struct local *l, struct node *n)
{
	l->count.nodes++;
	l->count.sum ^= n->state.word;
	filchi_search_nodes_put(&l->nodes, &n->node);
}

/* Apart, because most nodes have no children. */
static __attribute__((noinline)) int expand(const struct filchi_search_tree *tree, struct local *l, struct node *parent,
					    unsigned n, struct filch_batch *children)
{
	for (unsigned i = 0; i < n; i++) {
		struct node *child = new_node(tree, l);

		if (!child)
			return -1;
		filchi_search_child(tree, &parent->state, i, &child->state);
		filch_batch_add(children, &child->node);
	}
	done(l, parent);
	return 0;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct filchi_search_tree *tree = arg;
	struct node *parent = FILCH_CONTAINER_OF(node, struct node, node);
	unsigned n = filchi_search_children(tree, &parent->state);

	if (n)
		return expand(tree, filch_search_local(w), parent, n, children);
	done(filch_search_local(w), parent);
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
	filchi_search_nodes_end(&l->nodes);
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
	root = new_node(tree, filch_search_local(filch_search_worker(s, 0)));
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
