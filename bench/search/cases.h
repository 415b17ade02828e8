/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of filch bench search: for the program that runs them, and for the suite that compares them. */
#ifndef FILCHI_BENCH_SEARCH_CASES_H
#define FILCHI_BENCH_SEARCH_CASES_H

#include "trees.h"

#include <stddef.h>

enum filchi_search_subject {
	FILCHI_SEARCH_TREE,
	FILCHI_SEARCH_UTS,
	FILCHI_SEARCH_DAG,
	FILCHI_SEARCH_KNAPSACK,
	FILCHI_SEARCH_BATCH
};

/* A case has a name GROUP/DETAIL. hows: the ways that it is measured in, as names, separated by blanks. */
struct filchi_search_case {
	const char *name, *hows;
	enum filchi_search_subject subject;
	struct filchi_search_tree tree;
	unsigned number, small; /* of the tree of UTS; nodes or items; depth of a small tree (0: the same tree) */
};

/* From 0; NULL beyond the last. */
const struct filchi_search_case *filchi_search_case(unsigned n);
/* The groups: "tree", "uts", ... */
const char *filchi_search_group(unsigned n);
/* True if the text is the name of the case, or its group. */
bool filchi_search_case_is(const struct filchi_search_case *c, const char *text, size_t length);

/*
 * The ways: "serial" (hand-written), "copies" (as many serial programs at once as workers), "direct", "master",
 * "best", "mixture", "round-16", "round-64", "round-256".
 */
const char *filchi_search_way(unsigned n);
bool filchi_search_case_has(const struct filchi_search_case *c, const char *way);
/* Options for that way. */
struct filchi_search_how filchi_search_how_of(const char *way, unsigned workers);

#endif
