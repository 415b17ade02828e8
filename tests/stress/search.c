/* SPDX-License-Identifier: Apache-2.0 */
/* Searches of synthetic trees: all orders, both ways to move work, many numbers of workers. Each node exactly once. */
#include "../fixtures/search/tree.h"
#include "../fixtures/stress.h"

static const char *const orders[] = {"depth", "best", "mixture"};
static const char *const moves[] = {"direct", "master"};
static unsigned long long nodes; /* in all runs */
static const unsigned workers[] = {1, 2, 3, 8, 32};

/* Runs the tree with each order, way and number of workers. */
static void each(struct tree *shape, void (*judge)(const struct tree *, const struct filch_search_result *))
{
	for (unsigned p = 0; p < sizeof(workers) / sizeof(workers[0]); p++) {
		struct filch_options po = {.struct_size = sizeof(po), .workers = (int)workers[p]};
		struct filch_pool *pool;

		TEST_CHECK(filch_pool_create(&pool, &po) == 0);
		for (unsigned o = 0; o < 3; o++)
			for (unsigned m = 0; m < 2; m++) {
				struct filch_search_options opt = {
					.struct_size = sizeof(opt), .pool = pool, .order = orders[o], .move = moves[m]};
				struct tree t = *shape;
				struct filch_search_result r = tree_run(&t, &opt);

				judge(&t, &r);
				nodes += t.made;
			}
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

static unsigned long long expected;

static void is_whole(const struct tree *t, const struct filch_search_result *r)
{
	TEST_CHECK(r->end == FILCH_SEARCH_DONE);
	TEST_CHECK(t->explored == expected);
	TEST_CHECK(t->discarded == 0);
}

static void balanced(void)
{
	struct tree t = {.depth = stress_scaled(1000) < 500 ? 11 : 18, .width = 2, .even = 1};

	expected = tree_count(&t, 42, 0);
	each(&t, is_whole);
}

static void irregular(void)
{
	struct tree t = {.depth = stress_scaled(1000) < 500 ? 9 : 13, .width = 5, .spin = 20, .heavy = 1};

	expected = tree_count(&t, 42, 0);
	each(&t, is_whole);
}

static void thin(void)
{
	struct tree t = {.depth = 4000, .width = 1, .even = 1};

	expected = tree_count(&t, 42, 0);
	each(&t, is_whole);
}

static void wide(void)
{
	struct tree t = {.depth = 2, .width = stress_scaled(1000) < 500 ? 60 : 200, .even = 1};

	expected = tree_count(&t, 42, 0);
	each(&t, is_whole);
}

static void ended(const struct tree *t, const struct filch_search_result *r)
{
	TEST_CHECK(r->end == FILCH_SEARCH_CANCELLED || r->end == FILCH_SEARCH_DONE);
	TEST_CHECK(t->explored >= t->cancel_after);
}

static void cancelled(void)
{
	for (unsigned n = 1; n < 3000; n = 3 * n + 1) {
		struct tree t = {.depth = 14, .width = 2, .even = 1, .cancel_after = n};

		each(&t, ended);
	}
}

static void failed(const struct tree *t, const struct filch_search_result *r)
{
	TEST_CHECK(r->end == FILCH_SEARCH_ERROR);
	TEST_CHECK(r->error == t->error);
	TEST_CHECK(r->open > 0);
}

static void explore_fails(void)
{
	for (unsigned n = 1; n < 1000; n = 3 * n + 1) {
		struct tree t = {.depth = 14, .width = 2, .even = 1, .fail_after = n, .error = -EDOM};

		each(&t, failed);
	}
}

static int64_t optimum;

static void is_optimal(const struct tree *t, const struct filch_search_result *r)
{
	(void)t;
	TEST_CHECK(r->end == FILCH_SEARCH_DONE);
	TEST_CHECK(r->has_best && r->best.i == optimum && r->bound.i == optimum);
}

static void find_optimum(const struct tree *t, uint64_t seed, unsigned depth)
{
	unsigned n = tree_children(t, seed, depth);

	for (unsigned i = 0; i < n; i++)
		find_optimum(t, tree_mix(seed + i + 1), depth + 1);
	if (!n && (int64_t)(seed % 1000003) < optimum)
		optimum = (int64_t)(seed % 1000003);
}

static void best_value(void)
{
	struct tree t = {.depth = stress_scaled(1000) < 500 ? 9 : 14, .width = 3, .optimise = 1};

	optimum = INT64_MAX;
	find_optimum(&t, 42, 0);
	each(&t, is_optimal);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"balanced", balanced},
		{"irregular", irregular},
		{"thin", thin},
		{"wide", wide},
		{"cancelled", cancelled},
		{"explore_fails", explore_fails},
		{"best_value", best_value},
	};

	stress_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), 0.2);
	printf("%llu nodes\n", nodes);
	return TEST_PASS;
}
