/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of workers: which signals they block, which settings their threads and programs inherit, and how they
 * end.
 */
#define _GNU_SOURCE

#include "../fixtures/pool/pools.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <filch/algo.h>
#include <filch/task.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>

extern char **environ;

static void start(int workers, int spares)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = workers, .spares = spares, .stack = 1 << 20};

	TEST_CHECK(filch_start(&options) == 0);
}

/* ---- signals ---- */

static void check_mask(const sigset_t *mask)
{
	sigset_t own;

	TEST_CHECK(!pthread_sigmask(SIG_SETMASK, NULL, &own));
	for (int number = 1; number < SIGRTMIN; number++)
		if (number != SIGKILL && number != SIGSTOP)
			TEST_CHECK(sigismember(&own, number) == sigismember(mask, number));
}

static void *check_in_thread(void *mask)
{
	int state;

	check_mask(mask);
	TEST_CHECK(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state) && state == PTHREAD_CANCEL_ENABLE);
	return NULL;
}

/* Checks the masks of the worker and of a thread that it starts. */
static int check_in_job(void *mask, void **result)
{
	pthread_t thread;

	(void)result;
	check_mask(mask);
	TEST_CHECK(!pthread_create(&thread, NULL, check_in_thread, mask));
	TEST_CHECK(!pthread_join(thread, NULL));
	return 0;
}

struct blocked {
	const sigset_t *mask;
	atomic_int checked;
};

static int check_in_spare(void *arg, void **result)
{
	struct blocked *b = arg;

	(void)result;
	TEST_CHECK(filch_worker_id() == 1);
	check_mask(b->mask);
	atomic_store(&b->checked, 1);
	return 0;
}

/* The job makes a spare while its own mask differs from the mask of the pool. */
static int change_mask(void *mask, void **result)
{
	struct blocked b = {.mask = mask};
	sigset_t all, before;

	(void)result;
	sigfillset(&all);
	TEST_CHECK(!pthread_sigmask(SIG_SETMASK, &all, &before));
	TEST_CHECK(filch_pool_submit(NULL, check_in_spare, &b, NULL) == 0);
	filch_blocking_begin();
	test_await(&b.checked, 1);
	filch_blocking_end();
	TEST_CHECK(!pthread_sigmask(SIG_SETMASK, &before, NULL));
	return 0;
}

static void mask(void)
{
	sigset_t some, before;

	TEST_CHECK(!pthread_sigmask(SIG_SETMASK, NULL, &before));
	sigemptyset(&some);
	for (int i = 0; i < 2; i++) {
		TEST_CHECK(!pthread_sigmask(SIG_SETMASK, &some, NULL));
		start(1, 1);
		TEST_CHECK(!pthread_sigmask(SIG_SETMASK, &before, NULL));
		TEST_CHECK(test_job(NULL, check_in_job, &some) == 0);
		TEST_CHECK(test_job(NULL, change_mask, &some) == 0);
		TEST_CHECK(filch_stop() == 0);
		sigaddset(&some, SIGUSR2);
		sigaddset(&some, SIGTERM);
	}
}

/* A signal ends the programs that a job starts, as it does outside of jobs. */
static int start_programs(void *arg, void **result)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGPIPE};

	(void)arg;
	(void)result;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char line[64];
		char *const argv[] = {"sh", "-c", line, NULL};
		int status;
		pid_t child;

		snprintf(line, sizeof(line), "kill -%d $$; exit 0", numbers[i]);
		status = system(line);
		TEST_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
		TEST_CHECK(!posix_spawn(&child, "/bin/sh", NULL, NULL, argv, environ));
		TEST_CHECK(waitpid(child, &status, 0) == child);
		TEST_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
	}
	return 0;
}

static void programs(void)
{
	start(1, 1);
	TEST_CHECK(test_job(NULL, start_programs, NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- processors ---- */

static void *affinity_of_program(void *set)
{
	cpu_set_t own;

	TEST_CHECK(!sched_getaffinity(0, sizeof(own), &own) && CPU_COUNT(&own) == 1);
	TEST_CHECK(!sched_getaffinity(getpid(), sizeof(own), &own) && CPU_EQUAL(&own, (cpu_set_t *)set));
	TEST_CHECK(!sched_setaffinity(0, sizeof(own), &own));
	TEST_CHECK(!sched_getaffinity(0, sizeof(own), &own) && CPU_EQUAL(&own, (cpu_set_t *)set));
	return NULL;
}

/* In a child, the id of its parent gives the affinity of the program. */
static void affinity_of_parent(void *set)
{
	cpu_set_t own;

	if (sched_getaffinity(getppid(), sizeof(own), &own) || sched_setaffinity(0, sizeof(own), &own) ||
	    sched_getaffinity(0, sizeof(own), &own) || !CPU_EQUAL(&own, (cpu_set_t *)set))
		_exit(1);
}

static int start_thread(void *set, void **result)
{
	pthread_t thread;

	(void)result;
	TEST_CHECK(test_in_child(affinity_of_parent, set) == 0);
	TEST_CHECK(!pthread_create(&thread, NULL, affinity_of_program, set));
	TEST_CHECK(!pthread_join(thread, NULL));
	return 0;
}

/* A thread that a pinned worker starts can get all processors of the program, in the way that the header describes. */
static void pinned(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 1, .pin = 1};
	cpu_set_t set;

	TEST_CHECK(!sched_getaffinity(0, sizeof(set), &set));
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_job(NULL, start_thread, &set) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- ends ---- */

struct victim {
	pthread_t thread;
	atomic_int running, ended;
};

static int sleep_for_long(void *arg, void **result)
{
	struct victim *v = arg;

	(void)result;
	v->thread = pthread_self();
	atomic_store(&v->running, 1);
	for (int i = 0; i < 20; i++)
		usleep(5000);
	atomic_store(&v->ended, 1);
	return 0;
}

static void cancelled(void)
{
	struct victim v = {.running = 0};
	struct filch_future *f;

	start(2, 0);
	TEST_CHECK(filch_pool_submit(NULL, sleep_for_long, &v, &f) == 0);
	test_await(&v.running, 1);
	TEST_CHECK(!pthread_cancel(v.thread));
	TEST_CHECK(filch_future_wait(f, NULL) == 0 && atomic_load(&v.ended) == 1);
	filch_future_destroy(f);
	TEST_CHECK(filch_stop() == 0);
}

static int exit_job(void *arg, void **result)
{
	(void)result;
	pthread_exit(arg);
}

FILCH_TASK(int, exit_task, int, n)
{
	if (!n)
		pthread_exit(NULL);
	FILCH_SPAWN(exit_task, n - 1);
	return FILCH_SYNC(exit_task);
}

static int exit_in_task(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return FILCH_RUN(exit_task, 10);
}

/* Runs in a spare. */
static int exit_other(void *arg, void **result)
{
	(void)result;
	TEST_CHECK(filch_pool_submit(NULL, exit_job, arg, NULL) == 0);
	filch_blocking_begin();
	for (;;)
		pause();
	return 0;
}

static int fork_and_exit(void *arg, void **result)
{
	int status;
	pid_t child = fork();

	(void)arg;
	(void)result;
	TEST_CHECK(child >= 0);
	if (!child)
		pthread_exit(NULL);
	TEST_CHECK(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The caller of a loop takes part in it, and its thread ends inside. */
static pthread_t caller;

static void exit_if_caller(size_t from, size_t to, void *arg)
{
	(void)from;
	(void)to;
	(void)arg;
	if (pthread_equal(pthread_self(), caller))
		pthread_exit(NULL);
}

static void exit_in_loop(void)
{
	start(1, 1);
	caller = pthread_self();
	for (;;)
		TEST_CHECK(filch_for(NULL, 0, 4, 1, exit_if_caller, NULL) == 0);
}

static void exit_serial(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = FILCH_NONE};
	struct filch_future *f;

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(filch_pool_submit(NULL, exit_job, NULL, &f) == 0);
	(void)filch_future_wait(f, NULL);
}

struct ending {
	filch_job_fn *fn; /* the job that ends its worker, or NULL */
	void (*run)(void);
	int to;
};

static void end_worker(void *arg)
{
	const struct ending *e = arg;

	alarm(20); /* instead of a hang */
	dup2(e->to, STDERR_FILENO);
	if (e->run)
		e->run();
	start(1, 1);
	TEST_CHECK(filch_pool_submit(NULL, e->fn, NULL, NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* The child must write the message and abort. */
static void must_abort(filch_job_fn *fn, void (*run)(void), const char *text)
{
	struct ending e = {.fn = fn, .run = run};
	char said[256];
	ssize_t length;
	int ends[2], status;
	pid_t child;

	TEST_CHECK(!pipe(ends));
	e.to = ends[1];
	fflush(stdout);
	child = fork();
	TEST_CHECK(child >= 0);
	if (!child) {
		end_worker(&e);
		_exit(0);
	}
	TEST_CHECK(waitpid(child, &status, 0) == child);
	TEST_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	close(ends[1]);
	length = read(ends[0], said, sizeof(said) - 1);
	TEST_CHECK(length >= 0);
	said[length] = '\0';
	close(ends[0]);
	TEST_CHECK(!strcmp(said, text));
}

static void exits(void)
{
	if (TEST_SANITIZED) {
		printf(" (skipped: children with threads)");
		return;
	}
	must_abort(exit_job, NULL,
		   "filch: a job or task ended worker 0 with pthread_exit(); jobs and tasks must return\n");
	must_abort(exit_in_task, NULL,
		   "filch: a job or task ended worker 0 with pthread_exit(); jobs and tasks must return\n");
	must_abort(exit_other, NULL,
		   "filch: a job or task ended worker 1 with pthread_exit(); jobs and tasks must return\n");
	must_abort(NULL, exit_in_loop,
		   "filch: a job or task ended its thread with pthread_exit(); jobs and tasks must return\n");
	must_abort(NULL, exit_serial,
		   "filch: a job or task ended its thread with pthread_exit(); jobs and tasks must return\n");
	/* In a child of fork() the thread is no worker. */
	start(1, 1);
	TEST_CHECK(test_job(NULL, fork_and_exit, NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"mask", mask}, {"programs", programs}, {"pinned", pinned}, {"cancelled", cancelled}, {"exits", exits}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
