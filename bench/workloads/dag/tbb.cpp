/* SPDX-License-Identifier: Apache-2.0 */
#include "dag.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for_each.h>

/* Continues with one of the discovered nodes; the others are fed to the loop. */
static void explore(const struct filchi_dag *dag, struct filchi_dag_count &count, uint32_t node,
		    tbb::feeder<uint32_t> &feeder)
{
	uint32_t found[FILCHI_DAG_SUCCESSORS];
	unsigned n;

	while ((n = filchi_dag_visit(dag, node, true, &count, found))) {
		for (unsigned i = 0; i + 1 < n; i++)
			feeder.add(found[i]);
		node = found[n - 1];
	}
}

struct filchi_dag_count filchi_dag(const struct filchi_dag *dag)
{
	tbb::enumerable_thread_specific<struct filchi_dag_count> parts([] { return filchi_dag_count{0, 0}; });
	const uint32_t root[] = {0};
	struct filchi_dag_count count = {0, 0};

	tbb::parallel_for_each(root, root + 1, [&](uint32_t node, tbb::feeder<uint32_t> &feeder) {
		explore(dag, parts.local(), node, feeder);
	});
	for (const auto &part : parts)
		filchi_dag_add(&count, part);
	return count;
}
