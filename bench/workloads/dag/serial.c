/* SPDX-License-Identifier: Apache-2.0 */
#include "dag.h"

#include <stdlib.h>

struct stack {
	uint32_t *nodes;
	size_t count, size;
};

/* Makes room for the successors of a node. */
static bool make_room(struct stack *stack)
{
	uint32_t *nodes;

	if (stack->size - stack->count >= FILCHI_DAG_SUCCESSORS)
		return true;
	stack->size = 2 * stack->size + 1024;
	nodes = realloc(stack->nodes, stack->size * sizeof(*nodes));
	if (nodes)
		stack->nodes = nodes;
	return nodes;
}

/* Without memory some nodes are not visited, and the answer is wrong. */
struct filchi_dag_count filchi_dag(const struct filchi_dag *dag)
{
	struct filchi_dag_count count = {0, 0};
	struct stack stack = {0};

	if (make_room(&stack))
		stack.nodes[stack.count++] = 0;
	while (stack.count && make_room(&stack)) {
		uint32_t node = stack.nodes[--stack.count];

		stack.count += filchi_dag_visit(dag, node, false, &count, stack.nodes + stack.count);
	}
	free(stack.nodes);
	return count;
}
