/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping on a word (os/wait.h): permits are taken once each, and a thread that sleeps with a bit is woken. */
#include "../../src/os/wait.h"
#include "../fixtures/test.h"

#include <pthread.h>

#define THREADS 4u
#define TURNS 5000u
#define BIT 1u
#define CHANGED 2u
#define LONG_NS 60000000000u

static struct filchi_permits permits;
static FILCHI_ATOMIC(uint32_t) taken;
static FILCHI_ATOMIC(uint32_t) word;

static void counts(void)
{
	filchi_permits_init(&permits);
	TEST_CHECK(filchi_permits_count(&permits) == 0 && !filchi_permits_try_take(&permits));
	filchi_permits_give(&permits, 3);
	TEST_CHECK(filchi_permits_count(&permits) == 3 && filchi_permits_try_take(&permits));
	filchi_permits_take(&permits);
	filchi_permits_take(&permits);
	TEST_CHECK(filchi_permits_count(&permits) == 0 && !filchi_permits_try_take(&permits));
}

static void *take(void *unused)
{
	for (unsigned i = 0; i < TURNS; i++) {
		filchi_permits_take(&permits);
		(void)filchi_fetch_add_rlx(&taken, 1, TEST);
	}
	return unused;
}

/* Each taker sleeps again and again; permits come one at a time and several at once. */
static void wakes_each_taker(void)
{
	pthread_t thread[THREADS];

	filchi_permits_init(&permits);
	filchi_atomic_init(&taken, 0);
	for (unsigned i = 0; i < THREADS; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, take, NULL));
	for (unsigned given = 0; given < THREADS * TURNS;) {
		unsigned some = given % 3 + 1;

		if (some > THREADS * TURNS - given)
			some = THREADS * TURNS - given;
		filchi_permits_give(&permits, some);
		given += some;
		if (given % 64 == 0)
			filchi_thread_yield();
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	TEST_CHECK(filchi_load_rlx(&taken, TEST) == THREADS * TURNS && filchi_permits_count(&permits) == 0);
}

static void announces(void)
{
	filchi_atomic_init(&word, 4);
	TEST_CHECK(!filchi_wait_announce(&word, 8, BIT) && filchi_load_rlx(&word, TEST) == 4);
	TEST_CHECK(filchi_wait_announce(&word, 4, BIT) && filchi_load_rlx(&word, TEST) == (4 | BIT));
	TEST_CHECK(filchi_wait_announce(&word, 4 | BIT, BIT));
}

static void ends_in_time(void)
{
	uint64_t start = filchi_clock_ns();

	filchi_atomic_init(&word, 0);
	TEST_CHECK(filchi_wait_bit(&word, 0, BIT, start) == -ETIMEDOUT && filchi_load_rlx(&word, TEST) == BIT);
	TEST_CHECK(filchi_wait_bit(&word, BIT, BIT, start + 2000000) == -ETIMEDOUT);
	TEST_CHECK(filchi_clock_ns() - start >= 2000000);
	/* The word has another value: no sleep. */
	TEST_CHECK(filchi_wait_bit(&word, CHANGED, BIT, start + LONG_NS) == 0);
	TEST_CHECK(filchi_wait_until(&word, CHANGED, start + LONG_NS) == 0);
	TEST_CHECK(filchi_wait_until(&word, CHANGED, FILCHI_NO_DEADLINE) == 0);
}

static void *change(void *unused)
{
	while (filchi_load_rlx(&word, TEST) != BIT)
		filchi_thread_yield();
	if (filchi_exchange_rlx(&word, CHANGED, TEST) & BIT)
		filchi_futex_wake(&word, INT32_MAX);
	return unused;
}

static void wakes_sleeper(void)
{
	for (unsigned i = 0; i < 100; i++) {
		pthread_t thread;
		uint32_t seen;

		filchi_atomic_init(&word, 0);
		TEST_CHECK(!pthread_create(&thread, NULL, change, NULL));
		while ((seen = filchi_load_rlx(&word, TEST)) != CHANGED)
			TEST_CHECK(!filchi_wait_bit(&word, seen, BIT,
						    i % 2 ? FILCHI_NO_DEADLINE : LONG_NS + filchi_clock_ns()));
		pthread_join(thread, NULL);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"counts", counts},
							 {"wakes_each_taker", wakes_each_taker},
							 {"announces", announces},
							 {"ends_in_time", ends_in_time},
							 {"wakes_sleeper", wakes_sleeper}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
