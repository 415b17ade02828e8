/* SPDX-License-Identifier: Apache-2.0 */
#include "ratio.h"

#include "../../src/base/rng.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define RESAMPLES 4000u

/* Room for a resampled set of each, for all ratios, and for the sets. */
struct room {
	double *a, *b, *drawn_a, *drawn_b, *ratios;
	size_t a_count, b_count;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them. */
static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Medians of counts may both be 0. Then the ratio is 1. */
static double divide(double a, double b)
{
	return a == b ? 1 : a / b;
}

static double draw(struct room *m, bool paired, struct filchi_rng *rng)
{
	for (size_t i = 0; i < m->a_count; i++) {
		size_t from = filchi_rng_below(rng, (uint32_t)m->a_count);

		m->drawn_a[i] = m->a[from];
		if (paired)
			m->drawn_b[i] = m->b[from];
	}
	for (size_t i = 0; !paired && i < m->b_count; i++)
		m->drawn_b[i] = m->b[filchi_rng_below(rng, (uint32_t)m->b_count)];
	return divide(median(m->drawn_a, m->a_count), median(m->drawn_b, m->b_count));
}

/* Keeps only numbers, and only pairs of two numbers. */
static void copy(struct room *m, const double *a, size_t a_count, const double *b, size_t b_count, bool paired)
{
	for (size_t i = 0; i < a_count; i++)
		if (!isnan(a[i]) && !(paired && isnan(b[i])))
			m->a[m->a_count++] = a[i];
	for (size_t i = 0; i < b_count; i++)
		if (!isnan(b[i]) && !(paired && isnan(a[i])))
			m->b[m->b_count++] = b[i];
}

static void bootstrap(struct filchi_ratio *out, struct room *m, bool paired)
{
	double less = 0, most = 1 - ldexp(1, -(int)(out->count < 50 ? out->count : 50));
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 1);
	for (size_t i = 0; i < RESAMPLES; i++) {
		m->ratios[i] = draw(m, paired, &rng);
		less += m->ratios[i] < 1 ? 1 : m->ratios[i] > 1 ? 0 : 0.5;
	}
	qsort(m->ratios, RESAMPLES, sizeof(*m->ratios), by_value);
	out->low = m->ratios[RESAMPLES / 40];
	out->high = m->ratios[RESAMPLES - 1 - RESAMPLES / 40];
	less /= RESAMPLES;
	out->less = less > most ? most : less < 1 - most ? 1 - most : less;
}

int filchi_ratio(struct filchi_ratio *out, const double *a, size_t a_count, const double *b, size_t b_count,
		 bool paired)
{
	double *values = malloc((2 * (a_count + b_count) + RESAMPLES) * sizeof(*values));
	struct room m = {0};

	*out = (struct filchi_ratio){0, NAN, NAN, NAN, NAN};
	if (!values)
		return -ENOMEM;
	m.a = values;
	m.b = m.a + a_count;
	m.drawn_a = m.b + b_count;
	m.drawn_b = m.drawn_a + a_count;
	m.ratios = m.drawn_b + b_count;
	copy(&m, a, a_count, b, b_count, paired);
	out->count = m.a_count < m.b_count ? m.a_count : m.b_count;
	if (out->count) {
		bootstrap(out, &m, paired);
		/* This comes last because it sorts the samples. */
		out->ratio = divide(median(m.a, m.a_count), median(m.b, m.b_count));
	}
	free(values);
	return 0;
}

bool filchi_ratio_is_less(const struct filchi_ratio *r)
{
	return r->less >= FILCHI_RATIO_CLEAR && r->high < 1;
}

bool filchi_ratio_is_more(const struct filchi_ratio *r)
{
	return r->less <= 1 - FILCHI_RATIO_CLEAR && r->low > 1;
}
