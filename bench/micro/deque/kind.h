/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A deque as a kind: its loops, in which each operation is inlined. One file per kind instantiates them (loops.h);
 * filch bench and filch bench queue run them.
 */
#ifndef FILCHI_BENCH_KIND_H
#define FILCHI_BENCH_KIND_H

#include "../../../src/base/atomic.h"
#include "../../../src/base/compiler.h"
#include "../../harness/histogram.h"

#include <stdbool.h>

#define FILCHI_BENCH_DEPTH 64u	    /* items in a burst */
#define FILCHI_BENCH_BURSTS 128u    /* between two looks at the clock, which are then too few to count */
#define FILCHI_BENCH_FILL 1024u	    /* items to steal alone */
#define FILCHI_BENCH_PATIENCE 1024u /* a thief that finds nothing so often in a row lets others run */
#define FILCHI_BENCH_TRIES 4096u    /* pushes and pops between two looks at the clock */
#define FILCHI_BENCH_TIMED 61u	    /* one operation in so many is timed: a prime, so that all places take turns */

/* What a thread did. The items are 0, 1, 2, ... in the order pushed, so that their sum tells which ones went. */
struct filchi_bench_tally {
	FILCHI_OWN_LINE uint64_t pushes;
	uint64_t pops;
	uint64_t steals;
	uint64_t lost;	/* steals that lost a race */
	uint64_t empty; /* steals that found nothing */
	uint64_t left;	/* in the deque in the end */
	uint64_t sum;	/* of the items popped, stolen and left */
};

/* What operations of a thread took, less the clock. */
struct filchi_bench_latency {
	uint64_t clock; /* what it takes: nanoseconds */
	struct filchi_histogram push, pop;
	struct filchi_histogram steal, vain; /* attempts that got an item, and the others */
};

/* The stop sign of the thieves, on a line of its own. Its edge is STOP: it orders nothing, joining the thread does. */
struct filchi_bench_stop {
	FILCHI_OWN_LINE FILCHI_ATOMIC(bool) now;
};

/* How fast a thief is to go. */
struct filchi_bench_pace {
	uint64_t period; /* nanoseconds from one attempt to the next; 0: as fast as it can */
	bool crowded;	 /* it shares its CPU: waiting, it lets others run */
};

/*
 * The loops of one kind; those that can fail return 0 or the -errno of a push. With a latency, which may be NULL,
 * some operations are timed one by one: of a thief that goes by the clock all, of others one in FILCHI_BENCH_TIMED.
 */
struct filchi_bench_loops {
	const char *name;
	void *(*create)(size_t capacity, size_t block_size); /* NULL when there is no memory; 0: the kind's own size */
	void (*destroy)(void *q);
	/* Bursts of pushes and pops until the clock has come to end. */
	int (*owner)(void *q, uint64_t end, struct filchi_bench_tally *t);
	/*
	 * Likewise, but pushes until the deque is full, then pops until it is empty. Of an item, a word, it uses
	 * payload bytes, 4 or 8. NULL for what grows without a bound.
	 */
	void (*tides)(void *q, uint64_t end, unsigned payload, struct filchi_bench_tally *t,
		      struct filchi_bench_latency *l);
	/* The owner: pushes what is then to be stolen, and makes a deque that shares on request do so. */
	int (*fill)(void *q, struct filchi_bench_tally *t);
	/* The owner, when nobody else is there: takes what is left. */
	void (*drain)(void *q, struct filchi_bench_tally *t);
	/* A thief until it is told to stop, and one until there is nothing left. NULL if there is no stealing. */
	void (*thief)(void *q, const struct filchi_bench_stop *stop, const struct filchi_bench_pace *pace,
		      struct filchi_bench_tally *t, struct filchi_bench_latency *l);
	void (*rob)(void *q, struct filchi_bench_tally *t);
};

extern const struct filchi_bench_loops filchi_bench_plain; /* the baseline: an array, no atomics, no thieves */

/* NULL if no deque of that name can be measured. */
const struct filchi_bench_loops *filchi_bench_loops_find(const char *name);

/* Some kinds allow only so many thieves at once, or none. */
bool filchi_bench_loops_allow(const struct filchi_bench_loops *loops, unsigned thieves);

#endif
