/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/deque/deque.h"
#include "../fixtures/deque/stress.h"

int main(void)
{
	deque_stress_many_owners(filchi_deque_find("global"));
	return deque_stress("global");
}
