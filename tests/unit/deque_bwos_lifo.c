/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/deque_blocks.h"
#include "../support/deque_unit.h"

int main(void)
{
	deque_blocks("bwos_lifo");
	return deque_unit("bwos_lifo");
}
