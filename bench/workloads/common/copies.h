/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of a program that run at once, each in its own process with one worker. They show how much the machine
 * gives to independent programs, which is the most that a program with as many workers can get. All copies start
 * the timed part at the same moment.
 */
#ifndef FILCHI_BENCH_COPIES_H
#define FILCHI_BENCH_COPIES_H

#include <stdint.h>

#define FILCHI_COPIES_MAX 4096

enum filchi_count {
	FILCHI_COUNT_NS,
	FILCHI_COUNT_CPU,
	FILCHI_COUNT_VOLUNTARY,
	FILCHI_COUNT_INVOLUNTARY,
	FILCHI_COUNT_TASKS,
	FILCHI_COUNT_STEALS,
	FILCHI_COUNT_LEAPFROGS,
	FILCHI_COUNT_GROWS,
	FILCHI_COUNT_SHRINKS,
	FILCHI_COUNT_PEAK,
	FILCHI_COUNTS
};

/* The outcome of a run. */
struct filchi_sample {
	uint64_t begin, end;		/* start and end of the timed part, on a clock that all processes share */
	uint64_t counts[FILCHI_COUNTS]; /* UINT64_MAX: not known */
	double items;
	char answer[96];
};

/*
 * Makes the copies, in a process without other threads, and returns -1 in each of them. In the parent it returns after
 * all copies have ended. 0: *mean has the average outcome and the first answer, and *overlap the share of a run in
 * which all copies ran. Otherwise the exit code of the first copy that failed; 3: by a signal, or no copy could be
 * made.
 */
int filchi_copies_make(unsigned count, struct filchi_sample *mean, double *overlap);

/* In a copy, from any thread: waits until all copies are here and the start time has come. */
void filchi_copies_start(void);
/* In a copy: stores its outcome. */
void filchi_copies_done(const struct filchi_sample *sample);

#endif
