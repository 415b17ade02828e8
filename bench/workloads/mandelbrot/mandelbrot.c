/* SPDX-License-Identifier: Apache-2.0 */
#include "mandelbrot.h"

#include "../common/array.h"

#include <stdio.h>
#include <string.h>

#define AREA 1.5065918849 /* of the set: Foerstemann, 2012, by counting points */

struct input {
	struct filchi_arrays arrays;
	struct filchi_mandelbrot m;
};

static void *begin(const char *size)
{
	size_t side = filchi_workload_count(size);
	struct input *input = filchi_arrays_begin(sizeof(*input), side * side, sizeof(*input->m.steps), 1);

	if (!input)
		return NULL;
	input->m.side = side;
	input->m.steps = input->arrays.first;
	return input;
}

static void fill(void *argument)
{
	struct input *input = argument;

	memset(input->m.steps, 0xff, input->m.side * input->m.side * sizeof(*input->m.steps));
}

static void run(void *argument)
{
	struct input *input = argument;

	filchi_mandelbrot(&input->m);
}

/*
 * All points must be computed. The points that never escape have the area of the set, within the error of the edge.
 */
static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;
	size_t side = input->m.side, inside = 0, wrong = 0;
	double off;

	for (size_t i = 0; i < side * side; i++) {
		uint16_t steps = input->m.steps[i];

		inside += steps == FILCHI_MANDELBROT_LIMIT;
		wrong += !steps || steps > FILCHI_MANDELBROT_LIMIT;
	}
	/* Computes each eighth point again. */
	for (size_t i = 0; i < side; i += 8)
		for (size_t j = 0; j < side; j += 8)
			wrong += input->m.steps[i * side + j] != filchi_mandelbrot_at(&input->m, i, j);
	off = (double)inside / (double)(side * side) * 6.25 / AREA - 1;
	snprintf(answer, size, "%zu-inside", inside);
	*items = (double)(side * side);
	return !wrong && off > -0.1 && off < 0.1;
}

const struct filchi_workload filchi_workload_mandelbrot = {
	.name = "mandelbrot",
	.warm_up = "64",
	.least = 16,
	.most = 30000,
	.begin = begin,
	.end = filchi_arrays_end,
	.fill = fill,
	.run = run,
	.check = check,
};
