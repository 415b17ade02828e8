/* SPDX-License-Identifier: Apache-2.0 */
/* Options of pools: from the caller, from the environment, or by default; values without a meaning are refused. */
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"FILCH_WORKERS", "FILCH_DEQUE",	   "FILCH_VICTIM",	"FILCH_WAIT",
					"FILCH_JOIN",	 "FILCH_CAPACITY", "FILCH_SEARCHERS",	"FILCH_SPARES",
					"FILCH_STACK",	 "FILCH_PIN",	   "FILCH_STACK_REPORT"};

static int try(const struct filch_options *options, unsigned *workers, unsigned *max)
{
	struct filch_pool *pool;
	int err = filch_pool_create(&pool, options);

	if (err)
		return err;
	*workers = filch_pool_workers(pool);
	*max = filch_pool_worker_ids(pool);
	return filch_pool_destroy(pool);
}

static int try_variable(const char *name, const char *value)
{
	unsigned workers, max;
	int err;

	setenv(name, value, 1);
	err = try(NULL, &workers, &max);
	unsetenv(name);
	return err;
}

static void from_caller(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 3, .spares = 2};
	unsigned workers, max;

	TEST_CHECK(try(&options, &workers, &max) == 0 && workers == 3 && max == 5);
	setenv("FILCH_WORKERS", "7", 1); /* the caller's value wins */
	TEST_CHECK(try(&options, &workers, &max) == 0 && workers == 3);
	options.workers = 0;
	TEST_CHECK(try(&options, &workers, &max) == 0 && workers == 7 && max == 9);
	setenv("FILCH_WORKERS", "0", 1);
	TEST_CHECK(try(&options, &workers, &max) == 0 && workers == 0 && max == 1);
	unsetenv("FILCH_WORKERS");
	TEST_CHECK(try(NULL, &workers, &max) == 0 && workers >= 1 && max == 2 * workers);
	/* A shorter struct, of an older version. */
	options.struct_size = offsetof(struct filch_options, deque);
	options.workers = 2;
	options.deque = "none";
	TEST_CHECK(try(&options, &workers, &max) == 0 && workers == 2);
}

static void refused(void)
{
	static const struct filch_options wrong[] = {
		{.struct_size = 0},
		{.struct_size = sizeof(wrong[0]), .workers = -2},
		{.struct_size = sizeof(wrong[0]), .workers = 100000},
		{.struct_size = sizeof(wrong[0]), .deque = "none"},
		{.struct_size = sizeof(wrong[0]), .victim = "none"},
		{.struct_size = sizeof(wrong[0]), .wait = "none"},
		{.struct_size = sizeof(wrong[0]), .join = "none"},
		{.struct_size = sizeof(wrong[0]), .capacity = SIZE_MAX},
		{.struct_size = sizeof(wrong[0]), .spares = -2},
		{.struct_size = sizeof(wrong[0]), .spares = 100000},
		{.struct_size = sizeof(wrong[0]), .searchers = 5000},
		{.struct_size = sizeof(wrong[0]), .pin = 2},
		{.struct_size = sizeof(wrong[0]), .pin = -1},
		{.struct_size = sizeof(wrong[0]), .stack_report = 3},
		{.struct_size = sizeof(wrong[0]), .stack = 1000},
		{.struct_size = sizeof(wrong[0]), .stack = SIZE_MAX},
		{.struct_size = sizeof(wrong[0]), .workers = INT_MAX},
		{.struct_size = sizeof(wrong[0]), .workers = INT_MIN},
		{.struct_size = sizeof(wrong[0]), .spares = INT_MAX},
		{.struct_size = sizeof(wrong[0]), .searchers = UINT_MAX},
	};
	struct {
		struct filch_options options;
		int unknown;
	} newer = {.options = {.struct_size = sizeof(newer)}, .unknown = 1};
	unsigned workers, max;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		TEST_CHECK(try(&wrong[i], &workers, &max) == -EINVAL);
		TEST_CHECK(filch_error_message()[0]);
	}
	TEST_CHECK(try(&newer.options, &workers, &max) == -EINVAL);
	newer.unknown = 0;
	TEST_CHECK(try(&newer.options, &workers, &max) == 0);
	TEST_CHECK(filch_pool_create(NULL, NULL) == -EINVAL);
}

static void from_environment(void)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		TEST_CHECK(try_variable(variables[i], "") == 0);
		TEST_CHECK(try_variable(variables[i], "none") == -EINVAL);
		TEST_CHECK(!strncmp(filch_error_message(), variables[i], strlen(variables[i])) &&
			   strstr(filch_error_message(), "=none"));
	}
	/* The message lists the known names. */
	TEST_CHECK(try_variable("FILCH_DEQUE", "none") == -EINVAL && strstr(filch_error_message(), " split, "));
	TEST_CHECK(strstr(filch_error_message(), filch_deque_kind_name(filch_deque_kind_count() - 1)));
	TEST_CHECK(try_variable("FILCH_WORKERS", "2K") == -EINVAL);
	TEST_CHECK(try_variable("FILCH_WORKERS", "-1") == -EINVAL);
	TEST_CHECK(try_variable("FILCH_WORKERS", "99999999999999999999") == -EINVAL);
	TEST_CHECK(try_variable("FILCH_SPARES", "0") == 0);
	TEST_CHECK(try_variable("FILCH_PIN", "1") == 0);
	TEST_CHECK(try_variable("FILCH_PIN", "2") == -EINVAL);
	TEST_CHECK(try_variable("FILCH_STACK_REPORT", "0") == 0);
	TEST_CHECK(try_variable("FILCH_SEARCHERS", "1") == 0);
	TEST_CHECK(try_variable("FILCH_CAPACITY", "64") == 0);
}

/* The message has the variable and all known names, for a wrong name of any length. */
static void long_names(void)
{
	static const char *const names[] = {"FILCH_DEQUE", "FILCH_VICTIM", "FILCH_WAIT", "FILCH_JOIN"};
	static const char *(*const there_are[])(unsigned) = {filch_deque_kind_name, filch_victim_name, filch_wait_name,
							     filch_join_name};
	struct filch_options options = {.struct_size = sizeof(options)};
	unsigned workers, max;
	char text[5001], start[64];

	memset(text, 'x', 5000);
	text[5000] = '\0';
	for (size_t i = 0; i < 4; i++) {
		TEST_CHECK(try_variable(names[i], text) == -EINVAL);
		snprintf(start, sizeof(start), "%s=%.32s...: no such ", names[i], text);
		TEST_CHECK(!strncmp(filch_error_message(), start, strlen(start)));
		for (unsigned n = 0; there_are[i](n); n++)
			TEST_CHECK(strstr(filch_error_message(), there_are[i](n)));
	}
	options.victim = text;
	TEST_CHECK(try(&options, &workers, &max) == -EINVAL &&
		   !strncmp(filch_error_message(), "victim is xxx", strlen("victim is xxx")) &&
		   strstr(filch_error_message(), "...: no such victim policy; "));
	/* The cut must not split a character. */
	memcpy(text + 31, "\xe2\x82\xac", 3);
	TEST_CHECK(try(&options, &workers, &max) == -EINVAL &&
		   strstr(filch_error_message(), "x...: no such victim policy; "));
	/* Just short enough. */
	text[31] = 'x';
	text[32] = '\0';
	TEST_CHECK(try(&options, &workers, &max) == -EINVAL &&
		   strstr(filch_error_message(), "x: no such victim policy; "));
}

/* Sizes with units, large and small. The message for a refused size says which sizes are allowed. */
static void stack_from_environment(void)
{
	static const char *const right[] = {"0", "65536", "512K", "512k", "1M", "1m", "1G", "1g"};
	static const char *const wrong[] = {"1T", "16777216G", "1025g", "10k", "65535",
					    "-1", "k",	       "1kk",	"1 k", "1.5m"};

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		TEST_CHECK(try_variable("FILCH_STACK", right[i]) == 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char start[80];

		snprintf(start, sizeof(start), "FILCH_STACK=%s: must be a number of bytes from 64k to 1024g", wrong[i]);
		TEST_CHECK(try_variable("FILCH_STACK", wrong[i]) == -EINVAL);
		TEST_CHECK(!strncmp(filch_error_message(), start, strlen(start)));
	}
}

static int count(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add((atomic_int *)arg, 1);
	return 0;
}

/* Starts a pool with each known name. */
static void names(const char *(*name)(unsigned), const char *variable)
{
	unsigned n = 0;

	for (; name(n); n++) {
		struct filch_options options = {.struct_size = sizeof(options), .workers = 3};
		atomic_int counter = 0;
		struct filch_pool *pool;

		setenv(variable, name(n), 1);
		TEST_CHECK(filch_pool_create(&pool, &options) == 0);
		for (int i = 0; i < 500; i++)
			TEST_CHECK(filch_pool_submit(pool, count, &counter, NULL) == 0);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
		TEST_CHECK(atomic_load(&counter) == 500);
	}
	unsetenv(variable);
	TEST_CHECK(n >= 3 && !name(1000));
}

static void all_names(void)
{
	names(filch_victim_name, "FILCH_VICTIM");
	names(filch_wait_name, "FILCH_WAIT");
	names(filch_join_name, "FILCH_JOIN");
	names(filch_deque_kind_name, "FILCH_DEQUE");
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"from_caller", from_caller},		{"refused", refused},
		{"from_environment", from_environment}, {"long_names", long_names},
		{"stack", stack_from_environment},	{"names", all_names}};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
