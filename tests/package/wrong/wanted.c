/* SPDX-License-Identifier: Apache-2.0 */
/* Likewise without a name. The compiler says: filch_only_inside_a_task_ */
#include <filch.h>

int wrong(void)
{
	return FILCH_WORK_REQUESTED();
}
