/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include <filch.h>

static const char *deque; /* of the setup */

int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why)
{
	struct filch_options options = {
		.size = sizeof(options),
		.workers = (int)setup->workers,
		.deque = setup->deque,
		.victim = setup->victim,
		.join = setup->join,
	};
	int err = filch_start(&options);

	deque = setup->deque;
	*why = filch_why();
	return err ? -1 : 0;
}

void filchi_runtime_stop(void)
{
	filch_stop();
}

struct filchi_runtime_counts filchi_runtime_counts(void)
{
	struct filchi_runtime_counts counts = filchi_runtime_no_counts();
	struct filch_stats stats = {.size = sizeof(stats)};

	filch_stats_get(NULL, -1, &stats);
	counts.tasks = stats.tasks;
	counts.steals = stats.steals + stats.leaps;
	counts.leaps = stats.leaps;
	counts.grows = stats.grows;
	counts.shrinks = stats.shrinks;
	return counts;
}

const char *filchi_runtime_deque(void)
{
	return deque;
}
