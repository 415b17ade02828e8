/* SPDX-License-Identifier: Apache-2.0 */
#include "uts.h"

static inline struct filchi_uts_count below(const struct filchi_uts_tree *tree, const struct filchi_uts_node *node);

static inline struct filchi_uts_count visit(const struct filchi_uts_tree *tree, const struct filchi_uts_node *parent,
					    unsigned number)
{
	struct filchi_uts_node node = filchi_uts_child(parent, number);

	return below(tree, &node);
}

static inline struct filchi_uts_count below(const struct filchi_uts_tree *tree, const struct filchi_uts_node *node)
{
	unsigned children = filchi_uts_children(tree, node);
	struct filchi_uts_count count = filchi_uts_one(node, children);

	for (unsigned i = 0; i < children; i++)
		filchi_uts_add(&count, visit(tree, node, i));
	return count;
}

struct filchi_uts_count filchi_uts(const struct filchi_uts_tree *tree)
{
	struct filchi_uts_node root = filchi_uts_root(tree);

	return below(tree, &root);
}
