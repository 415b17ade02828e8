/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and counts that no memory has, and missing arguments: the algorithms refuse them before they touch anything. */
#include "../fixtures/algo.h"
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

static long in[8], out[8];

static void not_called(const void *from, void *to, void *arg)
{
	(void)from;
	(void)to;
	(void)arg;
	test_fail(__FILE__, __LINE__, "it was called");
}

static void fold_not(size_t from, size_t to, void *value, void *arg)
{
	(void)from;
	(void)to;
	not_called(NULL, value, arg);
}

static void combine_not(void *value, const void *right, void *arg)
{
	not_called(right, value, arg);
}

static int compare_not(const void *a, const void *b, void *arg)
{
	not_called(a, NULL, arg);
	(void)b;
	return 0;
}

/* It was refused, and the text has the argument with its value. */
static void refused(int err, const char *argument, size_t value)
{
	char text[60];

	TEST_CHECK(err == -EINVAL);
	snprintf(text, sizeof(text), "%s is %zu", argument, value);
	TEST_CHECK(strstr(filch_error_message(), text));
}

/* The last two have a product that a size_t holds, but that no array has. */
static void test_overflow(void)
{
	static const size_t sizes[][2] = {
		{SIZE_MAX / 8 + 2, 16}, {2, SIZE_MAX}, {SIZE_MAX, 2}, {SIZE_MAX, 1}, {1, SIZE_MAX / 2 + 1}};
	struct filch_scan_options how = {.struct_size = sizeof(how), .combine = combine_not};
	struct filch_reduce_options reduction = {
		.struct_size = sizeof(reduction), .fold = fold_not, .combine = combine_not};
	static const struct filch_invocation calls[1];
	size_t many = SIZE_MAX / sizeof(calls[0]) + 1;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t count = sizes[i][0], size = sizes[i][1];

		refused(filch_map(NULL, in, out, count, size, 0, not_called, NULL), "in_size", size);
		refused(filch_map(NULL, in, out, count, 0, size, not_called, NULL), "out_size", size);
		refused(filch_map(NULL, in, out, count, 0, size, not_called, NULL), "count", count);
		refused(filch_sort(NULL, in, count, size, compare_not, NULL), "size", size);
		refused(filch_sort_stable(NULL, in, count, size, compare_not, NULL), "count", count);
		how.value_size = size;
		for (how.grain = 0; how.grain < 2; how.grain++)
			refused(filch_scan(NULL, in, out, count, &how), "value_size", size);
	}
	for (reduction.value_size = SIZE_MAX; reduction.value_size > PTRDIFF_MAX; reduction.value_size -= SIZE_MAX / 3)
		for (size_t last = 0; last < 2; last++) /* of none, too */
			refused(filch_reduce(NULL, 0, last, &reduction, out), "value_size", reduction.value_size);
	refused(filch_invoke(NULL, calls, many), "count", many);
	refused(filch_invoke(NULL, calls, SIZE_MAX), "count", SIZE_MAX);
}

/* PTRDIFF_MAX as text. */
#if SIZE_MAX == UINT32_MAX
#define LARGEST "2147483647"
#else
#define LARGEST "9223372036854775807"
#endif

/* It was refused, and the text names the argument. */
static void names(int err, const char *text)
{
	TEST_CHECK(err == -EINVAL && !strcmp(filch_error_message(), text));
}

static void test_missing_arrays(void)
{
	static const struct filch_invocation calls[2];

	names(filch_for(NULL, 0, 8, 0, NULL, NULL), "filch_for: body is NULL");
	names(filch_map(NULL, in, out, 8, 8, 8, NULL, NULL), "filch_map: function is NULL");
	names(filch_map(NULL, NULL, out, 8, 8, 8, not_called, NULL), "filch_map: in is NULL, but count is 8");
	names(filch_map(NULL, in, NULL, 8, 8, 8, not_called, NULL), "filch_map: out is NULL, but count is 8");
	names(filch_map(NULL, in, in, 2, 8, 4, not_called, NULL),
	      "filch_map in place needs equal sizes: in_size is 8, out_size is 4");
	names(filch_invoke(NULL, NULL, 2), "filch_invoke: calls is NULL, but count is 2");
	names(filch_invoke(NULL, calls, 2), "filch_invoke: calls[0].function is NULL");
	names(filch_sort(NULL, in, 8, 0, compare_not, NULL), "filch_sort: size is 0; allowed are 1 to " LARGEST);
	names(filch_sort(NULL, in, 8, 8, NULL, NULL), "filch_sort: compare is NULL");
	names(filch_sort_stable(NULL, NULL, 8, 8, compare_not, NULL),
	      "filch_sort_stable: base is NULL, but count is 8");
}

static void test_missing_fields(void)
{
	struct filch_reduce_options r = {.struct_size = sizeof(r)};
	struct filch_scan_options s = {.struct_size = sizeof(s)};

	names(filch_reduce(NULL, 0, 8, NULL, out), "filch_reduce: options is NULL");
	names(filch_reduce(NULL, 0, 8, &r, out), "filch_reduce: value_size is 0; allowed are 1 to " LARGEST);
	r.value_size = 8;
	names(filch_reduce(NULL, 0, 8, &r, out), "filch_reduce: fold is NULL");
	r.fold = fold_not;
	names(filch_reduce(NULL, 0, 8, &r, out), "filch_reduce: combine is NULL");
	r.combine = combine_not;
	names(filch_reduce(NULL, 0, 8, &r, NULL), "filch_reduce: result is NULL");
	names(filch_scan(NULL, in, out, 8, NULL), "filch_scan: options is NULL");
	names(filch_scan(NULL, in, out, 8, &s), "filch_scan: value_size is 0; allowed are 1 to " LARGEST);
	s.value_size = 8;
	names(filch_scan(NULL, in, out, 8, &s), "filch_scan: combine is NULL");
	s.combine = combine_not;
	names(filch_scan(NULL, NULL, out, 8, &s), "filch_scan: in is NULL, but count is 8");
	names(filch_scan(NULL, in, NULL, 8, &s), "filch_scan: out is NULL, but count is 8");
}

static void fold_and_exit(size_t from, size_t to, void *value, void *arg)
{
	(void)value;
	(void)arg;
	_exit(to - from == 1 ? 0 : 1);
}

static void reduce_all(void *unused)
{
	struct filch_reduce_options how = {.struct_size = sizeof(how),
					   .value_size = 8,
					   .fold = fold_and_exit,
					   .combine = combine_not,
					   .grain = 1,
					   .deterministic = 1};

	(void)unused;
	filch_reduce(NULL, 0, SIZE_MAX, &how, out);
	_exit(2);
}

/* As many parts as there are numbers: the first that is folded is one of them. */
static void test_parts(void)
{
	TEST_CHECK(filch_pool_workers(NULL) || test_in_child(reduce_all, NULL) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"overflow", test_overflow},
							 {"missing_arrays", test_missing_arrays},
							 {"missing_fields", test_missing_fields},
							 {"parts", test_parts}};

	algo_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
