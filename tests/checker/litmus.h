/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Litmus tests: correct programs with a known, complete set of outcomes.
 *
 * A program is a few threads over the shared variables of ops.h. The outcome of an execution is the values of its first
 * registers at the end, written side by side. A row of a table runs one program with one choice of orders, and states
 * the results under RC11: the outcome in question and whether it is allowed, all outcomes, and the number of
 * executions. Two executions are equal if they agree on reads-from and on the order of writes to each location.
 *
 * The test explores each row twice. The reduced exploration must give exactly the stated results. The exploration of
 * all interleavings must find the same outcomes and the same set of executions. Rows too large for that are marked
 * NO_NAIVE.
 */
#ifndef TESTS_CHECKER_LITMUS_H
#define TESTS_CHECKER_LITMUS_H

#include "program.h"

enum { NAIVE_MAX = 400000 };

#define NO_NAIVE 1u	/* too many interleavings */
#define NOT_MODELLED 2u /* C11 allows the outcome in question, RC11 and the checker do not: see check/README.md */
#define BLOCKS 4u	/* some executions end early, at a waiting thread */

struct litmus {
	const char *name;
	const char *variant;
	const struct program *program;
	enum chk_order orders[8];
	const char *about;    /* ALLOWS or FORBIDS */
	const char *outcomes; /* all outcomes, sorted, separated by blanks */
	uint64_t executions;
	unsigned flags;
};

#define ROW(name, variant, program, orders, about, outcomes, executions, flags)                                        \
	{                                                                                                              \
		name, variant, program, orders, about, outcomes, executions, flags                                     \
	}
#define ALLOWS(outcome) "+" outcome
#define FORBIDS(outcome) "-" outcome

static inline char *litmus_outcomes(const struct chk_result *result)
{
	size_t size = 1;
	char *all;
	unsigned i;

	for (i = 0; i < result->outcomes; i++)
		size += strlen(result->outcome[i]) + 1;
	all = calloc(1, size);
	if (!all)
		abort();
	for (i = 0; i < result->outcomes; i++) {
		if (i)
			strcat(all, " ");
		strcat(all, result->outcome[i]);
	}
	return all;
}

static inline bool litmus_has(const struct chk_result *result, const char *outcome)
{
	unsigned i;

	for (i = 0; i < result->outcomes; i++)
		if (!strcmp(result->outcome[i], outcome))
			return true;
	return false;
}

static inline bool litmus_fault(const struct litmus *test, const char *what)
{
	printf("FAIL %s%s%s: %s\n", NAMES(test), what);
	return false;
}

static inline struct chk_result litmus_run(const struct litmus *test, enum chk_mode mode)
{
	struct chk_config config = {.name = test->name, .mode = mode, .preemptions = -1, .spec = test->program->spec};

	if (mode == CHK_NAIVE)
		config.max_executions = NAIVE_MAX;
	return chk_run(&config, program_run, (void *)(uintptr_t)test->program);
}

static inline bool litmus_judge(const struct litmus *test, const struct chk_result *result)
{
	bool right = true;
	char *all = litmus_outcomes(result);

	if (result->verdict != CHK_OK || result->capped) {
		right = litmus_fault(test, chk_verdict_name(result->verdict));
		printf("  %s\n%s", result->message, result->trace ? result->trace : "");
	}
	if (litmus_has(result, test->about + 1) != (test->about[0] == '+')) {
		right = litmus_fault(test, test->about[0] == '+' ? "the allowed outcome is missing"
								 : "the forbidden outcome was seen");
		printf("  %s\n", test->about + 1);
	}
	if (strcmp(all, test->outcomes)) {
		right = litmus_fault(test, "outcomes");
		printf("  expected %s\n  got      %s\n", test->outcomes, all);
	}
	if (result->executions != test->executions) {
		right = litmus_fault(test, "executions");
		printf("  expected %llu, got %llu\n", (unsigned long long)test->executions,
		       (unsigned long long)result->executions);
	}
	if (!result->blocked != !(test->flags & BLOCKS)) {
		right = litmus_fault(test, "blocked executions");
		printf("  got %llu\n", (unsigned long long)result->blocked);
	}
	free(all);
	return right;
}

static inline bool litmus_compare(const struct litmus *test, const struct chk_result *dpor,
				  const struct chk_result *naive)
{
	bool right = true;
	char *all = litmus_outcomes(naive);

	if (naive->verdict != CHK_OK || naive->capped)
		right = litmus_fault(test, naive->capped ? "naive was capped" : chk_verdict_name(naive->verdict));
	if (strcmp(all, test->outcomes)) {
		right = litmus_fault(test, "outcomes of naive");
		printf("  expected %s\n  got      %s\n", test->outcomes, all);
	}
	if (dpor->graphs_hash != naive->graphs_hash)
		right = litmus_fault(test, "naive explored another set of executions");
	free(all);
	return right;
}

static inline bool litmus_one(const struct litmus *test)
{
	struct chk_result dpor, naive;
	bool right;

	memcpy(orders, test->orders, sizeof(orders));
	dpor = litmus_run(test, CHK_DPOR);
	right = litmus_judge(test, &dpor);
	printf("%s%s%s: %s %s, %u outcomes, %llu executions", NAMES(test), test->about + 1,
	       test->flags & NOT_MODELLED ? "not modelled"
	       : test->about[0] == '+'	  ? "allowed"
					  : "forbidden",
	       dpor.outcomes, (unsigned long long)dpor.executions);
	if (dpor.blocked)
		printf(" + %llu blocked", (unsigned long long)dpor.blocked);
	if (!(test->flags & NO_NAIVE) && dpor.verdict == CHK_OK) {
		naive = litmus_run(test, CHK_NAIVE);
		printf(" (naive %llu)\n", (unsigned long long)(naive.executions + naive.blocked));
		right = litmus_compare(test, &dpor, &naive) && right;
		chk_result_clear(&naive);
	} else {
		printf("\n");
	}
	chk_result_clear(&dpor);
	return right;
}

/* With arguments, runs only the rows whose name or "name variant" is an argument. */
static inline int litmus_main(const struct litmus *tests, size_t count, int argc, char **argv)
{
	unsigned run = 0, wrong = 0;
	char full[128];
	bool wanted;
	size_t i;
	int a;

	for (i = 0; i < count; i++) {
		snprintf(full, sizeof(full), "%s%s%s", NAMES(&tests[i]));
		wanted = argc < 2;
		for (a = 1; a < argc; a++)
			wanted = wanted || !strcmp(argv[a], full) || !strcmp(argv[a], tests[i].name);
		if (!wanted)
			continue;
		run++;
		wrong += !litmus_one(&tests[i]);
	}
	printf("%u of %u right\n", run - wrong, run);
	return wrong || !run ? 1 : 0;
}

#define LITMUS_MAIN(tests)                                                                                             \
	int main(int argc, char **argv)                                                                                \
	{                                                                                                              \
		return litmus_main(tests, ARRAY_SIZE(tests), argc, argv);                                              \
	}

#endif
