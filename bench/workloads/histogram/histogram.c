/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include "../common/array.h"

#include <stdio.h>
#include <string.h>

struct input {
	struct filchi_arrays arrays;
	size_t count;
	unsigned char *bytes;
	struct filchi_bins bins;
};

/*
 * Fills groups of 256 bytes so that each group has each value once: an odd number times i, plus another number.
 * Each group has new numbers.
 */
static void scatter(struct input *input)
{
	uint64_t random = 3;

	for (size_t i = 0; i < input->count; i++) {
		if (i % 256 == 0)
			random = random * 6364136223846793005u + 1442695040888963407u;
		input->bytes[i] = (unsigned char)((2 * (random >> 40) + 1) * i + (random >> 20));
	}
}

static void *begin(const char *size)
{
	struct input *input = filchi_arrays_begin(sizeof(*input), filchi_workload_count(size), 1, 1);

	if (!input)
		return NULL;
	input->count = input->arrays.count;
	input->bytes = input->arrays.first;
	scatter(input);
	return input;
}

static void fill(void *argument)
{
	struct input *input = argument;

	memset(&input->bins, 0, sizeof(input->bins));
}

static void run(void *argument)
{
	struct input *input = argument;

	filchi_histogram_make(&input->bins, input->bytes, input->count);
}

/* Whole groups of 256 have each byte once. */
static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;
	size_t wrong = 0;
	uint64_t rest[256] = {0};

	for (size_t i = input->count / 256 * 256; i < input->count; i++)
		rest[input->bytes[i]]++;
	for (int i = 0; i < 256; i++)
		wrong += input->bins.count[i] != input->count / 256 + rest[i];
	snprintf(answer, size, "%zu-wrong-bins", wrong);
	*items = (double)input->count;
	return !wrong;
}

const struct filchi_workload filchi_workload_histogram = {
	.name = "histogram",
	.warm_up = "100000",
	.least = 1,
	.most = 2000000000,
	.begin = begin,
	.end = filchi_arrays_end,
	.fill = fill,
	.run = run,
	.check = check,
};
