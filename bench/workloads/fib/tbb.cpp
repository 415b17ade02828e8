/* SPDX-License-Identifier: Apache-2.0 */
#include "fib.h"

#include <oneapi/tbb/parallel_invoke.h>

static uint64_t fib(int n)
{
	uint64_t a, b;

	if (n < 2)
		return (uint64_t)n;
	tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
	return a + b;
}

uint64_t filchi_fib(int n)
{
	return fib(n);
}
