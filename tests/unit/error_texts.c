/* SPDX-License-Identifier: Apache-2.0 */
/* Deques and bulk queues say why a call failed. tests/unit/sized.c looks at their options as structs. */
#include "../fixtures/out_of_memory.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <filch/bulk.h>
#include <filch/deque.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool message_is(const char *text)
{
	if (!strcmp(filch_error_message(), text))
		return true;
	fprintf(stderr, "the text is: %s\n", filch_error_message());
	return false;
}

static void refuse_deque(const struct filch_deque_options *opt, const char *text)
{
	struct filch_deque *d = NULL;

	TEST_CHECK(filch_deque_create(&d, "bwos_lifo", opt) == -EINVAL && !d && message_is(text));
}

static void deque_options(void)
{
	struct filch_deque_options o = {.struct_size = sizeof(o), .capacity = ((size_t)1 << 36) + 1};

	refuse_deque(&o, "capacity is 68719476737; at most 68719476736 is allowed");
	o.capacity = 0;
	o.max_capacity = SIZE_MAX;
	refuse_deque(&o, "max_capacity is 18446744073709551615; at most 68719476736 is allowed");
	o.capacity = 20;
	o.max_capacity = 10;
	refuse_deque(&o, "capacity is 20, but max_capacity is 10");
	o.max_capacity = 0;
	o.block_size = 3;
	refuse_deque(&o, "block_size is 3; it must be a power of two");
	o.block_size = 64;
	refuse_deque(&o, "block_size is 64, but the capacity is 32");
	o.capacity = (size_t)1 << 17;
	o.block_size = (size_t)1 << 16;
	refuse_deque(&o, "block_size is 65536; bwos_lifo allows at most 32768");
	o.struct_size = 0;
	refuse_deque(&o, "struct filch_deque_options: struct_size is 0; set it to sizeof(struct filch_deque_options)");
}

static void deque_arguments(void)
{
	uintptr_t item;
	size_t taken;
	struct filch_deque *d;

	TEST_CHECK(filch_deque_create(NULL, NULL, NULL) == -EINVAL && message_is("out is NULL"));
	TEST_CHECK(filch_deque_create(&d, "list", NULL) == -ENOENT &&
		   message_is("list: no such deque; there are locked, global, abp, chase_lev, chase_lev_asym, split, "
			      "private, bwos_lifo, bwos_fifo"));
	TEST_CHECK(filch_deque_create(&d, NULL, NULL) == 0);
	TEST_CHECK(filch_deque_push(NULL, 1) == -EINVAL && message_is("d is NULL"));
	TEST_CHECK(filch_deque_pop(d, NULL) == -EINVAL && message_is("item is NULL"));
	TEST_CHECK(filch_deque_pop(NULL, &item) == -EINVAL && message_is("d is NULL"));
	TEST_CHECK(filch_deque_steal(d, NULL) == -EINVAL && message_is("item is NULL"));
	TEST_CHECK(filch_deque_steal_many(NULL, &item, 1, &taken) == -EINVAL && message_is("d is NULL"));
	TEST_CHECK(filch_deque_steal_many(d, NULL, 1, &taken) == -EINVAL && message_is("items is NULL"));
	TEST_CHECK(filch_deque_steal_many(d, &item, 1, NULL) == -EINVAL && message_is("taken is NULL"));
	TEST_CHECK(filch_deque_steal_many(d, &item, 0, &taken) == -EINVAL && message_is("max is 0"));
	/* An answer is no error. */
	TEST_CHECK(filch_deque_pop(d, &item) == FILCH_EMPTY && message_is("max is 0"));
	filch_deque_destroy(d);
}

static void deque_memory(void)
{
	struct filch_deque_options o = {.struct_size = sizeof(o), .capacity = 4, .max_capacity = 4};
	struct filch_deque *d;

	out_of_memory_at(1);
	TEST_CHECK(filch_deque_create(&d, "chase_lev", &o) == -ENOMEM &&
		   message_is("no memory for a deque chase_lev with room for 4 items"));
	out_of_memory_at(0);
	TEST_CHECK(filch_deque_create(&d, "chase_lev", &o) == 0);
	for (unsigned i = 0; i < 4; i++)
		TEST_CHECK(filch_deque_push(d, i) == 0);
	TEST_CHECK(filch_deque_push(d, 4) == -ENOMEM &&
		   message_is("the deque cannot grow: max_capacity or the memory allows no more items"));
	filch_deque_destroy(d);
	/* A bounded kind that is full is no error. */
	TEST_CHECK(filch_deque_create(&d, "abp", &o) == 0);
	for (unsigned i = 0; i < 4; i++)
		TEST_CHECK(filch_deque_push(d, i) == 0);
	TEST_CHECK(filch_deque_push(d, 4) == -ENOBUFS && strstr(filch_error_message(), "cannot grow"));
	filch_deque_destroy(d);
}

static void bulk_options(void)
{
	struct filch_bulk_options o = {.struct_size = sizeof(o), .chunks = 1};
	struct filch_bulk *q;

	TEST_CHECK(filch_bulk_create(&q, NULL, &o) == -EINVAL &&
		   message_is("chunks is 1; 2 to 4096 is allowed, and 0 for the default"));
	o.chunks = 4097;
	TEST_CHECK(filch_bulk_create(&q, NULL, &o) == -EINVAL &&
		   message_is("chunks is 4097; 2 to 4096 is allowed, and 0 for the default"));
	TEST_CHECK(filch_bulk_create(NULL, NULL, NULL) == -EINVAL && message_is("out is NULL"));
	TEST_CHECK(filch_bulk_create(&q, "list", NULL) == -ENOENT &&
		   message_is("list: no such bulk queue; there are bulk, bulk_list"));
	o.chunks = 8;
	out_of_memory_at(1);
	TEST_CHECK(filch_bulk_create(&q, "bulk", &o) == -ENOMEM &&
		   message_is("no memory for a bulk queue bulk with 8 chunks"));
	out_of_memory_at(0);
}

static void bulk_arguments(void)
{
	struct filch_batch batch = {0};
	struct filch_node *node;
	struct filch_bulk *q;

	TEST_CHECK(filch_bulk_create(&q, NULL, NULL) == 0);
	TEST_CHECK(filch_bulk_push(NULL, &batch) == -EINVAL && message_is("q is NULL"));
	TEST_CHECK(filch_bulk_push(q, NULL) == -EINVAL && message_is("batch is NULL"));
	TEST_CHECK(filch_bulk_pop(NULL, &node) == -EINVAL && message_is("q is NULL"));
	TEST_CHECK(filch_bulk_pop(q, NULL) == -EINVAL && message_is("node is NULL"));
	TEST_CHECK(filch_bulk_steal(NULL, 0.5, &batch) == -EINVAL && message_is("q is NULL"));
	TEST_CHECK(filch_bulk_steal(q, 0.5, NULL) == -EINVAL && message_is("batch is NULL"));
	TEST_CHECK(filch_bulk_steal(q, 1.5, &batch) == -EINVAL && message_is("proportion is 1.5; 0 to 1 is allowed"));
	TEST_CHECK(filch_bulk_steal(q, NAN, &batch) == -EINVAL && strstr(filch_error_message(), "nan; 0 to 1"));
	filch_bulk_destroy(q);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"deque_options", deque_options},
							 {"deque_arguments", deque_arguments},
							 {"deque_memory", deque_memory},
							 {"bulk_options", bulk_options},
							 {"bulk_arguments", bulk_arguments}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
