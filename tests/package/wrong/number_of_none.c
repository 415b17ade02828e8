/* SPDX-License-Identifier: Apache-2.0 */
/* A task without a parameter for the number. The compiler says: the first parameter must be an integer: the number */
#include <filch.h>

FILCH_TASK(long, seven)
{
	return 7;
}

FILCH_TASK(long, wrong, int, n)
{
	FILCH_SPAWN_N(seven, n);
	return FILCH_SYNC(seven);
}
