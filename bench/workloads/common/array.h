/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays for workloads; and unsorted numbers for workloads that sort. */
#ifndef FILCHI_BENCH_WORKLOAD_ARRAY_H
#define FILCHI_BENCH_WORKLOAD_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILCHI_ARRAY_MOST 1000000000u /* numbers */

/* The first field of an input: one array, or two of the same size. */
struct filchi_arrays {
	size_t count;
	void *first, *second;
};

/*
 * Returns an input of that many bytes, which are 0 except for its arrays; their elements have any value. NULL:
 * count is 0, or no memory.
 */
void *filchi_arrays_begin(size_t input_size, size_t count, size_t element_size, unsigned arrays);
void filchi_arrays_end(void *input);

/* Numbers to sort. */
struct filchi_array {
	struct filchi_arrays arrays;
	size_t count;
	int64_t *numbers;
	int64_t *room;	  /* room for as many numbers */
	uint64_t sums[2]; /* of all numbers, in any order */
};

void *filchi_array_begin(const char *size);
/* Writes the same numbers each time. */
void filchi_array_fill(void *array);
/* Checks that the numbers are sorted and complete. Items are numbers. */
bool filchi_array_check(void *array, char *answer, size_t size, double *items);

#endif
