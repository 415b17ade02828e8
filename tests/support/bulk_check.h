/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scenarios under which the bulk queues are model-checked, and their specification.
 *
 * A scenario is told in letters. What the owner does: a digit pushes a batch of so many nodes, 'u' one of 3 without
 * marks, '-' pops, 'p' polls, 'r' steals half and pushes that again. What a thief does: 't' steals a tenth, 'h' half,
 * 'a' all. `before` happens before there are thieves, their letters included. Who takes a node frees it at once.
 * Afterwards the owner pops what is left, and every node must have come out exactly once.
 */
#ifndef TESTS_SUPPORT_BULK_CHECK_H
#define TESTS_SUPPORT_BULK_CHECK_H

#include "../../check/chk.h"
#include "mutants.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bulk_scenario {
	const char *name; /* NULL: one of the systematic ones */
	size_t chunks;
	uint64_t first; /* index of the first chunk */
	const char *before;
	const char *owner;
	const char *thief[3];
	bool deep; /* only in a deep run */
};

struct bulk_check {
	const char *kind;
	const struct bulk_scenario *own; /* besides the common ones; ends with a NULL name */
	const struct mutants_kept *kept; /* ends with a NULL edge */
};

/*
 * The whole program: runs every scenario, exhaustively, or with --mutants [--expect FILE] weakens every edge. Answers
 * the exit code.
 */
int bulk_check_main(const struct bulk_check *check, int argc, char **argv);

/* As --scenario takes it: "before/owner/thief,thief@chunks,first" */
void bulk_scenario_print(char *out, size_t size, const struct bulk_scenario *scenario);

/* Runs the one scenario with this configuration over the checker's defaults. */
struct chk_result bulk_check_run(const char *kind, const struct bulk_scenario *scenario, struct chk_config config);

#endif
