/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation of jobs at each moment: exactly one of a job and its drop function is called, and each wait ends. */
#include "../fixtures/hostile.h"

struct tally {
	atomic_int run, dropped, accepted;
};

static int run(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add(&((struct tally *)arg)->run, 1);
	return 0;
}

static void drop(void *arg)
{
	atomic_fetch_add(&((struct tally *)arg)->dropped, 1);
}

static bool adds_up(struct tally *t)
{
	return t->run + t->dropped == t->accepted;
}

/* ---- from inside ---- */

static struct filch_group *group, *other;
static struct filch_future *_Atomic future;
static atomic_int gate, begun;

static int cancel_own_future(void *unused, void **result)
{
	struct filch_future *f;

	(void)unused;
	(void)result;
	while (!(f = atomic_load(&future)))
		sched_yield();
	HOSTILE_CHECK(filch_job_cancelled() == 0);
	HOSTILE_CHECK(filch_future_cancel(f) == 0 && filch_job_cancelled() == 1);
	HOSTILE_CHECK(filch_future_cancel(f) == 0);
	HOSTILE_CHECK(filch_pool_submit(NULL, hostile_echo, NULL, NULL) == -ECANCELED);
	hostile_compute();
	return 7;
}

/* The job has begun. So it goes on, and its result counts. */
static void own_future(void)
{
	struct filch_future *f;

	hostile_start(2);
	HOSTILE_CHECK(filch_pool_submit(NULL, cancel_own_future, NULL, &f) == 0);
	atomic_store(&future, f);
	HOSTILE_CHECK(filch_future_wait(f, NULL) == 7);
	HOSTILE_CHECK(filch_future_cancel(f) == -EALREADY);
	filch_future_destroy(f);
	hostile_use_and_stop();
}

static int cancel_own_group(void *arg, void **result)
{
	hostile_await(&gate, 1);
	HOSTILE_CHECK(filch_group_cancel(group) == 0 && filch_group_cancel(group) == 0);
	HOSTILE_CHECK(filch_job_cancelled() == 1);
	HOSTILE_CHECK(filch_group_submit_or_drop(group, run, drop, arg) == -ECANCELED);
	HOSTILE_CHECK(filch_group_wait(group) == -EDEADLK);
	HOSTILE_CHECK(filch_group_destroy(group) == -EDEADLK);
	return hostile_echo(arg, result);
}

static void own_group(void)
{
	struct tally t = {0};

	hostile_start(1);
	HOSTILE_CHECK(filch_group_create(&group, NULL) == 0);
	HOSTILE_CHECK(filch_group_submit(group, cancel_own_group, &t) == 0);
	for (; t.accepted < 500; t.accepted++)
		HOSTILE_CHECK(filch_group_submit_or_drop(group, run, drop, &t) == 0);
	atomic_store(&gate, 1);
	(void)filch_group_wait(group);
	HOSTILE_CHECK(adds_up(&t));
	HOSTILE_CHECK(filch_group_submit(group, hostile_echo, NULL) == -ECANCELED);
	HOSTILE_CHECK(filch_group_destroy(group) == (t.dropped ? -ECANCELED : 0));
	hostile_use_and_stop();
}

static void cancel_other(void *arg)
{
	(void)filch_group_cancel(other);
	drop(arg);
}

static int hold(void *arg, void **result)
{
	atomic_fetch_add(&begun, 1);
	hostile_await(&gate, 1);
	return hostile_echo(arg, result);
}

/* The drop function of each group cancels the other group. */
static void from_drop(void)
{
	struct tally t = {0};

	hostile_start(1);
	HOSTILE_CHECK(filch_pool_submit(NULL, hold, NULL, NULL) == 0);
	hostile_await(&begun, 1);
	HOSTILE_CHECK(filch_group_create(&group, NULL) == 0 && filch_group_create(&other, NULL) == 0);
	for (int i = 0; i < 50; i++, t.accepted += 2) {
		HOSTILE_CHECK(filch_group_submit_or_drop(group, run, cancel_other, &t) == 0);
		HOSTILE_CHECK(filch_group_submit_or_drop(other, run, drop, &t) == 0);
	}
	HOSTILE_CHECK(filch_group_cancel(group) == 0);
	HOSTILE_CHECK(t.dropped == t.accepted);
	HOSTILE_CHECK(filch_group_destroy(group) == -ECANCELED && filch_group_destroy(other) == -ECANCELED);
	atomic_store(&gate, 1);
	hostile_use_and_stop();
}

/* ---- enclosing ---- */

static int innermost(void *arg, void **result)
{
	atomic_fetch_add(&begun, 1);
	while (!filch_job_cancelled())
		hostile_sleep(100);
	return hostile_echo(arg, result);
}

static int inner(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_group *g = NULL;
	int err = filch_group_create(&g, NULL);

	HOSTILE_CHECK(err == 0);
	HOSTILE_CHECK(filch_group_submit(g, depth ? inner : innermost, (void *)(depth - 1)) == 0);
	err = filch_group_destroy(g);
	HOSTILE_CHECK(filch_job_cancelled() == 1);
	*result = NULL;
	return err;
}

/* A cancelled group reaches all jobs in it, at any depth. */
static void enclosing(void)
{
	hostile_start(2);
	HOSTILE_CHECK(filch_group_create(&group, NULL) == 0);
	HOSTILE_CHECK(filch_group_submit(group, inner, (void *)20) == 0);
	hostile_await(&begun, 1);
	HOSTILE_CHECK(filch_group_cancel(group) == 0);
	HOSTILE_CHECK(filch_group_destroy(group) == 0);
	hostile_use_and_stop();
}

static void look(size_t from, size_t to, void *seen)
{
	while (!filch_job_cancelled())
		hostile_sleep(100);
	hostile_add(from, to, seen);
}

static int loop(void *seen, void **result)
{
	(void)result;
	atomic_fetch_add(&begun, 1);
	HOSTILE_CHECK(filch_for(NULL, 0, 100, 1, look, seen) == 0);
	return 0;
}

/* The loops of a job belong to it, in each worker that runs them. */
static void loop_in_job(void)
{
	atomic_long seen = 0;
	struct filch_future *f;

	hostile_start(2);
	HOSTILE_CHECK(filch_pool_submit(NULL, loop, &seen, &f) == 0);
	hostile_await(&begun, 1);
	hostile_sleep(1000);
	HOSTILE_CHECK(filch_future_cancel(f) == 0 && filch_future_wait(f, NULL) == 0 && seen == 4950);
	filch_future_destroy(f);
	hostile_use_and_stop();
}

/* ---- against other threads ---- */

static struct tally total;

static void *submit_many(void *unused)
{
	for (int i = 0; i < 2000; i++) {
		int err = filch_group_submit_or_drop(group, run, drop, &total);

		HOSTILE_CHECK(err == 0 || err == -ECANCELED);
		total.accepted += err == 0;
	}
	atomic_fetch_add(&begun, 1);
	return unused;
}

static void against_submit(void)
{
	pthread_t threads[3];
	int err;

	hostile_start(2);
	HOSTILE_CHECK(filch_group_create(&group, NULL) == 0);
	for (int i = 0; i < 3; i++)
		threads[i] = hostile_thread(submit_many, NULL);
	hostile_sleep(200);
	HOSTILE_CHECK(filch_group_cancel(group) == 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	err = filch_group_destroy(group);
	HOSTILE_CHECK(adds_up(&total) && err == (total.dropped ? -ECANCELED : 0));
	hostile_use_and_stop();
}

/* The thread that cancels a job and the worker that begins it agree on the outcome. */
static void against_begin(void)
{
	hostile_start(2);
	for (int i = 0; i < 2000; i++) {
		struct filch_future *f;
		int before = total.run, err;

		HOSTILE_CHECK(filch_pool_submit_or_drop(NULL, run, drop, &total, &f) == 0);
		total.accepted++;
		for (int spin = i % 64; spin; spin--)
			sched_yield();
		err = filch_future_cancel(f);
		HOSTILE_CHECK(err == 0 || err == -EALREADY);
		err = filch_future_wait(f, NULL);
		HOSTILE_CHECK(err == (total.run > before ? 0 : -ECANCELED) && adds_up(&total));
		HOSTILE_CHECK(filch_future_cancel(f) == -EALREADY);
		filch_future_destroy(f);
	}
	hostile_use_and_stop();
}

static void *cancel_group(void *unused)
{
	HOSTILE_CHECK(filch_group_cancel(group) == 0);
	return unused;
}

/* Thousands of queued jobs, cancelled by several threads at once. */
static void queued(void)
{
	hostile_start(1);
	HOSTILE_CHECK(filch_pool_submit(NULL, hold, NULL, NULL) == 0);
	hostile_await(&begun, 1);
	HOSTILE_CHECK(filch_group_create(&group, NULL) == 0);
	for (; total.accepted < 10000; total.accepted++)
		HOSTILE_CHECK(filch_group_submit_or_drop(group, run, drop, &total) == 0);
	hostile_threads(4, cancel_group, NULL);
	HOSTILE_CHECK(total.dropped == 10000 && total.run == 0);
	HOSTILE_CHECK(filch_group_wait(group) == -ECANCELED && filch_group_wait(group) == -ECANCELED);
	HOSTILE_CHECK(filch_group_destroy(group) == -ECANCELED);
	atomic_store(&gate, 1);
	hostile_use_and_stop();
}

static void *wait_for_it(void *f)
{
	void *result = &begun;
	int err = filch_future_wait(f, &result);

	HOSTILE_CHECK(err == -ECANCELED && !result && strlen(filch_error_message()));
	return NULL;
}

/* All threads that wait for a job learn that it was cancelled. */
static void waited_for(void)
{
	struct filch_future *f;
	pthread_t threads[6];

	hostile_start(1);
	HOSTILE_CHECK(filch_pool_submit(NULL, hold, NULL, NULL) == 0);
	hostile_await(&begun, 1);
	HOSTILE_CHECK(filch_pool_submit(NULL, hostile_echo, &gate, &f) == 0);
	for (int i = 0; i < 6; i++)
		threads[i] = hostile_thread(wait_for_it, f);
	hostile_sleep(3000);
	HOSTILE_CHECK(filch_future_cancel(f) == 0);
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	filch_future_destroy(f);
	atomic_store(&gate, 1);
	hostile_use_and_stop();
}

/* Without workers a job begins only when a thread waits for it. */
static void without_workers(void)
{
	struct filch_future *f;

	hostile_start(FILCH_NONE);
	HOSTILE_CHECK(filch_pool_submit_or_drop(NULL, run, drop, &total, &f) == 0);
	HOSTILE_CHECK(filch_future_cancel(f) == 0 && total.dropped == 1);
	HOSTILE_CHECK(filch_future_try_wait(f, NULL) == -ECANCELED && filch_future_wait(f, NULL) == -ECANCELED);
	filch_future_destroy(f);
	HOSTILE_CHECK(filch_pool_submit_or_drop(NULL, run, drop, &total, &f) == 0);
	filch_future_destroy(f);
	HOSTILE_CHECK(filch_stop() == 0 && total.run == 1 && total.dropped == 1);
}

/* Stop runs the queued jobs and drops the cancelled jobs. Each job ends in one of the two ways. */
static void at_stop(void)
{
	struct filch_future *f[200];

	hostile_start(2);
	for (int i = 0; i < 200; i++, total.accepted++)
		HOSTILE_CHECK(filch_pool_submit_or_drop(NULL, run, drop, &total, &f[i]) == 0);
	for (int i = 0; i < 200; i += 2)
		(void)filch_future_cancel(f[i]);
	HOSTILE_CHECK(filch_stop() == 0 && adds_up(&total));
	for (int i = 0; i < 200; i++) {
		HOSTILE_CHECK(filch_future_cancel(f[i]) == -EALREADY);
		filch_future_destroy(f[i]);
	}
}

static const struct hostile_case cases[] = {
	{"own_future", own_future, true},
	{"own_group", own_group, true},
	{"from_drop", from_drop, true},
	{"enclosing", enclosing, true},
	{"loop_in_job", loop_in_job, true},
	{"against_submit", against_submit, true},
	{"against_begin", against_begin, true},
	{"queued", queued, true},
	{"waited_for", waited_for, false},
	{"without_workers", without_workers, false},
	{"at_stop", at_stop, true},
};

HOSTILE_MAIN(cases)
