/* SPDX-License-Identifier: Apache-2.0 */
/* No commas in three parameters. The compiler says: parameters of a task are pairs: type, name */
#include <filch.h>

FILCH_TASK(long, wrong, int n, int k, long m)
{
	return n;
}
