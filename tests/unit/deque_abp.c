/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/deque/abp.h"
#include "../fixtures/deque/unit.h"
#include "../fixtures/test.h"

static struct filchi_abp q;

static void begin(size_t capacity, uint64_t first)
{
	const struct filchi_deque_setup setup = {.capacity = capacity, .max_capacity = capacity, .first = first};

	TEST_CHECK(filchi_abp_init(&q, &setup) == 0);
}

static void push(uintptr_t item)
{
	TEST_CHECK(filchi_abp_push(&q, item) == 0);
}

static void refused(size_t size)
{
	TEST_CHECK(filchi_abp_push(&q, 99) == -ENOBUFS);
	TEST_CHECK(filchi_abp_size(&q) == size);
}

static void takes(int (*take)(struct filchi_abp *, uintptr_t *), uintptr_t expected)
{
	uintptr_t item = 0;

	TEST_CHECK(take(&q, &item) == FILCH_OK && item == expected);
}

static void empty(void)
{
	uintptr_t item;

	TEST_CHECK(filchi_abp_size(&q) == 0);
	TEST_CHECK(filchi_abp_steal(&q, &item) == FILCH_EMPTY);
	TEST_CHECK(filchi_abp_pop(&q, &item) == FILCH_EMPTY);
}

/* The owner can use the slots that thieves have freed only after it has found the deque empty. */
static void shrinks(void)
{
	begin(8, 0);
	for (uintptr_t i = 1; i <= 8; i++)
		push(i);
	refused(8);
	for (uintptr_t i = 1; i <= 5; i++)
		takes(filchi_abp_steal, i);
	refused(3);
	takes(filchi_abp_pop, 8);
	push(9);
	refused(3);
	takes(filchi_abp_pop, 9);
	takes(filchi_abp_pop, 7);
	takes(filchi_abp_pop, 6);
	for (uintptr_t i = 1; i <= 8; i++)
		push(i);
	refused(8);
	filchi_abp_fini(&q);
}

/* An empty deque refuses a push until the owner's pop has found it empty. A thief that finds nothing does not help. */
static void all_stolen(void)
{
	uintptr_t item;

	begin(2, 0);
	for (unsigned round = 0; round < 3; round++) {
		push(1);
		push(2);
		takes(filchi_abp_steal, 1);
		takes(filchi_abp_steal, 2);
		TEST_CHECK(filchi_abp_steal(&q, &item) == FILCH_EMPTY);
		refused(0);
		empty();
	}
	filchi_abp_fini(&q);
}

/*
 * The tag changes with each restart from index 0, whether the owner popped the last item or a thief stole it. The tag
 * wraps without touching other bits.
 */
static void tag(void)
{
	for (size_t capacity = 1; capacity <= 1024; capacity *= 2) {
		uint64_t unit = 2 * capacity;

		begin(capacity, UINT64_MAX);
		TEST_CHECK(filchi_load_rlx(&q.age, TEST) == 0 - unit);
		push(1);
		takes(filchi_abp_pop, 1);
		TEST_CHECK(filchi_load_rlx(&q.age, TEST) == 0);
		for (uintptr_t i = 0; i < capacity; i++) {
			push(i);
			takes(filchi_abp_steal, i);
			TEST_CHECK(filchi_load_rlx(&q.age, TEST) == i + 1);
		}
		empty();
		TEST_CHECK(filchi_load_rlx(&q.age, TEST) == unit);
		empty();
		TEST_CHECK(filchi_load_rlx(&q.age, TEST) == unit);
		filchi_abp_fini(&q);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"shrinks", shrinks},
		{"all_stolen", all_stolen},
		{"tag", tag},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return deque_unit("abp");
}
