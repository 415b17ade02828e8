/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line on standard error that says how far a run has come and how long it will take; nothing off a terminal. If the
 * run is interrupted, the line goes, and that is said instead.
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
/* The next of the steps begins; what and how name it. */
void filchi_progress_step(struct filchi_progress *p, const char *what, const char *how);
/* Takes the line away. */
void filchi_progress_end(struct filchi_progress *p);

#endif
