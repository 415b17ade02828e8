/* SPDX-License-Identifier: Apache-2.0 */
#include "fib.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct input {
	int n;
	uint64_t result;
};

static void *begin(const char *size)
{
	unsigned n = filchi_workload_count(size);
	struct input *input = n ? calloc(1, sizeof(*input)) : NULL;

	if (input)
		input->n = (int)n;
	return input;
}

static void run(void *argument)
{
	struct input *input = argument;

	input->result = filchi_fib(input->n);
}

/* Items are the calls that make two more, as the literature counts tasks. */
static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct input *input = argument;
	uint64_t now = 0, next = 1;

	for (int i = 0; i < input->n; i++) {
		uint64_t sum = now + next;

		now = next;
		next = sum;
	}
	snprintf(answer, size, "%" PRIu64, input->result);
	*items = (double)(next - 1);
	return input->result == now;
}

const struct filchi_workload filchi_workload_fib = {
	.name = "fib",
	.warm_up = "20",
	.least = 1,
	.most = 90,
	.begin = begin,
	.end = free,
	.run = run,
	.check = check,
};
