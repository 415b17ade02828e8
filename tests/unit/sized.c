/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that begin with their size: an older or a newer struct of a caller works, as base.h promises. */
#include "../../src/base/sized.h"
#include "../fixtures/pool/pools.h"

#include <filch/algo.h>
#include <filch/bulk.h>

#include <stdbool.h>

enum { ROOM = 256, TAIL = sizeof(size_t) };

/* A struct of a caller, and behind it the fields of a newer header. */
union theirs {
	size_t size;
	struct filch_options options;
	struct filch_deque_options deque;
	struct filch_bulk_options bulk;
	struct filch_reduce_options reduction;
	struct filch_scan_options scanning;
	struct filch_sort_key key;
	struct filch_stats stats;
	unsigned char bytes[ROOM];
};

/* ---- structs that go in ---- */

static int pool(const union theirs *t)
{
	struct filch_pool *made;
	int err = filch_pool_create(&made, &t->options);

	if (err)
		return err;
	TEST_CHECK(filch_pool_workers(made) == 2);
	return filch_pool_destroy(made);
}

/* The deque takes as many items as its capacity, which is one of the first fields. */
static int deque(const union theirs *t)
{
	struct filch_deque *made;
	int err = filch_deque_create(&made, "abp", &t->deque);

	if (err)
		return err;
	for (uintptr_t i = 0; i < 4; i++)
		TEST_CHECK(filch_deque_push(made, i) == 0);
	TEST_CHECK(filch_deque_push(made, 4) == -ENOBUFS);
	filch_deque_destroy(made);
	return 0;
}

static int bulk(const union theirs *t)
{
	struct filch_bulk *made;
	int err = filch_bulk_create(&made, NULL, &t->bulk);

	if (!err)
		filch_bulk_destroy(made);
	return err;
}

static void fold(size_t from, size_t to, void *value, void *arg)
{
	TEST_CHECK(!arg);
	for (size_t i = from; i < to; i++)
		*(size_t *)value += i;
}

static void combine(void *value, const void *right, void *arg)
{
	TEST_CHECK(!arg);
	*(size_t *)value += *(const size_t *)right;
}

static int reduce(const union theirs *t)
{
	size_t sum = 77;
	int err = filch_reduce(NULL, 0, 100, &t->reduction, &sum);

	TEST_CHECK(sum == (err ? 77 : 4950));
	return err;
}

static int scan(const union theirs *t)
{
	size_t in[3] = {1, 2, 3}, out[3] = {0};
	int err = filch_scan(NULL, in, out, 3, &t->scanning);

	TEST_CHECK(out[0] == (err ? 0 : 1) && out[2] == (err ? 0 : 6));
	return err;
}

static int sort(const union theirs *t)
{
	uint32_t numbers[3] = {3, 1, 2};
	int err = filch_sort_keys(NULL, numbers, 3, sizeof(numbers[0]), &t->key);

	TEST_CHECK(numbers[0] == (err ? 3 : 1) && numbers[1] == (err ? 1 : 2));
	return err;
}

/* first: end of the struct in an older header. says: filch_error_message() has the reason. */
static const struct {
	const char *type;
	int (*use)(const union theirs *t);
	size_t size, first;
	union theirs set;
} ins[] = {
	{"struct filch_options",
	 pool,
	 sizeof(struct filch_options),
	 offsetof(struct filch_options, deque),
	 {.options = {.workers = 2}}},
	{"struct filch_deque_options",
	 deque,
	 sizeof(struct filch_deque_options),
	 offsetof(struct filch_deque_options, max_capacity),
	 {.deque = {.capacity = 4}}},
	{"struct filch_bulk_options", bulk, sizeof(struct filch_bulk_options), sizeof(size_t), {.size = 0}},
	{"struct filch_reduce_options",
	 reduce,
	 sizeof(struct filch_reduce_options),
	 offsetof(struct filch_reduce_options, arg),
	 {.reduction = {.value_size = sizeof(size_t), .fold = fold, .combine = combine}}},
	{"struct filch_scan_options",
	 scan,
	 sizeof(struct filch_scan_options),
	 offsetof(struct filch_scan_options, run),
	 {.scanning = {.value_size = sizeof(size_t), .combine = combine}}},
	{"struct filch_sort_key",
	 sort,
	 sizeof(struct filch_sort_key),
	 offsetof(struct filch_sort_key, stable),
	 {.key = {.type = FILCH_KEY_U32}}},
};
#define INS (sizeof(ins) / sizeof(ins[0]))

/* The bytes behind the first fields do not belong to the caller: they may have any value. */
static void older(void)
{
	for (size_t i = 0; i < INS; i++) {
		union theirs t = ins[i].set;

		memset(t.bytes + ins[i].first, 0xa5, ROOM - ins[i].first);
		t.size = ins[i].first;
		TEST_CHECK(ins[i].use(&t) == 0);
	}
}

static void newer(void)
{
	for (size_t i = 0; i < INS; i++) {
		union theirs t = ins[i].set;

		t.size = ins[i].size;
		TEST_CHECK(ins[i].use(&t) == 0);
		t.size = ins[i].size + TAIL;
		TEST_CHECK(ins[i].use(&t) == 0);
		for (size_t at = ins[i].size; at < t.size; at++) {
			t.bytes[at] = 1;
			TEST_CHECK(ins[i].use(&t) == -EINVAL);
			TEST_CHECK(strstr(filch_error_message(), ins[i].type) &&
				   strstr(filch_error_message(), "does not know"));
			t.bytes[at] = 0;
		}
	}
}

static void no_size(void)
{
	static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, sizeof(size_t) + 1, 4096 + TAIL, SIZE_MAX};

	for (size_t i = 0; i < INS; i++)
		for (size_t n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
			union theirs t = ins[i].set;
			char text[120];

			t.size = sizes[n];
			TEST_CHECK(ins[i].use(&t) == -EINVAL);
			snprintf(text, sizeof(text), "%s: struct_size is %zu; set it to sizeof(%s)", ins[i].type,
				 sizes[n], ins[i].type);
			TEST_CHECK(!strcmp(filch_error_message(), text));
		}
}

/* ---- the struct that comes out ---- */

static int nothing(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return 0;
}

static void stats(void)
{
	struct filch_pool *one = test_pool(FILCH_NONE, 0, NULL);
	union theirs t;

	for (int i = 0; i < 3; i++) {
		TEST_CHECK(test_job(one, nothing, NULL) == 0);
	}
	/* An older struct: nothing is written behind it. */
	memset(&t, 0xa5, sizeof(t));
	t.size = offsetof(struct filch_stats, steals);
	TEST_CHECK(filch_pool_stats(one, -1, &t.stats) == 0);
	TEST_CHECK(t.size == offsetof(struct filch_stats, steals) && t.stats.tasks == 0 && t.stats.jobs == 3);
	for (size_t at = t.size; at < ROOM; at++)
		TEST_CHECK(t.bytes[at] == 0xa5);
	/* A newer struct: the counters that the library does not know are 0. */
	t.size = sizeof(t.stats) + TAIL;
	TEST_CHECK(filch_pool_stats(one, -1, &t.stats) == 0);
	TEST_CHECK(t.size == sizeof(t.stats) + TAIL && t.stats.jobs == 3 && t.stats.split_shrinks == 0);
	for (size_t at = sizeof(t.stats); at < ROOM; at++)
		TEST_CHECK(t.bytes[at] == (at < t.size ? 0 : 0xa5));
	/* Errors change nothing. */
	memset(&t, 0xa5, sizeof(t));
	TEST_CHECK(filch_pool_stats(one, -1, &t.stats) == -EINVAL);
	TEST_CHECK(strstr(filch_error_message(), "set it to sizeof(struct filch_stats)"));
	t.size = sizeof(t.stats);
	TEST_CHECK(filch_pool_stats(one, 5, &t.stats) == -EINVAL &&
		   !strcmp(filch_error_message(), "worker is 5, but the pool has no workers: must be -1"));
	TEST_CHECK(t.size == sizeof(t.stats) && t.bytes[sizeof(size_t)] == 0xa5);
	/* Without a default pool all counts are 0. */
	TEST_CHECK(filch_pool_stats(NULL, -1, &t.stats) == 0 && t.stats.jobs == 0);
	TEST_CHECK(filch_pool_stats(NULL, 0, &t.stats) == -EINVAL);
	TEST_CHECK(filch_pool_stats(one, -1, NULL) == -EINVAL);
	TEST_CHECK(filch_pool_destroy(one) == 0);
}

/* NULL means all defaults. The library's own struct has its own size. */
static void copy(void)
{
	struct {
		size_t size, first, second;
	} mine = {1, 2, 3}, theirs = {2 * sizeof(size_t), 4, 5};

	TEST_CHECK(filchi_sized_copy(&mine, sizeof(mine), NULL) == 0);
	TEST_CHECK(mine.size == sizeof(mine) && !mine.first && !mine.second);
	mine.second = 3;
	TEST_CHECK(filchi_sized_copy(&mine, sizeof(mine), &theirs) == 0);
	TEST_CHECK(mine.size == sizeof(mine) && mine.first == 4 && !mine.second);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"older", older}, {"newer", newer}, {"no_size", no_size}, {"stats", stats}, {"copy", copy}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
