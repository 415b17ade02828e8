/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers with each kind of deque: start, join, yield, sleep, cancel, storage, waits for jobs, the end of the pool. */
#include "../fixtures/fiber/fibers.h"

#include <pthread.h>
#include <string.h>

static int answer(void *arg, void **result)
{
	*result = arg;
	return 7;
}

static int add(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add((atomic_int *)arg, 1);
	return 0;
}

/* ---- start and join ---- */

static void results(void)
{
	void *result = NULL;
	struct filch_fiber *f = go(answer, &result);

	TEST_CHECK(filch_fiber_join(f, &result) == 7 && result == &result);
	f = go(answer, NULL);
	TEST_CHECK(filch_fiber_join(f, NULL) == 7);
}

/* A tree of fibers: each waits for its two children. */
static int tree(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_fiber *left, *right;
	void *a = NULL, *b = NULL;

	if (!depth) {
		*result = (void *)1;
		return 0;
	}
	left = go(tree, (void *)(depth - 1));
	right = go(tree, (void *)(depth - 1));
	TEST_CHECK(filch_fiber_join(left, &a) == 0 && filch_fiber_join(right, &b) == 0);
	*result = (void *)((intptr_t)a + (intptr_t)b);
	return 0;
}

static void trees(void)
{
	void *leaves = NULL;

	TEST_CHECK(filch_fiber_join(go(tree, (void *)8), &leaves) == 0);
	TEST_CHECK((intptr_t)leaves == 256);
}

static void detached(void)
{
	atomic_int done = 0;

	for (int i = 0; i < 100; i++)
		TEST_CHECK(filch_fiber_start(NULL, NULL, add, &done, NULL) == 0);
	for (int i = 0; i < 100; i++)
		filch_fiber_detach(go(add, &done));
	while (atomic_load(&done) < 200)
		filch_fiber_yield();
}

static int turns(void *arg, void **result)
{
	(void)result;
	for (int i = 0; i < 50; i++) {
		atomic_fetch_add((atomic_int *)arg, 1);
		filch_fiber_yield();
	}
	return 0;
}

static void yields(void)
{
	struct filch_fiber *f[20];
	atomic_int count = 0;

	for (int i = 0; i < 20; i++)
		f[i] = go(turns, &count);
	for (int i = 0; i < 20; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(atomic_load(&count) == 1000);
}

/* ---- time ---- */

static int sleeper(void *arg, void **result)
{
	uint64_t before = clock_ns();

	(void)result;
	TEST_CHECK(filch_fiber_sleep((uint64_t)(intptr_t)arg) == 0);
	TEST_CHECK(clock_ns() - before >= (uint64_t)(intptr_t)arg);
	return 0;
}

static void sleeps(void)
{
	struct filch_fiber *f[40];

	for (int i = 0; i < 40; i++)
		f[i] = go(sleeper, (void *)(intptr_t)(i * 97 % 40 * 50000));
	for (int i = 0; i < 40; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(filch_fiber_sleep(0) == 0);
}

/* ---- cancellation ---- */

static int for_ever(void *arg, void **result)
{
	(void)result;
	atomic_store((atomic_int *)arg, 1);
	TEST_CHECK(filch_fiber_sleep(UINT64_MAX) == -ECANCELED);
	TEST_CHECK(filch_fiber_sleep(0) == -ECANCELED && filch_fiber_cancelled());
	filch_fiber_shield_begin();
	TEST_CHECK(filch_fiber_sleep(1) == 0 && !filch_fiber_cancelled());
	filch_fiber_shield_end();
	return -ECANCELED;
}

static void cancels(void)
{
	atomic_int begun = 0;
	struct filch_fiber *f = go(for_ever, &begun);

	while (!atomic_load(&begun))
		filch_fiber_yield();
	TEST_CHECK(filch_fiber_join_for(f, 1, NULL) == -ETIMEDOUT);
	filch_fiber_cancel(f);
	filch_fiber_cancel(f);
	TEST_CHECK(filch_fiber_join(f, NULL) == -ECANCELED);
	/* Before it begins, or after: both end it. */
	begun = 0;
	f = go(for_ever, &begun);
	filch_fiber_cancel(f);
	TEST_CHECK(filch_fiber_join(f, NULL) == -ECANCELED);
}

/* ---- storage, names, stacks ---- */

static atomic_int destroyed;
static unsigned key;

static void destroy(void *value)
{
	atomic_fetch_add(&destroyed, (int)(intptr_t)value);
}

static int storing(void *arg, void **result)
{
	volatile char deep[20000];

	(void)result;
	TEST_CHECK(!filch_fiber_key_get(key));
	TEST_CHECK(filch_fiber_key_set(key, arg) == 0);
	filch_fiber_yield();
	TEST_CHECK(filch_fiber_key_get(key) == arg);
	TEST_CHECK(!strcmp(filch_fiber_name(filch_fiber_self()), "storing"));
	filch_fiber_rename("other");
	TEST_CHECK(!strcmp(filch_fiber_name(filch_fiber_self()), "other"));
	for (size_t i = 0; i < sizeof(deep); i++) /* clang keeps only the elements of an array whose numbers it knows */
		deep[i] = 1;
	TEST_CHECK(filch_fiber_stack_used() >= sizeof(deep) && filch_fiber_stack_used() <= 1 << 20);
	return deep[0] - 1;
}

static void stores(void)
{
	struct filch_fiber_options o = {.struct_size = sizeof(o), .name = "storing", .stack = 1 << 20};
	struct filch_fiber *f[5];

	if (!key)
		TEST_CHECK(filch_fiber_key_create(&key, destroy) == 0 && filch_fiber_key_create(&key, destroy) == 0);
	atomic_store(&destroyed, 0);
	TEST_CHECK(filch_fiber_key_set(key + 1, NULL) == -EINVAL);
	for (int i = 0; i < 5; i++)
		TEST_CHECK(filch_fiber_start(&f[i], NULL, storing, (void *)(intptr_t)(i + 1), &o) == 0);
	for (int i = 0; i < 5; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(atomic_load(&destroyed) == 15);
}

/* ---- jobs and fibers wait for each other ---- */

static int job_that_joins(void *arg, void **result)
{
	(void)arg;
	return filch_fiber_join(go(answer, result), NULL);
}

static int fiber_that_waits(void *arg, void **result)
{
	struct filch_future *future[3];
	struct filch_group *group;
	atomic_int count = 0;
	size_t which;
	void *value;

	(void)arg;
	(void)result;
	for (int i = 0; i < 3; i++)
		TEST_CHECK(filch_pool_submit(NULL, i ? answer : job_that_joins, &value, &future[i]) == 0);
	TEST_CHECK(filch_future_wait_any(future, 3, UINT64_MAX, &which) == 0 && which < 3);
	for (int i = 0; i < 3; i++) {
		TEST_CHECK(filch_future_wait(future[i], NULL) == 7);
		filch_future_destroy(future[i]);
	}
	TEST_CHECK(filch_group_create(&group, NULL) == 0);
	for (int i = 0; i < 10; i++)
		TEST_CHECK(filch_group_submit(group, add, &count) == 0);
	TEST_CHECK(filch_group_wait(group) == 0 && atomic_load(&count) == 10);
	TEST_CHECK(filch_group_destroy(group) == 0);
	return 0;
}

static void jobs(void)
{
	struct filch_fiber *f[4];

	for (int i = 0; i < 4; i++)
		f[i] = go(fiber_that_waits, NULL);
	for (int i = 0; i < 4; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
}

static void sum_up(void *sum, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++)
		atomic_fetch_add((atomic_int *)sum, (int)i);
}

static int looping(void *arg, void **result)
{
	atomic_int sum = 0;

	(void)arg;
	(void)result;
	for (size_t i = 0; i < 10; i++)
		sum_up(&sum, i * 10, i * 10 + 10);
	filch_fiber_yield();
	TEST_CHECK(atomic_load(&sum) == 4950);
	return 0;
}

static void loops(void)
{
	struct filch_fiber *f[8];

	for (int i = 0; i < 8; i++)
		f[i] = go(looping, NULL);
	for (int i = 0; i < 8; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
}

/* ---- all of it, from all sides ---- */

static int inside(void *arg, void **result)
{
	(void)arg;
	(void)result;
	results();
	trees();
	detached();
	yields();
	sleeps();
	cancels();
	stores();
	jobs();
	loops();
	TEST_CHECK(filch_fiber_join(filch_fiber_self(), NULL) == -EDEADLK);
	return 0;
}

static void everything(void)
{
	struct filch_fiber_stats s = {.struct_size = sizeof(s)};
	struct filch_future *future;

	inside_thread(results, trees, detached, sleeps, cancels, jobs);
	TEST_CHECK(filch_fiber_join(go(inside, NULL), NULL) == 0);
	TEST_CHECK(filch_pool_submit(NULL, job_that_joins, NULL, &future) == 0);
	TEST_CHECK(filch_future_wait(future, NULL) == 7);
	filch_future_destroy(future);
	TEST_CHECK(filch_fiber_stats(NULL, &s) == 0);
	TEST_CHECK(s.started == s.ended && s.started > 1000 && s.switches > s.started / 2 && s.unguarded == 0);
}

/* The pool ends after all fibers. A fiber can be joined later. */
static void ends_with_pool(void)
{
	struct filch_fiber *kept;
	atomic_int begun = 0;
	void *result;

	begin_pool(NULL, 2, 0);
	kept = go(answer, &begun);
	for (int i = 0; i < 50; i++)
		TEST_CHECK(filch_fiber_start(NULL, NULL, sleeper, (void *)(intptr_t)(i * 10000), NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(filch_fiber_join(kept, &result) == 7 && result == &begun);
}

static void refused(void)
{
	struct filch_fiber_options o = {.struct_size = sizeof(o), .migrate = 3};
	struct filch_options none = {.struct_size = sizeof(none), .workers = FILCH_NONE};
	struct filch_fiber *f;

	TEST_CHECK(filch_fiber_start(&f, NULL, answer, NULL, NULL) == -ESHUTDOWN);
	TEST_CHECK(filch_start(&none) == 0);
	TEST_CHECK(filch_fiber_start(&f, NULL, answer, NULL, NULL) == -ENOTSUP);
	TEST_CHECK(filch_stop() == 0);
	begin_pool(NULL, 1, 0);
	TEST_CHECK(filch_fiber_start(&f, NULL, NULL, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_fiber_start(&f, NULL, answer, NULL, &o) == -EINVAL);
	o.migrate = 0;
	o.stack = SIZE_MAX;
	TEST_CHECK(filch_fiber_start(&f, NULL, answer, NULL, &o) == -EINVAL);
	o.struct_size = 1;
	TEST_CHECK(filch_fiber_start(&f, NULL, answer, NULL, &o) == -EINVAL);
	TEST_CHECK(filch_fiber_join(NULL, NULL) == -EINVAL && filch_fiber_self() == NULL);
	TEST_CHECK(filch_fiber_key_set(0, NULL) == -EPERM || filch_fiber_key_set(0, NULL) == -EINVAL);
	filch_fiber_detach(NULL);
	filch_fiber_cancel(NULL);
	TEST_CHECK(filch_stop() == 0);
}

static atomic_int stuck_calls, named;

static void stuck(struct filch_pool *pool, uint64_t fibers, void *arg)
{
	TEST_CHECK(fibers == 1 && arg == &named && pool);
	atomic_fetch_add(&stuck_calls, 1);
}

static void count_named(const char *name, const char *waits_for, uint64_t ns, void *arg)
{
	(void)ns;
	TEST_CHECK(!strcmp(name, "waits") && waits_for && !strcmp(waits_for, "a time"));
	atomic_fetch_add((atomic_int *)arg, 1);
}

/* A fiber that waits for ever is reported once, by name. */
static void reports_stuck(int migrate)
{
	struct filch_fiber_options o = {.struct_size = sizeof(o), .name = "waits"};
	struct filch_fiber_settings settings = {.struct_size = sizeof(settings), .stuck = stuck, .arg = &named};
	struct filch_fiber *f;
	atomic_int begun = 0;

	settings.migrate = migrate;
	atomic_store(&stuck_calls, 0);
	atomic_store(&named, 0);
	begin_pool(NULL, 1, 0);
	TEST_CHECK(filch_fiber_setup(NULL, &settings) == 0);
	TEST_CHECK(filch_fiber_start(&f, NULL, for_ever, &begun, &o) == 0);
	while (!atomic_load(&stuck_calls))
		filch_fiber_yield();
	TEST_CHECK(filch_fiber_each(NULL, count_named, &named) == 0 && atomic_load(&named) == 1);
	TEST_CHECK(filch_fiber_setup(NULL, &settings) == -EBUSY);
	filch_fiber_cancel(f);
	TEST_CHECK(filch_fiber_join(f, NULL) == -ECANCELED);
	TEST_CHECK(filch_stop() == 0 && atomic_load(&stuck_calls) == 1);
}

/* ---- a worker that goes on with a fiber is not idle ---- */

static struct filch_channel *wakes;
static atomic_int woken, over;

static void never(struct filch_pool *pool, uint64_t fibers, void *arg)
{
	(void)pool;
	(void)arg;
	printf("%d fibers reported\n", (int)fibers);
	/* Before, the first fiber may wait while this program has not started the second one yet. */
	TEST_CHECK(!atomic_load(&woken) || atomic_load(&over));
}

/* After its wait the fiber keeps its worker busy, until it has seen the other worker fall asleep. */
static int spins_after_wait(void *arg, void **result)
{
	struct timespec t = {.tv_nsec = 3000000};
	int n;

	(void)arg;
	(void)result;
	TEST_CHECK(filch_channel_recv(wakes, &n) == 0);
	nanosleep(&t, NULL);
	atomic_store(&over, 1);
	return 0;
}

static int wakes_it(void *arg, void **result)
{
	(void)arg;
	(void)result;
	TEST_CHECK(filch_fiber_sleep(2000000) == 0); /* the other worker is asleep by then */
	atomic_store(&woken, 1);
	return filch_channel_send(wakes, &(int){1});
}

static void reports_no_busy_worker(void)
{
	struct filch_fiber_settings settings = {.struct_size = sizeof(settings), .stuck = never};
	struct filch_fiber *a, *b;

	begin_pool(NULL, 2, 0);
	TEST_CHECK(filch_fiber_setup(NULL, &settings) == 0);
	TEST_CHECK(filch_channel_create(&wakes, sizeof(int), 0) == 0);
	for (int i = 0; i < 20; i++) {
		atomic_store(&woken, 0);
		atomic_store(&over, 0);
		a = go(spins_after_wait, NULL);
		b = go(wakes_it, NULL);
		TEST_CHECK(filch_fiber_join(b, NULL) == 0);
		TEST_CHECK(filch_fiber_join(a, NULL) == 0);
	}
	TEST_CHECK(filch_stop() == 0);
	filch_channel_destroy(wakes);
}

/* ---- a deadline does not wait for many fibers that wake each other ---- */

enum { PAIRS = 10, LATE = 300 }; /* a worker looks at the clock after 64 fibers, and takes 16 in a row */

static struct filch_channel *ping[PAIRS];
static uint64_t deadline;
static atomic_int enough, late; /* turns of the others after the deadline */

static int sends_on(void *ch, void **result)
{
	int err;

	(void)result;
	while (!(err = filch_channel_send(ch, &(int){1})))
		if (clock_ns() >= deadline)
			atomic_fetch_add(&late, 1);
	return err;
}

static int receives_on(void *ch, void **result)
{
	int n;

	(void)result;
	while (!atomic_load(&enough) && !filch_channel_recv(ch, &n))
		if (clock_ns() >= deadline)
			atomic_fetch_add(&late, 1);
	return filch_channel_close(ch);
}

static int sleeps_among_them(void *arg, void **result)
{
	struct filch_fiber *f[2 * PAIRS];
	int most = 0;

	(void)arg;
	(void)result;
	deadline = UINT64_MAX;
	for (int i = 0; i < PAIRS; i++) {
		TEST_CHECK(filch_channel_create(&ping[i], sizeof(int), 0) == 0);
		f[2 * i] = go(sends_on, ping[i]);
		f[2 * i + 1] = go(receives_on, ping[i]);
	}
	for (int i = 0; i < 20; i++) {
		atomic_store(&late, 0);
		deadline = clock_ns() + 100000;
		TEST_CHECK(filch_fiber_sleep(100000) == 0);
		if (atomic_load(&late) > most)
			most = atomic_load(&late);
		deadline = UINT64_MAX;
	}
	atomic_store(&enough, 1);
	for (int i = 0; i < 2 * PAIRS; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == (i % 2 ? 0 : -EPIPE));
	for (int i = 0; i < PAIRS; i++)
		filch_channel_destroy(ping[i]);
	printf("%d turns after a deadline\n", most);
	return most <= LATE ? 0 : 1;
}

static void wakes_in_time(void)
{
	begin_pool(NULL, 1, 0);
	TEST_CHECK(filch_fiber_join(go(sleeps_among_them, NULL), NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	refused();
	for_each_pool(everything);
	ends_with_pool();
	reports_stuck(FILCH_FIBER_PINNED);
	reports_stuck(FILCH_FIBER_FREE);
	reports_no_busy_worker();
	wakes_in_time();
	return 0;
}
