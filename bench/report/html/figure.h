/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a report, as data: measured and published values. bench/report/figures fills in these structs, and
 * the rest of this folder makes pictures and a page from them. Neither folder knows more about the other.
 */
#ifndef FILCHI_BENCH_PAGE_FIGURE_H
#define FILCHI_BENCH_PAGE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

enum filchi_plot {
	FILCHI_PLOT_NONE,   /* only tables */
	FILCHI_PLOT_LINES,  /* series of points over a number */
	FILCHI_PLOT_BARS,   /* groups of bars: series over names (labels of the panel), with an interval each */
	FILCHI_PLOT_VIOLINS /* the samples of each series, as a distribution */
};

/* One line, one colour of bars, or one violin. NAN is a missing value. */
struct filchi_series {
	const char *name; /* published: the measured name, or that name and ", published" or "(...)" */
	bool published;	  /* from the paper, not from this machine: drawn dashed or hollow */
	size_t count;
	const double *x;	  /* lines: positions; otherwise NULL */
	const double *y;	  /* values; violins: the samples */
	const double *low, *high; /* the interval of each value, or NULL */
};

/* One plot. A figure may have several, side by side. */
struct filchi_panel {
	enum filchi_plot plot;
	const char *title;	     /* or NULL */
	const char *x_name, *y_name; /* names of the axes with units: "batch size", "ns per item" */
	bool x_log, y_log;
	const char *const *labels; /* bars: one for each value of a series */
	size_t series_count;
	const struct filchi_series *series;
	double base; /* a reference, such as 1 for ratios, at which bars begin; 0: no reference */
};

/* A table; cells row by row. Numbers are sorted as numbers. */
struct filchi_page_table {
	const char *title; /* or NULL */
	size_t columns, rows;
	const char *const *heads;
	const char *const *cells;
};

/*
 * Own: nothing is published. Met, missed: nothing is published, but we have an aim. Untold: the measurement on this
 * machine does not show whether it agrees.
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

/* Before a statement: it agrees with the published one, or does not. */
#define FILCHI_HOLDS "✓ "
#define FILCHI_FAILS "✗ "

struct filchi_figure {
	const char *id;	    /* "bulk-6", also the name of its files */
	const char *source; /* "Bulk queue paper, figure 6" */
	const char *title;  /* its subject in a few words */
	const char *about;  /* how it was measured, in one to three sentences */
	/*
	 * Says whether the shape agrees with the published one. After the first "; " follows a list of statements,
	 * each of which may begin with FILCHI_HOLDS or FILCHI_FAILS.
	 */
	const char *result;
	enum filchi_agreement agreement;
	const char *command; /* repeats the measurement; NULL: nothing was run */
	size_t panel_count, table_count;
	const struct filchi_panel *panels;
	const struct filchi_page_table *tables; /* measured and published values */
	const char *json;			/* the raw data as JSON text; NULL: nothing was run */
	const char *badge;			/* the result in a few words; NULL: the words of the agreement */
};

/* A source of figures: the beginning of their source, and the full reference. */
struct filchi_document {
	const char *name, *reference;
};

struct filchi_speed; /* speed.h */

struct filchi_report {
	const char *title;
	const char *machine; /* one line each: machine, build, time, command */
	const char *build;
	const char *finished;
	const char *command;  /* or NULL */
	const char *left_out; /* a sentence on runtimes that are not installed; NULL: all are */
	const char *summary;  /* the result in a sentence, for the headline; or NULL */
	const char *key;      /* explains the columns of the headline; or NULL */
	bool quick;	      /* the page says that it is only a first impression */
	struct filchi_page_table headline;
	size_t figure_count;
	const struct filchi_figure *figures;
	size_t document_count;
	const struct filchi_document *documents;
	const struct filchi_speed *speed; /* written to speed.svg; NULL: no picture */
	double busy;			  /* how often a second other programs took the CPU, at most; 0: rarely */
};

/*
 * Writes folder/index.html, folder/speed.svg, folder/ID.svg for each figure with a plot, and folder/ID.png if a
 * program can convert SVG (*pictures: whether it did). The folder exists. Each file is whole or missing. 0, or
 * -errno with the failed file in *where, which has room for 4096 bytes.
 */
int filchi_page_write(const struct filchi_report *report, const char *folder, bool *pictures, char *where);

#endif
