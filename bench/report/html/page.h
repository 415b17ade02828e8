/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that a report on disk is made of; filchi_page_write (figure.h) puts them together. */
#ifndef FILCHI_BENCH_PAGE_PAGE_H
#define FILCHI_BENCH_PAGE_PAGE_H

#include "figure.h"

#include <stdio.h>

/* The files of these names, which the build makes part of the program. */
extern const char filchi_plot_css[], filchi_plot_dark_css[], filchi_page_css[], filchi_page_dark_css[];
extern const char filchi_page_js[];

/* By enum filchi_agreement: a class, what a badge says of one and of several, the sign before it. */
struct filchi_badge {
	const char *class, *text, *texts, *sign;
};
extern const struct filchi_badge filchi_badges[FILCHI_AGREEMENTS];

/* contents.c. The list of the figures; what the badge of one says. */
void filchi_contents_write(const struct filchi_report *report, FILE *f);
const char *filchi_badge_text(const struct filchi_figure *figure);

/* html.c. The whole page; what goes wrong with the file is for its owner to ask. 0 or -ENOMEM. */
int filchi_html_write(const struct filchi_report *report, FILE *f);

/* result.c. A sentence, and what else there is to say as a list below it. */
void filchi_result_write(const char *result, FILE *f);

/* page_table.c. A table that page.js makes sortable. */
void filchi_page_table_write(const struct filchi_page_table *table, const char *caption, FILE *f);

/* picture.c. All panels of a figure as one SVG that needs nothing else. 0 or -ENOMEM. */
int filchi_picture_write(const struct filchi_figure *figure, FILE *f);
bool filchi_picture_any(const struct filchi_figure *figure); /* whether there is something to draw */

/*
 * convert.c. Makes a PNG of the SVG, whole or not at all. *there: whether there is a program for it that did; if it is
 * not, nothing is wrong. 0 or -errno of writing.
 */
int filchi_convert(const char *svg, const char *png, bool *there);

#endif
