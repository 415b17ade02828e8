/* SPDX-License-Identifier: Apache-2.0 */
/* For task_cxx.sh: a task and a sort with the names of those in task_cxx.cpp, but with other types. */
#include "task_cxx.h"

struct pair {
	double a, b;
};

FILCH_TASK(double, work, double, x, struct pair, y, short, z)
{
	return x + y.a + y.b + z;
}

#define LARGER(a, b) ((a) > (b))
FILCH_SORT_DEFINE(sort_own, double, LARGER);

FILCH_TASK_DEFINE(long, shared, int, n, const char *, text)
{
	if (n < 2)
		return *text - '0';
	FILCH_SPAWN(shared, n - 1, text);
	long right = FILCH_CALL(shared, n - 2, text);
	return FILCH_SYNC(shared) + right;
}

double other_work()
{
	double numbers[] = {1, 3, 2};
	struct pair rest;

	if (sort_own(nullptr, numbers, 3))
		return -1;
	rest.a = numbers[1];
	rest.b = numbers[2];
	return FILCH_RUN(work, numbers[0] * 100, rest, 4);
}
