/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a report, as data: what was measured, beside what was published. bench/report/figures fills these in,
 * the rest of this folder makes pictures and a page of them, and neither knows more of the other.
 */
#ifndef FILCHI_BENCH_PAGE_FIGURE_H
#define FILCHI_BENCH_PAGE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

enum filchi_plot {
	FILCHI_PLOT_NONE,   /* only tables */
	FILCHI_PLOT_LINES,  /* series of points over a number */
	FILCHI_PLOT_BARS,   /* groups of bars: series over names (labels of the panel), with an interval each */
	FILCHI_PLOT_VIOLINS /* a distribution for each series: its samples */
};

/* One line, one colour of bars, or one violin. NAN is a value that is not there. */
struct filchi_series {
	const char *name; /* published: that of the measured one, or that with ", published" or "(...)" after it */
	bool published;	  /* of the paper, not of this machine: drawn dashed or hollow */
	size_t count;
	const double *x;	  /* lines: where; otherwise NULL */
	const double *y;	  /* values; violins: the samples */
	const double *low, *high; /* the interval of each value, or NULL */
};

/* One plot. A figure may have several, side by side. */
struct filchi_panel {
	enum filchi_plot plot;
	const char *title;	     /* or NULL */
	const char *x_name, *y_name; /* of the axes, with the unit: "batch size", "ns per item" */
	bool x_log, y_log;
	const char *const *labels; /* bars: one for each value of a series */
	size_t series_count;
	const struct filchi_series *series;
	double base; /* a value to compare with, such as 1 for ratios: marked, and where bars begin; 0: none */
};

/* A table; cells row by row. A cell that is a number can be sorted as one. */
struct filchi_page_table {
	const char *title; /* or NULL */
	size_t columns, rows;
	const char *const *heads;
	const char *const *cells;
};

/*
 * Own: there is nothing published to agree with. Met, missed: nor there, but there is an aim of our own. Untold: it was
 * measured, but on this machine that does not tell whether it agrees.
 */
enum filchi_agreement {
	FILCHI_AGREES,
	FILCHI_DIFFERS,
	FILCHI_PARTLY,
	FILCHI_NOT_MEASURED,
	FILCHI_OWN,
	FILCHI_MET,
	FILCHI_MISSED,
	FILCHI_UNTOLD,
	FILCHI_AGREEMENTS
};

/* Before a statement: it is as published, or is not. */
#define FILCHI_HOLDS "✓ "
#define FILCHI_FAILS "✗ "

struct filchi_figure {
	const char *id;	    /* "bulk-6", also the name of its files */
	const char *source; /* "Bulk queue paper, figure 6" */
	const char *title;  /* what it shows, in a few words */
	const char *about;  /* how it was measured, in a sentence or three */
	/*
	 * Whether the shape agrees with the published one. After the first "; " a list of statements, each of which may
	 * begin with FILCHI_HOLDS or FILCHI_FAILS.
	 */
	const char *result;
	enum filchi_agreement agreement;
	const char *command; /* what repeats the measurement; NULL if nothing was run */
	size_t panel_count, table_count;
	const struct filchi_panel *panels;
	const struct filchi_page_table *tables; /* measured and published values as numbers */
	const char *json;			/* the raw data, whole, as JSON text; NULL if nothing was run */
	const char *badge;			/* the result in a word or three; NULL: that of the agreement */
};

/* Where figures are from: what their sources begin with, and the full reference. */
struct filchi_document {
	const char *name, *reference;
};

struct filchi_speed; /* speed.h */

struct filchi_report {
	const char *title;
	const char *machine; /* one line each: where, of what, when, by which command */
	const char *build;
	const char *finished;
	const char *command;  /* or NULL */
	const char *left_out; /* a sentence on runtimes that are not installed; NULL: all are */
	const char *summary;  /* of the headline: the result in a sentence; or NULL */
	const char *key;      /* to the headline: what its columns are; or NULL */
	bool quick;	      /* the page says that it is a first impression only */
	struct filchi_page_table headline;
	size_t figure_count;
	const struct filchi_figure *figures;
	size_t document_count;
	const struct filchi_document *documents;
	double busy; /* so many times a second other programs took the CPU, at most; 0: not to speak of */
	const struct filchi_speed *speed; /* also written, as speed.svg; NULL: not */
};

/*
 * Writes folder/index.html, folder/speed.svg, folder/ID.svg for each figure that has a plot, and folder/ID.png where a
 * program that makes PNG of SVG is there (*pictures: whether it was). The folder exists. Each file is whole or not
 * there. 0 or -errno, and then *where is the name of the file that failed, in memory of the caller of at least 4096
 * bytes.
 */
int filchi_page_write(const struct filchi_report *report, const char *folder, bool *pictures, char *where);

#endif
