/* SPDX-License-Identifier: Apache-2.0 */
#include "dag.h"

#include <omp.h>
#include <stdlib.h>

/* The count of a thread, on its own cache line. */
struct part {
	_Alignas(64) struct filchi_dag_count count;
};

/* Continues with one of the discovered nodes; the others become tasks. */
static void explore(const struct filchi_dag *dag, struct part *parts, uint32_t node)
{
	struct filchi_dag_count *count = &parts[omp_get_thread_num()].count;
	uint32_t found[FILCHI_DAG_SUCCESSORS];
	unsigned n;

	while ((n = filchi_dag_visit(dag, node, true, count, found))) {
		for (unsigned i = 0; i + 1 < n; i++) {
			uint32_t next = found[i];

#pragma omp task firstprivate(next)
			explore(dag, parts, next);
		}
		node = found[n - 1];
	}
}

/* No task waits for a node: all are complete when the region ends. */
struct filchi_dag_count filchi_dag(const struct filchi_dag *dag)
{
	unsigned threads = (unsigned)omp_get_max_threads();
	struct part *parts = aligned_alloc(_Alignof(struct part), threads * sizeof(*parts));
	struct filchi_dag_count count = {0, 0};

	if (!parts)
		return count;
	for (unsigned i = 0; i < threads; i++)
		parts[i].count = count;
#pragma omp parallel
#pragma omp single
	explore(dag, parts, 0);
	for (unsigned i = 0; i < threads; i++)
		filchi_dag_add(&count, parts[i].count);
	free(parts);
	return count;
}
