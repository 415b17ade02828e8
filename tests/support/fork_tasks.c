/* SPDX-License-Identifier: Apache-2.0 */
#include "fork_tasks.h"

FILCH_TASK_DEFINE(long, declared_fib, int, n)
{
	long b;

	if (n < 2)
		return n;
	FILCH_SPAWN(declared_fib, n - 1);
	b = FILCH_CALL(declared_fib, n - 2);
	return FILCH_SYNC(declared_fib) + b;
}

FILCH_TASK_DEFINE(void, declared_fill, int *, to, int, value)
{
	*to = value;
}

FILCH_TASK_DEFINE(unsigned long, declared_square, unsigned long, number)
{
	return number * number;
}

FILCH_TASK_DEFINE(void, declared_number, int, number, int *, filled)
{
	filled[number] = number;
}

/* All nodes of a tree of fours. */
FILCH_TASK_DEFINE(long, declared_sum, unsigned short, number, int, depth)
{
	long sum = 1;

	if (number > 3 || !depth)
		return 1;
	FILCH_SPAWN_N(declared_sum, 4, depth - 1);
	for (int i = 0; i < 4; i++)
		sum += FILCH_SYNC(declared_sum);
	return sum;
}
