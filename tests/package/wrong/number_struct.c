/* SPDX-License-Identifier: Apache-2.0 */
/* A struct for a number. The compiler says: the first parameter must be an integer: the number */
#include <filch.h>

struct pair {
	long first, second;
};

FILCH_TASK(long, sum, struct pair, p)
{
	return p.first + p.second;
}

FILCH_TASK(long, wrong, int, n)
{
	FILCH_SPAWN_N(sum, n);
	return FILCH_SYNC(sum);
}
