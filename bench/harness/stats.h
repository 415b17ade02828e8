/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Summary of a set of samples. It uses medians and quartiles, because outliers come from the system, not from the
 * program.
 */
#ifndef FILCHI_BENCH_STATS_H
#define FILCHI_BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

struct filchi_stats {
	size_t count; /* number of samples; 0: all fields below are NaN */
	double min, q1, median, q3, max;
	double low, high; /* 95 % interval of the median: bootstrap, percentile method */
	size_t outliers;  /* samples further from the quartiles than 1.5 times the distance of the quartiles */
};

/* Reads samples[0], samples[stride], ... Equal samples give equal answers. 0 or -ENOMEM. */
int filchi_stats(struct filchi_stats *out, const double *samples, size_t count, size_t stride);

/* Half of the distance of the quartiles, divided by the median. */
double filchi_stats_spread(const struct filchi_stats *s);

/* NaN of nothing. */
double filchi_share(uint64_t part, uint64_t whole);

#endif
