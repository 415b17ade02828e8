/* SPDX-License-Identifier: Apache-2.0 */
/* A program of checks: scenarios, each a function with an argument; run, replayed and mutated alike. */
#ifndef TESTS_SUPPORT_CHECK_MAIN_H
#define TESTS_SUPPORT_CHECK_MAIN_H

#include "../../check/chk.h"
#include "mutants.h"

struct check_scenario {
	const char *name;
	const char *script; /* another name that --scenario knows it by; may be NULL */
	void (*play)(void *);
	const void *arg;
	bool deep;	       /* only in a deep run */
	bool walks;	       /* too large to exhaust: seeded random walks through it, the same each time */
	uint64_t seed;	       /* of walks: one that soon comes by what is rare; 0: as usual */
	unsigned mutant_walks; /* so many where a mutant is to be found out that is rarely seen; 0: as usual */
	bool systematic;       /* one of many: not told about, unless it fails */
	uint64_t fail_alloc;   /* as in struct chk_config */
};

/* Answers false to have no more. */
typedef bool check_call(const struct check_scenario *scenario, void *context);

struct check_program {
	struct mutants mutants; /* passes and context are filled in */
	const struct check_scenario *scenarios;
	unsigned count;
	/* Calls for each that is made up, besides those; false if a call was. May be NULL. */
	bool (*each)(const void *of, bool deep, check_call *call, void *context);
	const void *of;
	const struct chk_spec *spec; /* may be NULL */
	unsigned max_events;	     /* per thread */
	unsigned walks, walks_deep;  /* how many; 0: 3,000 and 200,000 */
	const char *only;	     /* --scenario; else NULL */
	bool full;		     /* --full: nothing is walked through */
	const char *(*fault)(void);  /* when all is done: what is wrong all the same, or NULL; may be NULL */
};

/* The exit code. --help tells the options. */
int check_main(const struct check_program *program, int argc, char **argv);

#endif
