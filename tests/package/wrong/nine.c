/* SPDX-License-Identifier: Apache-2.0 */
/* Nine parameters. The compiler says: a task has eight parameters at most */
#include <filch.h>

FILCH_TASK(long, wrong, int, a, int, b, int, c, int, d, int, e, int, f, int, g, int, h, int, i)
{
	return a;
}
