/* SPDX-License-Identifier: Apache-2.0 */
/* An array as the only parameter. The compiler says: a parameter of a task cannot be an array: pass a pointer */
#include <filch.h>

FILCH_TASK(int, wrong, int, a[10])
{
	return 1;
}
