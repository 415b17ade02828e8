/* SPDX-License-Identifier: Apache-2.0 */
/* Back-off: how many tries there are, which of them yield, and when it is time to sleep. */
#include "../fixtures/test.h"

#include "../../src/base/atomic.h"

/* The pauses are counted here, and the yields and the clock below. */
static unsigned paused;
#define filchi_pause() ((void)paused++)
#include "../../src/os/backoff.h"

static unsigned yielded;
static uint64_t now_ns, yield_takes_ns;

void __wrap_filchi_thread_yield(void);
uint64_t __wrap_filchi_clock_ns(void);

void __wrap_filchi_thread_yield(void)
{
	yielded++;
	now_ns += yield_takes_ns;
}

uint64_t __wrap_filchi_clock_ns(void)
{
	return now_ns;
}

static unsigned tries_until_sleep(struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	unsigned tries = 0;

	paused = yielded = 0;
	while (filchi_backoff(b, limits))
		tries++;
	TEST_CHECK(filchi_backoff_is_over(b, limits));
	return tries;
}

static void sleeps_at_once(void)
{
	const struct filchi_backoff_limits limits = {0};
	struct filchi_backoff b = {0};

	TEST_CHECK(tries_until_sleep(&b, &limits) == 0 && paused == 0 && yielded == 0);
}

static void yields_later(void)
{
	const struct filchi_backoff_limits limits = {.tries = 48, .yield_after = 16};
	struct filchi_backoff b = {0};

	TEST_CHECK(tries_until_sleep(&b, &limits) == 48 && paused == 48 && yielded == 32);
	TEST_CHECK(tries_until_sleep(&b, &limits) == 0);
	filchi_backoff_reset(&b);
	TEST_CHECK(tries_until_sleep(&b, &limits) == 48);
}

static void yields_rarely(void)
{
	const struct filchi_backoff_limits limits = {.tries = 2500, .yield_after = 511, .yield_every = 512};
	struct filchi_backoff b = {0};

	TEST_CHECK(tries_until_sleep(&b, &limits) == 2500 && paused == 2500 && yielded == 4);
}

static void doubles_pauses(void)
{
	const struct filchi_backoff_limits limits = {.tries = 5, .yield_after = 5, .doublings = 3};
	struct filchi_backoff b = {0};

	TEST_CHECK(tries_until_sleep(&b, &limits) == 5 && paused == 1 + 2 + 4 + 8 + 8 && yielded == 0);
}

/* With one processor a pause would only keep the other thread from running. */
static void one_processor(void)
{
	const struct filchi_backoff_limits limits = {.tries = 200, .tries_alone = 4, .yield_after = 200};
	struct filchi_backoff many = {0}, alone = {.alone = true};

	TEST_CHECK(tries_until_sleep(&many, &limits) == 200 && paused == 200 && yielded == 0);
	TEST_CHECK(tries_until_sleep(&alone, &limits) == 4 && paused == 0 && yielded == 4);
	filchi_backoff_reset(&alone);
	TEST_CHECK(tries_until_sleep(&alone, &limits) == 4 && yielded == 4);
}

static void ends_in_time(void)
{
	const struct filchi_backoff_limits limits = {.tries = 256, .yield_after = 16, .yield_ns = 100000};
	struct filchi_backoff b = {0};

	now_ns = 1;
	yield_takes_ns = 30000;
	TEST_CHECK(tries_until_sleep(&b, &limits) == 16 + 4 && yielded == 4);
	filchi_backoff_reset(&b);
	yield_takes_ns = 100;
	TEST_CHECK(tries_until_sleep(&b, &limits) == 256 && yielded == 240);
}

static void never_sleeps(void)
{
	const struct filchi_backoff_limits always = {.tries = FILCHI_BACKOFF_ALWAYS, .yield_after = 16};
	const struct filchi_backoff_limits limits = {.tries = 48, .yield_after = 16};
	struct filchi_backoff b = {0};

	paused = yielded = 0;
	for (unsigned i = 0; i < 1000; i++)
		TEST_CHECK(filchi_backoff(&b, &always));
	TEST_CHECK(paused == 1000 && yielded == 984);
	TEST_CHECK(!filchi_backoff_is_over(&b, &always) && filchi_backoff_is_over(&b, &limits));
	b.tries = FILCHI_BACKOFF_ALWAYS - 1;
	TEST_CHECK(filchi_backoff(&b, &always) && b.tries == FILCHI_BACKOFF_ALWAYS - 1);
}

/* A caller that may not sleep yet stays in the last step. */
static void stays(void)
{
	const struct filchi_backoff_limits limits = {.tries = 4, .yield_after = 2};
	struct filchi_backoff b = {0};

	paused = yielded = 0;
	for (unsigned i = 0; i < 10; i++)
		filchi_backoff_stay(&b, &limits);
	TEST_CHECK(paused == 10 && yielded == 8 && filchi_backoff_is_over(&b, &limits));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"sleeps_at_once", sleeps_at_once}, {"yields_later", yields_later},
		{"yields_rarely", yields_rarely},   {"doubles_pauses", doubles_pauses},
		{"one_processor", one_processor},   {"ends_in_time", ends_in_time},
		{"never_sleeps", never_sleeps},	    {"stays", stays}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
