/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exactly-once accounting, over all kinds of deques and several numbers of workers. Jobs come from external threads,
 * from jobs and from groups. Threads wait for jobs, cancel them or forget them. Each job runs once, or reports that it
 * was cancelled.
 */
#include "../fixtures/pool/pools.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define OUTSIDE 3
#define NODES 4096

static const int worker_counts[] = {1, 2, 3, 8, 32};

static struct filch_pool *pool;
static atomic_uchar runs[OUTSIDE][NODES];
static atomic_uint cancelled, total;
static unsigned rounds;

/* A node of a heap: its children are 2n and 2n + 1. */
struct node {
	unsigned thread, number;
};

static struct node nodes[OUTSIDE][NODES];

static int leaf(void *arg, void **result)
{
	struct node *n = arg;

	atomic_fetch_add(&runs[n->thread][n->number], 1);
	atomic_fetch_add(&total, 1);
	*result = n;
	return 0;
}

static int tree(void *arg, void **result);

/* One child as a job, the other one here; then waits for both. */
static int by_future(struct node *left, struct node *right)
{
	struct filch_future *f;
	void *result;
	int err;

	TEST_CHECK(filch_pool_submit(pool, tree, left, &f) == 0);
	err = tree(right, &result);
	TEST_CHECK(filch_future_wait(f, &result) == err && result == left);
	filch_future_destroy(f);
	return err;
}

static int by_group(struct node *left, struct node *right)
{
	struct filch_group *g;

	TEST_CHECK(filch_group_create(&g, pool) == 0);
	TEST_CHECK(filch_group_submit(g, tree, left) == 0);
	TEST_CHECK(filch_group_submit(g, tree, right) == 0);
	TEST_CHECK(filch_group_wait(g) == 0);
	return filch_group_destroy(g);
}

static int by_itself(struct node *left, struct node *right)
{
	TEST_CHECK(filch_pool_submit(pool, tree, left, NULL) == 0);
	TEST_CHECK(filch_pool_submit(pool, tree, right, NULL) == 0);
	return 0;
}

static int tree(void *arg, void **result)
{
	struct node *n = arg;

	leaf(n, result);
	if (2 * n->number >= NODES)
		return 0;
	switch ((n->number * 2654435761u >> 16) % 3) {
	case 0:
		return by_future(n + n->number, n + n->number + 1);
	case 1:
		return by_group(n + n->number, n + n->number + 1);
	default:
		return by_itself(n + n->number, n + n->number + 1);
	}
}

static void *grow_tree(void *arg)
{
	struct node *n = arg;
	struct filch_future *f;

	TEST_CHECK(filch_pool_submit(pool, tree, n + 1, &f) == 0);
	TEST_CHECK(filch_future_wait(f, NULL) == 0);
	filch_future_destroy(f);
	return NULL;
}

/* Each job runs once or is cancelled, and its future says which. */
static void *cancel_some(void *arg)
{
	struct node *n = arg;
	struct filch_future *f[64];

	for (unsigned i = 0; i < NODES; i += 64) {
		for (unsigned k = 0; k < 64; k++)
			TEST_CHECK(filch_pool_submit(pool, leaf, n + i + k, &f[k]) == 0);
		for (unsigned k = 0; k < 64; k += 2)
			(void)filch_future_cancel(f[k]);
		for (unsigned k = 0; k < 64; k++) {
			int err = filch_future_wait(f[k], NULL);

			TEST_CHECK(err == 0 || (err == -ECANCELED && k % 2 == 0));
			TEST_CHECK(atomic_load(&runs[n->thread][i + k]) == !err);
			atomic_fetch_add(&cancelled, err != 0);
			filch_future_destroy(f[k]);
		}
	}
	return NULL;
}

static void *group_and_cancel(void *arg)
{
	struct node *n = arg;
	struct filch_group *g;
	unsigned before = 0;

	for (unsigned i = 0; i < NODES; i += 256) {
		unsigned ran = 0;
		int err;

		TEST_CHECK(filch_group_create(&g, pool) == 0);
		for (unsigned k = 0; k < 256; k++)
			TEST_CHECK(filch_group_submit(g, leaf, n + i + k) == 0);
		if (i & 256)
			TEST_CHECK(filch_group_cancel(g) == 0);
		err = filch_group_destroy(g);
		for (unsigned k = 0; k < 256; k++) {
			unsigned char times = atomic_load(&runs[n->thread][i + k]);

			TEST_CHECK(times <= 1);
			ran += times;
		}
		TEST_CHECK(err == (ran == 256 ? 0 : -ECANCELED) && (ran == 256 || (i & 256)));
		before += 256 - ran;
	}
	atomic_fetch_add(&cancelled, before);
	return NULL;
}

static void together(const char *deque, int workers, void *(*const does[OUTSIDE])(void *))
{
	pthread_t thread[OUTSIDE];
	struct filch_stats stats = {.struct_size = sizeof(stats)};
	unsigned expected = 0;

	memset(runs, 0, sizeof(runs));
	atomic_store(&cancelled, 0);
	atomic_store(&total, 0);
	pool = test_pool(workers, 0, deque);
	for (unsigned t = 0; t < OUTSIDE; t++) {
		for (unsigned i = 0; i < NODES; i++)
			nodes[t][i] = (struct node){t, i};
		TEST_CHECK(!pthread_create(&thread[t], NULL, does[t], nodes[t]));
		expected += does[t] == grow_tree ? NODES - 1 : NODES;
	}
	for (unsigned t = 0; t < OUTSIDE; t++)
		pthread_join(thread[t], NULL);
	/* No thread waits for some of the jobs: the end of the pool runs them. */
	TEST_CHECK(filch_pool_stats(pool, -1, &stats) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(atomic_load(&total) + atomic_load(&cancelled) == expected);
	TEST_CHECK(stats.jobs <= expected);
	for (unsigned t = 0; t < OUTSIDE; t++)
		for (unsigned i = does[t] == grow_tree; i < NODES; i++)
			TEST_CHECK(atomic_load(&runs[t][i]) == 1 ||
				   (does[t] != grow_tree && !atomic_load(&runs[t][i])));
}

static void no_loss_no_double(void)
{
	static void *(*const mixes[][OUTSIDE])(void *) = {{grow_tree, grow_tree, grow_tree},
							  {grow_tree, cancel_some, group_and_cancel},
							  {group_and_cancel, group_and_cancel, cancel_some}};

	for (unsigned kind = 0; kind < filch_deque_kind_count(); kind++)
		for (size_t w = 0; w < sizeof(worker_counts) / sizeof(worker_counts[0]); w++)
			for (unsigned round = 0; round < rounds; round++)
				for (size_t m = 0; m < sizeof(mixes) / sizeof(mixes[0]); m++)
					together(filch_deque_kind_name(kind), worker_counts[w], mixes[m]);
}

/* Pools start and end while others work. */
static void *come_and_go(void *arg)
{
	for (unsigned i = 0; i < 20 * rounds; i++) {
		struct filch_pool *own =
			test_pool(1 + (int)(i % 3), 0, filch_deque_kind_name(i % filch_deque_kind_count()));
		struct node n[10] = {{0, 0}};
		struct filch_future *f[10];
		void *result;

		for (int k = 0; k < 10; k++)
			TEST_CHECK(filch_pool_submit(own, leaf, &n[k], &f[k]) == 0);
		TEST_CHECK(filch_pool_destroy(own) == 0);
		for (int k = 0; k < 10; k++) {
			TEST_CHECK(filch_future_try_wait(f[k], &result) == 0 && result == &n[k]);
			filch_future_destroy(f[k]);
		}
	}
	return arg;
}

static void pools(void)
{
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, come_and_go, NULL));
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"no_loss_no_double", no_loss_no_double}, {"pools", pools}};

	rounds = getenv("FILCH_DEEP") ? 50 : TEST_SANITIZED ? 1 : 2;
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
