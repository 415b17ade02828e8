/* SPDX-License-Identifier: Apache-2.0 */
/* A spawn in a function that is no task. The compiler says: filch_only_inside_a_task_ */
#include <filch.h>

FILCH_TASK(long, twice, long, n)
{
	return 2 * n;
}

long wrong(long n)
{
	FILCH_SPAWN(twice, n);
	return FILCH_SYNC(twice);
}
