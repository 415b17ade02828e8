/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a panel as SVG. A panel is planned for a width, which determines its height, and then drawn. The height
 * includes the legend, so that a long legend takes no room from the data. Colours are classes, which plot.css and
 * plot_dark.css define.
 */
#ifndef FILCHI_BENCH_PAGE_PLOT_H
#define FILCHI_BENCH_PAGE_PLOT_H

#include "axis.h"
#include "figure.h"

#include <stdio.h>

/* Sizes of text, as in plot.css. */
enum { FILCHI_TITLE_SIZE = 14, FILCHI_TEXT_SIZE = 12, FILCHI_TICK_SIZE = 11 };

/* Widths of panels: alone in a row, two in a row, and on a phone. */
enum { FILCHI_WIDTH_FULL = 920, FILCHI_WIDTH_HALF = 450, FILCHI_WIDTH_PHONE = 370 };

/* The longest name at a slope. */
enum { FILCHI_SLOPE_LENGTH = 120 };

enum { FILCHI_COLORS = 8, FILCHI_SHAPES = 8 };

/* The style of a series. Series never differ by colour alone. */
struct filchi_style {
	unsigned color; /* shared with the published series of that name, in all panels of a figure */
	unsigned shape; /* of markers */
	bool again;	/* all colours were in use: a paler one */
};

/* Returns the styles of all series of all panels, one after the other. The caller frees them. NULL: no memory. */
struct filchi_style *filchi_styles(const struct filchi_figure *figure);

struct filchi_canvas {
	FILE *f;
	const struct filchi_panel *panel;
	const struct filchi_style *styles; /* of its series */
	double width, height;
	double left, right, top, bottom; /* the area for data */
	double slot;			 /* bars and violins: the width for each name; otherwise 0 */
	size_t slots;
	double slope;	 /* slope of their names in degrees: 0, or more if they do not fit beside each other */
	bool end_labels; /* lines have their names at their ends */
	double legend;	 /* top of the legend; 0: none */
	struct filchi_axis x, y;
};

/* layout.c */
void filchi_canvas_plan(struct filchi_canvas *c, const struct filchi_panel *panel, const struct filchi_style *styles,
			double width);
const char *filchi_canvas_name(const struct filchi_canvas *c, size_t slot); /* name of a slot, or "" */

/* legend.c. Returns the height of a legend for that width. With a file, draws it at y. */
double filchi_legend(const struct filchi_canvas *c, double y, FILE *f);
bool filchi_legend_fits_ends(const struct filchi_canvas *c, double height);
double filchi_legend_ends_width(const struct filchi_canvas *c);
void filchi_legend_ends(const struct filchi_canvas *c);

/* svg.c. Draws the contents of an svg element. The caller writes its title, for screen readers. */
void filchi_canvas_draw(struct filchi_canvas *c, FILE *f);
void filchi_canvas_describe(const struct filchi_panel *panel, FILE *f);
/* Opens a group in the colour of a series. The caller closes it. */
void filchi_series_open(const struct filchi_canvas *c, size_t series);
/* Writes the text that a pointer over a mark shows. */
void filchi_series_hint(const struct filchi_canvas *c, size_t series, const char *at, size_t i);
/* Opens a path. The caller closes it. */
void filchi_marker(FILE *f, unsigned shape, double x, double y, double radius);

/* lines.c, bars.c, violins.c */
void filchi_lines_draw(const struct filchi_canvas *c);
void filchi_bars_draw(const struct filchi_canvas *c);
void filchi_violins_draw(const struct filchi_canvas *c);

#endif
