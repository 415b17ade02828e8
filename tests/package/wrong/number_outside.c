/* SPDX-License-Identifier: Apache-2.0 */
/* Many spawns in a function that is no task. The compiler says: filch_only_inside_a_task_ */
#include <filch.h>

FILCH_TASK(long, twice, long, number)
{
	return 2 * number;
}

void wrong(long n)
{
	FILCH_SPAWN_N(twice, n);
}
