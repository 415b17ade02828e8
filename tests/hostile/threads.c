/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends of threads: pthread_cancel() on callers in each function that blocks, threads that end before their futures are
 * done, and jobs that try to end their worker. The library goes on, and no lock stays locked.
 */
#include "../fixtures/hostile.h"

static atomic_int gate, begun, count;

static int hold(void *arg, void **result)
{
	(void)arg;
	atomic_fetch_add(&begun, 1);
	hostile_await(&gate, 1);
	return hostile_count(&count, result);
}

/*
 * Cancels the thread some time after it has called the function. A function that is no cancellation point ends only
 * when the gate opens. So the gate opens after a while.
 */
static void cancel_in(void *(*call)(void *), void *arg)
{
	pthread_t thread = hostile_thread(call, arg);

	hostile_sleep(5000);
	HOSTILE_CHECK(!pthread_cancel(thread));
	hostile_sleep(5000);
	atomic_store(&gate, 1);
	HOSTILE_CHECK(!pthread_join(thread, NULL));
	atomic_store(&gate, 0);
}

/* ---- cancelled callers ---- */

static void *wait_for_future(void *f)
{
	(void)filch_future_wait(f, NULL);
	pthread_testcancel();
	return f;
}

static void *wait_for_a_while(void *f)
{
	(void)filch_future_wait_for(f, 50000000000, NULL);
	pthread_testcancel();
	return f;
}

static void in_future_wait(void)
{
	struct filch_future *f;

	hostile_start(1);
	for (int i = 0; i < 2; i++) {
		HOSTILE_CHECK(filch_pool_submit(NULL, hold, NULL, &f) == 0);
		cancel_in(i ? wait_for_a_while : wait_for_future, f);
		HOSTILE_CHECK(filch_future_wait(f, NULL) == 0);
		filch_future_destroy(f);
	}
	hostile_use_and_stop();
}

static void *wait_for_group(void *g)
{
	(void)filch_group_wait(g);
	pthread_testcancel();
	return g;
}

static void in_group_wait(void)
{
	struct filch_group *g;

	hostile_start(2);
	HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
	for (int i = 0; i < 4; i++)
		HOSTILE_CHECK(filch_group_submit(g, hold, NULL) == 0);
	cancel_in(wait_for_group, g);
	atomic_store(&gate, 1);
	HOSTILE_CHECK(filch_group_destroy(g) == 0 && count == 4);
	hostile_use_and_stop();
}

FILCH_TASK(int, hold_task, int, n)
{
	int rest;

	if (!n) {
		atomic_fetch_add(&begun, 1);
		hostile_await(&gate, 1);
		return 1;
	}
	FILCH_SPAWN(hold_task, n - 1);
	rest = (int)FILCH_CALL(test_fib, 8) == 21;
	return FILCH_SYNC(hold_task) + rest;
}

static void *run_tasks(void *unused)
{
	HOSTILE_CHECK(FILCH_RUN(hold_task, 30) == 31);
	pthread_testcancel();
	return unused;
}

/* The task is on the stack of the caller: the caller must not end before the task. */
static void in_run(void)
{
	hostile_start(2);
	for (int i = 0; i < 5; i++)
		cancel_in(run_tasks, NULL);
	hostile_use_and_stop();
}

static void hold_body(size_t from, size_t to, void *sum)
{
	hostile_await(&gate, 1);
	pthread_testcancel();
	hostile_add(from, to, sum);
}

static int compare(const void *a, const void *b, void *unused)
{
	(void)unused;
	pthread_testcancel();
	return *(const int *)a - *(const int *)b;
}

static void *run_loop(void *sum)
{
	HOSTILE_CHECK(filch_for(NULL, 0, 100, 1, hold_body, sum) == 0);
	pthread_testcancel();
	return sum;
}

static void in_loop(void)
{
	atomic_long sum = 0;

	hostile_start(2);
	for (int i = 0; i < 5; i++)
		cancel_in(run_loop, &sum);
	HOSTILE_CHECK(sum == 5 * 4950);
	hostile_use_and_stop();
}

static void *loop_cancelled(void *sum)
{
	int numbers[] = {2, 1, 3};

	pthread_cancel(pthread_self());
	HOSTILE_CHECK(filch_for(NULL, 0, 100, 1, hold_body, sum) == 0);
	HOSTILE_CHECK(filch_sort_stable(NULL, numbers, 3, sizeof(int), compare, NULL) == 0 && numbers[0] == 1);
	HOSTILE_CHECK(filch_sort(NULL, numbers, 3, sizeof(int), compare, NULL) == 0);
	atomic_fetch_add(&begun, 1);
	pthread_testcancel();
	return NULL;
}

/* The thread that calls an algorithm cannot be cancelled until it returns, also without a pool. */
static void in_loop_alone(void)
{
	atomic_long sum = 0;

	atomic_store(&gate, 1);
	pthread_join(hostile_thread(loop_cancelled, &sum), NULL);
	hostile_start(FILCH_NONE);
	pthread_join(hostile_thread(loop_cancelled, &sum), NULL);
	HOSTILE_CHECK(begun == 2 && sum == 2 * 4950);
	hostile_use_and_stop();
}

static void *stop(void *unused)
{
	HOSTILE_CHECK(filch_stop() == 0);
	pthread_testcancel();
	return unused;
}

/* The pool ends, and can be started again. */
static void in_stop(void)
{
	for (int i = 0; i < 3; i++) {
		hostile_start(2);
		HOSTILE_CHECK(filch_pool_submit(NULL, hold, NULL, NULL) == 0);
		cancel_in(stop, NULL);
	}
	HOSTILE_CHECK(count == 3);
	hostile_start(2);
	hostile_use_and_stop();
}

static void *destroy(void *pool)
{
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	pthread_testcancel();
	return pool;
}

static void in_destroy(void)
{
	struct filch_pool *pool = hostile_pool(2, 0);

	HOSTILE_CHECK(filch_pool_submit(pool, hold, NULL, NULL) == 0);
	cancel_in(destroy, pool);
	HOSTILE_CHECK(count == 1);
	pool = hostile_pool(2, 0);
	hostile_use(pool);
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
}

static void *start_cancelled(void *unused)
{
	pthread_cancel(pthread_self());
	(void)filch_start(NULL);
	atomic_fetch_add(&begun, 1);
	pthread_testcancel();
	return unused;
}

/* The start reads files, which are cancellation points. Nevertheless it runs to its end. */
static void in_start(void)
{
	setenv("FILCH_VICTIM", "nearest", 1);
	pthread_join(hostile_thread(start_cancelled, NULL), NULL);
	HOSTILE_CHECK(begun == 1 && filch_pool_workers(NULL) > 0);
	hostile_use_and_stop();
}

static int timed_sleep(void *arg, void **result)
{
	hostile_sleep(10000);
	usleep(10000);
	return hostile_count(arg, result);
}

static void *wait_without_workers(void *f)
{
	HOSTILE_CHECK(filch_future_wait(f, NULL) == 0);
	pthread_testcancel();
	return f;
}

/*
 * Without workers the waiting thread runs the job. The thread is cancelled in the middle of the job, and the job still
 * ends.
 */
static void in_serial_job(void)
{
	struct filch_future *f;

	hostile_start(FILCH_NONE);
	HOSTILE_CHECK(filch_pool_submit(NULL, timed_sleep, &count, &f) == 0);
	cancel_in(wait_without_workers, f);
	HOSTILE_CHECK(filch_future_wait(f, NULL) == 0 && count == 1);
	filch_future_destroy(f);
	hostile_use_and_stop();
}

/* ---- threads that end ---- */

static void *submit_and_end(void *out)
{
	for (int i = 0; i < 10; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, timed_sleep, &count,
						out ? (struct filch_future **)out + i : NULL) == 0);
	return NULL;
}

/* The futures outlive the thread, and so do jobs without a future. */
static void ends_before_jobs(void)
{
	struct filch_future *f[10];

	hostile_start(4);
	pthread_join(hostile_thread(submit_and_end, f), NULL);
	pthread_join(hostile_thread(submit_and_end, NULL), NULL);
	for (int i = 0; i < 10; i++) {
		HOSTILE_CHECK(filch_future_wait(f[i], NULL) == 0);
		filch_future_destroy(f[i]);
	}
	hostile_use_and_stop();
	HOSTILE_CHECK(count == 20);
}

static pthread_key_t key;

/* Runs when a worker's thread ends: the thread has ceased to be a worker, and its pool refuses all jobs. */
static void destructor(void *unused)
{
	(void)unused;
	HOSTILE_CHECK(filch_worker_id() == -1);
	HOSTILE_CHECK(filch_pool_submit(NULL, hostile_echo, NULL, NULL) == -ESHUTDOWN);
	HOSTILE_CHECK(filch_job_cancelled() == 0);
	filch_blocking_begin();
	filch_blocking_end();
	hostile_compute();
	atomic_fetch_add(&count, 1);
}

static int set_key(void *value, void **result)
{
	*result = NULL;
	return pthread_setspecific(key, value);
}

static void destructors(void)
{
	hostile_start(1);
	HOSTILE_CHECK(!pthread_key_create(&key, destructor));
	HOSTILE_CHECK(hostile_job(NULL, set_key, &key) == 0);
	hostile_use_and_stop();
	HOSTILE_CHECK(count == 1);
}

static void *go_on(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	hostile_use_and_stop();
	hostile_start(2);
	hostile_use_and_stop();
	_exit(TEST_PASS);
}

/* The rest of the program goes on after the main thread has ended. */
static void main_thread_ends(void)
{
	static pthread_t self;

	self = pthread_self();
	hostile_start(2);
	hostile_thread(go_on, &self);
	pthread_exit(NULL);
}

static void stop_at_exit(void)
{
	if (filch_stop() != -EDEADLK)
		_exit(TEST_FAIL);
}

static int exit_in_job(void *unused, void **result)
{
	(void)unused;
	(void)result;
	exit(TEST_PASS);
}

/* exit() in a job: its handlers run in the job, where a stop is refused. */
static void job_exits(void)
{
	hostile_start(2);
	HOSTILE_CHECK(!atexit(stop_at_exit));
	(void)hostile_job(NULL, exit_in_job, NULL);
	_exit(TEST_FAIL);
}

/* main() returns while jobs run and others are queued. */
static void exit_with_jobs(void)
{
	hostile_start(2);
	for (int i = 0; i < 100; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, timed_sleep, &count, NULL) == 0);
}

/* ---- workers ---- */

static pthread_t worker;

static int sleep_in_job(void *arg, void **result)
{
	worker = pthread_self();
	atomic_fetch_add(&begun, 1);
	for (int i = 0; i < 20; i++)
		usleep(1000);
	pthread_testcancel();
	return hostile_count(arg, result);
}

/* pthread_cancel() has no effect on a worker. */
static void worker_cancelled(void)
{
	struct filch_future *f;

	hostile_start(2);
	HOSTILE_CHECK(filch_pool_submit(NULL, sleep_in_job, &count, &f) == 0);
	hostile_await(&begun, 1);
	HOSTILE_CHECK(!pthread_cancel(worker));
	HOSTILE_CHECK(filch_future_wait(f, NULL) == 0 && count == 1);
	filch_future_destroy(f);
	hostile_use_and_stop();
}

static int end_worker(void *unused, void **result)
{
	(void)unused;
	(void)result;
	pthread_exit(NULL);
}

static void end_a_worker(void *ends)
{
	dup2(((int *)ends)[1], 2);
	hostile_start(2);
	(void)hostile_job(NULL, end_worker, NULL);
}

/* pthread_exit() in a job: a line on stderr, and the program aborts. It does not hang. */
static void worker_exits(void)
{
	char line[200] = "";
	int ends[2], status;

	HOSTILE_CHECK(!pipe(ends));
	status = hostile_child(end_a_worker, ends);
	HOSTILE_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	HOSTILE_CHECK(read(ends[0], line, sizeof(line) - 1) > 0 && strstr(line, "pthread_exit"));
}

static const struct hostile_case cases[] = {
	{"in_future_wait", in_future_wait, false},
	{"in_group_wait", in_group_wait, false},
	{"in_run", in_run, true},
	{"in_loop", in_loop, true},
	{"in_loop_alone", in_loop_alone, false},
	{"in_stop", in_stop, false},
	{"in_destroy", in_destroy, false},
	{"in_start", in_start, false},
	{"in_serial_job", in_serial_job, false},
	{"ends_before_jobs", ends_before_jobs, true},
	{"destructors", destructors, false},
	{"main_thread_ends", main_thread_ends, false},
	{"job_exits", job_exits, false},
	{"exit_with_jobs", exit_with_jobs, false},
	{"worker_cancelled", worker_cancelled, false},
	{"worker_exits", worker_exits, false},
};

HOSTILE_MAIN(cases)
