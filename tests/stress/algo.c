/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All algorithms at once, from several threads and inside of each other, on more workers than processors: for
 * sanitizers to look at. Data is plain, so each part that two workers do, or that one does too early, is a race.
 */
#include "../../src/base/rng.h"
#include "../fixtures/sanitizer.h"
#include "../fixtures/test.h"

#include <filch.h>

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { THREADS = 3, MAX = 60000 };

struct user {
	pthread_t thread;
	unsigned id;
	unsigned rounds;
	struct filchi_rng rng;
	uint32_t a[MAX], b[MAX], c[MAX];
};

static int by_number(const void *a, const void *b, void *arg)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	(void)arg;
	return (x > y) - (x < y);
}

#define LESS(a, b) ((a) < (b))
FILCH_SORT_DEFINE(sort_numbers, uint32_t, LESS);

static void add(void *value, const void *right, void *arg)
{
	(void)arg;
	*(uint32_t *)value += *(const uint32_t *)right;
}

static void fold(size_t from, size_t to, void *value, void *arg)
{
	for (size_t i = from; i < to; i++)
		*(uint32_t *)value += ((const uint32_t *)arg)[i];
}

static uint32_t scramble(uint32_t x)
{
	return x * 2654435761u ^ x >> 7;
}

static void fill(size_t from, size_t to, void *arg)
{
	struct user *u = arg;

	for (size_t i = from; i < to; i++)
		u->a[i] = scramble((uint32_t)i + u->id);
}

static void copy(const void *in, void *out, void *arg)
{
	(void)arg;
	*(uint32_t *)out = *(const uint32_t *)in;
}

/* Sorts within a loop: each row of a table. */
static void sort_rows(size_t from, size_t to, void *arg)
{
	uint32_t *row = arg;

	for (size_t i = from; i < to; i++)
		TEST_CHECK(filch_sort(NULL, row + i * 1000, 1000, sizeof(*row), by_number, NULL) == 0);
}

static void check_sums(struct user *u, size_t n, size_t grain)
{
	struct filch_scan_options scanning = {
		.struct_size = sizeof(scanning), .value_size = 4, .combine = add, .grain = grain};
	struct filch_reduce_options reduction = {.struct_size = sizeof(reduction),
						 .value_size = 4,
						 .fold = fold,
						 .combine = add,
						 .arg = u->a,
						 .grain = grain};
	uint32_t sum = 0, result;

	TEST_CHECK(filch_scan(NULL, u->a, u->c, n, &scanning) == 0);
	for (int i = 0; i < 2; i++) {
		reduction.deterministic = i;
		TEST_CHECK(filch_reduce(NULL, 0, n, &reduction, &result) == 0);
		TEST_CHECK(!n || result == u->c[n - 1]);
	}
	for (size_t i = 0; i < n; i++) {
		sum += u->a[i];
		TEST_CHECK(u->a[i] == scramble((uint32_t)i + u->id) && u->c[i] == sum);
	}
}

static void *use(void *arg)
{
	struct user *u = arg;

	for (unsigned round = 0; round < u->rounds; round++) {
		size_t n = filchi_rng_below(&u->rng, MAX);
		size_t grain = round % 3 ? filchi_rng_below(&u->rng, 1000) : 0;

		TEST_CHECK(filch_for(NULL, 0, n, grain, fill, u) == 0);
		check_sums(u, n, grain);
		TEST_CHECK(filch_map(NULL, u->a, u->b, n, 4, 4, copy, NULL) == 0);
		TEST_CHECK(!memcmp(u->a, u->b, 4 * n));
		TEST_CHECK(filch_sort(NULL, u->a, n, 4, by_number, NULL) == 0);
		TEST_CHECK(filch_for(NULL, 0, n / 1000, 0, sort_rows, u->b) == 0);
		TEST_CHECK(filch_sort_stable(NULL, u->b, n, 4, by_number, NULL) == 0);
		TEST_CHECK(!memcmp(u->a, u->b, 4 * n));
		TEST_CHECK(filch_for(NULL, 0, n, grain, fill, u) == 0);
		memcpy(u->c, u->a, 4 * n);
		TEST_CHECK(FILCH_SORT_NUMBERS(NULL, u->a, n) == 0 && !memcmp(u->a, u->b, 4 * n));
		TEST_CHECK(sort_numbers(NULL, u->c, n) == 0 && !memcmp(u->c, u->b, 4 * n));
		for (size_t i = 1; i < n; i++)
			TEST_CHECK(u->a[i - 1] <= u->a[i]);
	}
	return NULL;
}

int main(void)
{
	static const struct {
		int workers;
		const char *deque, *wait, *join;
	} pools[] = {
		{2, "split", "balanced", "transitive"},
		{4, "split", "power", "leapfrog"},
		{8, "chase_lev", "balanced", "random"},
		{3, "private", "latency", "transitive"},
	};
	static struct user user[THREADS];
	unsigned rounds = getenv("FILCH_DEEP") ? 2000 : TEST_SANITIZED ? 4 : 40;

	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
		struct filch_options options = {.struct_size = sizeof(options),
						.workers = pools[i].workers,
						.deque = pools[i].deque,
						.wait = pools[i].wait,
						.join = pools[i].join};
		struct filch_stats stats = {.struct_size = sizeof(stats)};

		TEST_CHECK(filch_start(&options) == 0);
		for (unsigned t = 0; t < THREADS; t++) {
			user[t].id = t;
			user[t].rounds = rounds;
			filchi_rng_seed(&user[t].rng, 1000 * i + t);
			TEST_CHECK(pthread_create(&user[t].thread, NULL, use, &user[t]) == 0);
		}
		for (unsigned t = 0; t < THREADS; t++)
			TEST_CHECK(pthread_join(user[t].thread, NULL) == 0);
		TEST_CHECK(filch_pool_stats(NULL, -1, &stats) == 0);
		printf("%d workers, %s, %s: %llu tasks, %llu stolen, %llu leapfrogs\n", pools[i].workers,
		       pools[i].deque, pools[i].join, (unsigned long long)stats.tasks, (unsigned long long)stats.steals,
		       (unsigned long long)stats.leapfrogs);
		TEST_CHECK(filch_stop() == 0);
	}
	return TEST_PASS;
}
