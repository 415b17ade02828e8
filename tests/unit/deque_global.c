/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/unit.h"

int main(void)
{
	return deque_unit("global");
}
