/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits of the system and of the settings. A pool starts and works, or the start fails with an error and a reason; it
 * never crashes or hangs. A wrong setting is refused, with its name.
 */
#define _GNU_SOURCE

#include "../fixtures/hostile.h"

#include <sys/mman.h>
#include <sys/resource.h>

static void limit(unsigned what, rlim_t value)
{
	struct rlimit both = {value, value};

	HOSTILE_CHECK(!setrlimit(what, &both));
}

/* Returns the kilobytes that this line of /proc/self/status names. */
static long status_of(const char *name)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kb = 0;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)))
			kb = strtol(line + strlen(name), NULL, 10);
	if (file)
		fclose(file);
	return kb;
}

/* Memory may be short: each call works, or returns an error. */
static void use_or_fail(void)
{
	struct filch_future *f = NULL;
	void *result = NULL;
	int err = filch_pool_submit(NULL, hostile_echo, &f, &f);

	HOSTILE_CHECK(FILCH_RUN(test_fib, 14) == 377);
	HOSTILE_CHECK(err == 0 || err == -ENOMEM);
	if (f)
		HOSTILE_CHECK(filch_future_wait(f, &result) == 0 && result == &f);
	filch_future_destroy(f);
}

/* Returns true if the pool has started, worked and ended. */
static bool start_or_fail(const struct filch_options *options)
{
	int err = filch_start(options);

	HOSTILE_CHECK(err == 0 || err == -ENOMEM || err == -EAGAIN);
	if (err) {
		HOSTILE_CHECK(strlen(filch_error_message()) > 3 && filch_pool_workers(NULL) == 0);
		HOSTILE_CHECK(FILCH_RUN(test_fib, 10) == 55);
		return false;
	}
	use_or_fail();
	HOSTILE_CHECK(filch_stop() == 0);
	return true;
}

/* ---- memory ---- */

/* The stack grows within the same limit. So it must grow before the limit is set. */
static void grow_stack(void)
{
	volatile char room[1 << 20];

	for (size_t i = 0; i < sizeof(room); i += 1024)
		room[i] = 1;
}

static void start_within(void *megabytes)
{
	grow_stack();
	limit(RLIMIT_AS, (rlim_t)status_of("VmSize:") * 1024 + ((rlim_t)(uintptr_t)megabytes << 20));
	(void)start_or_fail(NULL);
}

static void address_space(void)
{
	static const int more[] = {0, 1, 2, 4, 8, 16, 40, 100, 300, 1000, 4000};

	setenv("FILCH_WORKERS", "3", 1);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		HOSTILE_CHECK(hostile_child(start_within, (void *)(intptr_t)more[i]) == 0);
}

static void must_start_within(void *megabytes)
{
	limit(RLIMIT_AS, (rlim_t)(uintptr_t)megabytes << 20);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
}

/* The address space that containers and batch systems usually grant is enough. */
static void usual_address_space(void)
{
	setenv("FILCH_WORKERS", "2", 1);
	HOSTILE_CHECK(hostile_child(must_start_within, (void *)800) == 0);
	HOSTILE_CHECK(hostile_child(must_start_within, (void *)200) == 0);
	setenv("FILCH_WORKERS", "64", 1);
	HOSTILE_CHECK(hostile_child(must_start_within, (void *)32000) == 0);
}

static void data_segment(void)
{
	setenv("FILCH_WORKERS", "2", 1);
	limit(RLIMIT_DATA, (rlim_t)64 << 20);
	(void)start_or_fail(NULL);
}

/* A process locks all its memory: stacks that are only reserved are not populated. */
static void locked_memory(void)
{
	long before = status_of("VmRSS:");

	limit(RLIMIT_DATA, (rlim_t)1 << 30); /* protects this machine if the stacks are populated */
	setenv("FILCH_WORKERS", "2", 1);
	if (mlockall(MCL_FUTURE))
		hostile_skip("mlockall is not allowed");
	HOSTILE_CHECK(filch_start(NULL) == 0);
	HOSTILE_CHECK(status_of("VmRSS:") - before < 65536);
	hostile_use_and_stop();
}

static void become_nobody(void)
{
	/* A user without other processes. */
	if (geteuid() == 0 && setuid(61000 + (uid_t)getpid() % 1000))
		hostile_skip("no other user can be had");
}

/* RLIMIT_MEMLOCK, for a user to whom it applies. */
static void little_locked_memory(void)
{
	limit(RLIMIT_DATA, (rlim_t)1 << 30);
	limit(RLIMIT_MEMLOCK, (rlim_t)8 << 20);
	become_nobody();
	setenv("FILCH_WORKERS", "2", 1);
	if (mlockall(MCL_FUTURE))
		hostile_skip("mlockall is not allowed");
	(void)start_or_fail(NULL);
}

static void stack_limits(void)
{
	static const rlim_t limits[] = {65536, 1 << 20, (rlim_t)4 << 30, RLIM_INFINITY};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct rlimit both = {limits[i], RLIM_INFINITY};

		HOSTILE_CHECK(!setrlimit(RLIMIT_STACK, &both));
		hostile_start(2);
		hostile_use_and_stop();
	}
}

/* ---- threads and files ---- */

static void threads_within(void *more)
{
	become_nobody();
	limit(RLIMIT_NPROC, (rlim_t)(uintptr_t)more);
	HOSTILE_CHECK(start_or_fail(NULL) == (more > (void *)4));
}

/* The system refuses the threads of some workers: then no worker is left. */
static void few_threads(void)
{
	if (geteuid() != 0)
		hostile_skip("the limit counts all processes of the user");
	setenv("FILCH_WORKERS", "4", 1);
	setenv("FILCH_STACK", "1m", 1);
	for (intptr_t more = 1; more <= 6; more++)
		HOSTILE_CHECK(hostile_child(threads_within, (void *)more) == 0);
}

static int wait_for_two(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;

	*result = NULL;
	return depth ? hostile_job(NULL, wait_for_two, (void *)(depth - 1)) : 6;
}

static int wait_blocked(void *arg, void **result)
{
	int err;

	filch_blocking_begin();
	err = wait_for_two(arg, result);
	filch_blocking_end();
	return err;
}

/* The system refuses the threads of spares: waiting jobs still end. */
static void no_threads_for_spares(void)
{
	hostile_start(2);
	become_nobody();
	limit(RLIMIT_NPROC, 1);
	for (int i = 0; i < 20; i++)
		HOSTILE_CHECK(hostile_job(NULL, wait_blocked, (void *)5) == 6);
	hostile_use_and_stop();
}

static void no_files(void)
{
	limit(RLIMIT_NOFILE, 0);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
	setenv("FILCH_VICTIM", "nearest", 1);
	setenv("FILCH_PIN", "1", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
}

/* ---- processors ---- */

static void one_processor(void)
{
	struct filch_pool *pool;
	cpu_set_t all, set;
	size_t cpu = 0;

	HOSTILE_CHECK(!sched_getaffinity(0, sizeof(all), &all));
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	HOSTILE_CHECK(!sched_setaffinity(0, sizeof(set), &set));
	HOSTILE_CHECK(filch_start(NULL) == 0 && filch_pool_workers(NULL) == 1);
	hostile_use_and_stop();
	hostile_start(6);
	pool = hostile_pool(3, 1);
	for (int i = 0; i < 5; i++) {
		hostile_use(pool);
		hostile_use(NULL);
		HOSTILE_CHECK(hostile_job(pool, wait_blocked, (void *)5) == 6);
	}
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	hostile_use_and_stop();
}

/* Workers that never sleep, and more of them than processors. */
static void all_awake(void)
{
	setenv("FILCH_WAIT", "latency", 1);
	hostile_start(6);
	for (int i = 0; i < 3; i++)
		hostile_use(NULL);
	hostile_use_and_stop();
}

/* ---- settings ---- */

static void numbers_of_workers(void)
{
	static const char *const numbers[] = {"0", "1", "2", "00003", "1024"};

	setenv("FILCH_STACK", "64k", 1);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		HOSTILE_CHECK(!setenv("FILCH_WORKERS", numbers[i], 1));
		HOSTILE_CHECK(filch_start(NULL) == 0 && filch_pool_workers(NULL) == (unsigned)atoi(numbers[i]));
		hostile_use_and_stop();
	}
}

static void smallest_stack(void)
{
	setenv("FILCH_STACK", "64k", 1);
	setenv("FILCH_WORKERS", "2", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	HOSTILE_CHECK(hostile_job(NULL, wait_blocked, (void *)20) == 6);
	hostile_use_and_stop();
}

static void largest_stack(void)
{
	setenv("FILCH_STACK", "1024g", 1);
	setenv("FILCH_WORKERS", "2", 1);
	(void)start_or_fail(NULL);
}

/* One task at a time, one searcher, no spares. */
static void least_of_all(void)
{
	setenv("FILCH_CAPACITY", "1", 1);
	setenv("FILCH_SEARCHERS", "1", 1);
	setenv("FILCH_SPARES", "0", 1);
	hostile_start(3);
	for (int i = 0; i < 10; i++)
		hostile_use(NULL);
	HOSTILE_CHECK(hostile_job(NULL, wait_blocked, (void *)50) == 6);
	hostile_use_and_stop();
}

static void all_names(void)
{
	for (unsigned v = 0; filch_victim_name(v); v++)
		for (unsigned w = 0; filch_wait_name(w); w++)
			for (unsigned j = 0; filch_join_name(j); j++) {
				setenv("FILCH_VICTIM", filch_victim_name(v), 1);
				setenv("FILCH_WAIT", filch_wait_name(w), 1);
				setenv("FILCH_JOIN", filch_join_name(j), 1);
				hostile_start(3);
				hostile_use_and_stop();
			}
}

static const char *const numeric[] = {"FILCH_WORKERS", "FILCH_CAPACITY", "FILCH_SEARCHERS",   "FILCH_SPARES",
				      "FILCH_STACK",   "FILCH_PIN",	 "FILCH_STACK_REPORT"};
static const char *const named[] = {"FILCH_DEQUE", "FILCH_VICTIM", "FILCH_WAIT", "FILCH_JOIN"};

/* The value is refused, and the reason names the variable. Then the pool starts without the variable. */
static void refused(const char *variable, const char *value)
{
	struct filch_pool *pool = NULL;

	setenv(variable, value, 1);
	HOSTILE_CHECK(filch_start(NULL) == -EINVAL && strstr(filch_error_message(), variable));
	HOSTILE_CHECK(filch_pool_create(&pool, NULL) == -EINVAL && !pool);
	unsetenv(variable);
}

static void bad_variables(void)
{
	static const char *const bad[] = {
		"-1",  " 1", "1 ", "+1",  "0x10", "1.5",  "1e3", "abc", "99999999999999999999",
		"1kk", "k",  "\t", "1\n", "\xff", "%s%n", "1t",	 "1;"};
	char *longest = malloc(100001);

	HOSTILE_CHECK(longest);
	memset(longest, '9', 100000);
	longest[100000] = 0;
	for (size_t i = 0; i < sizeof(numeric) / sizeof(numeric[0]); i++) {
		for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); j++)
			refused(numeric[i], bad[j]);
		refused(numeric[i], longest);
	}
	memset(longest, 'x', 100000);
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); j++)
			refused(named[i], bad[j]);
		refused(named[i], longest);
	}
	refused("FILCH_WORKERS", "1025");
	refused("FILCH_STACK", "63k");
	refused("FILCH_STACK", "1025g");
	refused("FILCH_PIN", "2");
	free(longest);
	hostile_start(2);
	hostile_use_and_stop();
}

/* An empty variable counts as unset. A setting of the program overrides a variable, even a wrong one. */
static void ignored_variables(void)
{
	struct filch_options options = {.struct_size = sizeof(options),
					.workers = 2,
					.stack = 1 << 20,
					.spares = 1,
					.searchers = 1,
					.capacity = 64,
					.stack_report = 1,
					.deque = "chase_lev",
					.victim = "last",
					.wait = "power",
					.join = "leapfrog"};

	for (size_t i = 0; i < sizeof(numeric) / sizeof(numeric[0]); i++)
		setenv(numeric[i], "", 1);
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		setenv(named[i], "", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		setenv(named[i], "wrong", 1);
	setenv("FILCH_WORKERS", "wrong", 1);
	setenv("FILCH_STACK", "wrong", 1);
	HOSTILE_CHECK(filch_start(&options) == 0);
	hostile_use_and_stop();
}

static const struct hostile_case cases[] = {
	{"address_space", address_space, true},
	{"usual_address_space", usual_address_space, true},
	{"data_segment", data_segment, false},
	{"locked_memory", locked_memory, true},
	{"little_locked_memory", little_locked_memory, false},
	{"stack_limits", stack_limits, false},
	{"few_threads", few_threads, false},
	{"no_threads_for_spares", no_threads_for_spares, true},
	{"no_files", no_files, false},
	{"one_processor", one_processor, true},
	{"all_awake", all_awake, false},
	{"numbers_of_workers", numbers_of_workers, false},
	{"smallest_stack", smallest_stack, true},
	{"largest_stack", largest_stack, false},
	{"least_of_all", least_of_all, true},
	{"all_names", all_names, false},
	{"bad_variables", bad_variables, false},
	{"ignored_variables", ignored_variables, false},
};

HOSTILE_MAIN(cases)
