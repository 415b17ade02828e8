/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of a program that run the same at once, each a process of its own with one worker: what a machine gives to
 * programs that have nothing to do with each other, and so the most that one with as many workers can have of it. All
 * start the timed part at the same moment.
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

/* What came of a run. */
struct filchi_sample {
	uint64_t begin, end;		/* of the timed part, on a clock that all processes share */
	uint64_t counts[FILCHI_COUNTS]; /* UINT64_MAX: not known */
	double items;
	char answer[96];
};

/*
 * In a process without other threads: makes the copies, and answers in each of them -1. Here it answers when all have
 * ended: 0, and then *mean is what came of them on average, with the answer of the first, and *overlap the share of the
 * time of one in which all were at it; or the exit code of the first that failed, or 3 where that is a signal, or there
 * are none to make.
 */
int filchi_copies_make(unsigned count, struct filchi_sample *mean, double *overlap);

/* In a copy, from any thread: waits until all are here, and the moment has come to start. */
void filchi_copies_start(void);
/* In a copy: what came of it. */
void filchi_copies_done(const struct filchi_sample *sample);

#endif
