/* SPDX-License-Identifier: Apache-2.0 */
/* fork(): the child has the storage of the default pool, under the numbers of the workers. */
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <sched.h>

static struct filch_local *local;
static int inits, finis;
static atomic_int in_init, go_on;

struct storage {
	int inits, value;
};

static void init(void *storage, void *context)
{
	struct storage *s = storage;

	(void)context;
	CHILD_CHECK(!s->inits && !s->value);
	inits++;
	s->value = 1;
	atomic_store(&in_init, 1);
	test_await(&go_on, 1);
	s->inits++;
	s->value = 2;
}

static void fini(void *storage, void *context)
{
	(void)context;
	CHILD_CHECK(((struct storage *)storage)->inits == 1);
	finis++;
}

static int add_one(void *arg, void **result)
{
	struct storage *s = filch_local_get(local);

	(void)arg;
	(void)result;
	return s ? s->value++ : -EPROTO;
}

static int added(void)
{
	struct filch_future *f;
	int value;

	CHILD_CHECK(filch_pool_submit(NULL, add_one, NULL, &f) == 0);
	while ((value = filch_future_try_wait(f, NULL)) == -EAGAIN)
		sched_yield(); /* the worker runs the job, not this thread */
	filch_future_destroy(f);
	return value;
}

/* Worker 0 of the child is another thread and has the storage of the parent's worker 0. */
static void use_storage(void *value)
{
	CHILD_CHECK(added() == *(int *)value);
	CHILD_CHECK(!filch_local_get(local));
	CHILD_CHECK(filch_stop() == 0 && finis == 0);
	filch_local_destroy(local);
	CHILD_CHECK(finis == 1);
}

/* The thread that was in init does not exist in the child. Init runs again, on storage that is zero again. */
static void use_unfinished(void *unused)
{
	(void)unused;
	atomic_store(&go_on, 1);
	use_storage(&(int){2});
	CHILD_CHECK(inits == 2);
}

/* If the child never uses the storage, it calls neither init nor fini. */
static void drop_unfinished(void *unused)
{
	(void)unused;
	CHILD_CHECK(filch_stop() == 0);
	filch_local_destroy(local);
	CHILD_CHECK(inits == 1 && finis == 0);
}

static void storage(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 1, .spares = -1};
	struct filch_future *f;

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(filch_local_create(&local, NULL, sizeof(struct storage), init, fini, NULL) == 0);
	TEST_CHECK(filch_pool_submit(NULL, add_one, NULL, &f) == 0);
	test_await(&in_init, 1);
	TEST_CHECK(test_in_child(use_unfinished, NULL) == 0);
	TEST_CHECK(test_in_child(drop_unfinished, NULL) == 0);
	atomic_store(&go_on, 1);
	TEST_CHECK(filch_future_wait(f, NULL) == 2);
	filch_future_destroy(f);
	for (int value = 3; value < 6; value++) {
		TEST_CHECK(test_in_child(use_storage, &value) == 0);
		TEST_CHECK(added() == value);
	}
	TEST_CHECK(filch_stop() == 0);
	filch_local_destroy(local);
	TEST_CHECK(inits == 1 && finis == 1);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"storage", storage}};

	test_run(scenarios, 1);
	return TEST_PASS;
}
