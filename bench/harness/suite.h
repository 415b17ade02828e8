/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload as a whole: the cases that are compared, how they are sampled, and how they are reported. What the table
 * of a workload looks like is its own business, and what it has in options of its own; the rest is the same for all.
 */
#ifndef FILCHI_BENCH_SUITE_H
#define FILCHI_BENCH_SUITE_H

#include "json.h"
#include "machine.h"
#include "sample.h"
#include "stats.h"

#include <stdbool.h>
#include <stdio.h>

/* What every workload can be told. */
struct filchi_bench_options {
	bool quick;	/* for the report: what follows says what that means */
	unsigned runs;	/* samples of each case */
	double seconds; /* of each sample; NaN: what it takes */
};

struct filchi_bench_suite {
	const char *name; /* as in the JSON */
	struct filchi_bench_options options;
	uint64_t seed; /* of the order in which cases take turns */
	size_t subject_count;
	const char **subjects; /* their names */
	size_t case_count;
	struct filchi_bench_case *cases;
	void *own; /* the workload's */
	/* For people. 0 or -ENOMEM. */
	int (*table)(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
	/* The workload's own options, into an object that is open. */
	void (*json_options)(const struct filchi_bench_suite *s, struct filchi_json *j);
	/* More of a case, into its object, which is open. May be NULL. */
	void (*json_case)(const struct filchi_bench_case *c, struct filchi_json *j);
	/* When all samples are taken. May be NULL. */
	void (*after)(struct filchi_bench_suite *s);
	/* Frees own. May be NULL. */
	void (*free_own)(struct filchi_bench_suite *s);
};

/* Room for so many of both, of which there are none yet; s has its other fields already. 0 or -ENOMEM. */
int filchi_bench_suite_alloc(struct filchi_bench_suite *s, size_t subjects, size_t cases);
void filchi_bench_suite_free(struct filchi_bench_suite *s);

/* 0 or -errno with the reason in error. */
int filchi_bench_suite_run(struct filchi_bench_suite *s, struct filchi_bench_error *error);

/* The case of that subject, or NULL if it is not measured so. */
const struct filchi_bench_case *filchi_bench_suite_case(const struct filchi_bench_suite *s, const char *subject,
							const char *measure);

/* All samples of that; none, and so NaN, where the subject is not measured so. 0 or -ENOMEM. */
int filchi_bench_suite_stats(const struct filchi_bench_suite *s, const char *subject, const char *measure,
			     const char *metric, struct filchi_stats *out);
/* Likewise; NaN if there is no memory. */
double filchi_bench_suite_median(const struct filchi_bench_suite *s, const char *subject, const char *measure,
				 const char *metric);

#endif
