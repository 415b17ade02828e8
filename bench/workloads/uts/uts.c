/* SPDX-License-Identifier: Apache-2.0 */
#include "uts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The trees of the literature with their published counts, and a small tree to warm up. */
static const struct known {
	struct filchi_uts_tree tree;
	struct filchi_uts_count count;
} trees[] = {
	{{"T1", FILCHI_UTS_FIXED, 19, 4, 0, 0, 10}, {4130071, 3305118, 10}},
	{{"T2", FILCHI_UTS_CYCLIC, 502, 6, 0, 0, 16}, {4117769, 2342762, 81}},
	{{"T3", FILCHI_UTS_BINOMIAL, 42, 2000, 0.124875, 8, 0}, {4112897, 3599034, 1572}},
	{{"T2L", FILCHI_UTS_CYCLIC, 220, 7, 0, 0, 23}, {96793510, 53791152, 67}},
	{{"T3L", FILCHI_UTS_BINOMIAL, 7, 2000, 0.200014, 5, 0}, {111345631, 89076904, 17844}},
	{{"small", FILCHI_UTS_FIXED, 19, 4, 0, 0, 5}, {3987, 3232, 5}}, /* T1 with this depth */
};

struct input {
	const struct known *known;
	struct filchi_uts_count count;
};

unsigned filchi_uts_geometric(const struct filchi_uts_tree *tree, uint32_t depth, double u)
{
	double mean = tree->b0, children;

	if (depth && tree->type == FILCHI_UTS_CYCLIC)
		mean = depth > 5 * tree->depth ? 0 : pow(mean, sin(2 * acos(-1) * depth / tree->depth));
	else if (depth >= tree->depth)
		mean = 0;
	if (!(mean > 0))
		return 0;
	children = floor(log(1 - u) / log(1 - 1 / (1 + mean)));
	return children > FILCHI_UTS_MAX_CHILDREN ? FILCHI_UTS_MAX_CHILDREN : (unsigned)children;
}

static void *begin(const char *size)
{
	struct input *input = calloc(1, sizeof(*input));

	for (size_t i = 0; input && i < sizeof(trees) / sizeof(trees[0]); i++)
		if (!strcmp(trees[i].tree.name, size))
			input->known = &trees[i];
	if (input && !input->known) {
		free(input);
		return NULL;
	}
	return input;
}

static void run(void *argument)
{
	struct input *input = argument;

	input->count = filchi_uts(&input->known->tree);
}

static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;
	const struct filchi_uts_count *is = &input->count, *known = &input->known->count;

	snprintf(answer, size, "%" PRIu64 "/%" PRIu64 "/%" PRIu64, is->nodes, is->leaves, is->depth);
	*items = (double)is->nodes;
	return is->nodes == known->nodes && is->leaves == known->leaves && is->depth == known->depth;
}

const struct filchi_workload filchi_workload_uts = {
	.name = "uts",
	.warm_up = "small",
	.names = "T1, T2, T3, T2L, T3L, small",
	.begin = begin,
	.end = free,
	.run = run,
	.check = check,
};
