/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a run of filch bench (docs/bench-json.md). A missing number is NaN, because a file of another version
 * may have other subjects and metrics.
 */
#ifndef FILCHI_BENCH_FIGURES_DATA_H
#define FILCHI_BENCH_FIGURES_DATA_H

#include "../../harness/json_read.h"
#include "../../harness/scaling.h"

struct filchi_data {
	struct filchi_json_file json;
	const struct filchi_json_value *options, *results;
	bool quick, optimized;
	const char *finished; /* not NULL, nor are the next two */
	const char *commit;
	const char *command; /* that was run */
	/* One line each. Runs that may be compared have equal lines. */
	char machine[512], build[512];
};

/* 0, or -errno with the path and the reason in json.error. */
int filchi_data_read(struct filchi_data *d, const char *path, const char *suite);
void filchi_data_free(struct filchi_data *d);

/* The values of a metric; NaN if it is missing. */
struct filchi_found {
	double median, low, high, max;
	const struct filchi_json_value *samples; /* an array, or NULL */
};

struct filchi_found filchi_data_find(const struct filchi_data *d, const char *subject, const char *measure,
				     const char *metric);
double filchi_data_median(const struct filchi_data *d, const char *subject, const char *measure, const char *metric);

/* Returns the ratio of a to b, whose samples were taken together. NaN: no memory. */
struct filchi_ratio filchi_data_ratio(struct filchi_found a, struct filchi_found b);

/*
 * Returns how often a second other programs took the CPU, if filch bench prints a note on that; else 0. It counts
 * only where no own thread could have taken the CPU.
 */
double filchi_data_busy(const struct filchi_data *d);

/* ---- filch bench WORKLOAD: measures are WORKLOAD/SIZE/WORKERS ---- */

/* The measured sizes of a workload, from 0; NULL beyond the last. */
const char *filchi_data_size(const struct filchi_data *d, const char *workload, unsigned n);
/* The measured numbers of workers, from 0; 0 beyond the last. */
unsigned filchi_data_workers(const struct filchi_data *d, unsigned n);
/* The names of workloads, each once, from 0; NULL beyond the last. */
const char *filchi_data_workload(const struct filchi_data *d, unsigned n);

/* True if the runtime was measured; true if it was requested but its program is missing. */
bool filchi_data_has(const struct filchi_data *d, const char *runtime);
bool filchi_data_lacks(const struct filchi_data *d, const char *runtime);

/* As filchi_data_find. size NULL: any size; other runtimes may have smaller ones. */
struct filchi_found filchi_data_program(const struct filchi_data *d, const char *runtime, const char *workload,
					const char *size, unsigned workers, const char *metric);

/* Returns the symbols in which a runtime spent most of its time, with percentages; NULL: unknown. */
const struct filchi_json_value *filchi_data_profile(const struct filchi_data *d, const char *runtime,
						    const char *workload, unsigned workers);

/*
 * Returns the speed-up of the runtime with that many workers, and the speed-up of as many copies of the copied
 * program. All is NaN if it was not measured, or without memory.
 */
struct filchi_scaling filchi_data_scaling(const struct filchi_data *d, const char *runtime, const char *workload,
					  const char *size, unsigned workers);

#endif
