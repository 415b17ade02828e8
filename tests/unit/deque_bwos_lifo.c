/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/blocks.h"
#include "../fixtures/deque/unit.h"

int main(void)
{
	deque_blocks("bwos_lifo");
	return deque_unit("bwos_lifo");
}
