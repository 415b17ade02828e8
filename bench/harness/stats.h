/* SPDX-License-Identifier: Apache-2.0 */
/* What a set of samples comes to. Medians and quartiles: a benchmark's outliers are the system's, not the program's. */
#ifndef FILCHI_BENCH_STATS_H
#define FILCHI_BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

struct filchi_stats {
	size_t count; /* of samples that are numbers; without any, all below is NaN */
	double min, q1, median, q3, max;
	double low, high; /* the median is in here with 95 %: bootstrap, percentile method */
	size_t outliers;  /* samples further from the quartiles than 1.5 times their distance */
};

/* Takes samples[0], samples[stride], ... Answers the same for the same samples. 0 or -ENOMEM. */
int filchi_stats(struct filchi_stats *out, const double *samples, size_t count, size_t stride);

/* Half of the range between the quartiles, as a share of the median. */
double filchi_stats_spread(const struct filchi_stats *s);

/* NaN of nothing. */
double filchi_share(uint64_t part, uint64_t whole);

#endif
