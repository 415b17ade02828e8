/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers do not sleep between the begin and the end of keep-awake. The last end, or the end of the pool, lets them
 * sleep.
 */
#include "../fixtures/pool/pools.h"

static const struct filch_options options = {.struct_size = sizeof(options), .workers = 1, .wait = "balanced"};

static int nothing(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return 0;
}

/* A job wakes the worker, and then it sleeps again. */
static void sleeps(struct filch_pool *pool)
{
	uint64_t parks = test_parks(pool);

	TEST_CHECK(test_job(pool, nothing, NULL) == 0);
	TEST_CHECK(test_await_parks(pool, parks + 1));
}

static void nested(void)
{
	struct filch_pool *pool;

	TEST_CHECK(filch_pool_create(&pool, &options) == 0);
	TEST_CHECK(test_await_parks(pool, 1));
	filch_pool_keep_awake_begin(pool);
	filch_pool_keep_awake_begin(pool);
	for (int i = 0; i < 1000; i++)
		TEST_CHECK(test_job(pool, nothing, NULL) == 0);
	filch_pool_keep_awake_end(pool);
	for (int i = 0; i < 1000; i++)
		TEST_CHECK(test_job(pool, nothing, NULL) == 0);
	TEST_CHECK(test_parks(pool) == 1);
	filch_pool_keep_awake_end(pool);
	TEST_CHECK(test_await_parks(pool, 2));
	sleeps(pool);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static void end_alone(void)
{
	struct filch_pool *pool;

	TEST_CHECK(filch_pool_create(&pool, &options) == 0);
	TEST_CHECK(test_await_parks(pool, 1));
	filch_pool_keep_awake_end(pool);
	sleeps(pool);
	/* An end without a begin does not cancel the next begin. */
	filch_pool_keep_awake_begin(pool);
	TEST_CHECK(test_job(pool, nothing, NULL) == 0);
	filch_pool_keep_awake_end(pool);
	filch_pool_keep_awake_end(pool);
	sleeps(pool);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static void other_pool(void)
{
	TEST_CHECK(filch_start(&options) == 0);
	filch_pool_keep_awake_begin(NULL);
	TEST_CHECK(filch_stop() == 0);
	filch_pool_keep_awake_end(NULL);
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_await_parks(NULL, 1)); /* the new pool may sleep */
	filch_pool_keep_awake_end(NULL);
	sleeps(NULL);
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"nested", nested}, {"end_alone", end_alone}, {"other_pool", other_pool}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
