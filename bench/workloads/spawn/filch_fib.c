/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file of its own, as a user would have it: gcc inlines a function into itself until the file has grown by some part,
 * and a file with all cases would reach that limit with the first of them.
 */
#include "filch_rounds.h"

#define FIB(type, name, first, join)                                                                                   \
	FILCH_TASK(type, name, int, n)                                                                                 \
	{                                                                                                              \
		type b;                                                                                                \
                                                                                                                       \
		if (n < 2)                                                                                             \
			return first;                                                                                  \
		FILCH_SPAWN(name, n - 1);                                                                              \
		b = FILCH_CALL(name, n - 2);                                                                           \
		return FILCH_SYNC(name) join b;                                                                        \
	}                                                                                                              \
	ROUNDS(, name, FILCH_CALL(name, job->size))

FIB(int, fib_int, n, +)
FIB(long, fib_long, n, +)
FIB(float, fib_float, (float)n, +)
FIB(bool, fib_bool, n == 1, !=)

FILCH_TASK(void, fib_void, int, n, long *, result)
{
	long a, b;

	if (n < 2) {
		*result = n;
		return;
	}
	FILCH_SPAWN(fib_void, n - 1, &a);
	FILCH_CALL(fib_void, n - 2, &b);
	FILCH_SYNC(fib_void);
	*result = a + b;
}

FILCH_TASK(long, fib_by_pointer, int, n)
{
	long result;

	FILCH_CALL(fib_void, n, &result);
	return result;
}
ROUNDS(, fib_void, FILCH_CALL(fib_by_pointer, job->size))

typedef struct filchi_spawn_pair pair;
FILCH_TASK(pair, fib_struct, int, n)
{
	pair a, b;

	if (n < 2)
		return (pair){n, 0};
	FILCH_SPAWN(fib_struct, n - 1);
	b = FILCH_CALL(fib_struct, n - 2);
	a = FILCH_SYNC(fib_struct);
	return (pair){a.value + b.value, a.spawns + b.spawns + 1};
}

FILCH_TASK(long, fib_both, int, n)
{
	pair both = FILCH_CALL(fib_struct, n);

	return both.value + both.spawns;
}
ROUNDS(, fib_struct, FILCH_CALL(fib_both, job->size))
