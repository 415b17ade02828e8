/* SPDX-License-Identifier: Apache-2.0 */
/* An argument is missing. The compiler says: scaled_filch_spawn_n_ */
#include <filch.h>

FILCH_TASK(long, scaled, int, number, long, by)
{
	return number * by;
}

FILCH_TASK(long, wrong, int, n)
{
	FILCH_SPAWN_N(scaled, n);
	return FILCH_SYNC(scaled);
}
