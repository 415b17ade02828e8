/* SPDX-License-Identifier: Apache-2.0 */
/* The number is not the first. The compiler says: the first parameter must be an integer: the number */
#include <filch.h>

FILCH_TASK(long, get, const long *, from, int, number)
{
	return from[number];
}

FILCH_TASK(long, wrong, const long *, from)
{
	FILCH_SPAWN_N(get, 1, from);
	return FILCH_SYNC(get);
}
