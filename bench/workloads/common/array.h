/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that workloads compute on; and numbers in no order, for workloads that sort them. */
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

/* An input of that many bytes, 0 except for its arrays, whose elements have any value. NULL: count is 0, or no memory.
 */
void *filchi_arrays_begin(size_t input_size, size_t count, size_t element_size, unsigned arrays);
void filchi_arrays_end(void *input);

/* Numbers to sort. */
struct filchi_array {
	struct filchi_arrays arrays;
	size_t count;
	int64_t *numbers;
	int64_t *room;	  /* for as many again */
	uint64_t sums[2]; /* of what was filled in, in whichever order */
};

void *filchi_array_begin(const char *size);
/* The same numbers each time. */
void filchi_array_fill(void *array);
/* Are they sorted, and all still there? Items are numbers. */
bool filchi_array_check(void *array, char *answer, size_t size, double *items);

#endif
