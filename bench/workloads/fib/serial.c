/* SPDX-License-Identifier: Apache-2.0 */
#include "fib.h"

static inline uint64_t fib(int n)
{
	if (n < 2)
		return (uint64_t)n;
	return fib(n - 1) + fib(n - 2);
}

uint64_t filchi_fib(int n)
{
	return fib(n);
}
