/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments first, and then how many. The compiler says: how many to spawn must be an integer */
#include <filch.h>

FILCH_TASK(long, get, int, number, const long *, from)
{
	return from[number];
}

FILCH_TASK(long, wrong, const long *, from)
{
	FILCH_SPAWN_N(get, from, 1);
	return FILCH_SYNC(get);
}
