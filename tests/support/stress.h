/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stress tests share: how much they do, and a ledger. Every item is a number of its own and has a line there: a
 * plain field written before it is pushed and read by whoever takes it (a race there is one for a sanitizer to find),
 * and a count of how often it was taken, which in the end is one.
 *
 * FILCH_STRESS_SCALE in the environment is how much, 1 unless set, 20 in a deep run.
 */
#ifndef TEST_SUPPORT_STRESS_H
#define TEST_SUPPORT_STRESS_H

#include "sanitizer.h"
#include "test.h"

#include <stdatomic.h>
#include <stdint.h>

static double stress_scale; /* of the number of items in one turn, at most 1 */

/* That many items, or what the scale makes of it. */
static inline size_t stress_scaled(size_t items)
{
	double n = (double)items * stress_scale;

	return n < 100 ? 100 : (size_t)n;
}

/* Each five times, or under a sanitizer once, with so much of its items. */
static inline void stress_run(const struct test_scenario *scenarios, size_t count, double sanitized)
{
	const char *wish = getenv("FILCH_STRESS_SCALE");
	double turns = TEST_SANITIZED ? sanitized : 5;

	turns *= wish ? atof(wish) : getenv("FILCH_DEEP") ? 20 : 1;
	stress_scale = turns < 1 ? turns : 1;
	for (size_t i = 0; i < count; i++) {
		printf("%-20s", scenarios[i].name);
		fflush(stdout);
		scenarios[i].run();
		for (double turn = 2; turn <= turns; turn++)
			scenarios[i].run();
		printf(" ok\n");
	}
}

struct stress_entry {
	uintptr_t payload;
	atomic_uint taken;
};

static inline struct stress_entry *stress_open(size_t items)
{
	struct stress_entry *ledger = calloc(items, sizeof(*ledger));

	TEST_CHECK(ledger);
	return ledger;
}

/* To be called before it is pushed. */
static inline uintptr_t stress_put(struct stress_entry *ledger, uintptr_t item)
{
	ledger[item].payload = ~item;
	return item;
}

static inline void stress_take(struct stress_entry *ledger, size_t items, uintptr_t item)
{
	TEST_CHECK(item < items);
	TEST_CHECK(ledger[item].payload == ~item);
	TEST_CHECK(atomic_fetch_add_explicit(&ledger[item].taken, 1, memory_order_relaxed) == 0);
}

static inline void stress_close(struct stress_entry *ledger, size_t items)
{
	for (size_t i = 0; i < items; i++)
		TEST_CHECK(atomic_load_explicit(&ledger[i].taken, memory_order_relaxed) == 1);
	free(ledger);
}

#endif
