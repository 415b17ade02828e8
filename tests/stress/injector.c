/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/injector_kind.h"
#include "../fixtures/deque/stress.h"
#include "../fixtures/test.h"

int main(void)
{
	deque_stress_one_owner(&injector_kind);
	deque_stress_many_owners(&injector_kind);
	return TEST_PASS;
}
