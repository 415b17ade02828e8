/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/bulk_stress.h"

int main(void)
{
	return bulk_stress("bulk_list");
}
