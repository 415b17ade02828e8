/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter without a name. The compiler says: parameters of a task are pairs: type, name */
#include <filch.h>

FILCH_TASK(long, wrong, long)
{
	return 1;
}
