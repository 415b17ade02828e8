/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutation: each access of a file whose order is stronger than relaxed is weakened, one step at a time and in full, and
 * each fence removed. Some check must fail for each mutant; an edge whose mutants all survive is listed with the reason
 * why it is kept.
 */
#ifndef TESTS_SUPPORT_MUTANTS_H
#define TESTS_SUPPORT_MUTANTS_H

#include "../../check/chk.h"

/* An edge that no check can show to be needed, and why it is kept. */
struct mutants_kept {
	const char *edge;
	const char *why;
};

/* What found a mutant out. */
struct mutants_kill {
	char by[64];
	enum chk_verdict verdict;
};

struct mutants {
	const char *name;		 /* of what is checked */
	const char *file;		 /* whose accesses are weakened: how its name ends, "/split.h" */
	const char *base;		 /* likewise of one it is made from; may be NULL */
	bool beside;			 /* base is not what it is made from, but another part of the same */
	const char *prefix;		 /* of its functions: not printed */
	const char *only;		 /* this edge; NULL: all */
	const struct mutants_kept *kept; /* ends with a NULL edge; may be NULL */
	/* Runs all checks up to the first that fails; false: one did, and kill says which. */
	bool (*passes)(void *context, struct mutants_kill *kill);
	void *context;
};

/* Prints the table of mutants. The exit code: 1 if one survives unexplained, or if the table is not that of expect. */
int mutants_run(const struct mutants *m, const char *expect);

#endif
