/* SPDX-License-Identifier: Apache-2.0 */
/* Storage for each worker: one init and one fini for each worker that used it; and the hooks of workers. */
#include "../fixtures/out_of_memory.h"
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct tally {
	uint64_t first; /* all zero before init */
	uint64_t inits;
	uint64_t uses;
	int worker;
};

static atomic_int inits, finis, wrong;
static uint64_t sum;
static struct filch_local *local;

static void init(void *storage, void *context)
{
	struct tally *t = storage;

	if (t->first || t->inits || (uintptr_t)storage % 64 || context != &sum)
		atomic_fetch_add(&wrong, 1);
	t->inits++;
	t->worker = filch_worker_id();
	atomic_fetch_add(&inits, 1);
}

static void fini(void *storage, void *context)
{
	struct tally *t = storage;

	*(uint64_t *)context += t->uses;
	if (t->inits != 1)
		atomic_fetch_add(&wrong, 1);
	atomic_fetch_add(&finis, 1);
}

static int use(void *arg, void **result)
{
	struct tally *t = filch_local_get(local);

	(void)arg;
	(void)result;
	if (!t)
		return -ENOMEM;
	t->uses++;
	return t->worker == filch_worker_id() && filch_local_get(local) == t ? 0 : -EPROTO;
}

static void once(struct filch_pool *pool)
{
	struct filch_group *g;

	atomic_store(&inits, 0);
	atomic_store(&finis, 0);
	sum = 0;
	TEST_CHECK(filch_local_create(&local, pool, sizeof(struct tally), init, fini, &sum) == 0);
	TEST_CHECK((filch_pool_workers(pool) == 0) == (filch_local_get(local) != NULL));
	TEST_CHECK(filch_group_create(&g, pool) == 0);
	for (int i = 0; i < 2000; i++)
		TEST_CHECK(filch_group_submit(g, use, NULL) == 0);
	TEST_CHECK(filch_group_destroy(g) == 0);
	TEST_CHECK(atomic_load(&inits) >= 1 && atomic_load(&inits) <= (int)filch_pool_worker_ids(pool));
	TEST_CHECK(atomic_load(&finis) == 0);
	filch_local_destroy(local);
	TEST_CHECK(atomic_load(&inits) == atomic_load(&finis) && !atomic_load(&wrong) && sum == 2000);
}

static void with_pools(void)
{
	test_with_pools(once);
}

static void misuse(void)
{
	struct filch_pool *pool = test_pool(1, -1, NULL), *other = test_pool(1, -1, NULL);

	TEST_CHECK(filch_local_create(NULL, pool, 1, NULL, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_local_create(&local, pool, 0, NULL, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_local_create(&local, pool, SIZE_MAX, NULL, NULL, NULL) == -EINVAL);
	TEST_CHECK(strstr(filch_error_message(),
			  SIZE_MAX == UINT32_MAX ? "size is 4294967295" : "size is 18446744073709551615"));
	TEST_CHECK(filch_local_create(&local, pool, (size_t)PTRDIFF_MAX + 1, NULL, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_local_create(&local, NULL, 1, NULL, NULL, NULL) == -ESHUTDOWN);
	filch_local_destroy(NULL);
	TEST_CHECK(filch_local_get(NULL) == NULL && !strcmp(filch_error_message(), "the storage is NULL"));
	/* Neither a worker of another pool nor an external thread has storage. */
	TEST_CHECK(filch_local_create(&local, pool, 8, NULL, NULL, NULL) == 0);
	TEST_CHECK(test_job(other, use, NULL) == -ENOMEM);
	TEST_CHECK(filch_local_get(local) == NULL);
	TEST_CHECK(filch_pool_destroy(other) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	filch_local_destroy(local);
}

static void *use_alone(void *pool)
{
	for (int i = 0; i < 1000; i++) {
		TEST_CHECK(test_job(pool, use, NULL) == 0);
	}
	return NULL;
}

/* Without workers each calling thread has its own storage, so no locks are necessary in this case either. */
static void threads_alone(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	pthread_t threads[4];

	sum = 0;
	atomic_store(&inits, 0);
	atomic_store(&finis, 0);
	TEST_CHECK(filch_local_create(&local, pool, sizeof(struct tally), init, fini, &sum) == 0);
	for (int i = 0; i < 4; i++)
		TEST_CHECK(pthread_create(&threads[i], NULL, use_alone, pool) == 0);
	for (int i = 0; i < 4; i++)
		TEST_CHECK(pthread_join(threads[i], NULL) == 0);
	filch_local_destroy(local);
	TEST_CHECK(sum == 4000 && atomic_load(&inits) == atomic_load(&finis) && atomic_load(&inits) <= 4);
	TEST_CHECK(atomic_load(&wrong) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static void *ask_once(void *arg)
{
	struct tally *t = filch_local_get(local);

	TEST_CHECK(t && t->inits == 1 && !t->uses && filch_local_get(local) == t);
	t->uses++;
	return arg;
}

/* Threads run one after the other: a new thread does not get the storage of a thread that has ended. */
static void threads_in_turn(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	pthread_t thread;

	sum = 0;
	atomic_store(&inits, 0);
	atomic_store(&finis, 0);
	TEST_CHECK(filch_local_create(&local, pool, sizeof(struct tally), init, fini, &sum) == 0);
	for (int i = 0; i < 100; i++) {
		TEST_CHECK(pthread_create(&thread, NULL, ask_once, NULL) == 0);
		TEST_CHECK(pthread_join(thread, NULL) == 0);
	}
	TEST_CHECK(atomic_load(&inits) == 100 && atomic_load(&finis) == 0);
	filch_local_destroy(local);
	TEST_CHECK(sum == 100 && atomic_load(&finis) == 100 && !atomic_load(&wrong));
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* ---- one default pool after the other ---- */

static atomic_int at_work;

/* All workers run at once. Each has kept its own storage since its first use, with the right count of uses. */
static int use_together(void *arg, void **result)
{
	struct tally *t = filch_local_get(local);
	int worker = filch_worker_id();

	(void)result;
	TEST_CHECK(t && t->inits == 1 && t->worker == worker && t->uses == ((uint64_t *)arg)[worker]);
	t->uses++;
	((uint64_t *)arg)[worker]++;
	atomic_fetch_add(&at_work, 1);
	while (atomic_load(&at_work) < (int)filch_pool_workers(NULL))
		sched_yield();
	return 0;
}

static void start(int workers)
{
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = workers, .spares = -1, .stack = 1 << 20};

	TEST_CHECK(filch_start(&options) == 0);
}

static void use_all(uint64_t uses[])
{
	struct filch_group *g;

	atomic_store(&at_work, 0);
	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	for (unsigned i = 0; i < filch_pool_workers(NULL); i++)
		TEST_CHECK(filch_group_submit(g, use_together, uses) == 0);
	test_await(&at_work, (int)filch_pool_workers(NULL)); /* so that each worker runs one of the jobs */
	TEST_CHECK(filch_group_destroy(g) == 0);
}

/* This thread is no worker. */
static void use_outside(uint64_t *uses)
{
	struct tally *t = filch_local_get(local);

	TEST_CHECK(t && t->inits == 1 && t->worker == -1 && t->uses == *uses);
	t->uses++;
	++*uses;
}

/*
 * Default pools with fewer workers, with more, with none, and times without a pool. first: workers of the pool in which
 * the storage was created.
 */
static void follow(int first)
{
	static const int workers[] = {2, 1, 4, FILCH_NONE, 3, FILCH_NONE, 8, 2};
	uint64_t uses[8] = {0}, outside = 0, all = 0;

	sum = 0;
	atomic_store(&inits, 0);
	atomic_store(&finis, 0);
	start(first);
	TEST_CHECK(filch_local_create(&local, NULL, sizeof(struct tally), init, fini, &sum) == 0);
	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		if (filch_pool_workers(NULL)) {
			use_all(uses);
			TEST_CHECK(!filch_local_get(local) &&
				   strstr(filch_error_message(), "is no worker of the pool"));
		} else {
			use_outside(&outside);
		}
		TEST_CHECK(filch_stop() == 0);
		use_outside(&outside);
		start(workers[i]);
	}
	use_all(uses);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(atomic_load(&inits) == 9 && atomic_load(&finis) == 0);
	filch_local_destroy(local);
	for (int i = 0; i < 8; i++)
		all += uses[i];
	TEST_CHECK(sum == all + outside && atomic_load(&finis) == 9 && !atomic_load(&wrong));
}

static void default_pools(void)
{
	follow(1);
	follow(2);
	follow(8);
	follow(FILCH_NONE);
}

/* A worker of another pool counts as any other thread: it has storage if the default pool has no workers. */
static int ask(void *arg, void **result)
{
	(void)arg;
	*result = filch_local_get(local);
	return 0;
}

static void *answer_of(struct filch_pool *pool)
{
	struct filch_future *f;
	void *answer;

	TEST_CHECK(filch_pool_submit(pool, ask, NULL, &f) == 0);
	while (filch_future_try_wait(f, &answer) == -EAGAIN)
		sched_yield(); /* the worker runs the job, not this thread */
	filch_future_destroy(f);
	return answer;
}

static void other_pool(void)
{
	struct filch_pool *pool = test_pool(1, -1, NULL);
	void *storage;

	start(FILCH_NONE);
	TEST_CHECK(filch_local_create(&local, NULL, 8, NULL, NULL, NULL) == 0);
	storage = answer_of(pool);
	TEST_CHECK(storage && storage == answer_of(pool) && storage != filch_local_get(local));
	TEST_CHECK(filch_stop() == 0);
	start(1);
	TEST_CHECK(!answer_of(pool) && answer_of(NULL) && answer_of(NULL) != storage);
	filch_local_destroy(local);
	/* The worker has storage of its own pool, which is not the storage of the default pool. */
	TEST_CHECK(filch_local_create(&local, pool, 8, NULL, NULL, NULL) == 0);
	storage = answer_of(pool);
	TEST_CHECK(storage && !answer_of(NULL) && !filch_local_get(local));
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(!filch_local_get(local) && answer_of(pool) == storage);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	filch_local_destroy(local);
}

static void out_of_memory(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	long live = out_of_memory_live();

	out_of_memory_at(1);
	TEST_CHECK(filch_local_create(&local, pool, 8, NULL, NULL, NULL) == -ENOMEM);
	TEST_CHECK(filch_local_create(&local, pool, 8, NULL, NULL, NULL) == 0);
	for (int at = 1; at < 3; at++) { /* the entry of this thread, then the storage */
		out_of_memory_at(1);
		TEST_CHECK(filch_local_get(local) == NULL);
	}
	TEST_CHECK(filch_local_get(local) != NULL);
	filch_local_destroy(local);
	TEST_CHECK(out_of_memory_live() == live);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* ---- hooks ---- */

static struct {
	pthread_t thread;
	atomic_int begins, ends;
} workers[16];

static void worker_begin(int worker, void *context)
{
	TEST_CHECK(context == workers && worker == filch_worker_id());
	workers[worker].thread = pthread_self();
	atomic_fetch_add(&workers[worker].begins, 1);
}

static void worker_end(int worker, void *context)
{
	TEST_CHECK(context == workers && pthread_equal(workers[worker].thread, pthread_self()));
	TEST_CHECK(atomic_load(&workers[worker].begins) == 1);
	atomic_fetch_add(&workers[worker].ends, 1);
}

static int check_begun(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return atomic_load(&workers[filch_worker_id()].begins) == 1 ? 0 : -EPROTO;
}

static void hooks(void)
{
	struct filch_options options = {.struct_size = sizeof(options),
					.workers = 8,
					.worker_begin = worker_begin,
					.worker_end = worker_end,
					.arg = workers};
	struct filch_pool *pool;
	struct filch_group *g;

	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 16; i++) {
			atomic_store(&workers[i].begins, 0);
			atomic_store(&workers[i].ends, 0);
		}
		TEST_CHECK(filch_pool_create(&pool, &options) == 0);
		TEST_CHECK(filch_group_create(&g, pool) == 0);
		for (int i = 0; i < 100; i++)
			TEST_CHECK(filch_group_submit(g, check_begun, NULL) == 0);
		TEST_CHECK(filch_group_destroy(g) == 0);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
		for (int i = 0; i < 16; i++) {
			TEST_CHECK(atomic_load(&workers[i].begins) == atomic_load(&workers[i].ends));
			TEST_CHECK(i >= 8 || atomic_load(&workers[i].begins) == 1);
		}
	}
}

/* A worker of the default pool knows that it is one from its first hook on. */
static int count_run(void *arg, void **result)
{
	(void)result;
	atomic_fetch_add((atomic_int *)arg, 1);
	return 0;
}

static void submits(int worker, void *context)
{
	(void)worker;
	if (filch_pool_submit(NULL, count_run, context, NULL))
		atomic_fetch_add(&wrong, 1);
}

static void hook_submits(void)
{
	atomic_int runs = 0;
	struct filch_options options = {
		.struct_size = sizeof(options), .workers = 3, .spares = -1, .worker_begin = submits, .arg = &runs};

	wrong = 0;
	for (int round = 1; round <= 50; round++) {
		TEST_CHECK(filch_start(&options) == 0);
		TEST_CHECK(filch_stop() == 0);
		TEST_CHECK(runs == 3 * round);
	}
	TEST_CHECK(wrong == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"once", with_pools},
							 {"misuse", misuse},
							 {"threads_alone", threads_alone},
							 {"threads_in_turn", threads_in_turn},
							 {"default_pools", default_pools},
							 {"other_pool", other_pool},
							 {"out_of_memory", out_of_memory},
							 {"hooks", hooks},
							 {"hook_submits", hook_submits}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
