/* SPDX-License-Identifier: Apache-2.0 */
/* The exploration of a graph of the bulk paper (figures 9 and 10), as in bench/workloads/dag, on filch_search. */
#include "../workloads/dag/dag.h"
#include "nodes.h"
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>

/* There may be many open nodes. So they share cache lines. */
struct node {
	struct filch_node node;
	uint32_t number;
};

struct local {
	struct filchi_search_nodes nodes;
	struct filchi_dag_count count;
};

static struct node *new_node(struct local *l, uint32_t number)
{
	struct filch_node *node = filchi_search_nodes_take(&l->nodes, sizeof(struct node));
	struct node *n = node ? FILCH_CONTAINER_OF(node, struct node, node) : NULL;

	if (n)
		n->number = number;
	return n;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct local *l = filch_search_local(w);
	uint32_t found[FILCHI_DAG_SUCCESSORS];
	unsigned n = filchi_dag_visit(arg, FILCH_CONTAINER_OF(node, struct node, node)->number, true, &l->count, found);

	filchi_search_nodes_put(&l->nodes, node);
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
	filchi_search_nodes_end(&l->nodes);
}

/* With an array as stack. */
uint64_t filchi_search_dag_serial(uint32_t nodes)
{
	struct filchi_dag dag = {.nodes = nodes, .claimed = calloc(nodes / 64 + 1, sizeof(uint64_t))};
	struct filchi_dag_count count = {0, 0};
	size_t room = 1 << 16, size = 1;
	uint32_t *stack = malloc(room * sizeof(*stack)), *more = stack;

	if (dag.claimed && stack) {
		dag.claimed[0] = 1;
		stack[0] = 0;
	} else {
		size = 0;
	}
	while (size && more) {
		if (size + FILCHI_DAG_SUCCESSORS > room) {
			more = realloc(stack, 2 * room * sizeof(*stack));
			stack = more ? more : stack;
			room *= 2;
		}
		size--;
		size += filchi_dag_visit(&dag, stack[size], false, &count, &stack[size]);
	}
	free(stack);
	free(dag.claimed);
	return count.nodes;
}

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
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filch_search *s;
	struct node *root;

	if (!dag.claimed || filch_search_create(&s, &problem, &opt)) {
		free(dag.claimed);
		return 0;
	}
	root = new_node(filch_search_local(filch_search_worker(s, 0)), 0);
	dag.claimed[0] = 1;
	filch_search_add_node(s, root ? &root->node : NULL);
	filch_search_run(s, &result);
	filchi_search_read(s, report);
	filch_search_destroy(s);
	free(dag.claimed);
	return result.explored;
}
