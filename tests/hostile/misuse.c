/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls in the wrong order, twice, in the wrong place, with NULL, with absurd sizes: an error and its reason, no harm.
 */
#include "../fixtures/hostile.h"

#include <limits.h>

/* The call fails with this error, and the reason is there in words. */
#define REFUSED(call, error)                                                                                           \
	do {                                                                                                           \
		HOSTILE_CHECK((call) == (error));                                                                      \
		HOSTILE_CHECK(filch_error_message() && strlen(filch_error_message()) > 3);                             \
	} while (0)

static void never(size_t from, size_t to, void *arg)
{
	(void)from;
	(void)to;
	(void)arg;
	hostile_fail(__FILE__, __LINE__, "a function of a refused call was called");
}

/* ---- without a pool ---- */

/* Calls each function that works without a default pool. */
static void use_nothing(void)
{
	struct filch_stats stats = {.struct_size = sizeof(stats)};
	struct filch_future *f = NULL;
	struct filch_group *g = NULL;

	hostile_compute();
	REFUSED(filch_pool_submit(NULL, hostile_echo, NULL, &f), -ESHUTDOWN);
	HOSTILE_CHECK(!f);
	REFUSED(filch_pool_submit_or_drop(NULL, hostile_count, hostile_drop, &stats, NULL), -ESHUTDOWN);
	REFUSED(filch_group_create(&g, NULL), -ESHUTDOWN);
	HOSTILE_CHECK(filch_pool_workers(NULL) == 0 && filch_pool_worker_ids(NULL) == 1 && filch_worker_id() == -1);
	HOSTILE_CHECK(filch_pool_stats(NULL, -1, &stats) == 0 && !stats.jobs);
	REFUSED(filch_pool_stats(NULL, 0, &stats), -EINVAL);
	filch_pool_keep_awake_begin(NULL);
	filch_pool_keep_awake_end(NULL);
	filch_pool_keep_awake_end(NULL);
	filch_blocking_end();
	filch_blocking_begin();
	filch_blocking_end();
	HOSTILE_CHECK(filch_job_cancelled() == 0 && filch_stop() == 0 && filch_stop() == 0);
}

static void before_start(void)
{
	use_nothing();
	hostile_start(2);
	hostile_use_and_stop();
}

static void after_stop(void)
{
	for (int i = 0; i < 3; i++) {
		hostile_start(2);
		hostile_use_and_stop();
		use_nothing();
	}
}

static void started_twice(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 3};

	hostile_start(2);
	REFUSED(filch_start(&options), -EALREADY);
	HOSTILE_CHECK(filch_start(NULL) == 0 && filch_pool_workers(NULL) == 2);
	HOSTILE_CHECK(filch_stop() == 0);
	hostile_use(NULL);
	hostile_use_and_stop();
	use_nothing();
}

/* ---- in the wrong place ---- */

static int stop_here(void *pool, void **result)
{
	*result = NULL;
	if (pool)
		REFUSED(filch_pool_destroy(pool), -EDEADLK);
	else
		REFUSED(filch_stop(), -EDEADLK);
	hostile_use(pool);
	return 0;
}

FILCH_TASK(int, stop_in_task, int, n)
{
	(void)n;
	REFUSED(filch_stop(), -EDEADLK);
	return 1;
}

static void stop_in_body(size_t from, size_t to, void *sum)
{
	if (filch_worker_id() >= 0)
		REFUSED(filch_stop(), -EDEADLK);
	hostile_add(from, to, sum);
}

static void stop_inside(void)
{
	struct filch_pool *pool = hostile_pool(1, 0), *serial = hostile_pool(FILCH_NONE, 0);
	atomic_long sum = 0;

	hostile_start(2);
	HOSTILE_CHECK(hostile_job(NULL, stop_here, NULL) == 0);
	HOSTILE_CHECK(hostile_job(pool, stop_here, pool) == 0);
	HOSTILE_CHECK(hostile_job(serial, stop_here, serial) == 0);
	HOSTILE_CHECK(FILCH_RUN(stop_in_task, 0) == 1);
	HOSTILE_CHECK(filch_for(NULL, 0, 100, 1, stop_in_body, &sum) == 0 && sum == 4950);
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0 && filch_pool_destroy(serial) == 0);
	hostile_use_and_stop();
}

static struct filch_future *_Atomic own;

static int wait_for_self(void *group, void **result)
{
	struct filch_future *f;

	*result = NULL;
	if (group) {
		REFUSED(filch_group_wait(group), -EDEADLK);
		REFUSED(filch_group_destroy(group), -EDEADLK);
		return 0;
	}
	while (!(f = atomic_load(&own)))
		sched_yield();
	REFUSED(filch_future_wait(f, result), -EDEADLK);
	REFUSED(filch_future_wait_for(f, 1000000, result), -ETIMEDOUT);
	REFUSED(filch_future_try_wait(f, result), -EAGAIN);
	return 0;
}

static void wait_inside(void)
{
	struct filch_future *f;
	struct filch_group *g;

	hostile_start(2);
	HOSTILE_CHECK(filch_pool_submit(NULL, wait_for_self, NULL, &f) == 0);
	atomic_store(&own, f);
	HOSTILE_CHECK(filch_future_wait(f, NULL) == 0);
	filch_future_destroy(f);
	HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
	HOSTILE_CHECK(filch_group_submit(g, wait_for_self, g) == 0);
	HOSTILE_CHECK(filch_group_destroy(g) == 0);
	hostile_use_and_stop();
}

static int get_storage(void *local, void **result)
{
	*result = filch_local_get(local);
	return 0;
}

/*
 * Only workers of its pool have storage. Jobs of another pool have none, and no job has any after the pool has ended.
 */
static void storage_elsewhere(void)
{
	struct filch_pool *pool = hostile_pool(1, -1);
	struct filch_local *local = NULL;
	struct filch_future *f;
	void *storage = &pool;

	hostile_start(1);
	HOSTILE_CHECK(filch_local_create(&local, pool, 64, NULL, NULL, NULL) == 0);
	REFUSED(filch_local_get(local), NULL);
	HOSTILE_CHECK(filch_pool_submit(NULL, get_storage, local, &f) == 0);
	HOSTILE_CHECK(filch_future_wait(f, &storage) == 0 && !storage);
	filch_future_destroy(f);
	HOSTILE_CHECK(filch_pool_submit(pool, get_storage, local, &f) == 0);
	HOSTILE_CHECK(filch_future_wait(f, &storage) == 0 && storage);
	filch_future_destroy(f);
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	REFUSED(filch_local_get(local), NULL);
	filch_local_destroy(local);
	hostile_use_and_stop();
}

static int count_in_storage(void *local, void **result)
{
	int *storage = filch_local_get(local);

	*result = NULL;
	HOSTILE_CHECK(storage);
	return ++*storage;
}

static void count_end(void *storage, void *sum)
{
	atomic_fetch_add((atomic_int *)sum, *(int *)storage);
}

/*
 * Storage for the default pool outlives it. Without a pool each thread has its own. The next pool has the storage
 * again.
 */
static void storage_of_default(void)
{
	struct filch_local *local = NULL;
	atomic_int sum = 0;

	setenv("FILCH_SPARES", "0", 1);
	hostile_start(1);
	HOSTILE_CHECK(filch_local_create(&local, NULL, sizeof(int), NULL, count_end, &sum) == 0);
	HOSTILE_CHECK(hostile_job(NULL, count_in_storage, local) == 1);
	hostile_use_and_stop();
	HOSTILE_CHECK(count_in_storage(local, &(void *){NULL}) == 1);
	hostile_start(4);
	hostile_use_and_stop();
	hostile_start(1);
	HOSTILE_CHECK(hostile_job(NULL, count_in_storage, local) == 2);
	hostile_use_and_stop();
	HOSTILE_CHECK(count_in_storage(local, &(void *){NULL}) == 2);
	filch_local_destroy(local);
	HOSTILE_CHECK(sum == 4);
}

/* ---- NULL ---- */

static void null_in_pool_h(void)
{
	void *result = &result;

	HOSTILE_CHECK(filch_pool_destroy(NULL) == 0 && filch_group_destroy(NULL) == 0);
	filch_future_destroy(NULL);
	filch_local_destroy(NULL);
	REFUSED(filch_pool_create(NULL, NULL), -EINVAL);
	REFUSED(filch_pool_submit(NULL, NULL, NULL, NULL), -EINVAL);
	REFUSED(filch_pool_submit_or_drop(NULL, NULL, hostile_drop, NULL, NULL), -EINVAL);
	REFUSED(filch_future_wait(NULL, &result), -EINVAL);
	REFUSED(filch_future_wait_for(NULL, 1, &result), -EINVAL);
	REFUSED(filch_future_try_wait(NULL, &result), -EINVAL);
	REFUSED(filch_future_cancel(NULL), -EINVAL);
	HOSTILE_CHECK(result == &result);
	REFUSED(filch_group_create(NULL, NULL), -EINVAL);
	REFUSED(filch_group_submit(NULL, hostile_echo, NULL), -EINVAL);
	REFUSED(filch_group_submit_or_drop(NULL, hostile_echo, NULL, NULL), -EINVAL);
	REFUSED(filch_group_wait(NULL), -EINVAL);
	REFUSED(filch_group_cancel(NULL), -EINVAL);
	REFUSED(filch_local_create(NULL, NULL, 1, NULL, NULL, NULL), -EINVAL);
	REFUSED(filch_local_get(NULL), NULL);
	REFUSED(filch_pool_stats(NULL, -1, NULL), -EINVAL);
}

static void null_in_algo_h(void)
{
	struct filch_reduce_options reduction = {.struct_size = sizeof(reduction), .value_size = 4};
	struct filch_scan_options scanning = {.struct_size = sizeof(scanning), .value_size = 4};
	struct filch_invocation call = {NULL, NULL};
	int numbers[4] = {3, 2, 1, 0};

	REFUSED(filch_for(NULL, 0, 1, 0, NULL, NULL), -EINVAL);
	REFUSED(filch_map(NULL, NULL, numbers, 4, 4, 4, NULL, NULL), -EINVAL);
	REFUSED(filch_map(NULL, numbers, numbers, 4, 4, 4, NULL, NULL), -EINVAL);
	REFUSED(filch_invoke(NULL, NULL, 2), -EINVAL);
	REFUSED(filch_invoke(NULL, &call, 1), -EINVAL);
	REFUSED(filch_reduce(NULL, 0, 4, NULL, numbers), -EINVAL);
	REFUSED(filch_reduce(NULL, 0, 4, &reduction, numbers), -EINVAL);
	REFUSED(filch_reduce(NULL, 0, 4, &reduction, NULL), -EINVAL);
	REFUSED(filch_scan(NULL, numbers, numbers, 4, NULL), -EINVAL);
	REFUSED(filch_scan(NULL, numbers, numbers, 4, &scanning), -EINVAL);
	REFUSED(filch_scan(NULL, NULL, NULL, 4, &scanning), -EINVAL);
	REFUSED(filch_sort(NULL, NULL, 4, 4, NULL, NULL), -EINVAL);
	REFUSED(filch_sort(NULL, numbers, 4, 4, NULL, NULL), -EINVAL);
	REFUSED(filch_sort_stable(NULL, numbers, 4, 4, NULL, NULL), -EINVAL);
	HOSTILE_CHECK(numbers[0] == 3 && numbers[3] == 0);
}

static void null_in_queues(void)
{
	struct filch_deque *d = NULL;
	struct filch_bulk *q = NULL;
	uintptr_t item = 5;

	filch_deque_destroy(NULL);
	filch_bulk_destroy(NULL);
	filch_bulk_poll(NULL);
	HOSTILE_CHECK(filch_deque_create(NULL, NULL, NULL) == -EINVAL &&
		      filch_bulk_create(NULL, NULL, NULL) == -EINVAL);
	HOSTILE_CHECK(filch_deque_create(&d, "", NULL) == -ENOENT && filch_bulk_create(&q, "", NULL) == -ENOENT);
	HOSTILE_CHECK(filch_deque_push(NULL, 1) == -EINVAL && filch_deque_pop(NULL, &item) == -EINVAL);
	HOSTILE_CHECK(filch_deque_steal(NULL, &item) == -EINVAL && item == 5 && filch_deque_size(NULL) == 0);
	HOSTILE_CHECK(filch_deque_steal_many(NULL, &item, 1, NULL) == -EINVAL && filch_bulk_size(NULL) == 0);
	HOSTILE_CHECK(filch_bulk_push(NULL, NULL) == -EINVAL && filch_bulk_pop(NULL, NULL) == -EINVAL);
	HOSTILE_CHECK(filch_bulk_steal(NULL, 0.5, NULL) == -EINVAL);
	for (unsigned k = 0; k < filch_deque_kind_count(); k++) {
		HOSTILE_CHECK(filch_deque_create(&d, filch_deque_kind_name(k), NULL) == 0);
		HOSTILE_CHECK(filch_deque_pop(d, NULL) == -EINVAL && filch_deque_steal(d, NULL) == -EINVAL);
		HOSTILE_CHECK(filch_deque_push(d, 0) == 0 && filch_deque_pop(d, &item) == FILCH_OK && item == 0);
		HOSTILE_CHECK(filch_deque_pop(d, &item) == FILCH_EMPTY);
		filch_deque_destroy(d);
	}
	HOSTILE_CHECK(!filch_deque_kind_name(UINT_MAX) && !filch_bulk_kind_name(UINT_MAX) && !filch_join_name(99));
	HOSTILE_CHECK(!filch_deque_kind_info(UINT_MAX) && !filch_bulk_kind_info(UINT_MAX) && !filch_wait_name(99));
}

static void nulls(void)
{
	for (int pass = 0; pass < 3; pass++) {
		if (pass)
			hostile_start(pass == 1 ? 2 : FILCH_NONE);
		null_in_pool_h();
		null_in_algo_h();
		null_in_queues();
		if (pass)
			hostile_use_and_stop();
	}
}

/* ---- sizes ---- */

static void copy(const void *in, void *out, void *arg)
{
	(void)in;
	(void)out;
	never(0, 0, arg);
}

static int compare(const void *a, const void *b, void *arg)
{
	never(0, 0, arg);
	return a < b;
}

static void combine(void *value, const void *right, void *arg)
{
	(void)value;
	(void)right;
	never(0, 0, arg);
}

static void fold(size_t from, size_t to, void *value, void *arg)
{
	(void)value;
	never(from, to, arg);
}

static void absurd_arrays(void)
{
	struct filch_reduce_options reduction = {
		.struct_size = sizeof(reduction), .value_size = SIZE_MAX, .fold = fold, .combine = combine};
	struct filch_scan_options scanning = {
		.struct_size = sizeof(scanning), .value_size = SIZE_MAX, .combine = combine};
	int numbers[4] = {0};

	REFUSED(filch_map(NULL, numbers, numbers, 2, SIZE_MAX, 4, copy, NULL), -EINVAL);
	REFUSED(filch_map(NULL, numbers, numbers, SIZE_MAX, 4, 4, copy, NULL), -EINVAL);
	REFUSED(filch_sort(NULL, numbers, SIZE_MAX, 4, compare, NULL), -EINVAL);
	REFUSED(filch_sort(NULL, numbers, 4, SIZE_MAX, compare, NULL), -EINVAL);
	REFUSED(filch_sort_stable(NULL, numbers, SIZE_MAX, SIZE_MAX, compare, NULL), -EINVAL);
	REFUSED(filch_invoke(NULL, (struct filch_invocation *)(void *)numbers, SIZE_MAX), -EINVAL);
	HOSTILE_CHECK(filch_reduce(NULL, 0, 4, &reduction, numbers) < 0);
	HOSTILE_CHECK(filch_scan(NULL, numbers, numbers, 4, &scanning) < 0);
	HOSTILE_CHECK(filch_for(NULL, SIZE_MAX, 0, SIZE_MAX, never, NULL) == 0);
	HOSTILE_CHECK(filch_for(NULL, SIZE_MAX, SIZE_MAX, 0, never, NULL) == 0);
	HOSTILE_CHECK(filch_sort(NULL, NULL, 0, 4, compare, NULL) == 0 && filch_invoke(NULL, NULL, 0) == 0);
}

/* Indices up to SIZE_MAX: the loop skips no index, and runs none twice. */
static void last_indices(void)
{
	static const size_t grains[] = {0, 1, 7, SIZE_MAX};
	atomic_long sum;

	for (size_t i = 0; i < sizeof(grains) / sizeof(grains[0]); i++) {
		sum = 0;
		HOSTILE_CHECK(filch_for(NULL, SIZE_MAX - 100, SIZE_MAX, grains[i], hostile_add, &sum) == 0);
		HOSTILE_CHECK(sum == -5150);
	}
}

static void sizes(void)
{
	struct filch_deque_options deque = {.struct_size = sizeof(deque), .capacity = SIZE_MAX};
	struct filch_local *local = NULL;
	struct filch_deque *d = NULL;

	for (int pass = 0; pass < 3; pass++) {
		if (pass)
			hostile_start(pass == 1 ? 2 : FILCH_NONE);
		absurd_arrays();
		last_indices();
		REFUSED(filch_local_create(&local, NULL, 0, NULL, NULL, NULL), -EINVAL);
		REFUSED(filch_local_create(&local, NULL, SIZE_MAX, NULL, NULL, NULL), -EINVAL);
		HOSTILE_CHECK(filch_deque_create(&d, NULL, &deque) == -EINVAL);
		if (pass)
			hostile_use_and_stop();
	}
}

/* ---- structs ---- */

struct newer {
	struct filch_options options;
	char rest[64];
};

static void struct_sizes(void)
{
	static const size_t wrong[] = {0, 1, 7, SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 32};
	struct newer newer = {.options = {.struct_size = sizeof(newer), .workers = 1, .stack = 1 << 20}};
	struct filch_options options = {.workers = 1};
	struct filch_pool *pool = NULL;
	struct filch_stats stats;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		options.struct_size = stats.struct_size = wrong[i];
		REFUSED(filch_start(&options), -EINVAL);
		REFUSED(filch_pool_create(&pool, &options), -EINVAL);
		REFUSED(filch_pool_stats(NULL, -1, &stats), -EINVAL);
	}
	newer.rest[63] = 1;
	REFUSED(filch_start(&newer.options), -EINVAL);
	newer.rest[63] = 0;
	HOSTILE_CHECK(filch_start(&newer.options) == 0 && filch_pool_workers(NULL) == 1);
	hostile_use_and_stop();
}

static void bad_options(void)
{
	static const struct filch_options bad[] = {
		{.workers = 1025},
		{.workers = -2},
		{.workers = INT_MIN},
		{.deque = "nothing"},
		{.victim = "nobody"},
		{.wait = "forever"},
		{.join = "me"},
		{.capacity = SIZE_MAX},
		{.searchers = 1025},
		{.spares = -2},
		{.spares = INT_MAX},
		{.stack = 1},
		{.stack = SIZE_MAX},
		{.pin = 2},
		{.pin = -1},
		{.stack_report = 2},
		{.stack_report = -2},
		{.deque = ""},
		{.searchers = UINT_MAX},
	};
	struct filch_pool *pool = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct filch_options options = bad[i];

		options.struct_size = sizeof(options);
		REFUSED(filch_start(&options), -EINVAL);
		REFUSED(filch_pool_create(&pool, &options), -EINVAL);
		HOSTILE_CHECK(!pool && !filch_pool_workers(NULL));
	}
	hostile_start(2);
	hostile_use_and_stop();
}

/* ---- answers ---- */

static int fail(void *arg, void **result)
{
	*result = arg;
	return (int)(intptr_t)arg;
}

static void *why_is_empty(void *unused)
{
	HOSTILE_CHECK(filch_error_message() && !strlen(filch_error_message()));
	return unused;
}

/* Each wait returns the result of the job, each time, also after the end of the pool. */
static void answers(void)
{
	static const int errors[] = {-EINVAL, -EDEADLK, -ECANCELED, -ESHUTDOWN, 1, INT_MAX, INT_MIN};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		struct filch_future *f;
		void *result = NULL;

		hostile_start(2);
		HOSTILE_CHECK(filch_pool_submit(NULL, fail, (void *)(intptr_t)errors[i], &f) == 0);
		REFUSED(filch_future_wait(f, &result), errors[i]);
		HOSTILE_CHECK(result == (void *)(intptr_t)errors[i]);
		pthread_join(hostile_thread(why_is_empty, NULL), NULL);
		HOSTILE_CHECK(filch_stop() == 0);
		REFUSED(filch_future_try_wait(f, NULL), errors[i]);
		REFUSED(filch_future_wait_for(f, 0, NULL), errors[i]);
		REFUSED(filch_future_cancel(f), -EALREADY);
		filch_future_destroy(f);
	}
}

static const struct hostile_case cases[] = {
	{"before_start", before_start, false},
	{"after_stop", after_stop, true},
	{"started_twice", started_twice, false},
	{"stop_inside", stop_inside, true},
	{"wait_inside", wait_inside, true},
	{"storage_elsewhere", storage_elsewhere, false},
	{"storage_of_default", storage_of_default, false},
	{"nulls", nulls, false},
	{"sizes", sizes, true},
	{"struct_sizes", struct_sizes, false},
	{"bad_options", bad_options, false},
	{"answers", answers, false},
};

HOSTILE_MAIN(cases)
