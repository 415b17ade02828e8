/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of a kind of deque, in which each operation is inlined. One file per kind instantiates them (loops.h);
 * filch bench and filch bench queue run them.
 */
#ifndef FILCHI_BENCH_KIND_H
#define FILCHI_BENCH_KIND_H

#include "../../../src/base/atomic.h"
#include "../../../src/base/compiler.h"
#include "../../harness/histogram.h"

#include <stdbool.h>

#define FILCHI_BENCH_DEPTH 64u	    /* items in a burst */
#define FILCHI_BENCH_BURSTS 128u    /* bursts between two readings of the clock, whose cost then does not matter */
#define FILCHI_BENCH_FILL 1024u	    /* items to steal alone */
#define FILCHI_BENCH_PATIENCE 1024u /* a thief yields after this number of empty attempts in a row */
#define FILCHI_BENCH_TRIES 4096u    /* pushes and pops between two readings of the clock */
#define FILCHI_BENCH_TIMED 61u	    /* one operation in this number is timed; a prime, so that all places take turns */

/* The actions of a thread. The items are 0, 1, 2, ... in the order of their pushes, so that a sum identifies them. */
struct filchi_bench_tally {
	FILCHI_OWN_LINE uint64_t pushes;
	uint64_t pops;
	uint64_t steals;
	uint64_t lost;	/* steals that lost a race */
	uint64_t empty; /* steals that found nothing */
	uint64_t left;	/* items in the deque at the end */
	uint64_t sum;	/* sum of the items popped, stolen and left */
};

/* Times of operations of a thread, less the clock. */
struct filchi_bench_latency {
	uint64_t clock; /* time of the clock in nanoseconds */
	struct filchi_histogram push, pop;
	struct filchi_histogram steal, vain; /* attempts that got an item, and the others */
};

/* The stop flag of the thieves, on its own line. Its edge is STOP: it orders nothing; the join of the thread does. */
struct filchi_bench_stop {
	FILCHI_OWN_LINE FILCHI_ATOMIC(bool) now;
};

/* The pace of a thief. */
struct filchi_bench_pace {
	uint64_t period; /* nanoseconds from one attempt to the next; 0: no pause */
	bool crowded;	 /* shares its CPU, and therefore yields while it waits */
};

/*
 * The loops of one kind. Loops that can fail return 0 or the -errno of a push. With a latency (may be NULL) some
 * operations are timed one by one: all attempts of a thief that goes by the clock, else one in FILCHI_BENCH_TIMED.
 */
struct filchi_bench_loops {
	const char *name;
	void *(*create)(size_t capacity, size_t block_size); /* NULL: no memory; capacity 0: the default of the kind */
	void (*destroy)(void *q);
	/* Pushes and pops in bursts until the clock reaches end. */
	int (*owner)(void *q, uint64_t end, struct filchi_bench_tally *t);
	/*
	 * Pushes until the deque is full, then pops until it is empty, until the clock reaches end. Uses 4 or 8
	 * bytes of each item (payload). NULL for unbounded kinds.
	 */
	void (*tides)(void *q, uint64_t end, unsigned payload, struct filchi_bench_tally *t,
		      struct filchi_bench_latency *l);
	/* The owner pushes the items to steal, and lets a deque that shares on request share them. */
	int (*fill)(void *q, struct filchi_bench_tally *t);
	/* The owner, alone, takes the remaining items. */
	void (*drain)(void *q, struct filchi_bench_tally *t);
	/* Steals until the stop flag is set; steals until nothing is left. NULL: no stealing. */
	void (*thief)(void *q, const struct filchi_bench_stop *stop, const struct filchi_bench_pace *pace,
		      struct filchi_bench_tally *t, struct filchi_bench_latency *l);
	void (*rob)(void *q, struct filchi_bench_tally *t);
};

extern const struct filchi_bench_loops filchi_bench_plain; /* the baseline: an array without atomics and thieves */

/* NULL: no deque of that name can be measured. */
const struct filchi_bench_loops *filchi_bench_loops_find(const char *name);

/* False if the kind allows fewer thieves. */
bool filchi_bench_loops_allow(const struct filchi_bench_loops *loops, unsigned thieves);

#endif
