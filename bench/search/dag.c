/* SPDX-License-Identifier: Apache-2.0 */
/* The exploration of a graph of the bulk paper (figures 9 and 10), as in bench/workloads/dag, on filch_search. */
#include "../workloads/dag/dag.h"
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>

struct node {
	struct filch_node node;
	uint32_t number;
};

struct local {
	struct filch_node *unused;
	struct filchi_dag_count count;
};

static struct node *new_node(struct local *l, uint32_t number)
{
	struct node *n;

	if (l->unused) {
		n = FILCH_CONTAINER_OF(l->unused, struct node, node);
		l->unused = n->node.next;
	} else if (!(n = malloc(sizeof(*n)))) {
		return NULL;
	}
	n->number = number;
	return n;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct local *l = filch_search_local(w);
	uint32_t found[FILCHI_DAG_SUCCESSORS];
	unsigned n = filchi_dag_visit(arg, FILCH_CONTAINER_OF(node, struct node, node)->number, true, &l->count, found);

	node->next = l->unused;
	l->unused = node;
	for (unsigned i = 0; i < n; i++) {
		struct node *child = new_node(l, found[i]);

		if (!child)
			abort(); /* the node was visited: it cannot be explored again */
		filch_batch_add(children, &child->node);
	}
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

/* How many nodes it has visited: all of them. */
uint64_t filchi_search_dag(uint32_t nodes, const struct filchi_search_how *how, struct filchi_search_report *report)
{
	struct filchi_dag dag = {.nodes = nodes, .claimed = calloc(nodes / 64 + 1, sizeof(uint64_t))};
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = &dag,
		.explore = explore,
		.local_size = sizeof(struct local),
		.local_end = local_end,
	};
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = how->workers, .move = how->move};
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct filch_search *s;
	struct node *root;

	if (!dag.claimed || filch_search_create(&s, &problem, &opt))
		abort();
	root = new_node(filch_search_local(filch_search_worker(s, 0)), 0);
	dag.claimed[0] = 1;
	filch_search_add_node(s, root ? &root->node : NULL);
	filch_search_run(s, NULL);
	filch_search_stats(s, -1, &stats);
	*report = (struct filchi_search_report){stats.batches, stats.nodes, stats.starts, stats.handed, stats.idle_ns};
	filch_search_destroy(s);
	free(dag.claimed);
	return stats.explored;
}
