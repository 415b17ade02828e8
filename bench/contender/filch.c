/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include <filch.h>

int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why)
{
	struct filch_options options = {
		.size = sizeof(options),
		.workers = (int)setup->workers,
		.deque = setup->deque,
		.victim = setup->victim,
	};
	int err = filch_start(&options);

	*why = filch_why();
	return err ? -1 : 0;
}

void filchi_runtime_stop(void)
{
	filch_stop();
}

struct filchi_runtime_counts filchi_runtime_counts(void)
{
	struct filch_stats stats;

	filch_stats_get(NULL, -1, &stats);
	return (struct filchi_runtime_counts){stats.tasks, stats.steals + stats.leaps};
}
