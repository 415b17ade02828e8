/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms when memory runs out: some fail and change nothing, the others work without it. */
#include "../fixtures/out_of_memory.h"
#include "../fixtures/test.h"

#include <filch.h>

#include <errno.h>

static int by_number(const void *a, const void *b, void *arg)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	(void)arg;
	return (x > y) - (x < y);
}

static void fold(size_t from, size_t to, void *value, void *arg)
{
	(void)arg;
	*(size_t *)value += to - from;
}

static void combine(void *value, const void *right, void *arg)
{
	(void)arg;
	*(size_t *)value += *(const size_t *)right;
}

/* In one thread: each request for memory in turn is refused. */
static void test_memory(void)
{
	enum { N = 5000, VALUE = 1024, STEP = VALUE / sizeof(size_t) };
	static size_t a[N], value[STEP];
	struct filch_reduce_options reduction = {.struct_size = sizeof(reduction),
						 .value_size = VALUE,
						 .fold = fold,
						 .combine = combine,
						 .deterministic = 1};
	/* Of large values: the carry of small ones needs no memory. */
	struct filch_scan_options scanning = {.struct_size = sizeof(scanning), .value_size = VALUE, .combine = combine};
	struct filch_sort_key key = {.struct_size = sizeof(key), .type = FILCH_KEY_TYPE(a[0])};
	long live = out_of_memory_live();
	int refused = 0, done = 0;

	for (unsigned n = 1; n < 40; n++)
		for (int what = 0; what < 5; what++) {
			int err;

			for (size_t i = 0; i < N; i++)
				a[i] = N - i;
			value[0] = 77;
			key.stable = what == 3;
			out_of_memory_at(n);
			err = what == 0	  ? filch_sort_stable(NULL, a, N, sizeof(a[0]), by_number, NULL)
			      : what == 1 ? filch_scan(NULL, a, a, N / STEP, &scanning)
			      : what == 2 ? filch_reduce(NULL, 0, N, &reduction, value)
					  : filch_sort_keys(NULL, a, N, sizeof(a[0]), &key);
			if (err) {
				TEST_CHECK(err == -ENOMEM && out_of_memory_happened());
				TEST_CHECK(value[0] == 77 && a[0] == N && a[1] == N - 1 && a[N - 1] == 1);
				refused |= 1 << what;
			} else
				TEST_CHECK(what == 1   ? a[STEP] == 2 * N - STEP
					   : what == 2 ? value[0] == N
						       : a[0] == 1 && a[N - 1] == N);
			if (!err && out_of_memory_happened())
				done |= 1 << what;
			out_of_memory_at(0);
			/* Trimmed mappings count as freed here; the leak check of ASan covers the others. */
			TEST_CHECK(what == 1 || what == 2 || out_of_memory_live() == live);
			live = out_of_memory_live();
		}
	TEST_CHECK(refused == 0xf);
	TEST_CHECK(done & 1 << 4); /* a sort that is not stable does without */
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"memory", test_memory}};

	test_run(scenarios, 1);
	return TEST_PASS;
}
