/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The deques, one by one and against a plain array stack: what owner and thief pay for an operation.
 *
 *   owner_alone    the owner pushes FILCHI_BENCH_DEPTH items and pops them, again and again; no thieves
 *   with_thieves   the same while thieves steal as fast as they can
 *   steal_alone    the owner fills the deque and stands still; then one thief, another thread, empties it
 *
 * One file per contender instantiates the loops (loops.h), so that each operation is inlined in the loop that is timed.
 */
#ifndef FILCHI_BENCH_DEQUE_H
#define FILCHI_BENCH_DEQUE_H

#include "../../src/base/atomic.h"
#include "../../src/base/compiler.h"
#include "../harness/machine.h"
#include "../harness/sample.h"

#include <stdio.h>

#define FILCHI_BENCH_DEPTH 64u	    /* items in a burst */
#define FILCHI_BENCH_BURSTS 128u    /* between two looks at the clock, which are then too few to count */
#define FILCHI_BENCH_FILL 1024u	    /* items to steal alone */
#define FILCHI_BENCH_CAPACITY 512u  /* of a deque for bursts: what deques have by default */
#define FILCHI_BENCH_PATIENCE 1024u /* a thief that finds nothing so often in a row lets others run */
#define FILCHI_BENCH_MAX_THIEVES 64u

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

/* The stop sign of the thieves, on a line of its own. Its edge is STOP: it orders nothing, joining the thread does. */
struct filchi_bench_stop {
	FILCHI_OWN_LINE FILCHI_ATOMIC(bool) now;
};

/* The loops of one contender; those that can fail return 0 or the -errno of a push. */
struct filchi_bench_loops {
	const char *name;
	void *(*create)(size_t capacity); /* NULL when there is no memory */
	void (*destroy)(void *q);
	/* Bursts of pushes and pops until the clock has come to end. */
	int (*owner)(void *q, uint64_t end, struct filchi_bench_tally *t);
	/* The owner: pushes what is then to be stolen, and makes a deque that shares on request do so. */
	int (*fill)(void *q, struct filchi_bench_tally *t);
	/* The owner, when nobody else is there: takes what is left. */
	void (*drain)(void *q, struct filchi_bench_tally *t);
	/* A thief until it is told to stop, and one until there is nothing left. NULL if there is no stealing. */
	void (*thief)(void *q, const struct filchi_bench_stop *stop, struct filchi_bench_tally *t);
	void (*rob)(void *q, struct filchi_bench_tally *t);
};

extern const struct filchi_bench_loops filchi_bench_plain; /* the baseline: an array, no atomics, no thieves */

/* NULL if no deque of that name can be measured. */
const struct filchi_bench_loops *filchi_bench_loops_find(const char *name);

struct filchi_bench_options {
	bool quick;	/* for the report: what follows says what that means */
	unsigned runs;	/* samples */
	double seconds; /* of each */
	unsigned thieves;
};

/* One sample of each measurement. The equation pushes = pops + steals + left is checked, and -EPROTO if violated. */
int filchi_bench_owner_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);
int filchi_bench_with_thieves(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);
int filchi_bench_steal_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);

/* What a case of this suite has as its context. */
struct filchi_bench_contender {
	const struct filchi_bench_loops *loops;
	const struct filchi_bench_options *options;
};

/* The contenders, the plain stack first, and their cases. */
struct filchi_bench_suite {
	struct filchi_bench_options options;
	uint64_t seed;
	size_t contender_count;
	struct filchi_bench_contender *contenders;
	size_t case_count;
	struct filchi_bench_case *cases;
};

/* Of the kinds named, each at most once. 0 or -errno; -ENOENT for a kind that is not known. */
int filchi_bench_suite_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const char *const *kinds, size_t kind_count);
/* 0 or -errno with the reason in error. */
int filchi_bench_suite_run(struct filchi_bench_suite *s, struct filchi_bench_error *error);
void filchi_bench_suite_free(struct filchi_bench_suite *s);
/* The case of that contender, or NULL if it is not measured so. */
const struct filchi_bench_case *filchi_bench_suite_case(const struct filchi_bench_suite *s, const char *contender,
							const char *measure);

/* 0 or -ENOMEM. */
int filchi_bench_report_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
int filchi_bench_report_json(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f);

#endif
