/* SPDX-License-Identifier: Apache-2.0 */
/* Names the marks: in rows above the data, or at the end of each line if there is room. */
#include "plot.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>

enum { ROW = 19, END_ROW = 16, SWATCH = 26, END_GAP = 34, MOST_ENDS = 10 };

/* Room for a swatch. */
static double swatch_width(const struct filchi_canvas *c)
{
	return c->panel->plot == FILCHI_PLOT_BARS ? 18 : SWATCH;
}

static void swatch(const struct filchi_canvas *c, FILE *f, size_t s, double x, double y)
{
	const struct filchi_style *style = &c->styles[s];

	if (c->panel->plot == FILCHI_PLOT_BARS) {
		fprintf(f, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"11\" rx=\"2\"/>", x,
			y - 5.5);
		return;
	}
	fprintf(f, "<path class=\"line\" d=\"M%.1f %.1fh22\"/>", x, y);
	filchi_marker(f, style->shape, x + 11, y, 3.6);
	fputs("</path>", f);
}

static void name(const struct filchi_canvas *c, FILE *f, size_t s, double x, double y, double width)
{
	char text[FILCHI_FIT_SIZE];

	filchi_text_fit(text, c->panel->series[s].name, FILCHI_TEXT_SIZE, width);
	fprintf(f, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", x, y + 4);
	filchi_text_put(f, text);
	fputs("</text>", f);
}

double filchi_legend(const struct filchi_canvas *c, double y, FILE *f)
{
	double x = 0, top = y, before = swatch_width(c), most = c->width - before - 8;

	for (size_t s = 0; s < c->panel->series_count; s++) {
		double width = fmin(filchi_text_width(c->panel->series[s].name, FILCHI_TEXT_SIZE) + 1, most);

		if (x > 0 && x + before + width > c->width) {
			x = 0;
			y += ROW;
		}
		if (f) {
			struct filchi_canvas there = *c;

			there.f = f;
			filchi_series_open(&there, s);
			swatch(c, f, s, x, y + ROW / 2.0);
			name(c, f, s, x + before, y + ROW / 2.0, width);
			fputs("</g>\n", f);
		}
		x += before + width + 16;
	}
	return y + ROW - top;
}

bool filchi_legend_fits_ends(const struct filchi_canvas *c, double height)
{
	size_t count = c->panel->series_count;

	return count > 1 && count <= MOST_ENDS && (double)count * END_ROW <= height;
}

/* Names take at most this share of the width. */
static double longest_end(const struct filchi_canvas *c)
{
	return fmax(c->width * 0.24, 130);
}

double filchi_legend_ends_width(const struct filchi_canvas *c)
{
	double width = 0;

	for (size_t s = 0; s < c->panel->series_count; s++)
		width = fmax(width, filchi_text_width(c->panel->series[s].name, FILCHI_TEXT_SIZE) + 1);
	return fmin(width, longest_end(c)) + END_GAP + SWATCH;
}

struct end {
	size_t series;
	double x, y; /* position of the last point of the line */
	double at;   /* position of its name */
	bool none;   /* the line has no point */
};

static int by_height(const void *a, const void *b)
{
	double left = ((const struct end *)a)->y, right = ((const struct end *)b)->y;

	return left < right ? -1 : left > right;
}

static struct end find_end(const struct filchi_canvas *c, size_t series)
{
	const struct filchi_series *s = &c->panel->series[series];
	struct end end = {.series = series, .y = c->bottom, .none = true};

	for (size_t i = s->x ? s->count : 0; i-- > 0;)
		if (filchi_axis_has(&c->x, s->x[i]) && filchi_axis_has(&c->y, s->y[i])) {
			end.x = filchi_axis_at(&c->x, s->x[i]);
			end.y = filchi_axis_at(&c->y, s->y[i]);
			end.none = false;
			break;
		}
	return end;
}

/* Places names near the ends of their lines, without overlaps. */
static void spread(const struct filchi_canvas *c, struct end *ends, size_t count)
{
	double least = c->top + END_ROW / 2.0 - 4, most = c->bottom - END_ROW / 2.0 + 4;

	for (size_t i = 0; i < count; i++) {
		ends[i].at = fmax(ends[i].y, least);
		least = ends[i].at + END_ROW;
	}
	for (size_t i = count; i-- > 0;) {
		ends[i].at = fmin(ends[i].at, most);
		most = ends[i].at - END_ROW;
	}
}

void filchi_legend_ends(const struct filchi_canvas *c)
{
	struct end ends[MOST_ENDS];
	size_t count = c->panel->series_count;

	for (size_t s = 0; s < count; s++)
		ends[s] = find_end(c, s);
	qsort(ends, count, sizeof(ends[0]), by_height);
	spread(c, ends, count);
	for (size_t i = 0; i < count; i++) {
		double x = c->right + END_GAP - 16;

		filchi_series_open(c, ends[i].series);
		if (!ends[i].none)
			fprintf(c->f, "<path class=\"lead\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>", ends[i].x + 6,
				ends[i].y, fmax(c->right, ends[i].x + 6) + 8, ends[i].at, x - 2);
		swatch(c, c->f, ends[i].series, x, ends[i].at);
		name(c, c->f, ends[i].series, x + SWATCH, ends[i].at, longest_end(c));
		fputs("</g>\n", c->f);
	}
}
