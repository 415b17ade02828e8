/* SPDX-License-Identifier: Apache-2.0 */
/* Address space, locked memory and threads: workers start with little of each, or name the limit that they met. */
#include "../../src/os/limits.h"
#include "../fixtures/fake_root.h"
#include "../fixtures/maps.h"
#include "../fixtures/pool/pools.h"
#include "../fixtures/pool/tasks.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <filch/task.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define MB ((size_t)1 << 20)
#define GB ((size_t)1 << 30)

static int is_skipped(void)
{
	if (TEST_SANITIZED)
		printf(" (skipped: the sanitizer needs address space)");
	return TEST_SANITIZED;
}

/* ---- how much ---- */

/* Each worker, with all its memory, takes less than a gigabyte of address space. */
static void reserved(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 4};
	long before = test_status_kb("VmSize"), rss = test_status_kb("VmRSS");

	if (is_skipped())
		return;
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_status_kb("VmSize") - before < (long)(4 * GB / 1024));
	TEST_CHECK(test_status_kb("VmRSS") - rss < 4096);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(test_status_kb("VmSize") - before < (long)(128 * MB / 1024));
}

static int is_executable(const struct test_map *map)
{
	return strchr(map->access, 'x') != NULL;
}

static int look_at_stack(void *arg, void **result)
{
	struct test_map map;

	(void)result;
	TEST_CHECK(test_map_of(&map, &map));
	TEST_CHECK(map.to - map.from >= *(size_t *)arg);
	TEST_CHECK(!is_executable(&map));
	/* The stack has no huge pages, is in core dumps as a whole, and is not locked. */
	TEST_CHECK(!test_map_has(&map, " dd ") && !test_map_has(&map, " lo "));
	TEST_CHECK(test_map_has(&map, " nh ") || access("/sys/kernel/mm/transparent_hugepage", F_OK));
	return 0;
}

/* Sizes of stacks: the default and requested sizes. */
static void stack(void)
{
	size_t sizes[] = {256 * MB, 64 << 10, 100000, 300 * MB};

	if (is_skipped())
		return;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct filch_options options = {
			.struct_size = sizeof(options), .workers = 1, .stack = i ? sizes[i] : 0};

		TEST_CHECK(filch_start(&options) == 0);
		TEST_CHECK(test_job(NULL, look_at_stack, &sizes[i]) == 0);
		TEST_CHECK(filch_stop() == 0);
	}
}

/* ---- limits on address space ---- */

struct limit {
	int resource;
	size_t bytes;
	int workers;
	bool spares;	 /* spares fit within the limit as well */
	const char *why; /* NULL: the pool must start */
};

static void set_limit(int resource, size_t bytes)
{
	struct rlimit limit = {bytes, bytes};

	TEST_CHECK(setrlimit(resource, &limit) == 0);
}

/* All workers block until another thread has opened the gate: this takes a spare. */
static int block(void *arg, void **result)
{
	struct test_gate gate = {0};

	(void)arg;
	(void)result;
	filch_blocking_begin();
	TEST_CHECK(filch_pool_submit(NULL, test_open_gate, &gate, NULL) == 0);
	test_await(&gate.open, 1);
	filch_blocking_end();
	return 0;
}

static void start_within(void *arg)
{
	const struct limit *l = arg;
	struct filch_options options = {.struct_size = sizeof(options), .workers = l->workers};
	int err;

	set_limit(l->resource, l->bytes);
	err = filch_start(&options);
	if (err && !l->why)
		fprintf(stderr, "%s\n", filch_error_message());
	TEST_CHECK(err == (l->why ? -ENOMEM : 0));
	if (err) {
		TEST_CHECK(strstr(filch_error_message(), l->why) &&
			   strstr(filch_error_message(), "set FILCH_WORKERS or FILCH_STACK"));
		return;
	}
	TEST_CHECK(FILCH_RUN(test_add_up, 10000) == 10000);
	for (int i = 0; l->spares && i < l->workers; i++)
		TEST_CHECK(filch_pool_submit(NULL, block, NULL, NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
}

static void address_space(void)
{
	static struct limit limits[] = {
		{RLIMIT_AS, 800 * MB, 2, true, NULL},
		{RLIMIT_AS, 200 * MB, 2, true, NULL},
		{RLIMIT_AS, 32 * GB, 64, true, NULL},
		{RLIMIT_AS, 200 * MB, 64, false, NULL},
		{RLIMIT_DATA, 200 * MB, 8, true, NULL},
		{RLIMIT_AS, 40 * MB, 200, false, "ulimit -v is 40960"},
		{RLIMIT_DATA, 30 * MB, 200, false, "ulimit -d is 30720"},
	};

	if (is_skipped())
		return;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		TEST_CHECK(test_in_child(start_within, &limits[i]) == 0);
}

/* The program requests a size for which there is no room: the stacks become smaller. */
static void ask_for_much(void *unused)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .stack = 2 * GB};

	(void)unused;
	set_limit(RLIMIT_AS, GB);
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(FILCH_RUN(test_add_up, 10000) == 10000);
	TEST_CHECK(filch_stop() == 0);
}

static void too_much(void)
{
	if (!is_skipped())
		TEST_CHECK(test_in_child(ask_for_much, NULL) == 0);
}

/* ---- locked memory ---- */

static void lock_and_start(void *user)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};
	size_t stack = 256 * MB;
	long before;

	/* Stops the test if a whole stack gets populated. */
	set_limit(RLIMIT_DATA, 3 * GB);
	if (*(int *)user) {
		set_limit(RLIMIT_MEMLOCK, 8 * MB);
		if (setgid(65534) || setuid(65534))
			_exit(TEST_SKIP);
	}
	options.stack = stack;
	before = test_status_kb("VmRSS");
	if (mlockall(MCL_FUTURE))
		_exit(TEST_SKIP);
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(FILCH_RUN(test_add_up, 10000) == 10000);
	TEST_CHECK(filch_pool_submit(NULL, block, NULL, NULL) == 0);
	TEST_CHECK(test_job(NULL, look_at_stack, &stack) == 0);
	TEST_CHECK(test_status_kb("VmRSS") - before < 16384);
	TEST_CHECK(filch_stop() == 0);
}

/* The first process may lock any amount of memory, the second one may not. */
static void locked(void)
{
	if (is_skipped())
		return;
	for (int user = 0; user < 2; user++) {
		int status = test_in_child(lock_and_start, &user);

		if (status == TEST_SKIP)
			printf(" (%s skipped: not allowed here)", user ? "user" : "root");
		TEST_CHECK(status == 0 || status == TEST_SKIP);
	}
}

/* ---- threads ---- */

static void start_without_threads(void *unused)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 8};

	(void)unused;
	set_limit(RLIMIT_NPROC, 1);
	if (setgid(65534) || setuid(65534))
		_exit(TEST_SKIP);
	TEST_CHECK(filch_start(&options) == -EAGAIN);
	TEST_CHECK(strstr(filch_error_message(), "no threads for 8 workers (ulimit -u is 1, "));
	TEST_CHECK(strstr(filch_error_message(), "set FILCH_WORKERS lower"));
}

static void threads(void)
{
	int status;

	if (is_skipped())
		return;
	status = test_in_child(start_without_threads, NULL);
	if (status == TEST_SKIP)
		printf(" (skipped: only for root)");
	TEST_CHECK(status == 0 || status == TEST_SKIP);
}

/* ---- the decision ---- */

static void decide(void *arg)
{
	const char *root = arg;

	fake_root_put("0\n", "/proc/sys/vm/overcommit_memory");
	TEST_CHECK(filchi_limits_stack(4, root) == 256 * MB);
	fake_root_put("1\n", "/proc/sys/vm/overcommit_memory");
	TEST_CHECK(filchi_limits_stack(4, root) == 256 * MB);
	fake_root_put("2\n", "/proc/sys/vm/overcommit_memory");
	TEST_CHECK(filchi_limits_stack(4, root) == 8 * MB);
	TEST_CHECK(filchi_limits_stack(2048, root) == 8 * MB);
	/* All stacks together take an eighth of the limit. */
	set_limit(RLIMIT_AS, 32 * GB);
	TEST_CHECK(filchi_limits_stack(128, root) == 8 * MB);
	fake_root_put("0\n", "/proc/sys/vm/overcommit_memory");
	TEST_CHECK(filchi_limits_stack(16, root) == 256 * MB);
	TEST_CHECK(filchi_limits_stack(17, root) == 128 * MB);
	TEST_CHECK(filchi_limits_stack(128, root) == 32 * MB);
	TEST_CHECK(filchi_limits_stack(0, root) == 256 * MB);
	set_limit(RLIMIT_DATA, 4 * GB);
	TEST_CHECK(filchi_limits_stack(16, root) == 32 * MB);
	set_limit(RLIMIT_DATA, 1);
	TEST_CHECK(filchi_limits_stack(2, root) == 256 << 10);
}

static void decision(void)
{
	const char *root = fake_root();

	if (is_skipped())
		return;
	TEST_CHECK(filchi_limits_stack(4, root) == 256 * MB);
	TEST_CHECK(test_in_child(decide, (void *)(uintptr_t)root) == 0);
}

/* ---- more jobs than fit into a deque ---- */

static atomic_int ran;

static int count(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&ran, 1);
	return 0;
}

static int submit_many(void *arg, void **result)
{
	(void)result;
	for (int i = 0; i < *(int *)arg; i++)
		TEST_CHECK(filch_pool_submit(NULL, count, NULL, NULL) == 0);
	return 0;
}

static void many_jobs(void)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 1, .capacity = TEST_SANITIZED ? 1024 : 0};
	int jobs = TEST_SANITIZED ? 20000 : (1 << 20) + 5000;

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(filch_pool_submit(NULL, submit_many, &jobs, NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(atomic_load(&ran) == jobs);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"decision", decision}, {"reserved", reserved}, {"stack", stack},     {"address_space", address_space},
		{"too_much", too_much}, {"locked", locked},	{"threads", threads}, {"many_jobs", many_jobs}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
