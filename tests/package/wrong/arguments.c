/* SPDX-License-Identifier: Apache-2.0 */
/* More arguments than any task has parameters. The compiler says: twice_filch_run_ */
#include <filch.h>

FILCH_TASK(long, twice, long, n)
{
	return 2 * n;
}

long wrong(void)
{
	return FILCH_RUN(twice, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}
