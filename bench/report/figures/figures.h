/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue of figures: published figures, and our own. An entry names the runs of filch bench that it needs,
 * and makes the figure from the files of these runs. So a report is a function of files. Published numbers are
 * typed in from the documents. For plots, only numbers of the text are used. There is one file per document;
 * docs/figures.md is for readers.
 */
#ifndef FILCHI_BENCH_FIGURES_H
#define FILCHI_BENCH_FIGURES_H

#include "builder.h"

enum filchi_scale { FILCHI_QUICK, FILCHI_USUAL, FILCHI_FULL, FILCHI_SCALES };

/* One run of filch bench. Several figures may use it. */
struct filchi_measurement {
	const char *id;	      /* its file is ID.json */
	const char *suite;    /* the suite in the JSON */
	const char *workload; /* a workload that a build may lack; NULL: none */
	/*
	 * The arguments of filch bench, separated by blanks, and the duration in seconds. @N is the number of
	 * usable CPUs; @M is 1 and @N; @W is 1, 2, 4, ... up to @N, and twice @N. The first is for --quick.
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
	void (*published)(struct filchi_figure_builder *d); /* without data: adds the published values; or NULL */
};

/* From 0; NULL beyond the last. */
const struct filchi_entry *filchi_entry(unsigned n);
const struct filchi_entry *filchi_entry_find(const char *id, size_t length);

/* A measurement with its file; data NULL: no file. */
struct filchi_source {
	const struct filchi_measurement *measurement;
	const struct filchi_data *data;
	const char *command; /* that measures it */
};

/* The contents of a report. */
struct filchi_selection {
	size_t entry_count, source_count;
	const struct filchi_entry **entries;
	const struct filchi_source *sources;
};

/*
 * Makes the report, with memory from the arena. *mixed: it has data of different machines or builds, which the
 * report says; then standard error has a line for each file that differs from the first.
 */
void filchi_figures_report(struct filchi_arena *arena, const struct filchi_selection *selection,
			   struct filchi_report *out, bool *mixed);

/* ---- between the files of this folder ---- */

/* The last entry has no id. */
extern const struct filchi_entry filchi_entries_own[], filchi_entries_spawn[], filchi_entries_search[],
	filchi_entries_dd[], filchi_entries_ufp[], filchi_entries_ranks[], filchi_entries_bulk[],
	filchi_entries_thesis_owner[], filchi_entries_thesis_thief[], filchi_entries_thesis_app[],
	filchi_entries_thesis_dupes[], filchi_entries_lace[];

/* The headline of page and terminal: a table of the data of the figure peers. */
extern const struct filchi_measurement filchi_own_peers;
struct filchi_page_table *filchi_own_headline(struct filchi_figure_builder *d, const struct filchi_data *peers);
/* The picture for the README; NULL: the data have no serial program or no filch. */
const struct filchi_speed *filchi_own_speed(struct filchi_figure_builder *d, const struct filchi_data *peers);
/* Explains the columns of the headline. */
const char *filchi_own_key(struct filchi_figure_builder *d, const struct filchi_data *peers);
/* Names the measured runtimes other than filch; names the runtimes that are not installed. NULL: none. */
const char *filchi_own_against(struct filchi_figure_builder *d, const struct filchi_data *peers);
const char *filchi_own_left_out(struct filchi_figure_builder *d, const struct filchi_data *peers);

#endif
