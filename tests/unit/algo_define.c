/* SPDX-License-Identifier: Apache-2.0 */
/* FILCH_SORT_DEFINE: sorts of several types, with comparisons that are macros and functions. */
#include "../../src/base/rng.h"
#include "../fixtures/algo.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { LARGE = TEST_SANITIZED ? 30000 : 200000 };

#define LESS(a, b) ((a) < (b))
#define GREATER(a, b) ((a) > (b))

FILCH_SORT_DEFINE(sort_bytes, unsigned char, LESS);
FILCH_SORT_DEFINE(sort_ints, int, LESS);
FILCH_SORT_DEFINE(sort_longs_down, long, GREATER);

struct row {
	char text[33];
	double weight;
	int column[3];
};

static inline bool comes_before(struct row a, struct row b)
{
	return a.column[0] != b.column[0] ? a.column[0] < b.column[0] : a.weight < b.weight;
}
FILCH_SORT_DEFINE(sort_rows, struct row, comes_before);

/* A comparison that contradicts itself. */
#define NONSENSE(a, b) ((((a)*2654435761u ^ (b)*40503u) >> 7) & 1)
FILCH_SORT_DEFINE(sort_nonsense, unsigned, NONSENSE);

static struct filchi_rng rng;

static uint32_t key_for(unsigned pattern, size_t i, size_t n)
{
	uint32_t at = (uint32_t)i, random = (uint32_t)filchi_rng_next(&rng);

	switch (pattern) {
	case 0:
		return random;
	case 1:
		return random % 4;
	case 2:
		return at;
	case 3:
		return (uint32_t)n - at;
	case 4:
		return at < n / 2 ? at : (uint32_t)n - at;
	default:
		return random % 50 ? at : random;
	}
}

static void check_numbers(size_t n, unsigned pattern)
{
	unsigned char *bytes = malloc(n + 1);
	int *ints = malloc((n + 1) * sizeof(*ints));
	long *longs = malloc((n + 1) * sizeof(*longs));
	long sum = 0;

	TEST_CHECK(bytes && ints && longs);
	for (size_t i = 0; i < n; i++) {
		uint32_t key = key_for(pattern, i, n);

		bytes[i] = (unsigned char)key;
		ints[i] = (int)key;
		longs[i] = (int)key;
		sum += bytes[i] + ints[i] + longs[i];
	}
	TEST_CHECK(!sort_bytes(NULL, bytes, n) && !sort_ints(NULL, ints, n) && !sort_longs_down(NULL, longs, n));
	for (size_t i = 0; i < n; i++) {
		TEST_CHECK(!i || (bytes[i - 1] <= bytes[i] && ints[i - 1] <= ints[i] && longs[i - 1] >= longs[i]));
		sum -= bytes[i] + ints[i] + longs[i];
	}
	TEST_CHECK(!sum);
	free(bytes);
	free(ints);
	free(longs);
}

static void test_numbers(void)
{
	for (unsigned pattern = 0; pattern < 6; pattern++) {
		for (size_t n = 0; n < 1200; n += n < 70 ? 1 : 41)
			check_numbers(n, pattern);
		check_numbers(LARGE, pattern);
	}
}

static void check_rows(size_t n)
{
	struct row *rows = calloc(n + 1, sizeof(*rows));
	char *seen = calloc(n + 1, 1);

	TEST_CHECK(rows && seen);
	for (size_t i = 0; i < n; i++) {
		rows[i].column[0] = (int)key_for(1, i, n);
		rows[i].weight = key_for(0, i, n);
		rows[i].column[2] = (int)i;
		snprintf(rows[i].text, sizeof(rows[i].text), "%zu", i);
	}
	TEST_CHECK(sort_rows(NULL, rows, n) == 0);
	for (size_t i = 0; i < n; i++) {
		char text[sizeof(rows[i].text)];
		size_t place = (size_t)rows[i].column[2];

		snprintf(text, sizeof(text), "%zu", place);
		TEST_CHECK(place < n && !seen[place]++ && !strcmp(text, rows[i].text));
		TEST_CHECK(!i || !comes_before(rows[i], rows[i - 1]));
	}
	free(rows);
	free(seen);
}

static void test_rows(void)
{
	for (size_t n = 0; n < 100; n++)
		check_rows(n);
	check_rows(LARGE / 4);
}

static void test_nonsense(void)
{
	enum { N = 20000 };
	static unsigned a[N];
	static char seen[N];

	for (size_t n = 0; n <= N; n = n < 200 ? n + 1 : n * 10) {
		memset(seen, 0, sizeof(seen));
		for (unsigned i = 0; i < n; i++)
			a[i] = i;
		TEST_CHECK(sort_nonsense(NULL, a, n) == 0);
		for (size_t i = 0; i < n; i++)
			TEST_CHECK(a[i] < n && !seen[a[i]]++);
	}
}

static void test_arguments(void)
{
	int one[] = {1};

	TEST_CHECK(sort_ints(NULL, NULL, 0) == 0 && sort_ints(NULL, one, 1) == 0);
	TEST_CHECK(sort_ints(NULL, NULL, 5) == -EINVAL);
	TEST_CHECK(!strcmp(filch_error_message(), "filch_sort: base is NULL, but count is 5"));
	TEST_CHECK(sort_ints(NULL, one, SIZE_MAX) == -EINVAL);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"numbers", test_numbers},
							 {"rows", test_rows},
							 {"nonsense", test_nonsense},
							 {"arguments", test_arguments}};

	algo_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
