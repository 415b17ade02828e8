/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"

#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

void filchi_arrays_end(void *input)
{
	struct filchi_arrays *arrays = input;

	if (arrays) {
		free(arrays->first);
		free(arrays->second);
	}
	free(arrays);
}

void *filchi_arrays_begin(size_t input_size, size_t count, size_t element_size, unsigned arrays)
{
	struct filchi_arrays *a = count ? calloc(1, input_size) : NULL;

	if (!a)
		return NULL;
	a->count = count;
	a->first = malloc(count * element_size);
	if (arrays > 1)
		a->second = malloc(count * element_size);
	if (!a->first || (arrays > 1 && !a->second)) {
		filchi_arrays_end(a);
		return NULL;
	}
	return a;
}

void *filchi_array_begin(const char *size)
{
	struct filchi_array *a = filchi_arrays_begin(sizeof(*a), filchi_workload_count(size), sizeof(*a->numbers), 2);

	if (!a)
		return NULL;
	a->count = a->arrays.count;
	a->numbers = a->arrays.first;
	a->room = a->arrays.second;
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

/* Writes to the room as well, so that its pages exist before the timed run. */
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
