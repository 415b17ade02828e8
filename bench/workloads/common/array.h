/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in no order, for workloads that sort them. */
#ifndef FILCHI_BENCH_WORKLOAD_ARRAY_H
#define FILCHI_BENCH_WORKLOAD_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILCHI_ARRAY_MOST 1000000000u /* numbers */

struct filchi_array {
	size_t count;
	int64_t *numbers;
	int64_t *room;	  /* for as many again */
	uint64_t sums[2]; /* of what was filled in, in whichever order */
};

void *filchi_array_begin(const char *size);
void filchi_array_end(void *array);
/* The same numbers each time. */
void filchi_array_fill(void *array);
/* Are they sorted, and all still there? Items are numbers. */
bool filchi_array_check(void *array, char *answer, size_t size, double *items);

#endif
