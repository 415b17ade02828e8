/* SPDX-License-Identifier: Apache-2.0 */
#include "density.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

double filchi_density_quantile(const struct filchi_density *d, double share)
{
	double at = share * (double)(d->count - 1);
	size_t i = (size_t)at;

	if (i + 1 >= d->count)
		return d->samples[d->count - 1];
	return d->samples[i] + (at - (double)i) * (d->samples[i + 1] - d->samples[i]);
}

/* Silverman's rule. */
static double bandwidth(const struct filchi_density *d)
{
	double mean = 0, square = 0, deviation, spread, n = (double)d->count;

	if (d->count < 2 || d->samples[0] == d->samples[d->count - 1])
		return 0;
	for (size_t i = 0; i < d->count; i++)
		mean += d->samples[i] / n;
	for (size_t i = 0; i < d->count; i++)
		square += (d->samples[i] - mean) * (d->samples[i] - mean);
	deviation = sqrt(square / (n - 1));
	spread = (filchi_density_quantile(d, 0.75) - filchi_density_quantile(d, 0.25)) / 1.34;
	if (spread > 0 && spread < deviation)
		deviation = spread;
	return 0.9 * deviation * pow(n, -0.2);
}

static double sum_at(const struct filchi_density *d, double value)
{
	double sum = 0;

	for (size_t i = 0; i < d->count; i++) {
		double z = (d->samples[i] - value) / d->bandwidth;

		sum += exp(-z * z / 2);
	}
	return sum;
}

double filchi_density_at(const struct filchi_density *d, double value)
{
	return d->bandwidth > 0 ? fmin(sum_at(d, value) / d->greatest, 1) : 1;
}

void filchi_density_places(const struct filchi_density *d, double out[FILCHI_DENSITY_PLACES])
{
	double low = d->samples[0], range = d->samples[d->count - 1] - low;
	const int half = FILCHI_DENSITY_PLACES / 2;

	for (int i = 0; i < half; i++) {
		double share = (double)i / (half - 1);

		out[i] = i + 1 < half ? low + range * share : low + range;
		out[half + i] = filchi_density_quantile(d, share);
	}
	qsort(out, FILCHI_DENSITY_PLACES, sizeof(double), by_value);
}

int filchi_density_make(struct filchi_density *d, const struct filchi_axis *axis, const double *samples, size_t count)
{
	double places[FILCHI_DENSITY_PLACES];

	*d = (struct filchi_density){.samples = malloc((count + 1) * sizeof(double))};
	if (!d->samples)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (filchi_axis_has(axis, samples[i]))
			d->samples[d->count++] = axis->log ? log(samples[i]) : samples[i];
	if (!d->count)
		return 0;
	qsort(d->samples, d->count, sizeof(double), by_value);
	d->bandwidth = bandwidth(d);
	filchi_density_places(d, places);
	for (int i = 0; d->bandwidth > 0 && i < FILCHI_DENSITY_PLACES; i++)
		d->greatest = fmax(d->greatest, sum_at(d, places[i]));
	return 0;
}

void filchi_density_free(struct filchi_density *d)
{
	free(d->samples);
	d->samples = NULL;
}
