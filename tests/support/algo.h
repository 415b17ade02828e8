/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the algorithms run each scenario on pools of several sizes. */
#ifndef TEST_SUPPORT_ALGO_H
#define TEST_SUPPORT_ALGO_H

#include "test.h"

#include <filch.h>

/* Each scenario without a pool, with no workers, and with 1, 2 and 8. */
static inline void algo_run(const struct test_scenario *scenarios, size_t count)
{
	static const int workers[] = {0, FILCH_NO_WORKERS, 1, 2, 8};

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		struct filch_options options = {.size = sizeof(options), .workers = workers[i]};

		if (workers[i])
			TEST_CHECK(filch_start(&options) == 0);
		printf("%u workers%s\n", filch_workers(NULL), workers[i] ? "" : ", no pool");
		test_run(scenarios, count);
		TEST_CHECK(filch_stop() == 0);
	}
}

#endif
