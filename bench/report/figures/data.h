/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run of filch bench has written (docs/bench-json.md), to look things up in. A number that is not there is NaN:
 * a file of another version may have other subjects and metrics.
 */
#ifndef FILCHI_BENCH_FIGURES_DATA_H
#define FILCHI_BENCH_FIGURES_DATA_H

#include "../../harness/json_read.h"
#include "../../harness/scaling.h"

struct filchi_data {
	struct filchi_json_file json;
	const struct filchi_json_value *options, *results;
	bool quick, optimized;
	const char *finished; /* never NULL, nor are the others */
	const char *commit;
	const char *command; /* that was run */
	/* One line each, which are equal in runs that may be compared. */
	char machine[512], build[512];
};

/* 0 or -errno, and then the reason, which begins with the path, is in json.error. */
int filchi_data_read(struct filchi_data *d, const char *path, const char *suite);
void filchi_data_free(struct filchi_data *d);

/* What was found for a metric. Without it all is NaN. */
struct filchi_found {
	double median, low, high, max;
	const struct filchi_json_value *samples; /* an array, or NULL */
};

struct filchi_found filchi_data_find(const struct filchi_data *d, const char *subject, const char *measure,
				     const char *metric);
double filchi_data_median(const struct filchi_data *d, const char *subject, const char *measure, const char *metric);

/* What was found for a, by what was found for b, of samples that were taken together. NaN if there is no memory. */
struct filchi_ratio filchi_data_ratio(struct filchi_found a, struct filchi_found b);

/*
 * How many times a second other programs took the CPU, where filch bench has a note on it, and 0 where it has none. It
 * is counted as there: where no thread of its own could be the one.
 */
double filchi_data_busy(const struct filchi_data *d);

/* ---- of filch bench WORKLOAD, whose measures are WORKLOAD/SIZE/WORKERS ---- */

/* The sizes that a workload was measured with, from 0; NULL beyond the last, and where it was not measured at all. */
const char *filchi_data_size(const struct filchi_data *d, const char *workload, unsigned n);
/* Numbers of workers likewise, from 0; 0 beyond the last. */
unsigned filchi_data_workers(const struct filchi_data *d, unsigned n);
/* Names of workloads, each once. */
const char *filchi_data_workload(const struct filchi_data *d, unsigned n);

/* Was the runtime measured? And was it asked for, but not there? */
bool filchi_data_has(const struct filchi_data *d, const char *runtime);
bool filchi_data_lacks(const struct filchi_data *d, const char *runtime);

/* As filchi_data_find. size NULL: whichever the runtime has; that of others than filch may be smaller. */
struct filchi_found filchi_data_program(const struct filchi_data *d, const char *runtime, const char *workload,
					const char *size, unsigned workers, const char *metric);

/* The symbols that a runtime was in most of its time, and percentages, for people; NULL: not known. */
const struct filchi_json_value *filchi_data_profile(const struct filchi_data *d, const char *runtime,
						    const char *workload, unsigned workers);

/*
 * What so many workers bring the runtime, beside what the machine gives to as many copies of the program that the
 * data have copies of. All is NaN where that was not measured, or there is no memory.
 */
struct filchi_scaling filchi_data_scaling(const struct filchi_data *d, const char *runtime, const char *workload,
					  const char *size, unsigned workers);

#endif
