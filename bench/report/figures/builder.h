/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A figure while it is made: panels, series and tables are added, and claims, each a statement with measured numbers in
 * it and whether it is as published, of which the result is made up in the end. There is no going on without memory:
 * these print that and end the program; nothing has been written by then.
 */
#ifndef FILCHI_BENCH_FIGURES_BUILDER_H
#define FILCHI_BENCH_FIGURES_BUILDER_H

#include "../html/figure.h"
#include "data.h"

#define FILCHI_FIGURE_MAX_PANELS 8
#define FILCHI_FIGURE_MAX_SERIES 32
#define FILCHI_FIGURE_MAX_TABLES 5
#define FILCHI_FIGURE_MAX_COLUMNS 16
#define FILCHI_FIGURE_MAX_CLAIMS 128
#define FILCHI_FIGURE_MAX_DATA 2

struct filchi_figure_builder {
	struct filchi_arena *arena;
	struct filchi_figure *figure;
	const struct filchi_data
		*data[FILCHI_FIGURE_MAX_DATA]; /* in the order of the entry's measurements; NULL: none */
	/* Set: the claims are aims of our own, and these words say that all are met, or not. */
	const char *met, *missed;
	/* What is left out as the machine gives too little to tell, with "; " between; NULL: nothing. */
	const char *untold;
	size_t claim_count;
	struct filchi_claim {
		bool holds;
		const char *text;
	} claims[FILCHI_FIGURE_MAX_CLAIMS];
};

/* Memory for the figure. */
void *filchi_figure_alloc(struct filchi_figure_builder *d, size_t count, size_t size);
const char *filchi_figure_text(struct filchi_figure_builder *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct filchi_panel *filchi_figure_add_panel(struct filchi_figure_builder *d, enum filchi_plot plot, const char *title,
					     const char *x_name, const char *y_name);
/* A label of bars goes after those the panel has. */
void filchi_figure_add_label(struct filchi_figure_builder *d, struct filchi_panel *p, size_t place, const char *label);
/* Room for so many values, of which none is there yet. x only for lines. */
struct filchi_series *filchi_figure_add_series(struct filchi_figure_builder *d, struct filchi_panel *p,
					       const char *name, size_t room);
/* Adds a value in some unit, with its interval. x is not looked at for bars and violins. */
void filchi_figure_add_point(struct filchi_series *s, double x, struct filchi_found found, double unit);
/* Likewise one that is published, or computed: without an interval. */
void filchi_figure_add_value(struct filchi_series *s, double x, double y);

/* heads: separated by '|'. Cells follow, row by row. */
struct filchi_page_table *filchi_figure_add_table(struct filchi_figure_builder *d, const char *title,
						  const char *heads);
void filchi_figure_add_cell(struct filchi_figure_builder *d, struct filchi_page_table *s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Three digits, as far as there are any; "-" for NaN. */
void filchi_figure_add_number(struct filchi_figure_builder *d, struct filchi_page_table *s, double value);
/* The same as text. */
const char *filchi_figure_digits(struct filchi_figure_builder *d, double value);
/* For a sentence, never with an exponent: 1.3 million, 1,300, 0.000051; so many digits. */
const char *filchi_figure_words(struct filchi_figure_builder *d, double value, int digits);

/* Two cells: what the machine gives, and the share of it that is reached, in %. */
void filchi_figure_add_scaling(struct filchi_figure_builder *d, struct filchi_page_table *s,
			       const struct filchi_scaling *scaling);
/* For a statement on a speed-up: ", of 1.93 that the machine gives"; "" if that was not measured. */
const char *filchi_figure_of(struct filchi_figure_builder *d, const struct filchi_scaling *scaling);
/*
 * The speed-up that n workers may be expected to have: what the machine gives, or n if that was not measured. NaN: it
 * gives so little, busy with something else, that nothing can be said of it.
 */
double filchi_figure_ideal(const struct filchi_scaling *scaling, unsigned n);
/* If it gives so little: says so of a speed-up of what ("with 100 nodes"), whose claim is left out. */
void filchi_figure_untold(struct filchi_figure_builder *d, const struct filchi_scaling *scaling, unsigned n,
			  const char *what);

/*
 * A statement that holds as published, or does not. It is left out if one of the numbers it depends on, whose sum is
 * known, was not measured: known is NaN then.
 */
void filchi_figure_claim(struct filchi_figure_builder *d, double known, bool holds, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The result of them all. */
void filchi_figure_conclude(struct filchi_figure_builder *d);

/* The largest by the smallest of all values of the series; NaN if one is not there. */
double filchi_figure_spread(const struct filchi_series *s);

#endif
