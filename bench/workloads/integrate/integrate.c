/* SPDX-License-Identifier: Apache-2.0 */
#include "integrate.h"

#include <stdio.h>
#include <stdlib.h>

struct input {
	double x, area;
};

static void *begin(const char *size)
{
	unsigned x = filchi_workload_count(size);
	struct input *input = x ? calloc(1, sizeof(*input)) : NULL;

	if (input)
		input->x = x;
	return input;
}

static void run(void *argument)
{
	struct input *input = argument;

	input->area = filchi_integrate(filchi_trapezium(0, filchi_curve(0), input->x, filchi_curve(input->x)));
}

/* The integral is known, and halves are added in one order only: all that is off is what each of them may be. */
static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;
	double x = input->x, known = x * x * x * x / 4 + x * x / 2, off = input->area / known - 1;

	snprintf(answer, size, "%.10g", input->area);
	*items = 1;
	return off > -1e-6 && off < 1e-6;
}

const struct filchi_workload filchi_workload_integrate = {
	.name = "integrate",
	.warm_up = "10",
	.least = 1,
	.most = 1000000,
	.begin = begin,
	.end = free,
	.run = run,
	.check = check,
};
