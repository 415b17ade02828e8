/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the search library: its costs, the gain of the second worker, and the two ways to move work.
 * Subjects are ways, such as "direct"; measures are CASE/WORKERS. bench/search has the cases and the program. A sample
 * is one run of the program.
 */
#ifndef FILCHI_BENCH_MICRO_SEARCH_H
#define FILCHI_BENCH_MICRO_SEARCH_H

#include "../../harness/suite.h"
#include "../../search/cases.h"

#define FILCHI_SEARCH_MAX_CASES 64
#define FILCHI_SEARCH_MAX_WAYS 16
#define FILCHI_SEARCH_MAX_WORKERS 64

struct filchi_search_options {
	char folder[4096]; /* with the program */
	bool small;	   /* small trees */
	size_t case_count, way_count, workers_count;
	const struct filchi_search_case *cases[FILCHI_SEARCH_MAX_CASES];
	const char *ways[FILCHI_SEARCH_MAX_WAYS];
	unsigned workers[FILCHI_SEARCH_MAX_WORKERS];
};

/* True if the program exists. */
bool filchi_search_there(const struct filchi_search_options *o);
/* How many measurements there are: not each case has each way. */
size_t filchi_search_count(const struct filchi_search_options *o);

/* 0 or -errno. */
int filchi_search_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			     const struct filchi_search_options *search);

/* ---- between the files of this folder ---- */

struct filchi_search_context {
	const struct filchi_search_options *options;
	const struct filchi_search_case *which;
	const char *way;
	unsigned workers;
	char measure[64];
};

struct filchi_search_bench {
	struct filchi_search_options options;
	struct filchi_search_context *contexts;
};

extern const struct filchi_bench_case filchi_search_bench_pattern;
int filchi_search_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_search_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
