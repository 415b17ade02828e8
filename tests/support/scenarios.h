/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of one owner and up to three thieves, told in letters: each does what its script says, a letter at a time.
 * Some are written down; the rest are made up, systematically: every script of the owner's up to some length, after
 * each of some beginnings, on each of some rings, against each of some sets of thieves.
 */
#ifndef TESTS_SUPPORT_SCENARIOS_H
#define TESTS_SUPPORT_SCENARIOS_H

#include "check_main.h"

#include <stddef.h>
#include <stdint.h>

struct scenario {
	const char *name;   /* NULL: one of those made up */
	size_t size;	    /* of the ring at the start: slots, or chunks */
	uint64_t first;	    /* index of the first */
	const char *before; /* there are thieves */
	const char *owner;
	const char *thief[3];
	bool deep; /* only in a deep run */
};

struct scenario_ring {
	size_t size;
	uint64_t first;
};

struct scenario_set {
	const struct scenario *common, *own; /* end with a NULL name; own may be NULL */
	struct scenario walks;		     /* too large to exhaust */
	const char *letters;		     /* of the owner, in those made up; up to 3 of them, in a deep run 4 */
	const char *const *befores;	     /* ends with NULL */
	const struct scenario_ring *rings;   /* three */
	const char *const (*thieves)[3];
	unsigned sets, sets_deep; /* of thieves */
	bool sizes;		  /* rings differ in size, and names tell it */
	void (*play)(void *);	  /* with the scenario for its argument */
};

/* For struct check_program: each, of being a set. */
bool scenarios_each(const void *set, bool deep, check_call *call, void *context);

#endif
