/* SPDX-License-Identifier: Apache-2.0 */
/* Both sorts on pools of several sizes, with elements of many sizes. */
#include "../../src/base/rng.h"
#include "../fixtures/algo.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { SMALL = 1000, LARGE = TEST_SANITIZED ? 20000 : 100000, MAX_SIZE = 1000 };

typedef int sort_function(struct filch_pool *pool, void *base, size_t count, size_t size, filch_compare_fn *compare,
			  void *arg);

static struct filchi_rng rng;

/*
 * An element of `size` bytes is a key and its place in the input, as far as there is room, and then bytes made of both.
 */
struct order {
	size_t size;
	unsigned long calls;
};

static uint32_t key_of(const unsigned char *e, size_t size)
{
	uint32_t key = 0;

	memcpy(&key, e, size < 4 ? size : 4);
	return key;
}

static uint32_t place_of(const unsigned char *e, size_t size)
{
	uint32_t place = 0;

	if (size >= 8)
		memcpy(&place, e + 4, 4);
	return place;
}

static void make(unsigned char *e, size_t size, uint32_t key, uint32_t place)
{
	memcpy(e, &key, size < 4 ? size : 4);
	if (size >= 8)
		memcpy(e + 4, &place, 4);
	for (size_t i = 8; i < size; i++)
		e[i] = (unsigned char)(key * 31 + place * 17 + i);
}

static int by_key(const void *a, const void *b, void *arg)
{
	size_t size = ((const struct order *)arg)->size;
	uint32_t x = key_of(a, size), y = key_of(b, size);

	return (x > y) - (x < y);
}

enum pattern { RANDOM, FEW_KEYS, EQUAL, SORTED, REVERSED, ORGAN_PIPES, SAWTOOTH, NEARLY, SWAPPED, RUNS, PATTERNS };

static uint32_t key_for(enum pattern pattern, size_t i, size_t n)
{
	uint32_t at = (uint32_t)i, all = (uint32_t)n;

	switch (pattern) {
	case FEW_KEYS:
		return filchi_rng_below(&rng, 4);
	case EQUAL:
		return 42;
	case SORTED:
		return at;
	case REVERSED:
		return all - at;
	case ORGAN_PIPES:
		return at < all / 2 ? at : all - at;
	case SAWTOOTH:
		return at % 37;
	case NEARLY:
		return filchi_rng_below(&rng, 50) ? at : filchi_rng_below(&rng, all);
	case SWAPPED:
		return at + 2 == all ? all - 1 : at + 1 == all ? all - 2 : at;
	case RUNS:
		return at < all / 2 ? 2 * at : 2 * (at - all / 2) + 1;
	default:
		return (uint32_t)filchi_rng_next(&rng);
	}
}

static void check_sort(sort_function *sort, size_t n, size_t size, enum pattern pattern)
{
	unsigned char *a = malloc(n * size + 1);
	bool stable = sort == filch_sort_stable;
	struct order order = {.size = size};
	uint64_t keys = 0, squares = 0;
	uint32_t previous = 0;
	char *seen = calloc(n + 1, 1);

	TEST_CHECK(a && seen);
	for (size_t i = 0; i < n; i++) {
		make(a + i * size, size, key_for(pattern, i, n), (uint32_t)i);
		keys += key_of(a + i * size, size);
		squares += (uint64_t)key_of(a + i * size, size) * key_of(a + i * size, size);
	}
	TEST_CHECK(sort(NULL, a, n, size, by_key, &order) == 0);
	for (size_t i = 0; i < n; i++) {
		unsigned char *e = a + i * size;
		uint32_t key = key_of(e, size), place = place_of(e, size);

		TEST_CHECK(i == 0 || key >= key_of(e - size, size));
		keys -= key;
		squares -= (uint64_t)key * key;
		if (size < 8)
			continue;
		TEST_CHECK(place < n && !seen[place]++);
		TEST_CHECK(!stable || i == 0 || key > key_of(e - size, size) || place > previous);
		for (size_t k = 8; k < size; k++)
			TEST_CHECK(e[k] == (unsigned char)(key * 31 + place * 17 + k));
		previous = place;
	}
	TEST_CHECK(!keys && !squares);
	free(seen);
	free(a);
}

static void check_all(sort_function *sort)
{
	static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 31, 32, 33, 64, 100, 256, 257, MAX_SIZE};

	for (size_t n = 0; n <= SMALL; n++)
		check_sort(sort, n, n % 2 ? 8 : 16, (enum pattern)(n % PATTERNS));
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
		for (enum pattern p = 0; p < PATTERNS; p++) {
			check_sort(sort, k % 3, sizes[k], p);
			check_sort(sort, 30 + k, sizes[k], p);
			check_sort(sort, 700 + k, sizes[k], p);
		}
	for (enum pattern p = 0; p < PATTERNS; p++) {
		check_sort(sort, LARGE, 8, p);
		check_sort(sort, LARGE / 2, 16, p);
		check_sort(sort, LARGE / 4, 4, p);
		check_sort(sort, LARGE / 8, 40, p);
	}
}

static void test_sort(void)
{
	check_all(filch_sort);
}

static void test_stable(void)
{
	check_all(filch_sort_stable);
}

static void test_arguments(void)
{
	static sort_function *const sorts[] = {filch_sort, filch_sort_stable};
	int numbers[2] = {2, 1};
	struct order order = {.size = sizeof(int)};

	for (int i = 0; i < 2; i++) {
		TEST_CHECK(sorts[i](NULL, numbers, 2, 4, NULL, NULL) == -EINVAL);
		TEST_CHECK(sorts[i](NULL, numbers, 2, 0, by_key, &order) == -EINVAL);
		TEST_CHECK(sorts[i](NULL, NULL, 2, 4, by_key, &order) == -EINVAL);
		TEST_CHECK(sorts[i](NULL, numbers, SIZE_MAX, 4, by_key, &order) == -EINVAL);
		TEST_CHECK(numbers[0] == 2);
		TEST_CHECK(sorts[i](NULL, NULL, 0, 4, by_key, &order) == 0);
	}
}

/* ---- never slower than n log n ---- */

static int counted(const void *a, const void *b, void *arg)
{
	__atomic_fetch_add(&((struct order *)arg)->calls, 1, __ATOMIC_RELAXED);
	return by_key(a, b, arg);
}

/*
 * An input against quicksort (McIlroy, "A killer adversary for quicksort", 1999): it is made up while it is sorted, so
 * that each pivot turns out to be a bad one. Keys that are not decided yet are gas.
 */
struct adversary {
	uint32_t *key;
	uint32_t gas, next, candidate;
	unsigned long calls;
};

static int hostile(const void *a, const void *b, void *arg)
{
	struct adversary *h = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	h->calls++;
	if (h->key[x] == h->gas && h->key[y] == h->gas)
		h->key[x == h->candidate ? x : y] = h->next++;
	if (h->key[x] == h->gas)
		h->candidate = x;
	else if (h->key[y] == h->gas)
		h->candidate = y;
	return (h->key[x] > h->key[y]) - (h->key[x] < h->key[y]);
}

static void test_cost(void)
{
	enum { N = 1 << 15 };
	static uint32_t a[N], keys[N];
	struct adversary h = {.key = keys, .gas = N};

	for (enum pattern p = 0; p < PATTERNS; p++) {
		struct order order = {.size = sizeof(a[0])};

		for (size_t i = 0; i < N; i++)
			a[i] = key_for(p, i, N);
		TEST_CHECK(filch_sort(NULL, a, N, sizeof(a[0]), counted, &order) == 0);
		TEST_CHECK(order.calls < 3ul * N * 15);
	}
	if (filch_pool_workers(NULL) > 1)
		return; /* it must be asked by one at a time */
	for (uint32_t i = 0; i < N; i++) {
		a[i] = i;
		keys[i] = N;
	}
	/* So that it is not taken for sorted, or reversed, before there are any pivots. */
	keys[2] = h.next++;
	keys[1] = h.next++;
	keys[0] = h.next++;
	TEST_CHECK(filch_sort(NULL, a, N, sizeof(a[0]), hostile, &h) == 0);
	for (size_t i = 1; i < N; i++)
		TEST_CHECK(keys[a[i - 1]] <= keys[a[i]]);
	TEST_CHECK(h.calls < 8ul * N * 15);
}

/* ---- a comparison that contradicts itself ---- */

static int nonsense(const void *a, const void *b, void *arg)
{
	uint64_t z = (*(const uint32_t *)a * 0x9e3779b97f4a7c15u) ^ (*(const uint32_t *)b * 0xbf58476d1ce4e5b9u);

	(void)arg;
	return (int)((z >> 40) % 3) - 1;
}

static void test_nonsense(void)
{
	enum { N = 20000 };
	static uint32_t a[N];
	static char seen[N];

	for (int stable = 0; stable < 2; stable++)
		for (size_t n = 0; n <= N; n = n < 200 ? n + 1 : n * 10) {
			memset(seen, 0, sizeof(seen));
			for (uint32_t i = 0; i < n; i++)
				a[i] = i;
			TEST_CHECK((stable ? filch_sort_stable : filch_sort)(NULL, a, n, sizeof(a[0]), nonsense,
									     NULL) == 0);
			for (size_t i = 0; i < n; i++)
				TEST_CHECK(a[i] < n && !seen[a[i]]++);
		}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"sort", test_sort}, {"stable", test_stable},	  {"arguments", test_arguments},
		{"cost", test_cost}, {"nonsense", test_nonsense},
	};

	algo_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
