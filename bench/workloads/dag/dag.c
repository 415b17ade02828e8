/* SPDX-License-Identifier: Apache-2.0 */
#include "dag.h"

#include "../common/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_NODES 1000000000

struct input {
	struct filchi_arrays arrays; /* the bits of dag.claimed */
	struct filchi_dag dag;
	struct filchi_dag_count count, known; /* known.nodes 0: not computed yet */
};

static void *begin(const char *size)
{
	unsigned nodes = filchi_workload_count(size);
	struct input *input =
		nodes ? filchi_arrays_begin(sizeof(*input), nodes / 64 + 1, sizeof(*input->dag.claimed), 1) : NULL;

	if (!input)
		return NULL;
	input->dag.nodes = nodes;
	input->dag.claimed = input->arrays.first;
	return input;
}

static void fill(void *argument)
{
	struct input *input = argument;

	memset(input->dag.claimed, 0, input->arrays.count * sizeof(*input->dag.claimed));
	input->dag.claimed[0] = 1;
}

static void run(void *argument)
{
	struct input *input = argument;

	input->count = filchi_dag(&input->dag);
}

/* All nodes can be reached, because each node except 0 is a certain successor of another. */
static struct filchi_dag_count all(const struct filchi_dag *dag)
{
	struct filchi_dag_count count = {dag->nodes, 0};

	for (uint32_t node = 0; node < dag->nodes; node++)
		count.sum += filchi_dag_hash(node);
	return count;
}

static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;

	if (!input->known.nodes)
		input->known = all(&input->dag);
	snprintf(answer, size, "%" PRIu64 "/%016" PRIx64, input->count.nodes, input->count.sum);
	*items = (double)input->count.nodes;
	return input->count.nodes == input->known.nodes && input->count.sum == input->known.sum;
}

const struct filchi_workload filchi_workload_dag = {
	.name = "dag",
	.warm_up = "1000",
	.least = 1,
	.most = MAX_NODES,
	.begin = begin,
	.end = filchi_arrays_end,
	.fill = fill,
	.run = run,
	.check = check,
};
