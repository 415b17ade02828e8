/* SPDX-License-Identifier: Apache-2.0 */
/* For filch figures: measures by running filch bench, this same program, and keeps what it has written. */
#ifndef FILCHI_TOOL_FIGURES_RUN_H
#define FILCHI_TOOL_FIGURES_RUN_H

#include "../../bench/report/figures/figures.h"

struct filchi_figures_run {
	const char *command; /* that says what goes wrong */
	const char *folder;  /* for ID.json */
	enum filchi_scale scale;
	unsigned runs; /* 0: as the catalogue has it */
};

/* How many CPUs this process may use, and the arguments of filch bench with the variables in place. */
const char *filchi_figures_command(struct filchi_arena *arena, const struct filchi_figures_run *run,
				   const struct filchi_measurement *m);

/* Is all in this build that it needs? */
bool filchi_figures_possible(const struct filchi_measurement *m);

/* About how long all of it takes, in seconds. */
double filchi_figures_seconds(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count);

/*
 * Makes the folders, and finds out whether the page and the files of the measurements can be written there. false: has
 * said why not.
 */
bool filchi_figures_prepare(const struct filchi_figures_run *run, const char *out, const struct filchi_source *sources,
			    size_t count);

/*
 * Runs those that are possible, one after the other, with progress on a terminal. Each file appears when it is
 * complete. false: one failed, and has said why. A signal that ends the program ends what runs first.
 */
bool filchi_figures_measure(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count);

/* The headline, what came of each figure, and where the report is, to standard output. 0 or -ENOMEM. */
int filchi_figures_print(const struct filchi_report *report, const char *out, bool pictures, bool color);

#endif
