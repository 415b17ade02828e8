/* SPDX-License-Identifier: Apache-2.0 */
/* A number that is none. The compiler says: the first parameter must be an integer: the number */
#include <filch.h>

FILCH_TASK(double, half, double, x)
{
	return x / 2;
}

FILCH_TASK(double, wrong, int, n)
{
	FILCH_SPAWN_N(half, n);
	return FILCH_SYNC(half);
}
