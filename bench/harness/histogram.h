/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts times in memory of fixed size. It is exact below 64 ns. Above, each doubling has 32 steps, so that a time
 * is exact within 2 %. The largest time is exact.
 */
#ifndef FILCHI_BENCH_HISTOGRAM_H
#define FILCHI_BENCH_HISTOGRAM_H

#include <stdint.h>

#define FILCHI_HISTOGRAM_STEPS 32u			      /* to a doubling */
#define FILCHI_HISTOGRAM_PLACES (34 * FILCHI_HISTOGRAM_STEPS) /* up to 2^38 ns: longer than a sample */

/* Empty if all is 0. */
struct filchi_histogram {
	uint64_t count, sum, max;
	uint64_t places[FILCHI_HISTOGRAM_PLACES];
};

static inline unsigned filchi_histogram_place(uint64_t ns)
{
	unsigned doublings;

	if (ns < 2 * FILCHI_HISTOGRAM_STEPS)
		return (unsigned)ns;
	doublings = 63u - (unsigned)__builtin_clzll(ns / FILCHI_HISTOGRAM_STEPS);
	if (doublings >= FILCHI_HISTOGRAM_PLACES / FILCHI_HISTOGRAM_STEPS - 1)
		return FILCHI_HISTOGRAM_PLACES - 1;
	return doublings * FILCHI_HISTOGRAM_STEPS + (unsigned)(ns >> doublings);
}

static inline void filchi_histogram_add(struct filchi_histogram *h, uint64_t ns)
{
	h->places[filchi_histogram_place(ns)]++;
	h->count++;
	h->sum += ns;
	if (ns > h->max)
		h->max = ns;
}

/* Adds the counts of the other histogram. */
void filchi_histogram_merge(struct filchi_histogram *h, const struct filchi_histogram *other);
/* Returns the smallest time, within a step, that this share (0 to 1) of the times does not exceed. NaN if empty. */
double filchi_histogram_quantile(const struct filchi_histogram *h, double share);
/* NaN if empty. */
double filchi_histogram_mean(const struct filchi_histogram *h);
double filchi_histogram_max(const struct filchi_histogram *h);

#endif
