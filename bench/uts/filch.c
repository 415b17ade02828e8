/* SPDX-License-Identifier: Apache-2.0 */
#include "uts.h"

#include <filch.h>

/* parent is NULL for the root. */
FILCH_TASK(struct filchi_uts_count, visit, const struct filchi_uts_tree *, tree, const struct filchi_uts_node *, parent,
	   unsigned, number)
{
	struct filchi_uts_node node = parent ? filchi_uts_child(parent, number) : filchi_uts_root(tree);
	unsigned children = filchi_uts_children(tree, &node);
	struct filchi_uts_count count = filchi_uts_one(&node, children);

	for (unsigned i = 0; i < children; i++)
		FILCH_SPAWN(visit, tree, &node, i);
	for (unsigned i = 0; i < children; i++)
		filchi_uts_add(&count, FILCH_SYNC(visit));
	return count;
}

struct filchi_uts_count filchi_uts(const struct filchi_uts_tree *tree)
{
	return FILCH_RUN(visit, tree, NULL, 0);
}
