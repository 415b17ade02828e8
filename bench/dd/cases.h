/* SPDX-License-Identifier: Apache-2.0 */
/* The generated instances of filch bench dd: for the program that solves them, and for the suite that compares them. */
#ifndef FILCHI_BENCH_DD_CASES_H
#define FILCHI_BENCH_DD_CASES_H

#include <stddef.h>
#include <stdint.h>

struct filchi_dd_case {
	const char *name; /* PROBLEM/SIZE */
	const char *problem;
	size_t size;
	uint64_t seed;
	double density; /* negative: the default of the problem */
	int64_t range;	/* 0: the default of the problem */
	double optimum;
	int quick; /* it is also in the quick selection */
};

/* From 0; NULL beyond the last. */
const struct filchi_dd_case *filchi_dd_case(unsigned n);
const struct filchi_dd_case *filchi_dd_case_find(const char *name, size_t length);

/* Gaps in %, from large to small: the program tells when each is reached. */
#define FILCHI_DD_GAPS 9
extern const double filchi_dd_gaps[FILCHI_DD_GAPS];

#endif
