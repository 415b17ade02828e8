/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sample with an owner, which is the calling thread, and thieves. Each sample has its own deque, so that no
 * sample inherits the state or the address of another. At the end pushes = pops + steals + left, or the sample has
 * failed.
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
	unsigned place; /* index of its CPU; the owner's is 0 */
	pthread_t thread;
	struct filchi_switches switches;
	struct filchi_bench_latency *latency;
	struct filchi_bench_tally tally;
};

struct filchi_bench_threads {
	/* Set by the caller. All other fields must be 0. */
	const struct filchi_bench_loops *loops;
	struct filchi_bench_error *error;
	size_t capacity, block_size;
	unsigned payload; /* bytes; 0: 8 */
	unsigned thieves;
	struct filchi_bench_pace pace; /* but crowded */
	bool timed;
	void (*work)(struct filchi_bench_thief *thief); /* NULL: steal at that pace until the stop flag is set */
	void *context;					/* for work */
	/* The outcome, complete after filchi_bench_threads_stop(). */
	void *queue;
	struct filchi_bench_tally tally; /* of the owner; then of all threads */
	struct filchi_switches thief_switches;
	struct filchi_bench_latency *latency; /* of the owner; then of all threads. NULL: not timed */
	/* Its own. */
	unsigned started;
	struct filchi_bench_stop stop;
	FILCHI_OWN_LINE FILCHI_ATOMIC(unsigned) ready; /* thieves */
	struct filchi_bench_thief thief[FILCHI_BENCH_MAX_THIEVES];
};

/*
 * Makes the deque and starts the thieves. 0, or -errno with the reason in error; then there is nothing to stop or
 * free.
 */
int filchi_bench_threads_start(struct filchi_bench_threads *c);
/*
 * Stops the thieves, takes the remaining items and checks the equation, unless err is set. 0, err, or -EPROTO with
 * the reason in error.
 */
int filchi_bench_threads_stop(struct filchi_bench_threads *c, int err);
/* After that. */
void filchi_bench_threads_free(struct filchi_bench_threads *c);

/* Writes the failed action and the reason to error. Returns err. */
int filchi_bench_threads_fail(struct filchi_bench_threads *c, int err, const char *what);

#endif
