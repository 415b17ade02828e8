/* SPDX-License-Identifier: Apache-2.0 */
#include "integrate.h"

#include "../common/number.h"

#include <stdio.h>
#include <stdlib.h>

static void run(void *argument)
{
	struct filchi_number *input = argument;
	double x = input->n;

	input->area = filchi_integrate(filchi_trapezium(0, filchi_curve(0), x, filchi_curve(x)));
}

/*
 * The integral is known. Halves are always added in the same order, so only the tolerance of each step makes a
 * difference.
 */
static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct filchi_number *input = argument;
	double x = input->n, known = x * x * x * x / 4 + x * x / 2, off = input->area / known - 1;

	snprintf(answer, size, "%.10g", input->area);
	*items = 1;
	return off > -1e-6 && off < 1e-6;
}

const struct filchi_workload filchi_workload_integrate = {
	.name = "integrate",
	.warm_up = "10",
	.least = 1,
	.most = 1000000,
	.begin = filchi_number_begin,
	.end = free,
	.run = run,
	.check = check,
};
