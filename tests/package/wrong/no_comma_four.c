/* SPDX-License-Identifier: Apache-2.0 */
/* No commas in four parameters. The compiler says: parameters of a task are pairs: type, name */
#include <filch.h>

FILCH_TASK(long, wrong, int n, struct list *l, const char *text, long m)
{
	return n;
}
