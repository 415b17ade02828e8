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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct deque_scenario {
	const char *name; /* NULL: one of the systematic ones */
	size_t capacity;  /* initial */
	uint64_t first;	  /* index of the first item */
	const char *before;
	const char *owner;
	const char *thief[3];
	bool deep; /* only in a deep run */
};

/* An edge that no check can show to be needed, and why it is kept. */
struct deque_kept {
	const char *edge;
	const char *why;
};

struct deque_check {
	const char *kind;
	const char *base;		  /* the kind that it is made from, whose edges are its own; NULL: none */
	const struct deque_scenario *own; /* besides the common ones; ends with a NULL name */
	const struct deque_kept *kept;	  /* ends with a NULL edge */
};

/*
 * The whole program: runs every scenario, exhaustively, or with --mutants [--expect FILE] weakens every edge. Answers
 * the exit code.
 */
int deque_check_main(const struct deque_check *check, int argc, char **argv);

/*
 * Calls for each scenario: the common ones, the kind's own, then systematically every owner's script up to some length
 * with every small set of thieves. Stops when a call answers false, and answers false then.
 */
typedef bool deque_scenario_call(const struct deque_check *check, const struct deque_scenario *scenario, void *context);
bool deque_scenarios_each(const struct deque_check *check, deque_scenario_call *call, void *context);

/* As --scenario takes it: "before|owner|thief,thief@first" */
void deque_scenario_print(char *out, size_t size, const struct deque_scenario *scenario);

/* Runs the one scenario with this configuration over the checker's defaults. */
struct chk_config;
struct chk_result;
struct chk_result deque_check_run(const char *kind, const struct deque_scenario *scenario, struct chk_config config);

/* Weakens each edge of the kind's file, one step and in full; answers the exit code. */
int deque_check_mutants(const struct deque_check *check, const char *expect);

#endif
