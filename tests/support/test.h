/* SPDX-License-Identifier: Apache-2.0 */
/* What every test needs: a check that stays on in all builds, and one line of output per scenario. */
#ifndef TEST_SUPPORT_TEST_H
#define TEST_SUPPORT_TEST_H

#include <stdio.h>
#include <stdlib.h>

enum { TEST_PASS = 0, TEST_FAIL = 1, TEST_SKIP = 77 };

#define TEST_CHECK(cond) ((cond) ? (void)0 : test_fail(__FILE__, __LINE__, #cond))

static inline void test_fail(const char *file, int line, const char *what)
{
	fflush(stdout);
	fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
	exit(TEST_FAIL);
}

struct test_scenario {
	const char *name;
	void (*run)(void);
};

static inline void test_run(const struct test_scenario *scenarios, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		printf("%-20s", scenarios[i].name);
		fflush(stdout);
		scenarios[i].run();
		printf(" ok\n");
	}
}

#endif
