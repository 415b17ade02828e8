/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/deque_stress.h"

int main(void)
{
	return deque_stress("chase_lev_asym");
}
