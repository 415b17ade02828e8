/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/stress.h"

int main(void)
{
	return deque_stress("chase_lev");
}
