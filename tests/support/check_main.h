/* SPDX-License-Identifier: Apache-2.0 */
/* A program of checks: named scenarios, each a function with an argument; run, replayed and mutated alike. */
#ifndef TESTS_SUPPORT_CHECK_MAIN_H
#define TESTS_SUPPORT_CHECK_MAIN_H

#include "../../check/chk.h"
#include "mutants.h"

struct check_scenario {
	const char *name;
	void (*play)(void *);
	const void *arg;
	bool deep;  /* only in a deep run */
	bool walks; /* too large to exhaust: seeded random walks through it, the same each time */
};

struct check_program {
	struct mutants mutants; /* passes and context are filled in */
	const struct check_scenario *scenarios;
	unsigned count;
	unsigned max_events; /* per thread */
};

/* The exit code. Options: --scenario NAME, --mutants [--expect FILE], and those of the checker. */
int check_main(const struct check_program *program, int argc, char **argv);

#endif
