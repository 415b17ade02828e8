/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Not a program: see codegen.sh. Bodies that spawn again before the sync, with results of each size that is smaller
 * than a word: the frame's value goes to the task stack at each spawn but the first. And a search whose state is a
 * large struct.
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

struct state {
	const int *weights;
	int count, room, value;
	int *best;
};

static inline struct state without(struct state s)
{
	s.weights++;
	s.count--;
	return s;
}

static inline struct state with(struct state s)
{
	s.room -= *s.weights;
	s.value += *s.weights;
	return without(s);
}

FILCH_TASK_DECLARE(void, codegen_search, struct state, s);
FILCH_TASK_DEFINE(void, codegen_search, struct state, s)
{
	if (s.value > *s.best)
		*s.best = s.value;
	if (!s.count)
		return;
	FILCH_SPAWN(codegen_search, without(s));
	if (*s.weights <= s.room)
		FILCH_CALL(codegen_search, with(s));
	FILCH_SYNC(codegen_search);
}
