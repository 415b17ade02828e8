/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a figure: adds panels, series, tables and claims. A claim is a statement with measured numbers, and says
 * whether it agrees with the published one. The claims make up the result. Without memory, these functions print a
 * message and end the program; nothing has been written by then.
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
	/* Set if the claims are our own aims: the words for all aims met, or not. */
	const char *met, *missed;
	/* Claims that are left out because the machine allows too little speed-up, separated by "; "; NULL: none. */
	const char *untold;
	size_t claim_count;
	struct filchi_claim {
		bool holds;
		const char *text;
	} claims[FILCHI_FIGURE_MAX_CLAIMS];
};

/* Allocates memory for the figure. */
void *filchi_figure_alloc(struct filchi_figure_builder *d, size_t count, size_t size);
const char *filchi_figure_text(struct filchi_figure_builder *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct filchi_panel *filchi_figure_add_panel(struct filchi_figure_builder *d, enum filchi_plot plot, const char *title,
					     const char *x_name, const char *y_name);
/* Adds a label of bars at that index. */
void filchi_figure_add_label(struct filchi_figure_builder *d, struct filchi_panel *p, size_t place, const char *label);
/* Adds a series with room for that many values. Only lines use x. */
struct filchi_series *filchi_figure_add_series(struct filchi_figure_builder *d, struct filchi_panel *p,
					       const char *name, size_t room);
/* Adds a value, divided by the unit, with its interval. Bars and violins ignore x. */
void filchi_figure_add_point(struct filchi_series *s, double x, struct filchi_found found, double unit);
/* Adds a published or computed value, without an interval. */
void filchi_figure_add_value(struct filchi_series *s, double x, double y);

/* Adds a table. heads: separated by '|'. Cells follow, row by row. */
struct filchi_page_table *filchi_figure_add_table(struct filchi_figure_builder *d, const char *title,
						  const char *heads);
void filchi_figure_add_cell(struct filchi_figure_builder *d, struct filchi_page_table *s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a number with up to three digits; "-" for NaN. */
void filchi_figure_add_number(struct filchi_figure_builder *d, struct filchi_page_table *s, double value);
/* Returns the same as text. */
const char *filchi_figure_digits(struct filchi_figure_builder *d, double value);
/* Returns a number for a sentence, without an exponent: 1.3 million, 1,300, 0.000051. */
const char *filchi_figure_words(struct filchi_figure_builder *d, double value, int digits);

/* Adds two cells: the speed-up of the machine, and the share of it that was reached, in %. */
void filchi_figure_add_scaling(struct filchi_figure_builder *d, struct filchi_page_table *s,
			       const struct filchi_scaling *scaling);
/* For a claim on a speed-up: ", of 1.93 that the machine gives"; "" if that was not measured. */
const char *filchi_figure_of(struct filchi_figure_builder *d, const struct filchi_scaling *scaling);
/*
 * Returns the speed-up to expect of n workers: the speed-up of the machine, or n if it was not measured. NaN: the
 * machine is busy and allows so little that nothing can be said.
 */
double filchi_figure_ideal(const struct filchi_scaling *scaling, unsigned n);
/* In that case, notes that a speed-up is left out. what: "with 100 nodes", for example. */
void filchi_figure_untold(struct filchi_figure_builder *d, const struct filchi_scaling *scaling, unsigned n,
			  const char *what);

/*
 * Adds a claim that agrees with the published one, or not. known is the sum of the numbers that it depends on. If
 * it is NaN, a number was not measured, and the claim is left out.
 */
void filchi_figure_claim(struct filchi_figure_builder *d, double known, bool holds, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Makes the result from all claims. */
void filchi_figure_conclude(struct filchi_figure_builder *d);

/* Returns the largest value of the series, divided by the smallest; NaN if a value is missing. */
double filchi_figure_spread(const struct filchi_series *s);

#endif
