/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taking samples. Whatever is to be compared is a case, and cases are interleaved: first each is run once to warm up,
 * then in every repetition each is run once, in an order shuffled anew. What drifts (clock rates, temperature, other
 * programs) meets all of them alike.
 */
#ifndef FILCHI_BENCH_SAMPLE_H
#define FILCHI_BENCH_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

struct filchi_bench_metric {
	const char *name; /* as in the JSON */
	const char *unit;
};

/* What went wrong, for people. */
struct filchi_bench_error {
	char text[512];
};

/* One subject in one kind of measurement; a sample of it is one number for each metric. */
struct filchi_bench_case {
	const char *subject;
	const char *measure;
	const struct filchi_bench_metric *metrics;
	size_t metric_count;
	/* Takes one sample; NaN is a number that this sample does not give. 0 or -errno, and then says why in error. */
	int (*run)(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);
	const void *context; /* for run */
	double *samples;     /* filled by filchi_bench_run(): metric_count of each repetition */
};

struct filchi_bench_plan {
	unsigned runs; /* samples of each case */
	uint64_t seed; /* of the order */
};

/*
 * Runs all cases; their samples are for filchi_bench_free(). 0 or -errno, with the reason, which names the case, in
 * error. Shows progress on a terminal.
 */
int filchi_bench_run(struct filchi_bench_case *cases, size_t count, const struct filchi_bench_plan *plan,
		     struct filchi_bench_error *error);
void filchi_bench_free(struct filchi_bench_case *cases, size_t count);

/* The place of a metric of that name in the case, which has it. */
size_t filchi_bench_metric(const struct filchi_bench_case *c, const char *name);
/* For run: puts a value there. */
void filchi_bench_set(const struct filchi_bench_case *c, double *values, const char *metric, double value);

#endif
