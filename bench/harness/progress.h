/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line on standard error with the progress of a run and the time left. It is printed only to a terminal. If the
 * run is interrupted, the word "interrupted" replaces the line.
 */
#ifndef FILCHI_BENCH_PROGRESS_H
#define FILCHI_BENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filchi_progress {
	bool shown;
	size_t done, total;
	uint64_t start; /* nanoseconds */
};

void filchi_progress_start(struct filchi_progress *p, size_t total);
/* Begins the next step; what and how are its name. */
void filchi_progress_step(struct filchi_progress *p, const char *what, const char *how);
/* Removes the line. */
void filchi_progress_end(struct filchi_progress *p);

#endif
