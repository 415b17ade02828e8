/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile tests: many short cases, each in a process of its own. A crash or a hang is one failed case, and the other
 * cases go on. A case that names kinds is run once for each kind of deque.
 *
 * The process that starts the cases has one thread and never calls the library. So each case begins with a library that
 * is as new. The arguments of the program are the names of the cases to run; without any, it runs all.
 */
#ifndef TEST_SUPPORT_HOSTILE_H
#define TEST_SUPPORT_HOSTILE_H

#include "sanitizer.h"
#include "test.h"

#include <errno.h>
#include <filch.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOSTILE_SECONDS 60 /* that a case may take, far more than any does */

struct hostile_case {
	const char *name;
	void (*run)(void);
	bool kinds; /* run it with each kind of deque */
};

/* Valid in each thread and each child: no handlers of exit() run, which could wait for other threads. */
#define HOSTILE_CHECK(cond) ((cond) ? (void)0 : hostile_fail(__FILE__, __LINE__, #cond))

static inline void hostile_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: failed: %s; filch_why: %s; errno: %s\n", file, line, what, filch_why(),
		strerror(errno));
	_exit(TEST_FAIL);
}

static inline void hostile_skip(const char *reason)
{
	printf("skipped: %s ", reason);
	fflush(stdout);
	_exit(TEST_SKIP);
}

/* ---- the pool ---- */

static inline void hostile_start(int workers)
{
	struct filch_options options = {.size = sizeof(options), .workers = workers, .stack = 1 << 20};

	HOSTILE_CHECK(filch_start(&options) == 0);
}

static inline struct filch_pool *hostile_pool(int workers, int spares)
{
	struct filch_options options = {
		.size = sizeof(options), .workers = workers, .spares = spares, .stack = 1 << 20};
	struct filch_pool *pool = NULL;

	HOSTILE_CHECK(filch_pool_create(&pool, &options) == 0);
	return pool;
}

static inline void hostile_nap(unsigned microseconds)
{
	struct timespec rest = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};

	while (nanosleep(&rest, &rest) && errno == EINTR)
		;
}

/* Until another thread has done its part. The limit of the case ends a wait in vain. */
static inline void hostile_await(atomic_int *word, int value)
{
	while (atomic_load(word) < value)
		hostile_nap(50);
}

static inline uint64_t hostile_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- some work ---- */

FILCH_TASK(long, hostile_fib, int, n)
{
	long b;

	if (n < 2)
		return n;
	FILCH_SPAWN(hostile_fib, n - 1);
	b = FILCH_CALL(hostile_fib, n - 2);
	return FILCH_SYNC(hostile_fib) + b;
}

static inline int hostile_echo(void *arg, void **result)
{
	*result = arg;
	return 0;
}

static inline int hostile_count(void *counter, void **result)
{
	(void)result;
	atomic_fetch_add((atomic_int *)counter, 1);
	return 0;
}

static inline void hostile_drop(void *counter)
{
	atomic_fetch_add((atomic_int *)counter, 1);
}

static inline void hostile_add(size_t from, size_t to, void *sum)
{
	for (; from < to; from++)
		atomic_fetch_add((atomic_long *)sum, (long)from);
}

/* Submits it, waits for it, and returns the answer. */
static inline int hostile_job(struct filch_pool *pool, filch_fn *fn, void *arg)
{
	struct filch_future *f = NULL;
	int err;

	HOSTILE_CHECK(filch_submit(pool, fn, arg, &f) == 0);
	err = filch_future_wait(f, NULL);
	filch_future_free(f);
	return err;
}

/* Works with and without a pool. */
static inline void hostile_compute(void)
{
	atomic_long sum = 0;

	HOSTILE_CHECK(FILCH_RUN(hostile_fib, 14) == 377);
	HOSTILE_CHECK(filch_for(0, 1000, 0, hostile_add, &sum) == 0 && sum == 499500);
}

/* All ways into the pool, NULL: the default one. */
static inline void hostile_use(struct filch_pool *pool)
{
	struct filch_future *f = NULL;
	struct filch_group *g = NULL;
	atomic_int count = 0;
	void *result = NULL;

	hostile_compute();
	HOSTILE_CHECK(filch_submit(pool, hostile_echo, &count, &f) == 0);
	HOSTILE_CHECK(filch_future_wait(f, &result) == 0 && result == &count);
	filch_future_free(f);
	HOSTILE_CHECK(filch_group_create(&g, pool) == 0);
	for (int i = 0; i < 20; i++)
		HOSTILE_CHECK(filch_group_submit(g, hostile_count, &count) == 0);
	HOSTILE_CHECK(filch_group_wait(g) == 0 && count == 20);
	HOSTILE_CHECK(filch_group_destroy(g) == 0);
}

/* The end of most cases: the pool still works, and ends. */
static inline void hostile_use_and_stop(void)
{
	hostile_use(NULL);
	HOSTILE_CHECK(filch_stop() == 0);
	HOSTILE_CHECK(filch_workers(NULL) == 0);
}

/* ---- threads and children of a case ---- */

static inline pthread_t hostile_thread(void *(*main)(void *), void *arg)
{
	pthread_t thread;

	HOSTILE_CHECK(!pthread_create(&thread, NULL, main, arg));
	return thread;
}

/* Runs it in so many threads at once. */
static inline void hostile_threads(int count, void *(*main)(void *), void *arg)
{
	pthread_t threads[32];

	for (int i = 0; i < count; i++)
		threads[i] = hostile_thread(main, arg);
	for (int i = 0; i < count; i++)
		HOSTILE_CHECK(!pthread_join(threads[i], NULL));
}

/* Runs it in a child of the calling thread. The status of waitpid. */
static inline int hostile_child(void (*run)(void *arg), void *arg)
{
	int status = -1;
	pid_t child = fork();

	HOSTILE_CHECK(child >= 0);
	if (!child) {
		run(arg);
		_exit(TEST_PASS);
	}
	while (waitpid(child, &status, 0) < 0)
		HOSTILE_CHECK(errno == EINTR);
	return status;
}

/* ---- running the cases ---- */

static inline void hostile_begin(const char *kind)
{
	static const char *const variables[] = {"FILCH_WORKERS", "FILCH_DEQUE",	       "FILCH_VICTIM",	 "FILCH_WAIT",
						"FILCH_JOIN",	 "FILCH_CAPACITY",     "FILCH_STACK",	 "FILCH_SPARES",
						"FILCH_PIN",	 "FILCH_STACK_REPORT", "FILCH_SEARCHERS"};

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	if (kind)
		setenv("FILCH_DEQUE", kind, 1);
}

/* False: it has ended, and its status is still to be asked for. */
static inline bool hostile_is_running(pid_t child)
{
	siginfo_t info = {.si_pid = 0};

	return !waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) && !info.si_pid;
}

static inline int hostile_run_case(const struct hostile_case *c, const char *kind)
{
	uint64_t limit = hostile_ns() + HOSTILE_SECONDS * (uint64_t)1000000000;
	bool late = false;
	int status = 0;
	pid_t child;

	printf("%s%s%s ", c->name, kind ? " " : "", kind ? kind : "");
	fflush(NULL);
	child = fork();
	if (!child) {
		hostile_begin(kind);
		c->run();
		exit(TEST_PASS); /* not _exit(): a sanitizer looks for leaks */
	}
	if (child > 0)
		setpgid(child, child);
	while (child > 0 && !late && hostile_is_running(child)) {
		hostile_nap(1000);
		late = hostile_ns() > limit;
	}
	if (child > 0) {
		kill(-child, SIGKILL); /* with all that it has left */
		waitpid(child, &status, 0);
	}
	if (child > 0 && !late && WIFEXITED(status)) {
		status = WEXITSTATUS(status);
		printf("%s\n", status == TEST_PASS ? "ok" : status == TEST_SKIP ? "" : "FAILED");
		return status == TEST_PASS || status == TEST_SKIP ? status : TEST_FAIL;
	}
	printf("FAILED: %s %d\n", late ? "it hangs, signal" : "signal", WTERMSIG(status));
	return TEST_FAIL;
}

static inline bool hostile_is_chosen(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

/* Skipped only if all cases were. */
static inline int hostile_main(const struct hostile_case *cases, size_t count, int argc, char **argv)
{
	int run = 0, failed = 0, skipped = 0;

	for (size_t i = 0; i < count; i++) {
		if (!hostile_is_chosen(cases[i].name, argc, argv))
			continue;
		for (unsigned k = 0; k < (cases[i].kinds ? filch_deque_kind_count() : 1); k++) {
			int result = hostile_run_case(&cases[i], cases[i].kinds ? filch_deque_kind_name(k) : NULL);

			run++;
			failed += result == TEST_FAIL;
			skipped += result == TEST_SKIP;
		}
	}
	printf("%d run, %d failed, %d skipped\n", run, failed, skipped);
	return failed || !run ? TEST_FAIL : skipped == run ? TEST_SKIP : TEST_PASS;
}

#define HOSTILE_MAIN(cases)                                                                                            \
	int main(int argc, char **argv)                                                                                \
	{                                                                                                              \
		return hostile_main(cases, sizeof(cases) / sizeof((cases)[0]), argc, argv);                            \
	}

#endif
