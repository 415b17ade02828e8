/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Not a program: see codegen.sh. Bodies that spawn again before the sync, with results of each size that is smaller
 * than a word: the frame's value goes to the task stack at each spawn but the first.
 */
#include <filch/task.h>
#include <stdbool.h>

#define SUM_OF(name, type)                                                                                             \
	FILCH_TASK_DECLARE(type, name, int, n);                                                                        \
	FILCH_TASK_DECLARE(type, codegen_##name, int, n);                                                              \
	FILCH_TASK_DEFINE(type, codegen_##name, int, n)                                                                \
	{                                                                                                              \
		type sum = 0;                                                                                          \
		for (int i = 0; i < n; i++)                                                                            \
			FILCH_SPAWN(name, i);                                                                          \
		for (int i = 0; i < n; i++)                                                                            \
			sum = (type)(sum + FILCH_SYNC(name));                                                          \
		return sum;                                                                                            \
	}
SUM_OF(int_of, int)
SUM_OF(float_of, float)
SUM_OF(short_of, short)
SUM_OF(bool_of, bool)
