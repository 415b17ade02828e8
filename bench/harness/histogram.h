/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each of many times was seen, in memory that does not depend on how many there are: exact below 64 ns, and
 * above with 32 steps to each doubling, so within 2 %. The largest is kept exactly.
 */
#ifndef FILCHI_BENCH_HISTOGRAM_H
#define FILCHI_BENCH_HISTOGRAM_H

#include <stdint.h>

#define FILCHI_HISTOGRAM_STEPS 32u			      /* to a doubling */
#define FILCHI_HISTOGRAM_PLACES (34 * FILCHI_HISTOGRAM_STEPS) /* up to 2^38 ns: longer than a sample */

/* Empty when all is 0. */
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

/* Adds all of the other. */
void filchi_histogram_merge(struct filchi_histogram *h, const struct filchi_histogram *other);
/* At least this share of the times, 0 to 1, is no longer than the answer, as far as the steps tell. NaN if empty. */
double filchi_histogram_quantile(const struct filchi_histogram *h, double share);
/* NaN if empty. */
double filchi_histogram_mean(const struct filchi_histogram *h);
double filchi_histogram_max(const struct filchi_histogram *h);

#endif
