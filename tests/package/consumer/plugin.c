/* SPDX-License-Identifier: Apache-2.0 */
/* A shared library with the static filch linked in. */
#include <filch.h>

FILCH_TASK(long, fib, int, n)
{
	if (n < 2)
		return n;
	FILCH_SPAWN(fib, n - 1);
	long b = FILCH_CALL(fib, n - 2);
	return FILCH_SYNC(fib) + b;
}

long plugin(int n);

long plugin(int n)
{
	long result = filch_start(0) ? -1 : FILCH_RUN(fib, n);

	filch_stop();
	return result;
}
