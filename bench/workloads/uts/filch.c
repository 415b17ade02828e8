/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spawns the children of a node by number. With --deque, spawns them one by one, as in the Lace paper, into deques
 * of that kind.
 */
#include "uts.h"

#include <filch.h>

/* parent is NULL for the root. */
FILCH_TASK(struct filchi_uts_count, visit, unsigned, number, const struct filchi_uts_tree *, tree,
	   const struct filchi_uts_node *, parent)
{
	struct filchi_uts_node node = parent ? filchi_uts_child(parent, number) : filchi_uts_root(tree);
	unsigned children = filchi_uts_children(tree, &node);
	struct filchi_uts_count count = filchi_uts_one(&node, children);

	FILCH_SPAWN_N(visit, children, tree, &node);
	for (unsigned i = 0; i < children; i++)
		filchi_uts_add(&count, FILCH_SYNC(visit));
	return count;
}

FILCH_TASK(struct filchi_uts_count, visit_one, unsigned, number, const struct filchi_uts_tree *, tree,
	   const struct filchi_uts_node *, parent)
{
	struct filchi_uts_node node = parent ? filchi_uts_child(parent, number) : filchi_uts_root(tree);
	unsigned children = filchi_uts_children(tree, &node);
	struct filchi_uts_count count = filchi_uts_one(&node, children);

	for (unsigned i = 0; i < children; i++)
		FILCH_SPAWN(visit_one, i, tree, &node);
	for (unsigned i = 0; i < children; i++)
		filchi_uts_add(&count, FILCH_SYNC(visit_one));
	return count;
}

struct filchi_uts_count filchi_uts(const struct filchi_uts_tree *tree)
{
	return filchi_runtime_deque() ? FILCH_RUN(visit_one, 0, tree, NULL) : FILCH_RUN(visit, 0, tree, NULL);
}
