/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts by keys that are numbers, of all types, in elements of many sizes, on pools of several sizes. */
#include "../../src/base/rng.h"
#include "../fixtures/algo.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SMALL = 300, LARGE = 30000, VAST = TEST_SANITIZED ? 60000 : 500000 };

static struct filchi_rng rng;

static bool is_wide(enum filch_key_type type)
{
	return type >= FILCH_KEY_I64;
}

enum pattern { BITS, NUMBERS, FEW_KEYS, EQUAL, RISING, FALLING, HALVES, NEAR_ZERO, SKEWED, OUTLIER, PATTERNS };

/* A number as a double that all types can hold, except for BITS. */
static double number_for(enum pattern pattern, size_t i, size_t n)
{
	uint32_t random = (uint32_t)filchi_rng_next(&rng) >> 1;

	switch (pattern) {
	case FEW_KEYS:
		return random % 5 * 1000000;
	case EQUAL:
		return 42;
	case RISING:
		return (double)i;
	case FALLING:
		return (double)(n - i);
	case HALVES:
		return (double)(i < n / 2 ? i : n - i);
	case NEAR_ZERO:
		return random % 3;
	case SKEWED:
		return 1u << random % 31;
	case OUTLIER:
		return i == n / 3 ? 2147483647 : random % 1000;
	default:
		return random;
	}
}

static void put_key(unsigned char *at, enum filch_key_type type, double number, bool negative)
{
	double signed_number = negative ? -number : number;
	int32_t i32 = (int32_t)signed_number;
	uint32_t u32 = (uint32_t)number;
	int64_t i64 = (int64_t)signed_number * 65537;
	uint64_t u64 = (uint64_t)number * 65537;
	float f32 = (float)signed_number / 7;
	double f64 = signed_number / 7;
	const void *from[] = {[FILCH_KEY_I32] = &i32, [FILCH_KEY_U32] = &u32, [FILCH_KEY_F32] = &f32,
			      [FILCH_KEY_I64] = &i64, [FILCH_KEY_U64] = &u64, [FILCH_KEY_F64] = &f64};

	memcpy(at, from[type], is_wide(type) ? 8 : 4);
}

static int compare_doubles(double x, double y)
{
	if (isnan(x) || isnan(y))
		return !!isnan(x) - !!isnan(y);
	if (x == 0 && y == 0)
		return !!signbit(y) - !!signbit(x);
	return (x > y) - (x < y);
}

static int compare_keys(const unsigned char *a, const unsigned char *b, enum filch_key_type type)
{
	int64_t x = 0, y = 0;
	uint64_t ux = 0, uy = 0;

	if (type == FILCH_KEY_F64) {
		double dx, dy;

		memcpy(&dx, a, 8), memcpy(&dy, b, 8);
		return compare_doubles(dx, dy);
	}
	if (type == FILCH_KEY_F32) {
		float fx, fy;

		memcpy(&fx, a, 4), memcpy(&fy, b, 4);
		return compare_doubles(fx, fy);
	}
	if (type == FILCH_KEY_I32) {
		int32_t ix, iy;

		memcpy(&ix, a, 4), memcpy(&iy, b, 4);
		x = ix, y = iy;
	} else
		memcpy(&x, a, is_wide(type) ? 8 : 4), memcpy(&y, b, is_wide(type) ? 8 : 4);
	if (type == FILCH_KEY_I32 || type == FILCH_KEY_I64)
		return (x > y) - (x < y);
	ux = (uint64_t)x, uy = (uint64_t)y;
	return (ux > uy) - (ux < uy);
}

/* An element is a key at its offset, the place in the input as a number at `place` (0: no room), and bytes of both. */
struct layout {
	size_t size, offset, place;
};

static unsigned char filler(const unsigned char *e, const struct layout *l, size_t i)
{
	return (unsigned char)(e[l->offset] * 31u + e[l->place ? l->place : l->offset] * 17u + i);
}

static bool is_free(const struct layout *l, size_t width, size_t i)
{
	return (i < l->offset || i >= l->offset + width) && (!l->place || i < l->place || i >= l->place + 4);
}

static void check(enum filch_key_type type, const struct layout *l, size_t n, enum pattern pattern, bool descending)
{
	size_t width = is_wide(type) ? 8 : 4;
	struct filch_sort_key key = {
		.struct_size = sizeof(key), .offset = l->offset, .type = type, .descending = descending, .stable = 1};
	unsigned char *a = malloc(n * l->size + 1);
	char *seen = calloc(n + 1, 1);
	uint64_t sum = 0;

	TEST_CHECK(a && seen);
	for (uint32_t i = 0; i < n; i++) {
		unsigned char *e = a + i * l->size;
		uint64_t bits = filchi_rng_next(&rng);

		if (pattern == BITS)
			memcpy(e + l->offset, &bits, width);
		else
			put_key(e + l->offset, type, number_for(pattern, i, n), pattern != RISING && bits & 1);
		if (l->place)
			memcpy(e + l->place, &i, 4);
		for (size_t k = 0; k < l->size; k++) {
			if (is_free(l, width, k))
				e[k] = filler(e, l, k);
			sum += (uint64_t)e[k] << 8 * (k % 4);
		}
	}
	TEST_CHECK(filch_sort_keys(NULL, a, n, l->size, &key) == 0);
	for (size_t i = 0; i < n; i++) {
		unsigned char *e = a + i * l->size;
		int order = i ? compare_keys(e - l->size + l->offset, e + l->offset, type) : -1;
		uint32_t place = 0, before = 0;

		TEST_CHECK(!i || (descending ? -order : order) <= 0);
		for (size_t k = 0; k < l->size; k++) {
			TEST_CHECK(!is_free(l, width, k) || e[k] == filler(e, l, k));
			sum -= (uint64_t)e[k] << 8 * (k % 4);
		}
		if (!l->place)
			continue;
		memcpy(&place, e + l->place, 4);
		if (i)
			memcpy(&before, e - l->size + l->place, 4);
		TEST_CHECK(place < n && !seen[place]++);
		TEST_CHECK(!i || order || before < place); /* stable */
	}
	TEST_CHECK(sum == 0);
	free(a);
	free(seen);
}

static void test_keys(void)
{
	static const struct layout narrow[] = {{4, 0, 0}, {8, 0, 4}, {8, 4, 0}, {12, 4, 8}, {16, 8, 12}, {300, 100, 4}};
	static const struct layout wide[] = {{8, 0, 0},	  {16, 0, 8},  {16, 8, 4},
					     {24, 8, 16}, {19, 7, 15}, {300, 100, 4}};

	for (enum filch_key_type type = FILCH_KEY_I32; type <= FILCH_KEY_F64; type++)
		for (enum pattern p = 0; p < PATTERNS; p++) {
			const struct layout *layouts = is_wide(type) ? wide : narrow;

			for (size_t l = 0; l < 6; l++)
				for (size_t n = 0; n <= SMALL; n = n < 4 ? n + 1 : n * 3)
					check(type, &layouts[l], n + l, p, (n + p) % 2);
			check(type, &layouts[0], LARGE, p, p % 2);
			check(type, &layouts[1], LARGE, p, p % 2 == 0);
			check(type, &layouts[3], LARGE / 4, p, false);
			check(type, &layouts[5], LARGE / 50, p, true);
			if (p == BITS || p == SKEWED)
				check(type, &layouts[0], VAST, p, false);
		}
}

/* The order of floating point numbers that are equal to others, or to none. */
static void test_floats(void)
{
	static const double order[] = {-INFINITY, -1, -1e-310, -0.0, 0.0, 1e-310, 1, INFINITY, NAN, -NAN};
	double d[10];
	float f[10];

	for (int descending = 0; descending < 2; descending++) {
		for (size_t i = 0; i < 10; i++) {
			d[i] = order[(i * 7 + 3) % 10];
			f[i] = (float)d[i];
		}
		TEST_CHECK(filch_sort_numbers(NULL, d, 10, FILCH_KEY_F64, descending) == 0);
		TEST_CHECK(filch_sort_numbers(NULL, f, 10, FILCH_KEY_F32, descending) == 0);
		for (size_t i = 0; i < 10; i++) {
			double expected = order[descending ? 9 - i : i];

			TEST_CHECK(compare_doubles(d[i], expected) == 0);
			TEST_CHECK(fabs(expected) == 1e-310 || compare_doubles(f[i], expected) == 0);
		}
	}
}

struct person {
	char name[12];
	int age;
	double height;
};

static void test_macros(void)
{
	struct person people[] = {{"Ada", 36, 1.6}, {"Alan", 41, 1.8}, {"Grace", 85, 1.7}, {"Edsger", 72, 1.9}};
	int i[] = {3, -1, 2};
	unsigned u[] = {3, UINT32_MAX, 2};
	long l[] = {3, -1, 2};
	unsigned long ul[] = {3, ULONG_MAX, 2};
	float f[] = {3, -1, 2};
	double d[] = {3, -1, 2};

	TEST_CHECK(!FILCH_SORT_NUMBERS(NULL, i, 3) && i[0] == -1 && i[2] == 3);
	TEST_CHECK(!FILCH_SORT_NUMBERS(NULL, u, 3) && u[0] == 2 && u[1] == 3);
	TEST_CHECK(!FILCH_SORT_NUMBERS(NULL, l, 3) && l[0] == -1 && l[2] == 3);
	TEST_CHECK(!FILCH_SORT_NUMBERS(NULL, ul, 3) && ul[0] == 2 && ul[1] == 3);
	TEST_CHECK(!FILCH_SORT_NUMBERS(NULL, f, 3) && f[0] == -1 && f[2] == 3);
	TEST_CHECK(!FILCH_SORT_NUMBERS(NULL, d, 3) && d[0] == -1 && d[2] == 3);
	TEST_CHECK(!FILCH_SORT_BY(NULL, people, 4, height));
	TEST_CHECK(!strcmp(people[0].name, "Ada") && !strcmp(people[3].name, "Edsger"));
	TEST_CHECK(!FILCH_SORT_BY(NULL, people, 4, age) && !strcmp(people[3].name, "Grace"));
}

static void refused(int err, const char *text)
{
	TEST_CHECK(err == -EINVAL && !strcmp(filch_error_message(), text));
}

static void test_arguments(void)
{
	int a[4] = {4, 3, 2, 1};
	struct filch_sort_key key = {.struct_size = sizeof(key), .type = FILCH_KEY_I32};

	refused(filch_sort_keys(NULL, a, 4, 4, NULL), "filch_sort_keys: key is NULL");
	refused(filch_sort_keys(NULL, NULL, 4, 4, &key), "filch_sort_keys: base is NULL, but count is 4");
	TEST_CHECK(filch_sort_keys(NULL, a, SIZE_MAX, 4, &key) == -EINVAL);
	refused(filch_sort_keys(NULL, a, 4, 3, &key),
		"filch_sort_keys: offset is 0, but an element of 3 bytes has no key of 4 there");
	key.offset = 1;
	refused(filch_sort_keys(NULL, a, 4, 4, &key),
		"filch_sort_keys: offset is 1, but an element of 4 bytes has no key of 4 there");
	key.offset = 0, key.type = 0;
	refused(filch_sort_keys(NULL, a, 4, 4, &key),
		"filch_sort_keys: type is 0; allowed are FILCH_KEY_I32 to FILCH_KEY_F64");
	key.type = FILCH_KEY_F64 + 1;
	TEST_CHECK(filch_sort_keys(NULL, a, 4, 4, &key) == -EINVAL);
	key.struct_size = 0;
	TEST_CHECK(filch_sort_keys(NULL, a, 4, 4, &key) == -EINVAL && a[0] == 4);
	key.struct_size = sizeof(key), key.type = FILCH_KEY_I32;
	TEST_CHECK(filch_sort_keys(NULL, NULL, 0, 4, &key) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"keys", test_keys}, {"floats", test_floats}, {"macros", test_macros}, {"arguments", test_arguments}};

	algo_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
