/* SPDX-License-Identifier: Apache-2.0 */
#include "trees.h"

#include <stdlib.h>

struct filchi_search_state filchi_search_tree_root(const struct filchi_search_tree *tree)
{
	struct filchi_search_state root = {filchi_search_mix(tree->children + 19), 0};

	return root;
}

struct filchi_search_count filchi_search_serial(const struct filchi_search_tree *tree)
{
	size_t room = 1 << 20, size = 1;
	struct filchi_search_state *stack = malloc(room * sizeof(*stack));
	struct filchi_search_count count = {0, 0};

	if (!stack)
		return count;
	stack[0] = filchi_search_tree_root(tree);
	while (size) {
		struct filchi_search_state state = stack[--size];
		unsigned children = filchi_search_children(tree, &state);

		count.nodes++;
		count.sum ^= state.word;
		if (size + children > room) {
			struct filchi_search_state *more = realloc(stack, 2 * room * sizeof(*stack));

			if (!more)
				break;
			stack = more;
			room *= 2;
		}
		for (unsigned i = children; i > 0; i--)
			stack[size++] = filchi_search_child(tree, &state, i - 1);
	}
	free(stack);
	return count;
}
