/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include <math.h>

void filchi_histogram_merge(struct filchi_histogram *h, const struct filchi_histogram *other)
{
	h->count += other->count;
	h->sum += other->sum;
	h->max = other->max > h->max ? other->max : h->max;
	for (unsigned i = 0; i < FILCHI_HISTOGRAM_PLACES; i++)
		h->places[i] += other->places[i];
}

/* The middle of a bucket. */
static double middle(unsigned place)
{
	unsigned doublings = place / FILCHI_HISTOGRAM_STEPS;
	uint64_t first;

	if (place < 2 * FILCHI_HISTOGRAM_STEPS)
		return place;
	doublings--;
	first = (uint64_t)(place % FILCHI_HISTOGRAM_STEPS + FILCHI_HISTOGRAM_STEPS) << doublings;
	return (double)first + (double)(((uint64_t)1 << doublings) - 1) / 2;
}

double filchi_histogram_quantile(const struct filchi_histogram *h, double share)
{
	double wanted = share * (double)h->count, seen = 0;
	unsigned place = 0;

	if (!h->count)
		return NAN;
	while (place < FILCHI_HISTOGRAM_PLACES - 1) {
		seen += (double)h->places[place];
		if (seen > 0 && seen >= wanted)
			break;
		place++;
	}
	/* The last bucket has no end, and the middle of a bucket may be above the largest time. */
	if (place == FILCHI_HISTOGRAM_PLACES - 1 || middle(place) > (double)h->max)
		return (double)h->max;
	return middle(place);
}

double filchi_histogram_mean(const struct filchi_histogram *h)
{
	return h->count ? (double)h->sum / (double)h->count : NAN;
}

double filchi_histogram_max(const struct filchi_histogram *h)
{
	return h->count ? (double)h->max : NAN;
}
