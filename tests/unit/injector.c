/* SPDX-License-Identifier: Apache-2.0 */
/* The injector in one thread: the scenarios of the deques, and its own. */
#include "../../src/inject/injector.h"
#include "../fixtures/deque/injector_kind.h"
#include "../fixtures/deque/unit.h"
#include "../fixtures/out_of_memory.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const uint32_t sizes[] = {1, 2, 3, 7, 0, FILCHI_INJECTOR_MAX_SEGMENT};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* An injector, and beside it a model of its items: model[from..to), the oldest first. */
#define MODEL (1 << 19)
static struct filchi_injector q;
static uintptr_t model[MODEL];
static size_t from, to;

static void begin(uint32_t size)
{
	TEST_CHECK(filchi_injector_init(&q, size) == 0);
	from = to = 0;
}

static void check_size(void)
{
	TEST_CHECK(filchi_injector_size(&q) == to - from);
	TEST_CHECK(filchi_injector_is_empty(&q) == (to == from));
}

static void push(uintptr_t item)
{
	TEST_CHECK(filchi_injector_push(&q, item) == 0);
	TEST_CHECK(to < MODEL);
	model[to++] = item;
}

/*
 * Returns false if the injector is empty, and then the model must be empty as well. A single thread never loses a race.
 */
static bool take(void)
{
	uintptr_t item = 77;
	int answer = filchi_injector_take(&q, &item);

	if (answer == FILCH_EMPTY) {
		TEST_CHECK(from == to && item == 77);
		return false;
	}
	TEST_CHECK(answer == FILCH_OK && from < to && item == model[from]);
	from++;
	return true;
}

static size_t take_many(size_t max)
{
	uintptr_t items[64];
	size_t taken = 77;
	int answer = filchi_injector_take_many(&q, items, max, &taken);

	if (answer == FILCH_EMPTY) {
		TEST_CHECK(from == to && taken == 77);
		return 0;
	}
	TEST_CHECK(answer == FILCH_OK && taken >= 1 && taken <= max && taken <= to - from);
	TEST_CHECK(!memcmp(items, model + from, taken * sizeof(items[0])));
	from += taken;
	return taken;
}

static void end(void)
{
	while (take())
		;
	for (unsigned i = 0; i < 3; i++) {
		check_size();
		TEST_CHECK(!take() && !take_many(3));
	}
	filchi_injector_fini(&q);
}

static void segment_sizes(void)
{
	for (unsigned i = 0; i < SIZES; i++) {
		begin(sizes[i]);
		check_size();
		for (uintptr_t n = 1; n <= 5000; n++) {
			push(n);
			check_size();
		}
		for (unsigned n = 0; n < 4000; n++) {
			TEST_CHECK(take());
			check_size();
		}
		end();
	}
}

/* A batch has the requested size, or ends at the end of a segment. */
static void take_many_batches(void)
{
	begin(8);
	for (uintptr_t n = 0; n < 20; n++)
		push(n);
	TEST_CHECK(take_many(3) == 3 && take_many(64) == 5 && take_many(8) == 8 && take_many(64) == 4);
	TEST_CHECK(!take_many(64));
	push(20);
	TEST_CHECK(take_many(64) == 1);
	end();
}

/* fini frees all memory of an injector that still has items. */
static void left_over(void)
{
	long live = out_of_memory_live();

	for (unsigned i = 0; i < SIZES; i++) {
		begin(sizes[i]);
		for (uintptr_t n = 0; n < 10000; n++) {
			push(n);
			if (n % 3 == 0)
				take();
		}
		filchi_injector_fini(&q);
		TEST_CHECK(out_of_memory_live() == live);
	}
}

/* A steady flow of items needs no allocation. After a peak the injector frees the memory that it needed only then. */
static void steady_state(void)
{
	long live = out_of_memory_live();

	begin(0);
	for (uintptr_t n = 0; n < 100000; n++)
		push(n);
	TEST_CHECK(out_of_memory_live() > live + 100);
	while (take_many(64))
		;
	TEST_CHECK(out_of_memory_live() <= live + 1 + (long)FILCHI_INJECTOR_SPARES);
	out_of_memory_at(1);
	for (unsigned round = 0; round < 1000; round++) {
		from = to = 0;
		for (uintptr_t n = 0; n < 900; n++)
			push(n);
		while (take_many(64))
			;
	}
	TEST_CHECK(!out_of_memory_happened());
	out_of_memory_at(0);
	end();
}

static void bad_use(void)
{
	TEST_CHECK(filchi_injector_init(&q, FILCHI_INJECTOR_MAX_SEGMENT + 1) == -EINVAL);
	TEST_CHECK(filchi_injector_init(&q, UINT32_MAX) == -EINVAL);
}

/*
 * The allocations refused here outnumber the counter in the word. A refusal that left a count behind would overflow it.
 */
static void no_memory_for_long(void)
{
	begin(16);
	for (uintptr_t i = 0; i < 16; i++)
		push(i);
	for (unsigned i = 0; i < 20000; i++) {
		out_of_memory_at(1);
		TEST_CHECK(filchi_injector_push(&q, 1) == -ENOMEM);
		check_size();
	}
	out_of_memory_at(0);
	push(16);
	TEST_CHECK(take_many(64) == 16 && take_many(64) == 1);
	end();
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"segment_sizes", segment_sizes},
		{"take_many", take_many_batches},
		{"left_over", left_over},
		{"steady_state", steady_state},
		{"bad_use", bad_use},
		{"no_memory_for_long", no_memory_for_long},
	};

	deque_unit_common(&injector_kind);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
