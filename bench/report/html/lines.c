/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include "text.h"

#include <math.h>

/* A line with more points than this has no markers. */
enum { MOST_MARKERS = 48 };

static bool has_point(const struct filchi_canvas *c, const struct filchi_series *s, size_t i)
{
	return i < s->count && s->x && filchi_axis_has(&c->x, s->x[i]) && filchi_axis_has(&c->y, s->y[i]);
}

static bool has_interval(const struct filchi_series *s, size_t i)
{
	return s->low && s->high && isfinite(s->low[i]) && isfinite(s->high[i]);
}

/* Returns the end of the run of points from i on: the next gap. */
static size_t run_end(const struct filchi_canvas *c, const struct filchi_series *s, size_t i)
{
	while (has_point(c, s, i))
		i++;
	return i;
}

static void draw_line(const struct filchi_canvas *c, const struct filchi_series *s, size_t first, size_t end)
{
	if (end - first < 2)
		return;
	fputs("<path class=\"line\" d=\"", c->f);
	for (size_t i = first; i < end; i++)
		fprintf(c->f, "%c%.1f %.1f", i == first ? 'M' : 'L', filchi_axis_at(&c->x, s->x[i]),
			filchi_axis_at(&c->y, s->y[i]));
	fputs("\"/>\n", c->f);
}

/* Draws intervals as a band if each point of the run has one. The band stays within the axis. */
static bool draw_band(const struct filchi_canvas *c, const struct filchi_series *s, size_t first, size_t end)
{
	if (end - first < 3)
		return false;
	for (size_t i = first; i < end; i++)
		if (!has_interval(s, i))
			return false;
	fputs("<path class=\"band\" d=\"", c->f);
	for (size_t i = first; i < end; i++)
		fprintf(c->f, "%c%.1f %.1f", i == first ? 'M' : 'L', filchi_axis_at(&c->x, s->x[i]),
			filchi_axis_at(&c->y, s->high[i]));
	for (size_t i = end; i-- > first;)
		fprintf(c->f, "L%.1f %.1f", filchi_axis_at(&c->x, s->x[i]), filchi_axis_at(&c->y, s->low[i]));
	fputs("z\"/>\n", c->f);
	return true;
}

static void draw_whisker(const struct filchi_canvas *c, const struct filchi_series *s, size_t i)
{
	double x = filchi_axis_at(&c->x, s->x[i]);
	double low = filchi_axis_at(&c->y, s->low[i]), high = filchi_axis_at(&c->y, s->high[i]);

	fprintf(c->f, "<path class=\"whisker\" d=\"M%.1f %.1fh6m-3 0V%.1fm-3 0h6\"/>\n", x - 3, low, high);
}

static void draw_markers(const struct filchi_canvas *c, size_t series, size_t first, size_t end)
{
	const struct filchi_series *s = &c->panel->series[series];
	char at[FILCHI_NUMBER_SIZE];

	if (s->count > MOST_MARKERS && end - first > 1)
		return;
	for (size_t i = first; i < end; i++) {
		filchi_marker(c->f, c->styles[series].shape, filchi_axis_at(&c->x, s->x[i]),
			      filchi_axis_at(&c->y, s->y[i]), c->width < 400 ? 3.2 : 3.6);
		filchi_text_number(at, s->x[i], 6);
		filchi_series_hint(c, series, at, i);
		fputs("</path>\n", c->f);
	}
}

static void draw_series(const struct filchi_canvas *c, size_t series)
{
	const struct filchi_series *s = &c->panel->series[series];

	filchi_series_open(c, series);
	fputc('\n', c->f);
	for (size_t i = 0, end; i < s->count; i = end + 1) {
		end = run_end(c, s, i);
		if (!draw_band(c, s, i, end))
			for (size_t k = i; k < end; k++)
				if (has_interval(s, k))
					draw_whisker(c, s, k);
		draw_line(c, s, i, end);
		draw_markers(c, series, i, end);
	}
	fputs("</g>\n", c->f);
}

void filchi_lines_draw(const struct filchi_canvas *c)
{
	/* Measured lines are above published ones. */
	for (size_t s = 0; s < c->panel->series_count; s++)
		if (c->panel->series[s].published)
			draw_series(c, s);
	for (size_t s = 0; s < c->panel->series_count; s++)
		if (!c->panel->series[s].published)
			draw_series(c, s);
}
