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

#include "scenarios.h"

struct bulk_check {
	const char *kind;
	const struct mutants_kept *kept; /* ends with a NULL edge */
};

/*
 * The whole program: runs every scenario, exhaustively, or with --mutants [--expect FILE] weakens every edge. Answers
 * the exit code.
 */
int bulk_check_main(const struct bulk_check *check, int argc, char **argv);

/* What bulk_check.c has for it: the kind to work on, what plays a scenario, and the specification. */
bool bulk_check_kind(const char *kind);
void bulk_check_play(void *scenario);
extern const struct chk_spec bulk_check_spec;

#endif
