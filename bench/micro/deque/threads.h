/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sample with an owner, who is the calling thread, and thieves. Each sample has a deque of its own, so that none
 * inherits the state or the place in memory of another. In the end the equation pushes = pops + steals + left holds, or
 * the sample has failed.
 */
#ifndef FILCHI_BENCH_THREADS_H
#define FILCHI_BENCH_THREADS_H

#include "../../harness/sample.h"
#include "../../harness/usage.h"
#include "kind.h"

#include <pthread.h>

#define FILCHI_BENCH_MAX_THIEVES 64u

struct filchi_bench_threads;

struct filchi_bench_thief {
	struct filchi_bench_threads *threads;
	unsigned place; /* of its CPU; the owner's is 0 */
	pthread_t thread;
	struct filchi_switches switches;
	struct filchi_bench_latency *latency;
	struct filchi_bench_tally tally;
};

struct filchi_bench_threads {
	/* For the caller to say; the rest must be 0. */
	const struct filchi_bench_loops *loops;
	struct filchi_bench_error *error;
	size_t capacity, block_size;
	unsigned payload; /* bytes; 0: 8 */
	unsigned thieves;
	struct filchi_bench_pace pace; /* but crowded */
	bool timed;
	void (*work)(struct filchi_bench_thief *thief); /* NULL: steal at that pace until told to stop */
	void *context;					/* for work */
	/* What came of it: complete after filchi_bench_threads_stop(). */
	void *queue;
	struct filchi_bench_tally tally; /* the owner's; then that of all */
	struct filchi_switches thief_switches;
	struct filchi_bench_latency *latency; /* the owner's; then that of all. NULL: not timed */
	/* Its own. */
	unsigned started;
	struct filchi_bench_stop stop;
	FILCHI_OWN_LINE FILCHI_ATOMIC(unsigned) ready; /* thieves */
	struct filchi_bench_thief thief[FILCHI_BENCH_MAX_THIEVES];
};

/* Makes the deque, and starts the thieves. 0 or -errno with the reason in error, and then nothing is left to do. */
int filchi_bench_threads_start(struct filchi_bench_threads *c);
/*
 * Stops the thieves, takes what is left and checks the equation, unless err says that the sample has failed. 0, err, or
 * -EPROTO if it does not hold, with the reason in error.
 */
int filchi_bench_threads_stop(struct filchi_bench_threads *c, int err);
/* After that. */
void filchi_bench_threads_free(struct filchi_bench_threads *c);

/* Says what could not be done, and why; answers err. */
int filchi_bench_threads_fail(struct filchi_bench_threads *c, int err, const char *what);

#endif
