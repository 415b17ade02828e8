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
