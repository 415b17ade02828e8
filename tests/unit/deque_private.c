/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/deque_unit.h"

int main(void)
{
	return deque_unit("private");
}
