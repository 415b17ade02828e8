/* SPDX-License-Identifier: Apache-2.0 */
/* So many and a half. The compiler says: how many to spawn must be an integer */
#include <filch.h>

FILCH_TASK(long, same, long, number)
{
	return number;
}

FILCH_TASK(long, wrong, int, unused)
{
	(void)unused;
	FILCH_SPAWN_N(same, 1.5);
	return FILCH_SYNC(same);
}
