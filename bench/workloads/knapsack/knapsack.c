/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_COUNT 100
#define MAX_WEIGHT 10000

struct input {
	int count, room, best;
	int known; /* 0: not yet */
	struct filchi_thing things[MAX_COUNT];
};

static int more_for_its_weight(const void *a, const void *b)
{
	const struct filchi_thing *x = a, *y = b;
	int64_t left = (int64_t)x->value * y->weight, right = (int64_t)y->value * x->weight;

	return left != right ? (left < right) - (left > right) : y->weight - x->weight;
}

/* Value grows with weight; otherwise the problem would be easy. */
static void *begin(const char *size)
{
	unsigned count = filchi_workload_count(size);
	struct input *input = count ? calloc(1, sizeof(*input)) : NULL;
	uint64_t random = 7;
	int sum = 0;

	if (!input)
		return NULL;
	input->count = (int)count;
	for (unsigned i = 0; i < count; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		input->things[i].weight = 1 + (int)((random >> 33) % MAX_WEIGHT);
		input->things[i].value = input->things[i].weight + MAX_WEIGHT / 10;
		sum += input->things[i].weight;
	}
	input->room = sum / 2;
	qsort(input->things, count, sizeof(input->things[0]), more_for_its_weight);
	return input;
}

static void fill(void *argument)
{
	((struct input *)argument)->best = 0;
}

static void run(void *argument)
{
	struct input *input = argument;

	filchi_knapsack((struct filchi_knapsack){input->things, input->count, input->room, 0, &input->best});
}

/* For each capacity: the best value with the things so far. */
static int by_table(const struct input *input)
{
	int *best = calloc((size_t)input->room + 1, sizeof(*best)), answer;

	if (!best)
		return -1;
	for (int i = 0; i < input->count; i++) {
		const struct filchi_thing *t = &input->things[i];

		for (int room = input->room; room >= t->weight; room--)
			if (best[room] < best[room - t->weight] + t->value)
				best[room] = best[room - t->weight] + t->value;
	}
	answer = best[input->room];
	free(best);
	return answer;
}

static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;

	if (!input->known)
		input->known = by_table(input);
	snprintf(answer, size, "%d", input->best);
	*items = 1;
	return input->best == input->known;
}

const struct filchi_workload filchi_workload_knapsack = {
	.name = "knapsack",
	.warm_up = "12",
	.least = 2,
	.most = MAX_COUNT,
	.begin = begin,
	.end = free,
	.fill = fill,
	.run = run,
	.check = check,
};
