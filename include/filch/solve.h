/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A problem of your own for the command filch solve. Write it for filch/dd.h, compile it as a shared object, and define
 * one symbol in it, filch_solve_problem:
 *
 *	const struct filch_solve_problem filch_solve_problem = {.struct_size = sizeof(struct filch_solve_problem),
 *								.name = "mine",
 *								.read = read_mine,
 *								.destroy = destroy_mine};
 *
 *	cc -shared -fPIC -o mine.so mine.c
 *	filch solve ./mine.so FILE
 *
 * The object needs no library of filch. filch-solve(1) explains an example step by step.
 */
#ifndef FILCH_SOLVE_H
#define FILCH_SOLVE_H

#include "dd.h"

FILCH_BEGIN_DECLS

struct filch_solve_problem {
	size_t struct_size; /* sizeof(struct filch_solve_problem) */
	const char *name;
	unsigned decimals; /* values are whole numbers of 1/10^decimals; at most 9 */
	/*
	 * Makes the problem from the text of the file, which has size bytes and a zero behind them. The text is valid
	 * until destroy. 0; or a negative error code: then error may have a message, such as "line 3: no number".
	 */
	int (*read)(struct filch_dd_problem *problem, const char *text, size_t size, char *error, size_t error_size);
	/* Frees what read has allocated, after it has returned 0. May be NULL. */
	void (*destroy)(struct filch_dd_problem *problem);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct filch_solve_problem filch_solve_problem;

FILCH_END_DECLS

#endif
