/* SPDX-License-Identifier: Apache-2.0 */
/* No comma in a parameter. The compiler says: parameters of a task are pairs: type, name */
#include <filch.h>

FILCH_TASK(long, wrong, int n)
{
	return n;
}
