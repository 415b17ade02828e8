/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One picture for the first page of the project: how fast each program is with each runtime, compared with the serial
 * program. Panels (numbers of workers) are side by side. Each has a group of bars for each program, on a common
 * logarithmic axis. A bar begins at 1, the speed of the serial program.
 */
#ifndef FILCHI_BENCH_PAGE_SPEED_H
#define FILCHI_BENCH_PAGE_SPEED_H

#include <stddef.h>
#include <stdio.h>

enum { FILCHI_SPEED_PANELS = 2, FILCHI_SPEED_RUNTIMES = 3, FILCHI_SPEED_PROGRAMS = 32 };

struct filchi_speed_program {
	const char *name, *about; /* about: a few words, or NULL */
	/* Time of the serial program, divided by the time with the runtime; NaN: not measured. */
	double speed[FILCHI_SPEED_PANELS][FILCHI_SPEED_RUNTIMES];
};

struct filchi_speed {
	const char *title, *explanation;
	const char *captions[2]; /* below the bars: machine; build and date */
	size_t panel_count, runtime_count, program_count;
	const char *panels[FILCHI_SPEED_PANELS], *runtimes[FILCHI_SPEED_RUNTIMES]; /* the first runtime stands out */
	struct filchi_speed_program programs[FILCHI_SPEED_PROGRAMS];
};

/* Writes an SVG that needs no other file. */
void filchi_speed_write(const struct filchi_speed *speed, FILE *f);

#endif
