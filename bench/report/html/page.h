/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a report on disk; filchi_page_write (figure.h) puts them together. */
#ifndef FILCHI_BENCH_PAGE_PAGE_H
#define FILCHI_BENCH_PAGE_PAGE_H

#include "figure.h"

#include <stdio.h>

/* The contents of the files of these names, embedded by the build. */
extern const char filchi_plot_css[], filchi_plot_dark_css[], filchi_page_css[], filchi_page_dark_css[];
extern const char filchi_page_js[];

/* For each enum filchi_agreement: a class, the words for one figure and for several, the sign before them. */
struct filchi_badge {
	const char *class, *text, *texts, *sign;
};
extern const struct filchi_badge filchi_badges[FILCHI_AGREEMENTS];

/* contents.c. Writes the list of figures; returns the words of a badge. */
void filchi_contents_write(const struct filchi_report *report, FILE *f);
const char *filchi_badge_text(const struct filchi_figure *figure);

/* html.c. Writes the whole page. The caller checks the file for errors. 0 or -ENOMEM. */
int filchi_html_write(const struct filchi_report *report, FILE *f);

/* result.c. Writes a sentence, and the other statements as a list below it. */
void filchi_result_write(const char *result, FILE *f);

/* page_table.c. Writes a table that page.js makes sortable. */
void filchi_page_table_write(const struct filchi_page_table *table, const char *caption, FILE *f);

/* picture.c. Writes all panels of a figure as one SVG that needs no other file. 0 or -ENOMEM. */
int filchi_picture_write(const struct filchi_figure *figure, FILE *f);
bool filchi_picture_any(const struct filchi_figure *figure); /* true if there is a plot */

/*
 * convert.c. Converts the SVG to PNG, whole or not at all. *there: a program for it exists and succeeded. 0 even if
 * *there is false, or the -errno of writing.
 */
int filchi_convert(const char *svg, const char *png, bool *there);

#endif
