/* SPDX-License-Identifier: Apache-2.0 */
/* The input of workloads whose size is a number and that return a number. */
#ifndef FILCHI_BENCH_WORKLOAD_NUMBER_H
#define FILCHI_BENCH_WORKLOAD_NUMBER_H

#include <stdint.h>

struct filchi_number {
	int n; /* the size */
	/* The result of the last run; a workload uses one of the two. */
	uint64_t count;
	double area;
};

/* Free it with free(). */
void *filchi_number_begin(const char *size);

#endif
