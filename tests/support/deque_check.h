/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scenarios under which every deque is model-checked, their specification, and the mutation runner.
 *
 * A scenario is told in letters. What the owner does: '+' push the next item, '-' pop, 'p' poll. What a thief does: 's'
 * steal, 'm' steal several.
 * `before` happens before there are thieves, 's' included; a digit at its start is the size of blocks. Afterwards the
 * owner pops what is left, and every item pushed must have come out exactly once.
 */
#ifndef TESTS_SUPPORT_DEQUE_CHECK_H
#define TESTS_SUPPORT_DEQUE_CHECK_H

#include "scenarios.h"

struct deque_check {
	const char *kind;
	const char *base;		 /* the kind that it is made from, whose edges are its own; NULL: none */
	const struct scenario *own;	 /* besides the common ones; ends with a NULL name */
	const struct mutants_kept *kept; /* ends with a NULL edge */
};

/*
 * The whole program: runs every scenario, exhaustively, or with --mutants [--expect FILE] weakens every edge. Answers
 * the exit code.
 */
int deque_check_main(const struct deque_check *check, int argc, char **argv);

/* What deque_check.c has for it: the kind to work on, what plays a scenario, and the specification. */
bool deque_check_kind(const char *kind);
void deque_check_play(void *scenario);
const char *deque_check_fault(void);
extern const struct chk_spec deque_check_spec;

#endif
