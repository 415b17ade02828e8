/* SPDX-License-Identifier: Apache-2.0 */
/* A program over the shared variables of ops.h: a few threads, and the steps before and after them. */
#ifndef TESTS_CHECKER_PROGRAM_H
#define TESTS_CHECKER_PROGRAM_H

#include "ops.h"

enum { PROGRAM_THREADS = 6 };

struct program {
	void (*thread[PROGRAM_THREADS])(void);
	void (*before)(void);	     /* by the main thread, before the others start; may be NULL */
	void (*after)(void);	     /* by the main thread, after the others are joined; may be NULL */
	int shown;		     /* registers that make the outcome */
	const struct chk_spec *spec; /* judges the history, if there is one */
};

static inline void program_thread(void *fn)
{
	(*(void (**)(void))fn)();
}

static inline void program_run(void *arg)
{
	struct program *program = arg;
	int thread[PROGRAM_THREADS], n = 0, i;
	char outcome[128] = "";
	size_t used = 0;

	reset();
	if (program->before)
		program->before();
	while (n < PROGRAM_THREADS && program->thread[n]) {
		thread[n] = chk_thread(program_thread, &program->thread[n]);
		n++;
	}
	for (i = 0; i < n; i++)
		chk_join(thread[i]);
	if (program->after)
		program->after();
	for (i = 0; i < program->shown; i++)
		used += (size_t)snprintf(outcome + used, sizeof(outcome) - used, "%llu", (unsigned long long)reg[i]);
	chk_outcome("%s", outcome);
}

#define ORDERS(...)                                                                                                    \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}

/* Three strings that name a row of a table. */
#define NAMES(row) (row)->name, (row)->variant[0] ? " " : "", (row)->variant

#endif
