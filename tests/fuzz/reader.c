/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes a reader of dd/problems with libFuzzer. The name of the program chooses the reader: fuzz_knapsack. A reader
 * must either make an instance, or name the line and the mistake; and it must not touch memory outside of the text.
 */
#include "../../dd/problems/problem.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct filchi_problem *problem;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = strrchr((*argv)[0], '_');

	(void)argc;
	problem = name ? filchi_problem_find(name + 1) : NULL;
	if (!problem) {
		fprintf(stderr, "%s: call the program fuzz_PROBLEM\n", (*argv)[0]);
		exit(1);
	}
	return 0;
}

/* A mistake must have a line of the text, and a reason. */
static void check_error(const struct filchi_text *t, const uint8_t *bytes, size_t size)
{
	size_t line = 0, lines = 1;
	int used = 0;

	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n';
	if (!t->failed || sscanf(t->error, "line %zu: %n", &line, &used) != 1 || line < 1 || line > lines ||
	    !t->error[used])
		abort();
	for (const char *c = t->error; *c; c++)
		if (*c < ' ' || *c > '~')
			abort();
}

/* A solution of zeros is a solution or not, but the check must not fail in another way. */
static void check_solution(const void *instance)
{
	struct filchi_check_error error;
	int32_t solution[32] = {0};
	int64_t value;

	for (size_t count = 0; count < 32; count++)
		problem->check(instance, solution, count, &value, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct filchi_text t;
	void *instance;

	for (int cut = 0; cut < 2; cut++) {
		filchi_text_begin(&t, (const char *)bytes, size);
		t.cut = cut ? filchi_text_large : NULL;
		instance = problem->read(&t);
		if (instance)
			check_solution(instance);
		else
			check_error(&t, bytes, size);
		problem->destroy(instance);
	}
	return 0;
}
