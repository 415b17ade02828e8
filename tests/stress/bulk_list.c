/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/bulk/stress.h"

int main(void)
{
	return bulk_stress("bulk_list");
}
