/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a panel becomes SVG: planned for a width, which says how high it is, then drawn. The height follows from what
 * there is to say around the data, so that a long legend takes nothing from these. Colours are classes, for plot.css
 * and plot_dark.css to fill in.
 */
#ifndef FILCHI_BENCH_PAGE_PLOT_H
#define FILCHI_BENCH_PAGE_PLOT_H

#include "axis.h"
#include "figure.h"

#include <stdio.h>

/* Sizes of text, as in plot.css. */
enum { FILCHI_TITLE_SIZE = 14, FILCHI_TEXT_SIZE = 12, FILCHI_TICK_SIZE = 11 };

/* Widths that panels are planned for: alone in a row, two in a row, and on a phone. */
enum { FILCHI_WIDTH_FULL = 920, FILCHI_WIDTH_HALF = 450, FILCHI_WIDTH_PHONE = 370 };

/* A name that is sloped is at most this long. */
enum { FILCHI_SLOPE_LENGTH = 120 };

enum { FILCHI_COLORS = 8, FILCHI_SHAPES = 8 };

/* How a series is told from others: never by its colour alone. */
struct filchi_style {
	unsigned color; /* a series and the published one of that name share it, in all panels of a figure */
	unsigned shape; /* of markers */
	bool again;	/* all colours were in use: a paler one */
};

/* Styles of all series of all panels, one after the other, for the caller to free; NULL without memory. */
struct filchi_style *filchi_styles(const struct filchi_figure *figure);

struct filchi_canvas {
	FILE *f;
	const struct filchi_panel *panel;
	const struct filchi_style *styles; /* of its series */
	double width, height;
	double left, right, top, bottom; /* of the place for data */
	double slot;			 /* bars and violins: the width for each name; otherwise 0 */
	size_t slots;
	double slope;	 /* of their names, in degrees: 0, or more where they do not fit beside each other */
	bool end_labels; /* lines are named at their ends */
	double legend;	 /* where the legend begins; 0: there is none */
	struct filchi_axis x, y;
};

/* layout.c */
void filchi_canvas_plan(struct filchi_canvas *c, const struct filchi_panel *panel, const struct filchi_style *styles,
			double width);
const char *filchi_canvas_name(const struct filchi_canvas *c, size_t slot); /* of a slot, "" if it has none */

/* legend.c. Height of a legend for that width; with a file, draws it, with its top at y. */
double filchi_legend(const struct filchi_canvas *c, double y, FILE *f);
bool filchi_legend_fits_ends(const struct filchi_canvas *c, double height);
double filchi_legend_ends_width(const struct filchi_canvas *c);
void filchi_legend_ends(const struct filchi_canvas *c);

/* svg.c. The insides of an svg element; its title, for those who do not see it, is the caller's. */
void filchi_canvas_draw(struct filchi_canvas *c, FILE *f);
void filchi_canvas_describe(const struct filchi_panel *panel, FILE *f);
/* A group in the colour of a series, for the caller to close. */
void filchi_series_open(const struct filchi_canvas *c, size_t series);
/* What a pointer over a mark shows. */
void filchi_series_hint(const struct filchi_canvas *c, size_t series, const char *at, size_t i);
/* A path, for the caller to close. */
void filchi_marker(FILE *f, unsigned shape, double x, double y, double radius);

/* lines.c, bars.c, violins.c */
void filchi_lines_draw(const struct filchi_canvas *c);
void filchi_bars_draw(const struct filchi_canvas *c);
void filchi_violins_draw(const struct filchi_canvas *c);

#endif
