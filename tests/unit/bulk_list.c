/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/bulk_unit.h"

int main(void)
{
	return bulk_unit("bulk_list", 0);
}
