/* SPDX-License-Identifier: Apache-2.0 */
/* Pools: start and stop, refused memory and threads, stack overflow. */
#include "../fixtures/out_of_memory.h"
#include "../fixtures/pool/pools.h"
#include "../fixtures/pool/tasks.h"
#include "../fixtures/sanitizer.h"

#include <dirent.h>
#include <errno.h>
#include <filch/task.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* refuse_thread: the n-th thread from now on is refused; 0: none. refuse_all: all threads are refused. */
static unsigned refuse_thread;
static int refuse_all;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	if (refuse_all || (refuse_thread && !--refuse_thread))
		return EAGAIN;
	return __real_pthread_create(thread, attr, run, arg);
}

static int run_inside(void *arg, void **result)
{
	*result = arg;
	return FILCH_RUN(test_add_up, 1000) == 1000 ? 0 : -EPROTO;
}

static unsigned threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	unsigned count = 0;

	TEST_CHECK(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void start_stop(void)
{
	struct filch_future *f;

	TEST_CHECK(filch_stop() == 0);
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_options options = {.struct_size = sizeof(options), .workers = test_workers[i]};
		unsigned before = threads();
		unsigned workers = test_workers[i] > 0 ? (unsigned)test_workers[i] : 0;
		struct filch_stats stats = {.struct_size = sizeof(stats)};

		TEST_CHECK(filch_start(&options) == 0);
		TEST_CHECK(filch_start(&options) == -EALREADY &&
			   strstr(filch_error_message(), "; pass NULL to share it, or create"));
		TEST_CHECK(filch_pool_workers(NULL) == workers);
		TEST_CHECK(TEST_SANITIZED || threads() == before + workers); /* a sanitizer has a thread itself */
		TEST_CHECK(FILCH_RUN(test_add_up, 10000) == 10000);
		TEST_CHECK(test_job(NULL, run_inside, NULL) == 0);
		TEST_CHECK(filch_pool_stats(NULL, -1, &stats) == 0 && stats.jobs == 1);
		TEST_CHECK(filch_stop() == 0);
		TEST_CHECK(filch_stop() == 0);
		TEST_CHECK(filch_pool_workers(NULL) == 0 && filch_pool_worker_ids(NULL) == 1);
		TEST_CHECK(filch_pool_submit(NULL, run_inside, NULL, &f) == -ESHUTDOWN);
		TEST_CHECK(FILCH_RUN(test_add_up, 100) == 100);
	}
}

/* Threads have the name of the pool and the number of the worker. */
static unsigned count_named(void)
{
	DIR *folder = opendir("/proc/self/task");
	struct dirent *entry;
	unsigned found = 0;

	TEST_CHECK(folder);
	while ((entry = readdir(folder))) {
		char path[300], name[32] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file))
			found += !strcmp(name, "a name that i/0\n") || !strcmp(name, "a name that i/1\n");
		fclose(file);
	}
	closedir(folder);
	return found;
}

static void names(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .name = "a name that is long"};
	struct filch_pool *pool;

	TEST_CHECK(filch_pool_create(&pool, &options) == 0);
	/* A thread names itself when it starts. */
	for (int tries = 0; count_named() < 2; tries++) {
		TEST_CHECK(tries < 10000);
		usleep(1000);
	}
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static int start_in_job(void *arg, void **result)
{
	(void)arg;
	(void)result;
	struct filch_options options = {.struct_size = sizeof(options)};
	int err = filch_stop();

	TEST_CHECK(filch_start(&options) == -EALREADY);
	TEST_CHECK(err == -EDEADLK);
	return 0;
}

/*
 * Several threads start, stop and use the pool at once. Each answer is one of the allowed answers, and each accepted
 * job runs.
 */
static atomic_int submitted, ran;

static int count(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&ran, 1);
	return 0;
}

static void *start_and_stop(void *arg)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .stack = 1 << 20};

	for (int i = 0; i < 60; i++) {
		int err = filch_start(&options);

		TEST_CHECK(err == 0 || err == -EALREADY);
		err = filch_pool_submit(NULL, count, NULL, NULL);
		TEST_CHECK(err == 0 || err == -ESHUTDOWN);
		atomic_fetch_add(&submitted, !err);
		TEST_CHECK(FILCH_RUN(test_add_up, 100) == 100);
		err = filch_pool_submit(NULL, start_in_job, NULL, NULL);
		TEST_CHECK(err == 0 || err == -ESHUTDOWN);
		TEST_CHECK(filch_stop() == 0);
	}
	return arg;
}

static void concurrently(void)
{
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, start_and_stop, NULL));
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	TEST_CHECK(atomic_load(&submitted) == atomic_load(&ran));
}

/* ---- refused resources ---- */

static void no_threads(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 4};
	struct filch_pool *pool;
	unsigned before = threads();

	refuse_all = 1;
	TEST_CHECK(filch_pool_create(&pool, &options) == -EAGAIN);
	TEST_CHECK(strstr(filch_error_message(), "no threads for 4 workers") &&
		   strstr(filch_error_message(), "set FILCH_WORKERS lower"));
	refuse_all = 0;
	TEST_CHECK(threads() == before);
	/* Smaller stacks may do. */
	for (unsigned n = 1; n <= 4; n++) {
		refuse_thread = n;
		TEST_CHECK(filch_pool_create(&pool, &options) == 0);
		TEST_CHECK(!refuse_thread && threads() == before + 4);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

/* Address space in use, in gigabytes: a leaked stack takes many of them. ASan finds other leaks. */
static unsigned long gigabytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	TEST_CHECK(file && fscanf(file, "%lu", &pages) == 1);
	fclose(file);
	return pages / ((1ul << 30) / (unsigned long)sysconf(_SC_PAGESIZE));
}

/* Refuses each allocation in turn. The pool may start although memory for stacks was refused. */
static void out_of_memory(void)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 2, .victim = "nearest", .stack_report = -1};
	unsigned long before = gigabytes();
	unsigned n = 0;
	int happened;

	options.stack = TEST_SANITIZED ? (size_t)1 << 20 : (size_t)8 << 30;
	do {
		struct filch_pool *pool;
		int err;

		out_of_memory_at(++n);
		err = filch_pool_create(&pool, &options);
		happened = out_of_memory_happened();
		out_of_memory_at(0);
		TEST_CHECK(!err || (happened && err == -ENOMEM));
		if (!err) {
			TEST_CHECK(test_job(pool, run_inside, NULL) == 0);
			TEST_CHECK(filch_pool_destroy(pool) == 0);
		}
	} while (happened);
	TEST_CHECK(n > 5 && gigabytes() < before + 8);
}

/* Without memory a new job is refused, and nothing else happens. Memory of an earlier job serves the next job. */
static void jobs_out_of_memory(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	struct filch_group *g;
	struct filch_future *f;
	long live = out_of_memory_live();

	out_of_memory_at(1);
	TEST_CHECK(filch_pool_submit(pool, run_inside, NULL, &f) == -ENOMEM);
	TEST_CHECK(out_of_memory_live() == live);
	for (unsigned n = 1; n <= 2; n++) {
		out_of_memory_at(n);
		TEST_CHECK(filch_group_create(&g, pool) == -ENOMEM);
		out_of_memory_at(0);
	}
	TEST_CHECK(test_job(pool, count, NULL) == 0);
	for (int i = 0; i < 100; i++) {
		out_of_memory_at(1);
		TEST_CHECK(filch_pool_submit(pool, count, NULL, &f) == 0);
		TEST_CHECK(filch_future_wait(f, NULL) == 0);
		TEST_CHECK(!out_of_memory_happened());
		filch_future_destroy(f);
	}
	out_of_memory_at(0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* ---- stacks ---- */

static int deeper(int n)
{
	char frame[1000];

	memset(frame, n, sizeof(frame));
	__asm__ volatile("" : : "r"(frame) : "memory");
	return (n < 0 ? 0 : deeper(n + 1)) + frame[n % 7];
}

static int overflow(void *arg, void **result)
{
	*result = arg;
	return deeper(0);
}

static int fault(void *arg, void **result)
{
	*result = NULL;
	return **(int **)arg;
}

FILCH_TASK(void, nothing, int, number)
{
	(void)number;
}

/* The slot of its spawn is above the slots of all numbers. */
FILCH_TASK(void, next_to_nothing, int, number)
{
	FILCH_SPAWN_N(nothing, 1);
	FILCH_SYNC(nothing);
	(void)number;
}

FILCH_TASK(void, many_nothings, size_t, count)
{
	FILCH_SPAWN_N(next_to_nothing, count);
	for (size_t i = 0; i < count; i++)
		FILCH_SYNC(next_to_nothing);
}

/* More numbers than the task stack has slots. */
static int too_many(void *arg, void **result)
{
	*result = arg;
	FILCH_RUN(many_nothings, 1000000);
	return 0;
}

static int far_too_many(void *arg, void **result)
{
	*result = arg;
	FILCH_RUN(many_nothings, SIZE_MAX / 8);
	return 0;
}

struct crash {
	filch_job_fn *fn;
	int report;
	int to;
	size_t limit; /* limit on address space, and the requested size of the stack; 0: none */
};

static void crash(void *arg)
{
	const struct crash *c = arg;
	static int *nowhere;
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 1, .stack = 1 << 19, .stack_report = c->report};
	struct rlimit limit = {c->limit, c->limit};
	struct filch_future *f;

	dup2(c->to, STDERR_FILENO);
	if (c->limit) {
		options.stack = c->limit;
		if (setrlimit(RLIMIT_AS, &limit))
			_exit(2);
	}
	if (filch_start(&options) || filch_pool_submit(NULL, c->fn, &nowhere, &f))
		_exit(2);
	filch_future_wait(f, NULL);
	_exit(3);
}

/* The program's words on stderr before the signal. */
static void hear(struct crash *c, char said[256])
{
	int ends[2];
	ssize_t length;

	TEST_CHECK(!pipe(ends));
	c->to = ends[1];
	TEST_CHECK(test_in_child(crash, c) == -1);
	close(ends[1]);
	length = read(ends[0], said, 255);
	TEST_CHECK(length >= 0);
	said[length] = '\0';
	close(ends[0]);
}

static void must_say(filch_job_fn *fn, int report, const char *text)
{
	struct crash c = {.fn = fn, .report = report};
	char said[256];

	hear(&c, said);
	if (strcmp(said, text))
		fprintf(stderr, "it said: %s\n", said);
	TEST_CHECK(!strcmp(said, text));
}

/* The system refuses a stack of the size that the options request. */
static void must_say_smaller(filch_job_fn *fn)
{
	struct crash c = {.fn = fn, .limit = (size_t)1 << 30};
	char said[256];

	hear(&c, said);
	if (!strstr(said, " sets it, but a limit of the system made it smaller\n"))
		fprintf(stderr, "it said: %s\n", said);
	TEST_CHECK(strstr(said, " sets it, but a limit of the system made it smaller\n"));
}

#define TOO_MANY                                                                                                       \
	"filch: worker 0 has too many spawns that are not synced (task stack of 16 MiB); FILCH_STACK or "              \
	"options.stack sets it\n"

static void out_of_stack(void)
{
	struct sigaction before, during, after;

	if (TEST_SANITIZED) {
		printf(" (skipped: the sanitizer handles faults)");
		return;
	}
	must_say(overflow, 0, "filch: worker 0 ran out of stack (512 KiB); FILCH_STACK or options.stack sets it\n");
	must_say(overflow, -1, "");
	must_say(too_many, 0, TOO_MANY);
	must_say(far_too_many, 0, TOO_MANY);
	must_say(fault, 0, "");
	must_say_smaller(overflow);
	must_say_smaller(far_too_many);
	/* The handler goes with the last pool. A handler that the program has installed stays. */
	TEST_CHECK(!sigaction(SIGSEGV, NULL, &before) && before.sa_handler == SIG_DFL);
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(!sigaction(SIGSEGV, NULL, &during) && during.sa_handler != SIG_DFL);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(!sigaction(SIGSEGV, NULL, &after) && after.sa_handler == SIG_DFL);
	signal(SIGSEGV, SIG_IGN);
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(!sigaction(SIGSEGV, NULL, &during) && during.sa_handler == SIG_IGN);
	TEST_CHECK(filch_stop() == 0);
	signal(SIGSEGV, SIG_DFL);
}

/* ---- memory of the program ---- */

/* Each thread that has allocated has an arena. */
static unsigned count_arenas(void)
{
	unsigned arenas = 0;
#ifdef __GLIBC__
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	TEST_CHECK(f && !malloc_info(0, f) && !fclose(f));
	for (const char *at = text; (at = strstr(at, "<heap ")); at++)
		arenas++;
	free(text);
#endif
	return arenas;
}

/*
 * Workers allocate nothing themselves. This scenario comes first, because a worker would use an arena that exists
 * already.
 */
static void no_arena(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 3, .pin = 1};
	unsigned before;

	if (TEST_SANITIZED) {
		printf(" (skipped: the sanitizer allocates)");
		return;
	}
	before = count_arenas();
	TEST_CHECK(filch_start(&options) == 0);
	for (int i = 0; i < 100; i++)
		TEST_CHECK(FILCH_RUN(test_add_up, 1000) == 1000);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(count_arenas() == before);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"no_arena", no_arena},
							 {"start_stop", start_stop},
							 {"names", names},
							 {"concurrently", concurrently},
							 {"no_threads", no_threads},
							 {"out_of_memory", out_of_memory},
							 {"jobs_out_of_memory", jobs_out_of_memory},
							 {"out_of_stack", out_of_stack}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
