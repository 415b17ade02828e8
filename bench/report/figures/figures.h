/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue of all figures: those of the documents that the algorithms are from, and our own. An entry says what is
 * to be measured, by which run of filch bench, and makes the figure of the file which that has written; so a report is
 * a function of files. Published numbers are typed in from the documents, where these have numbers; those of plots only
 * as far as the text says them. One file per document; docs/figures.md is for readers.
 */
#ifndef FILCHI_BENCH_FIGURES_H
#define FILCHI_BENCH_FIGURES_H

#include "builder.h"

enum filchi_scale { FILCHI_QUICK, FILCHI_USUAL, FILCHI_FULL, FILCHI_SCALES };

/* One run of filch bench, of which several figures may be made. */
struct filchi_measurement {
	const char *id;	      /* its file is ID.json */
	const char *suite;    /* as in the JSON */
	const char *workload; /* a workload of filch bench that a build may be without; NULL: none */
	/*
	 * What follows "filch bench", separated by blanks, and about how many seconds it takes. @N is the number of
	 * CPUs that may be used; @M is 1 and that; @W is 1, 2, 4, ... up to that and twice that. The first is with
	 * --quick.
	 */
	struct {
		const char *arguments;
		unsigned seconds;
	} of[FILCHI_SCALES];
};

struct filchi_entry {
	const char *id, *source, *title, *about;
	const struct filchi_measurement *needs[FILCHI_FIGURE_MAX_DATA]; /* or NULL */
	void (*make)(struct filchi_figure_builder *d);			/* NULL: not yet measured */
	void (*published)(
		struct filchi_figure_builder *d); /* if there is nothing to make it of: what was published; or NULL */
};

/* From 0; NULL beyond the last. */
const struct filchi_entry *filchi_entry(unsigned n);
const struct filchi_entry *filchi_entry_find(const char *id, size_t length);

/* A measurement with the file it is in, NULL if that is not there. */
struct filchi_source {
	const struct filchi_measurement *measurement;
	const struct filchi_data *data;
	const char *command; /* that measures it */
};

/* What a report is made of. */
struct filchi_selection {
	size_t entry_count, source_count;
	const struct filchi_entry **entries;
	const struct filchi_source *sources;
};

/*
 * The report of all these, with memory from the arena. *mixed: it has data of different machines or builds, which it
 * says; then a line for each file that differs from the first is printed to standard error.
 */
void filchi_figures_report(struct filchi_arena *arena, const struct filchi_selection *selection,
			   struct filchi_report *out, bool *mixed);

/* ---- between the files of this folder ---- */

/* Ended by one without an id. */
extern const struct filchi_entry filchi_entries_own[], filchi_entries_bulk[], filchi_entries_thesis_owner[],
	filchi_entries_thesis_thief[], filchi_entries_thesis_app[], filchi_entries_lace[];

/* What matters most, for page and terminal: a table of the data of the figure peers. */
extern const struct filchi_measurement filchi_own_peers;
struct filchi_page_table *filchi_own_headline(struct filchi_figure_builder *d, const struct filchi_data *peers);
/* The picture for the README; NULL: the data have no serial program or no filch. */
const struct filchi_speed *filchi_own_speed(struct filchi_figure_builder *d, const struct filchi_data *peers);
/* What its columns are. */
const char *filchi_own_key(struct filchi_figure_builder *d, const struct filchi_data *peers);
/* Names of the runtimes that filch was measured against, or of those that are not installed; NULL: none. */
const char *filchi_own_against(struct filchi_figure_builder *d, const struct filchi_data *peers);
const char *filchi_own_left_out(struct filchi_figure_builder *d, const struct filchi_data *peers);

#endif
