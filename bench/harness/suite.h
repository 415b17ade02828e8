/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A suite is one benchmark as a whole: its cases, how they are sampled, and how they are reported. Each suite has
 * its own table and options.
 */
#ifndef FILCHI_BENCH_SUITE_H
#define FILCHI_BENCH_SUITE_H

#include "json.h"
#include "machine.h"
#include "sample.h"
#include "stats.h"

#include <stdbool.h>
#include <stdio.h>

/* Common options of all suites. */
struct filchi_bench_options {
	bool quick;	/* only for the report */
	unsigned runs;	/* samples of each case */
	double seconds; /* duration of a sample; NaN: a sample takes its time */
};

struct filchi_bench_suite {
	const char *name; /* key in the JSON */
	struct filchi_bench_options options;
	uint64_t seed; /* of the random order of cases */
	size_t subject_count;
	const char **subjects; /* their names */
	size_t case_count;
	struct filchi_bench_case *cases;
	void *own; /* the workload's */
	/* Prints the tables. 0 or -ENOMEM. */
	int (*table)(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
	/* Adds the options of the suite to an open object. */
	void (*json_options)(const struct filchi_bench_suite *s, struct filchi_json *j);
	/* Adds more fields of a case to its open object. May be NULL. */
	void (*json_case)(const struct filchi_bench_case *c, struct filchi_json *j);
	/* Runs when all samples are taken. May be NULL. */
	void (*after)(struct filchi_bench_suite *s);
	/* Frees own. May be NULL. */
	void (*free_own)(struct filchi_bench_suite *s);
};

/* Allocates room for that many subjects and cases, of which there are none yet. Other fields stay. 0 or -ENOMEM. */
int filchi_bench_suite_alloc(struct filchi_bench_suite *s, size_t subjects, size_t cases);
void filchi_bench_suite_free(struct filchi_bench_suite *s);

/* 0, or -errno with the reason in error. */
int filchi_bench_suite_run(struct filchi_bench_suite *s, struct filchi_bench_error *error);

/* Returns the case of the subject with that measure, or NULL. */
const struct filchi_bench_case *filchi_bench_suite_case(const struct filchi_bench_suite *s, const char *subject,
							const char *measure);

/* Summarizes all samples of a metric; NaN if the subject has no such measure. 0 or -ENOMEM. */
int filchi_bench_suite_stats(const struct filchi_bench_suite *s, const char *subject, const char *measure,
			     const char *metric, struct filchi_stats *out);
/* Returns the median; NaN also without memory. */
double filchi_bench_suite_median(const struct filchi_bench_suite *s, const char *subject, const char *measure,
				 const char *metric);

#endif
