/* SPDX-License-Identifier: Apache-2.0 */
/* There are only two of them. The compiler says: the first parameter must be an integer: the number */
#include <filch.h>
#include <stdbool.h>

FILCH_TASK(long, choose, bool, yes)
{
	return yes;
}

FILCH_TASK(long, wrong, int, n)
{
	FILCH_SPAWN_N(choose, n);
	return FILCH_SYNC(choose);
}
