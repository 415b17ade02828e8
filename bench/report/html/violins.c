/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws distributions: a density by a Gaussian kernel with Silverman's bandwidth, from the smallest to the largest
 * sample, with the samples as dots, the quartiles as a box and the median as a mark. On a log axis it is the
 * density of the logarithms.
 */
#include "plot.h"

#include "density.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_DOTS = 120 };

struct violin {
	double x;    /* of its middle */
	double half; /* share of its width, at most */
	struct filchi_density density;
};

static double place(const struct filchi_canvas *c, double value)
{
	return filchi_axis_at(&c->y, c->y.log ? exp(value) : value);
}

/* Returns half of the width at a value. */
static double reach(const struct violin *v, double value)
{
	return v->half * filchi_density_at(&v->density, value);
}

static void draw_shape(const struct filchi_canvas *c, const struct violin *v)
{
	const struct filchi_density *d = &v->density;
	double places[FILCHI_DENSITY_PLACES];

	if (d->bandwidth <= 0) {
		/* All samples are equal: a flat line of full width. */
		fprintf(c->f, "<path class=\"flat\" d=\"M%.1f %.1fh%.1f\"/>\n", v->x - v->half, place(c, d->samples[0]),
			2 * v->half);
		return;
	}
	filchi_density_places(d, places);
	fputs("<path class=\"violin\" d=\"", c->f);
	for (int i = 0; i < FILCHI_DENSITY_PLACES; i++)
		fprintf(c->f, "%c%.1f %.1f", i ? 'L' : 'M', v->x + reach(v, places[i]), place(c, places[i]));
	for (int i = FILCHI_DENSITY_PLACES; i-- > 0;)
		fprintf(c->f, "L%.1f %.1f", v->x - reach(v, places[i]), place(c, places[i]));
	fputs("z\"/>\n", c->f);
}

/* Draws the samples, moved aside by fractions that are even in the long run and always the same. */
static void draw_dots(const struct filchi_canvas *c, const struct violin *v)
{
	const struct filchi_density *d = &v->density;
	size_t stride = d->count / MOST_DOTS + 1;

	for (size_t i = 0; i < d->count; i += stride) {
		double aside = fmod((double)(i / stride) * 0.6180339887, 1) * 2 - 1;

		fprintf(c->f, "<circle class=\"sample\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.4\"/>",
			v->x + aside * reach(v, d->samples[i]) * 0.8, place(c, d->samples[i]));
	}
	fputc('\n', c->f);
}

static void draw_quartiles(const struct filchi_canvas *c, const struct violin *v, size_t series)
{
	const struct filchi_density *d = &v->density;
	double q1 = place(c, filchi_density_quantile(d, 0.25)), q3 = place(c, filchi_density_quantile(d, 0.75));
	double median = filchi_density_quantile(d, 0.5), y = place(c, median), half = fmin(v->half * 0.3, 5);
	char text[FILCHI_NUMBER_SIZE];

	if (c->y.log)
		median = exp(median);
	/* A logarithm and its inverse change the last digits, which must not affect rounding. */
	snprintf(text, sizeof(text), "%.9g", median);
	median = strtod(text, NULL);
	filchi_text_number(text, median, 4);
	fputs("<g><title>", c->f);
	filchi_text_put(c->f, c->panel->series[series].name);
	fprintf(c->f, ": median %s of %zu samples</title>", text, d->count);
	fprintf(c->f, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\"/>",
		v->x - half, q3, 2 * half, fmax(q1 - q3, 1));
	fprintf(c->f, "<circle class=\"median\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n", v->x, y, fmin(half, 3.4));
	filchi_text_number(text, median, 3);
	if (c->slot >= 40) /* for any number */
		fprintf(c->f, "<text class=\"value\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", v->x,
			place(c, d->samples[d->count - 1]) - 7, text);
}

static void draw_violin(const struct filchi_canvas *c, size_t series)
{
	const struct filchi_series *s = &c->panel->series[series];
	struct violin v = {.x = c->left + c->slot * ((double)series + 0.5), .half = fmin(c->slot * 0.4, 46)};

	if (filchi_density_make(&v.density, &c->y, s->y, s->count))
		return; /* no memory: this one is not drawn */
	filchi_series_open(c, series);
	if (!v.density.count) {
		fprintf(c->f, "<text class=\"none small\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">none</text>",
			v.x, c->bottom - 8);
	} else {
		draw_shape(c, &v);
		if (c->slot >= 24)
			draw_dots(c, &v);
		draw_quartiles(c, &v, series);
	}
	fputs("</g>\n", c->f);
	filchi_density_free(&v.density);
}

void filchi_violins_draw(const struct filchi_canvas *c)
{
	for (size_t s = 0; s < c->panel->series_count; s++)
		draw_violin(c, s);
}
