/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"

#include "../../src/base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 2000u

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Interpolates between the two nearest samples. */
static double quantile(const double *sorted, size_t count, double share)
{
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

/*
 * Returns the median of count samples drawn with replacement: counts the draws of each sample, and walks to the
 * middle.
 */
static double resample(const double *sorted, unsigned *drawn, size_t count, struct filchi_rng *rng)
{
	size_t lower = (count - 1) / 2, upper = count / 2;
	size_t seen = 0;
	double first = NAN;

	memset(drawn, 0, count * sizeof(*drawn));
	for (size_t i = 0; i < count; i++)
		drawn[filchi_rng_below(rng, (uint32_t)count)]++;
	for (size_t i = 0; i < count; i++) {
		if (seen <= lower && lower < seen + drawn[i])
			first = sorted[i];
		if (seen <= upper && upper < seen + drawn[i])
			return (first + sorted[i]) / 2;
		seen += drawn[i];
	}
	return NAN;
}

static int bootstrap(struct filchi_stats *out, const double *sorted, size_t count)
{
	unsigned *drawn = malloc(count * sizeof(*drawn));
	double *medians = malloc(RESAMPLES * sizeof(*medians));
	struct filchi_rng rng;
	int err = -ENOMEM;

	if (drawn && medians) {
		filchi_rng_seed(&rng, 1);
		for (size_t i = 0; i < RESAMPLES; i++)
			medians[i] = resample(sorted, drawn, count, &rng);
		qsort(medians, RESAMPLES, sizeof(*medians), by_value);
		out->low = quantile(medians, RESAMPLES, 0.025);
		out->high = quantile(medians, RESAMPLES, 0.975);
		err = 0;
	}
	free(drawn);
	free(medians);
	return err;
}

/* Tukey's fences. */
static size_t outliers(const struct filchi_stats *s, const double *samples, size_t count)
{
	double reach = 1.5 * (s->q3 - s->q1);
	size_t out = 0;

	for (size_t i = 0; i < count; i++)
		out += samples[i] < s->q1 - reach || samples[i] > s->q3 + reach;
	return out;
}

int filchi_stats(struct filchi_stats *out, const double *samples, size_t count, size_t stride)
{
	double *sorted;
	size_t n = 0;
	int err = 0;

	*out = (struct filchi_stats){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
	if (!count)
		return 0;
	sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(samples[i * stride]))
			sorted[n++] = samples[i * stride];
	if (n) {
		qsort(sorted, n, sizeof(*sorted), by_value);
		out->count = n;
		out->min = sorted[0];
		out->q1 = quantile(sorted, n, 0.25);
		out->median = quantile(sorted, n, 0.5);
		out->q3 = quantile(sorted, n, 0.75);
		out->max = sorted[n - 1];
		out->outliers = outliers(out, sorted, n);
		err = bootstrap(out, sorted, n);
	}
	free(sorted);
	return err;
}

double filchi_stats_spread(const struct filchi_stats *s)
{
	return (s->q3 - s->q1) / 2 / s->median;
}

double filchi_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}
