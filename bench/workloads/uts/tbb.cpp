/* SPDX-License-Identifier: Apache-2.0 */
#include "uts.h"

#include <oneapi/tbb/task_group.h>

/* Trees are deep, so the array of a node has only as many elements as the node has children. */
static struct filchi_uts_count below(const struct filchi_uts_tree *tree, const struct filchi_uts_node *node)
{
	unsigned children = filchi_uts_children(tree, node);
	struct filchi_uts_count count = filchi_uts_one(node, children);
	auto *part = (struct filchi_uts_count *)__builtin_alloca(children * sizeof(struct filchi_uts_count));

	if (!children)
		return count;
	tbb::task_group group;
	for (unsigned i = 0; i < children; i++)
		group.run([tree, node, part, i] {
			struct filchi_uts_node child = filchi_uts_child(node, i);

			part[i] = below(tree, &child);
		});
	group.wait();
	for (unsigned i = 0; i < children; i++)
		filchi_uts_add(&count, part[i]);
	return count;
}

struct filchi_uts_count filchi_uts(const struct filchi_uts_tree *tree)
{
	struct filchi_uts_node root = filchi_uts_root(tree);

	return below(tree, &root);
}
