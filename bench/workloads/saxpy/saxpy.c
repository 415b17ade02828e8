/* SPDX-License-Identifier: Apache-2.0 */
#include "saxpy.h"

#include "../common/array.h"

#include <stdio.h>

struct input {
	struct filchi_arrays arrays;
	size_t count;
	float *x, *y;
};

static void *begin(const char *size)
{
	struct input *input = filchi_arrays_begin(sizeof(*input), filchi_workload_count(size), sizeof(*input->x), 2);

	if (!input)
		return NULL;
	input->count = input->arrays.count;
	input->x = input->arrays.first;
	input->y = input->arrays.second;
	return input;
}

/* Whole numbers, so small that sums are exact. */
static float x_at(size_t i)
{
	return (float)(i % 1021);
}

static float y_at(size_t i)
{
	return (float)(i % 509);
}

static void fill(void *argument)
{
	struct input *input = argument;

	for (size_t i = 0; i < input->count; i++) {
		input->x[i] = x_at(i);
		input->y[i] = y_at(i);
	}
}

static void run(void *argument)
{
	struct input *input = argument;
	struct filchi_saxpy s = {3, input->x, input->y};

	for (int round = 0; round < FILCHI_SAXPY_ROUNDS; round++)
		filchi_saxpy(&s, input->count);
}

static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;
	size_t wrong = 0;

	for (size_t i = 0; i < input->count; i++)
		wrong += input->y[i] != y_at(i) + 3 * FILCHI_SAXPY_ROUNDS * x_at(i);
	snprintf(answer, size, "%zu-wrong", wrong);
	*items = (double)input->count * FILCHI_SAXPY_ROUNDS;
	return !wrong;
}

const struct filchi_workload filchi_workload_saxpy = {
	.name = "saxpy",
	.warm_up = "100000",
	.least = 1,
	.most = 1000000000,
	.begin = begin,
	.end = filchi_arrays_end,
	.fill = fill,
	.run = run,
	.check = check,
};
