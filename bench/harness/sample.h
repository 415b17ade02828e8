/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes samples. Cases are interleaved: first each case runs once to warm up, then each repetition runs each case
 * once, in a new random order. So drift (clock rates, temperature, other programs) affects all cases alike.
 */
#ifndef FILCHI_BENCH_SAMPLE_H
#define FILCHI_BENCH_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

struct filchi_bench_metric {
	const char *name; /* key in the JSON */
	const char *unit;
};

/* An error message. */
struct filchi_bench_error {
	char text[512];
};

/* One subject in one measure. A sample is one number for each metric. */
struct filchi_bench_case {
	const char *subject;
	const char *measure;
	const struct filchi_bench_metric *metrics;
	size_t metric_count;
	/* Takes one sample; NaN: this sample has no such number. 0, or -errno with the reason in error. */
	int (*run)(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);
	const void *context; /* for run */
	double *samples;     /* filled by filchi_bench_run(): metric_count numbers of each repetition */
};

struct filchi_bench_plan {
	unsigned runs; /* samples of each case */
	uint64_t seed; /* of the order */
};

/*
 * Runs all cases, with progress on a terminal. filchi_bench_free() frees the samples. 0, or -errno with the reason
 * and the case in error.
 */
int filchi_bench_run(struct filchi_bench_case *cases, size_t count, const struct filchi_bench_plan *plan,
		     struct filchi_bench_error *error);
void filchi_bench_free(struct filchi_bench_case *cases, size_t count);

/* Returns the index of a metric that the case has. */
size_t filchi_bench_metric(const struct filchi_bench_case *c, const char *name);
/* For run: stores a value at that index. */
void filchi_bench_set(const struct filchi_bench_case *c, double *values, const char *metric, double value);

#endif
