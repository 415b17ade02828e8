/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

void filchi_array_end(void *argument)
{
	struct filchi_array *a = argument;

	if (a) {
		free(a->numbers);
		free(a->room);
	}
	free(a);
}

void *filchi_array_begin(const char *size)
{
	struct filchi_array *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->count = filchi_workload_count(size);
	if (a->count) {
		a->numbers = malloc(a->count * sizeof(*a->numbers));
		a->room = malloc(a->count * sizeof(*a->room));
	}
	if (!a->numbers || !a->room) {
		filchi_array_end(a);
		return NULL;
	}
	return a;
}

/* A bijection that scatters well: the finalizer of splitmix64. */
static uint64_t scatter(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static void sums(const struct filchi_array *a, uint64_t out[2])
{
	out[0] = out[1] = 0;
	for (size_t i = 0; i < a->count; i++) {
		out[0] += (uint64_t)a->numbers[i];
		out[1] += scatter((uint64_t)a->numbers[i]);
	}
}

/* The room is written to, so that it is there when time counts. */
void filchi_array_fill(void *argument)
{
	struct filchi_array *a = argument;

	for (size_t i = 0; i < a->count; i++) {
		a->numbers[i] = (int64_t)scatter(0x9e3779b97f4a7c15u * (i + 1));
		a->room[i] = 0;
	}
	sums(a, a->sums);
}

bool filchi_array_check(void *argument, char *answer, size_t size, double *items)
{
	struct filchi_array *a = argument;
	size_t falls = 0;
	uint64_t now[2];

	for (size_t i = 1; i < a->count; i++)
		falls += a->numbers[i - 1] > a->numbers[i];
	sums(a, now);
	*items = (double)a->count;
	snprintf(answer, size, "%zu-in-wrong-order%s", falls,
		 now[0] == a->sums[0] && now[1] == a->sums[1] ? "" : "-and-others-than-before");
	return !falls && now[0] == a->sums[0] && now[1] == a->sums[1];
}
