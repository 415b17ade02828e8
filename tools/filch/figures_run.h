/* SPDX-License-Identifier: Apache-2.0 */
/* For filch figures: runs filch bench, which is this same program, and keeps its files. */
#ifndef FILCHI_TOOL_FIGURES_RUN_H
#define FILCHI_TOOL_FIGURES_RUN_H

#include "../../bench/report/figures/figures.h"

struct filchi_figures_run {
	const char *command; /* for messages */
	const char *folder;  /* for ID.json */
	enum filchi_scale scale;
	unsigned runs; /* 0: the number of the catalogue */
};

/* Returns the arguments of filch bench, with the variables replaced. */
const char *filchi_figures_command(struct filchi_arena *arena, const struct filchi_figures_run *run,
				   const struct filchi_measurement *m);

/* True if this build has all parts that the measurement needs. */
bool filchi_figures_possible(const struct filchi_measurement *m);

/* Estimates the duration of all measurements, in seconds. */
double filchi_figures_seconds(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count);

/*
 * Makes the folders, and checks that the page and the files of the measurements can be written. false after a
 * message.
 */
bool filchi_figures_prepare(const struct filchi_figures_run *run, const char *out, const struct filchi_source *sources,
			    size_t count);

/*
 * Runs the possible measurements one after the other, with progress on a terminal. A file appears when it is
 * complete. false after a message, if one failed. A signal that ends the program ends the running measurement
 * first.
 */
bool filchi_figures_measure(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count);

/* Prints the headline, the result of each figure, and the place of the report. 0 or -ENOMEM. */
int filchi_figures_print(const struct filchi_report *report, const char *out, bool pictures, bool color);

#endif
