/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

#include <filch.h>

static const char *deque; /* of the setup */

int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why)
{
	struct filch_options options = {
		.struct_size = sizeof(options),
		.workers = (int)setup->workers,
		.deque = setup->deque,
		.victim = setup->victim,
		.join = setup->join,
	};
	int err = filch_start(&options);

	deque = setup->deque;
	*why = filch_error_message();
	return err ? -1 : 0;
}

void filchi_runtime_stop(void)
{
	filch_stop();
}

struct filchi_runtime_counts filchi_runtime_counts(void)
{
	struct filchi_runtime_counts counts = filchi_runtime_no_counts();
	struct filch_stats stats = {.struct_size = sizeof(stats)};

	filch_pool_stats(NULL, -1, &stats);
	counts.tasks = stats.tasks;
	counts.steals = stats.steals + stats.leapfrogs;
	counts.leapfrogs = stats.leapfrogs;
	counts.grows = stats.split_grows;
	counts.shrinks = stats.split_shrinks;
	return counts;
}

const char *filchi_runtime_deque(void)
{
	return deque;
}
