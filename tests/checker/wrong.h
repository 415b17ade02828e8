/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrong programs: the checker must find each of them wrong, for the stated reason.
 *
 * The reduced exploration must find the failure, with a trace and a token. The token must give the same verdict and
 * message. The exploration of all interleavings must find the failure as well, and so must random walks, unless the row
 * says RARE. A search for the shortest failing execution must end with the same verdict.
 *
 * A wrong program that depends on memory orders has two rows: one with the wrong orders and, as RIGHT, one with correct
 * orders. So the rows show that the order alone is the reason.
 */
#ifndef TESTS_CHECKER_WRONG_H
#define TESTS_CHECKER_WRONG_H

#include "program.h"

#define RARE 1u	    /* random walks may miss it */
#define NO_NAIVE 2u /* too many interleavings before the first bad one */
#define NO_LEAKS 4u /* the program leaks, which is not its error */

enum { WRONG_NAIVE_MAX = 1000000 };

struct wrong {
	const char *name;
	const char *variant;
	const struct program *program;
	enum chk_order orders[8];
	unsigned verdicts; /* any of these */
	unsigned flags;
};

#define WRONG(name, variant, program, orders, verdicts, flags)                                                         \
	{                                                                                                              \
		name, variant, program, orders, verdicts, flags                                                        \
	}
#define RIGHT(name, variant, program, orders)                                                                          \
	{                                                                                                              \
		name, variant, program, orders, IS_OK, 0                                                               \
	}

#define IS_OK (1u << CHK_OK)
#define IS_ASSERT (1u << CHK_ASSERT)
#define IS_RACE (1u << CHK_RACE)
#define IS_UNINIT (1u << CHK_UNINIT)
#define IS_USE_AFTER_FREE (1u << CHK_USE_AFTER_FREE)
#define IS_DOUBLE_FREE (1u << CHK_DOUBLE_FREE)
#define IS_OUT_OF_BOUNDS (1u << CHK_OUT_OF_BOUNDS)
#define IS_LEAK (1u << CHK_LEAK)
#define IS_DEADLOCK (1u << CHK_DEADLOCK)
#define IS_ENDLESS (1u << CHK_ENDLESS)
#define IS_TOO_LONG (1u << CHK_TOO_LONG)
#define IS_HISTORY (1u << CHK_HISTORY)
#define IS_CRASH (1u << CHK_CRASH)
#define IS_MISUSE (1u << CHK_MISUSE)

static inline bool wrong_fault(const struct wrong *test, const char *mode, const char *what)
{
	printf("FAIL %s%s%s, %s: %s\n", NAMES(test), mode, what);
	return false;
}

static inline struct chk_result wrong_run(const struct wrong *test, struct chk_config config)
{
	config.name = test->name;
	config.preemptions = -1;
	config.spec = test->program->spec;
	config.keep_leaks = test->flags & NO_LEAKS;
	return chk_run(&config, program_run, (void *)(uintptr_t)test->program);
}

static inline bool wrong_verdict(const struct wrong *test, const char *mode, const struct chk_result *result)
{
	if (test->verdicts >> result->verdict & 1)
		return true;
	wrong_fault(test, mode, chk_verdict_name(result->verdict));
	printf("  %s\n%s", result->message, result->trace ? result->trace : "");
	return false;
}

/* The first failure must be complete, and its token must give the same failure again. */
static inline bool wrong_replay(const struct wrong *test, const char *mode, const struct chk_result *found)
{
	struct chk_result again;
	bool right = true;

	if (!found->message[0])
		right = wrong_fault(test, mode, "no message");
	if (!found->trace || !found->trace[0] || !found->token || !found->token[0])
		return wrong_fault(test, mode, "no trace or no token");
	again = wrong_run(test, (struct chk_config){.replay = found->token});
	if (again.verdict != found->verdict)
		right = wrong_fault(test, mode, "the token gives another verdict");
	if (strcmp(again.message, found->message))
		right = wrong_fault(test, mode, "the token gives another message");
	if (!again.trace || !again.token)
		right = wrong_fault(test, mode, "the token gives no trace or no token");
	/* If two accesses are unordered, the checker may blame either thread. */
	else if (strcspn(again.token, "!") != strcspn(found->token, "!") ||
		 strncmp(again.token, found->token, strcspn(found->token, "!")))
		right = wrong_fault(test, mode, "the token gives another execution");
	if (!right)
		printf("  found: %s\n  again: %s\n", found->message, again.message);
	chk_result_clear(&again);
	return right;
}

static inline bool wrong_found(const struct wrong *test, const char *mode, struct chk_config config)
{
	struct chk_result result = wrong_run(test, config);
	bool right = wrong_verdict(test, mode, &result) && wrong_replay(test, mode, &result);

	chk_result_clear(&result);
	return right;
}

static inline bool wrong_one(const struct wrong *test)
{
	struct chk_result result;
	bool right;

	memcpy(orders, test->orders, sizeof(orders));
	result = wrong_run(test, (struct chk_config){.mode = CHK_DPOR});
	right = wrong_verdict(test, "reduced", &result);
	printf("%s%s%s: %s, execution %llu%s%s\n", NAMES(test), chk_verdict_name(result.verdict),
	       (unsigned long long)(result.executions + result.blocked), result.message[0] ? ": " : "", result.message);
	if (result.verdict != CHK_OK) {
		right = wrong_replay(test, "reduced", &result) && right;
		right = wrong_found(test, "shortest", (struct chk_config){.shortest = true}) && right;
		if (!(test->flags & NO_NAIVE))
			right = wrong_found(
					test, "naive",
					(struct chk_config){.mode = CHK_NAIVE, .max_executions = WRONG_NAIVE_MAX}) &&
				right;
		if (!(test->flags & RARE))
			right = wrong_found(test, "random", (struct chk_config){.mode = CHK_RANDOM, .seed = 7}) &&
				right;
	}
	chk_result_clear(&result);
	return right;
}

/* With arguments, runs only the rows whose name or "name variant" is an argument. */
static inline int wrong_main(const struct wrong *tests, size_t count, int argc, char **argv)
{
	unsigned run = 0, right = 0, failed = 0;
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
		right += tests[i].verdicts == IS_OK;
		failed += !wrong_one(&tests[i]);
	}
	printf("%u of %u as stated: %u wrong, %u right\n", run - failed, run, run - right, right);
	return failed || !run ? 1 : 0;
}

#define WRONG_MAIN(tests)                                                                                              \
	int main(int argc, char **argv)                                                                                \
	{                                                                                                              \
		return wrong_main(tests, ARRAY_SIZE(tests), argc, argv);                                               \
	}

#endif
