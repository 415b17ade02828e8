/* SPDX-License-Identifier: Apache-2.0 */
/* The star is with the name. The compiler says: parameters of a task are pairs: type, name */
#include <filch.h>

FILCH_TASK(long, wrong, int, n, char, *text)
{
	return n;
}
