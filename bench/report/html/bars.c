/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include "text.h"

#include <math.h>

/* Bars of this width have their values above them, if the values are no wider. */
static const double wide = 22;

struct bar {
	double x, width;
	double base, end; /* y */
	int digits;	  /* height of the value above it; 0: no value */
};

static void draw_whisker(const struct filchi_canvas *c, const struct bar *b, double low, double high)
{
	double cap = fmin(b->width * 0.5, 8), x = b->x + b->width / 2;

	fprintf(c->f, "<path class=\"whisker over\" d=\"M%.1f %.1fh%.1fm%.1f 0V%.1fm%.1f 0h%.1f\"/>\n", x - cap / 2,
		filchi_axis_at(&c->y, low), cap, -cap / 2, filchi_axis_at(&c->y, high), -cap / 2, cap);
}

/* Digits before the point are never rounded away. */
static void put_value(char text[FILCHI_NUMBER_SIZE], double value, int digits)
{
	if (digits < 3 && fabs(value) >= 99.5)
		filchi_text_number(text, rint(value), 3);
	else
		filchi_text_number(text, value, digits);
}

/* All bars have values, or none. Neighbours have a gap between them. */
static bool values_fit(const struct filchi_canvas *c, double width, int digits)
{
	char text[FILCHI_NUMBER_SIZE];

	if (width < wide)
		return false;
	for (size_t s = 0; s < c->panel->series_count; s++)
		for (size_t i = 0; i < c->panel->series[s].count; i++) {
			put_value(text, c->panel->series[s].y[i], digits);
			if (filchi_text_width(text, FILCHI_TICK_SIZE) > width)
				return false;
		}
	return true;
}

/* The value is beyond the bar and its whisker, so that neither crosses it. */
static void draw_value(const struct filchi_canvas *c, const struct bar *b, const struct filchi_series *s, size_t i)
{
	const double *whisker = b->end > b->base ? s->low : s->high;
	double end = b->end, reach = whisker && isfinite(whisker[i]) ? filchi_axis_at(&c->y, whisker[i]) : end;
	char text[FILCHI_NUMBER_SIZE];

	end = b->end > b->base ? fmax(end, reach) : fmin(end, reach);
	/* Names are below the axis. */
	end = b->end > b->base ? fmin(end + 12, c->bottom - 3) : end - 5;
	put_value(text, s->y[i], b->digits);
	fprintf(c->f, "<text class=\"value\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		b->x + b->width / 2, end, text);
}

static void draw_bar(const struct filchi_canvas *c, size_t series, size_t i, struct bar *b)
{
	const struct filchi_series *s = &c->panel->series[series];
	double top, height, radius;

	if (!filchi_axis_has(&c->y, s->y[i])) {
		/* A cross marks a missing value. */
		fprintf(c->f, "<path class=\"gone\" d=\"M%.1f %.1fl5 5m0 -5l-5 5\">", b->x + b->width / 2 - 2.5,
			b->base - 9);
		filchi_series_hint(c, series, filchi_canvas_name(c, i), i);
		fputs("</path>\n", c->f);
		return;
	}
	b->end = filchi_axis_at(&c->y, s->y[i]);
	top = fmin(b->base, b->end);
	height = fmax(fabs(b->base - b->end), 0.8);
	radius = b->width > 6 ? 2 : b->width / 4;
	fprintf(c->f, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\">", b->x,
		top, b->width, height, fmin(radius, height / 2));
	filchi_series_hint(c, series, filchi_canvas_name(c, i), i);
	fputs("</rect>\n", c->f);
	if (s->low && s->high && isfinite(s->low[i]) && isfinite(s->high[i]))
		draw_whisker(c, b, s->low[i], s->high[i]);
	if (b->digits)
		draw_value(c, b, s, i);
}

void filchi_bars_draw(const struct filchi_canvas *c)
{
	double count = (double)c->panel->series_count;
	double gap = fmin(c->slot * 0.2, 24), pitch = fmin((c->slot - gap) / count, 64);
	double between = pitch > 8 ? 1.5 : pitch > 4 ? 0.7 : 0;
	int digits = values_fit(c, pitch - between, 3) ? 3 : values_fit(c, pitch - between, 2) ? 2 : 0;

	for (size_t s = 0; s < c->panel->series_count; s++) {
		filchi_series_open(c, s);
		fputc('\n', c->f);
		for (size_t i = 0; i < c->panel->series[s].count; i++) {
			struct bar b = {.base = filchi_axis_at(&c->y, c->panel->base),
					.width = pitch - between,
					.digits = digits};

			b.x = c->left + c->slot * ((double)i + 0.5) + pitch * ((double)s - count / 2) + between / 2;
			draw_bar(c, s, i, &b);
		}
		fputs("</g>\n", c->f);
	}
}
