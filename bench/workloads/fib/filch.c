/* SPDX-License-Identifier: Apache-2.0 */
#include "fib.h"

#include <filch.h>

FILCH_TASK(uint64_t, fib, int, n)
{
	uint64_t b;

	if (n < 2)
		return (uint64_t)n;
	FILCH_SPAWN(fib, n - 1);
	b = FILCH_CALL(fib, n - 2);
	return FILCH_SYNC(fib) + b;
}

uint64_t filchi_fib(int n)
{
	return FILCH_RUN(fib, n);
}
