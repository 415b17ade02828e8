/* SPDX-License-Identifier: Apache-2.0 */
/* A task with each number of parameters, of different types: its result has a digit of each. */
#ifndef TESTS_SUPPORT_FORK_PARAMETERS_H
#define TESTS_SUPPORT_FORK_PARAMETERS_H

#include <filch/fork.h>

FILCH_TASK(int, with_1, int, a)
{
	return a;
}
FILCH_TASK(int, with_2, int, a, char, b)
{
	return a + 10 * b;
}
FILCH_TASK(long, with_3, int, a, char, b, long, c)
{
	return a + 10 * b + 100 * c;
}
FILCH_TASK(long, with_4, int, a, char, b, long, c, short, d)
{
	return a + 10 * b + 100 * c + 1000 * d;
}
FILCH_TASK(double, with_5, int, a, char, b, long, c, short, d, double, e)
{
	return (double)(a + 10 * b + 100 * c + 1000 * d) + 10000 * e;
}
FILCH_TASK(double, with_6, int, a, char, b, long, c, short, d, double, e, const int *, f)
{
	return (double)(a + 10 * b + 100 * c + 1000 * d) + 10000 * e + 100000 * *f;
}

struct pair {
	long first, second;
};

FILCH_TASK(double, with_7, int, a, char, b, long, c, short, d, double, e, const int *, f, struct pair, g)
{
	return (double)(a + 10 * b + 100 * c + 1000 * d) + 10000 * e + 100000 * *f + 1e6 * (double)(g.first + g.second);
}
FILCH_TASK(double, with_8, int, a, char, b, long, c, short, d, double, e, const int *, f, struct pair, g, float, h)
{
	return (double)(a + 10 * b + 100 * c + 1000 * d) + 10000 * e + 100000 * *f +
	       1e6 * (double)(g.first + g.second) + 1e7 * h;
}

#endif
