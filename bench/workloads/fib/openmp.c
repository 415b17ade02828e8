/* SPDX-License-Identifier: Apache-2.0 */
#include "fib.h"

static uint64_t fib(int n)
{
	uint64_t a, b;

	if (n < 2)
		return (uint64_t)n;
#pragma omp task shared(a)
	a = fib(n - 1);
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

uint64_t filchi_fib(int n)
{
	uint64_t result;

#pragma omp parallel
#pragma omp single
	result = fib(n);
	return result;
}
