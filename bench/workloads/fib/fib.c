/* SPDX-License-Identifier: Apache-2.0 */
#include "fib.h"

#include "../common/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void run(void *argument)
{
	struct filchi_number *input = argument;

	input->count = filchi_fib(input->n);
}

/* Items are the calls that make two more, as the literature counts tasks. */
static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct filchi_number *input = argument;
	uint64_t now = 0, next = 1;

	for (int i = 0; i < input->n; i++) {
		uint64_t sum = now + next;

		now = next;
		next = sum;
	}
	snprintf(answer, size, "%" PRIu64, input->count);
	*items = (double)(next - 1);
	return input->count == now;
}

const struct filchi_workload filchi_workload_fib = {
	.name = "fib",
	.warm_up = "20",
	.least = 1,
	.most = 90,
	.begin = filchi_number_begin,
	.end = free,
	.run = run,
	.check = check,
};
