/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/deque/private.h"
#include "../fixtures/deque/unit.h"
#include "../fixtures/test.h"

/* A thief gets the oldest half, rounded up, and at most a cache line of items. */
static void half(void)
{
	static struct filchi_private q;
	const struct filchi_deque_setup setup = {.capacity = 64, .max_capacity = 64};

	for (uintptr_t count = 1; count <= 40; count++) {
		uintptr_t items[64], expected = count - count / 2;
		size_t taken = 0;

		if (expected > FILCHI_PRIVATE_GIFT)
			expected = FILCHI_PRIVATE_GIFT;
		TEST_CHECK(filchi_private_init(&q, &setup) == 0);
		for (uintptr_t i = 0; i < count; i++)
			TEST_CHECK(filchi_private_push(&q, i) == 0);
		TEST_CHECK(filchi_private_steal_many(&q, items, 64, &taken) == FILCH_EMPTY && !taken);
		filchi_private_poll(&q);
		TEST_CHECK(filchi_private_steal_many(&q, items, 64, &taken) == FILCH_OK && taken == expected);
		for (uintptr_t i = 0; i < expected; i++)
			TEST_CHECK(items[i] == i);
		TEST_CHECK(filchi_private_size(&q) == count - expected);
		filchi_private_fini(&q);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"half", half}};

	test_run(scenarios, 1);
	return deque_unit("private");
}
