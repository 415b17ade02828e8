/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks with real threads, over deques, victims, joins, waits and numbers of workers. Each leaf has an entry in a
 * ledger, which must be 1 in the end. Results are compared with the expected values. A spawn that is a call tests
 * nothing here: only made tasks count. The pool counts them.
 */
#include <filch.h>

#include "../fixtures/sanitizer.h"
#include "../fixtures/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_LEAVES = 1 << 16, OUTSIDERS = 4, MAX_SPAWNS = 300, PARTS = 5, RUNS = 6 };

static atomic_uchar ledger[OUTSIDERS][MAX_LEAVES];
static double scale;
static bool blocks; /* some leaves block */
static uint64_t all_leaves, all_tasks, all_steals, all_leapfrogs, all_rejected, all_overflows;

static int scaled(int n)
{
	double m = n * scale;

	return m < 1 ? 1 : (int)m;
}

/* ---- bodies ---- */

/*
 * One leaf. Some leaves take longer, and a few yield: tasks that are all short are hardly worth a steal, and thieves
 * take this into account.
 */
static void leaf(int who, int n)
{
	atomic_fetch_add_explicit(&ledger[who][n], 1, memory_order_relaxed);
	if (n % 16 == 0)
		for (volatile int i = 0; i < 500; i++)
			;
	if (n % 1024 == 0)
		sched_yield();
	if (blocks && n % 32 == 0) {
		filch_blocking_begin();
		sched_yield();
		filch_blocking_end();
	}
}

/* Leaves from..to-1 of a ledger, halved until one is left. */
FILCH_TASK(long, halves, int, who, int, from, int, to)
{
	int middle = from + (to - from) / 2;
	long upper;

	if (to - from == 1) {
		leaf(who, from);
		return from;
	}
	FILCH_SPAWN(halves, who, from, middle);
	upper = FILCH_CALL(halves, who, middle, to);
	return FILCH_SYNC(halves) + upper;
}

/* A loop of spawns, and a loop of syncs. */
FILCH_TASK(long, loop, int, who, int, leaves)
{
	long sum = 0;

	for (int from = 0; from < leaves; from += MAX_SPAWNS) {
		int to = from + MAX_SPAWNS < leaves ? from + MAX_SPAWNS : leaves;

		for (int i = from; i < to; i++)
			FILCH_SPAWN(halves, who, i, i + 1);
		for (int i = from; i < to; i++)
			sum += FILCH_SYNC(halves);
	}
	return sum;
}

struct big {
	long sum;
	int path[40];
};

FILCH_TASK(struct big, wide, int, who, int, from, int, to)
{
	int middle = from + (to - from) / 2;
	struct big lower, upper;

	if (to - from == 1) {
		memset(&upper, 0, sizeof(upper));
		leaf(who, from);
		upper.sum = from;
		upper.path[from % 40] = 1;
		return upper;
	}
	FILCH_SPAWN(wide, who, from, middle);
	upper = FILCH_CALL(wide, who, middle, to);
	lower = FILCH_SYNC(wide);
	upper.sum += lower.sum;
	for (int i = 0; i < 40; i++)
		upper.path[i] += lower.path[i];
	return upper;
}

/* As deep as there are leaves: each leaf spawns the next one. */
FILCH_TASK(long, chain, int, who, int, from, int, to)
{
	long rest;

	if (from == to)
		return 0;
	FILCH_SPAWN(halves, who, from, from + 1);
	rest = FILCH_CALL(chain, who, from + 1, to);
	return FILCH_SYNC(halves) + rest;
}

/* Where part `number` of the leaves begins. The last part is the largest. */
static int part(int leaves, int number)
{
	return leaves * number * number / (PARTS * PARTS);
}

/* Spawned by FILCH_SPAWN_N, with single spawns before and after it. Nested; the last part is the deepest. */
FILCH_TASK(long, parts, int, number, int, who, int, from, int, to)
{
	int first = from + part(to - from, number), last = from + part(to - from, number + 1);
	bool more = number % 2 && last - first > 1;
	long sum = 0;

	if (last - first <= 1) {
		if (first < last)
			leaf(who, first);
		return first < last ? first : 0;
	}
	FILCH_SPAWN(halves, who, first, first + 1);
	FILCH_SPAWN_N(parts, PARTS, who, first + 1 + more, last);
	if (more)
		FILCH_SPAWN(halves, who, first + 1, first + 2);
	if (more)
		sum += FILCH_SYNC(halves);
	for (int i = 0; i < PARTS; i++)
		sum += FILCH_SYNC(parts);
	return FILCH_SYNC(halves) + sum;
}

FILCH_TASK(long, all_spawn_n, int, who, int, leaves)
{
	long sum = 0;

	FILCH_SPAWN_N(parts, PARTS, who, 0, leaves);
	for (int i = 0; i < PARTS; i++)
		sum += FILCH_SYNC(parts);
	return sum;
}

/* FILCH_RUN inside of a task. */
FILCH_TASK(long, nested, int, who, int, from, int, to)
{
	int middle = from + (to - from) / 2;
	long upper;

	if (to - from <= 16)
		return FILCH_RUN(halves, who, from, to);
	FILCH_SPAWN(nested, who, from, middle);
	upper = FILCH_RUN(nested, who, middle, to);
	return FILCH_SYNC(nested) + upper;
}

/* ---- one run of each, with the expected result ---- */

static long sum_below(long n)
{
	return n * (n - 1) / 2;
}

static void settle(int who, int leaves)
{
	for (int i = 0; i < leaves; i++) {
		TEST_CHECK(atomic_load_explicit(&ledger[who][i], memory_order_relaxed) == 1);
		atomic_store_explicit(&ledger[who][i], 0, memory_order_relaxed);
	}
}

static void run_each(int who, int leaves)
{
	struct big big;

	TEST_CHECK(FILCH_RUN(halves, who, 0, leaves) == sum_below(leaves));
	settle(who, leaves);
	TEST_CHECK(FILCH_RUN(loop, who, leaves) == sum_below(leaves));
	settle(who, leaves);
	TEST_CHECK(FILCH_RUN(chain, who, 0, leaves) == sum_below(leaves));
	settle(who, leaves);
	TEST_CHECK(FILCH_RUN(nested, who, 0, leaves) == sum_below(leaves));
	settle(who, leaves);
	TEST_CHECK(FILCH_RUN(all_spawn_n, who, leaves) == sum_below(leaves));
	settle(who, leaves);
	big = FILCH_RUN(wide, who, 0, leaves);
	settle(who, leaves);
	TEST_CHECK(big.sum == sum_below(leaves));
	for (int i = 0; i < 40; i++)
		TEST_CHECK(big.path[i] == leaves / 40 + (i < leaves % 40));
}

struct outsider {
	int who, leaves, times;
};

static void *outside(void *arg)
{
	const struct outsider *o = arg;

	for (int i = 0; i < o->times; i++)
		run_each(o->who, o->leaves);
	return NULL;
}

/* Runs all of them with these options, in several threads at once. */
static void run_with(const struct filch_options *options, int threads, int leaves, int times)
{
	struct outsider o[OUTSIDERS];
	pthread_t thread[OUTSIDERS];
	struct filch_stats stats = {.struct_size = sizeof(stats)};

	TEST_CHECK(filch_start(options) == 0);
	for (int i = 0; i < threads; i++) {
		o[i] = (struct outsider){i, leaves, times};
		TEST_CHECK(!pthread_create(&thread[i], NULL, outside, &o[i]));
	}
	for (int i = 0; i < threads; i++)
		TEST_CHECK(!pthread_join(thread[i], NULL));
	TEST_CHECK(filch_pool_stats(NULL, -1, &stats) == 0);
	TEST_CHECK(stats.misuses == 0);
	TEST_CHECK(stats.steals + stats.leapfrogs <=
		   stats.tasks + stats.rejected + (uint64_t)threads * (uint64_t)times * RUNS);
	TEST_CHECK(filch_stop() == 0);
	all_leaves += (uint64_t)threads * (uint64_t)times * (uint64_t)leaves * RUNS;
	all_tasks += stats.tasks;
	all_steals += stats.steals;
	all_leapfrogs += stats.leapfrogs;
	all_rejected += stats.rejected;
	all_overflows += stats.overflows;
}

/* ---- scenarios ---- */

static const int crowds[] = {1, 2, 3, 8, 32};

/* Every deque that is a stack for its owner, with every policy. The numbers of workers take turns. */
static void policies(void)
{
	unsigned n = 0;

	for (unsigned kind = 0; kind < filch_deque_kind_count(); kind++) {
		if (filch_deque_kind_info(kind)->owner_order != FILCH_LIFO)
			continue;
		for (unsigned v = 0; filch_victim_name(v); v++)
			for (unsigned j = 0; filch_join_name(j); j++)
				for (unsigned w = 0; filch_wait_name(w); w++) {
					struct filch_options o = {.struct_size = sizeof(o), .workers = crowds[n++ % 5]};

					if (TEST_SANITIZED && n % 7) /* slow; 5 must not divide the step */
						continue;
					o.deque = filch_deque_kind_name(kind);
					o.victim = filch_victim_name(v);
					o.join = filch_join_name(j);
					o.wait = filch_wait_name(w);
					run_with(&o, 1, 1000, scaled(2));
				}
	}
}

static void workers(void)
{
	for (unsigned i = 0; i < 5; i++) {
		struct filch_options o = {.struct_size = sizeof(o), .workers = crowds[i]};

		run_with(&o, 1, 20000, scaled(10));
	}
}

static void outsiders(void)
{
	for (unsigned i = 0; i < 5; i++) {
		struct filch_options o = {.struct_size = sizeof(o), .workers = crowds[i]};

		run_with(&o, OUTSIDERS, 300, scaled(40));
	}
}

/* A worker has room for one or two tasks, so most tasks do not fit. */
static void capacity(void)
{
	for (unsigned kind = 0; kind < filch_deque_kind_count(); kind++)
		for (size_t room = 1; room <= 2; room++) {
			struct filch_options o = {.struct_size = sizeof(o), .workers = 3, .capacity = room};

			o.deque = filch_deque_kind_name(kind);
			run_with(&o, 2, 500, scaled(10));
		}
}

/* Short runs with pauses, so that all workers fall asleep and wake again and again. */
static void wakes(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 3, .wait = "power"};

	run_with(&o, 3, 40, scaled(2000));
}

/* Leaves block: spares come and go, steal, and are stolen from. */
static void spares(void)
{
	static const int crowd[] = {2, 3, 8};

	blocks = true;
	for (unsigned i = 0; i < 3; i++) {
		struct filch_options o = {.struct_size = sizeof(o), .workers = crowd[i], .spares = 3};

		run_with(&o, 2, 2000, scaled(10));
	}
	blocks = false;
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"policies", policies}, {"workers", workers}, {"outsiders", outsiders},
		{"capacity", capacity}, {"wakes", wakes},     {"spares", spares},
	};
	const char *text = getenv("FILCH_STRESS_SCALE");
	int turns = getenv("FILCH_DEEP") ? 2 : 1;

	scale = text ? atof(text) : getenv("FILCH_DEEP") ? 20 : TEST_SANITIZED ? 0.05 : 0.4;
	for (int i = 0; i < turns; i++)
		test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	printf("%llu leaves, each once; tasks %llu, steals %llu, leapfrogs %llu, rejected %llu, overflows %llu\n",
	       (unsigned long long)all_leaves, (unsigned long long)all_tasks, (unsigned long long)all_steals,
	       (unsigned long long)all_leapfrogs, (unsigned long long)all_rejected, (unsigned long long)all_overflows);
	TEST_CHECK(all_tasks && all_steals);
	return TEST_PASS;
}
