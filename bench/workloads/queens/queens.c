/* SPDX-License-Identifier: Apache-2.0 */
#include "queens.h"

#include "../common/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* For each n from 1: the solutions (sequence A000170), and the queens placed during the search. */
static const struct known {
	uint64_t solutions, queens;
} known[] = {
	{1, 1},
	{0, 2},
	{0, 5},
	{2, 16},
	{10, 53},
	{4, 152},
	{40, 551},
	{92, 2056},
	{352, 8393},
	{724, 35538},
	{2680, 166925},
	{14200, 856188},
	{73712, 4674889},
	{365596, 27358552},
	{2279184, 171129071},
};

static void run(void *argument)
{
	struct filchi_number *input = argument;

	input->count = filchi_queens(input->n);
}

static bool check(void *argument, char *answer, size_t size, double *items)
{
	struct filchi_number *input = argument;

	snprintf(answer, size, "%" PRIu64, input->count);
	*items = (double)known[input->n - 1].queens;
	return input->count == known[input->n - 1].solutions;
}

const struct filchi_workload filchi_workload_queens = {
	.name = "queens",
	.warm_up = "6",
	.least = 1,
	.most = sizeof(known) / sizeof(known[0]),
	.begin = filchi_number_begin,
	.end = free,
	.run = run,
	.check = check,
};
