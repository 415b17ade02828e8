/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

#include <memory>
#include <oneapi/tbb/global_control.h>

using tbb::global_control;

static std::unique_ptr<global_control> threads, stack;

int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why)
{
	*why = "oneTBB has fewer threads";
	threads = std::make_unique<global_control>(global_control::max_allowed_parallelism, setup->workers);
	stack = std::make_unique<global_control>(global_control::thread_stack_size, FILCHI_WORKLOAD_STACK);
	return global_control::active_value(global_control::max_allowed_parallelism) == setup->workers ? 0 : -1;
}

void filchi_runtime_stop(void)
{
	stack.reset();
	threads.reset();
}

struct filchi_runtime_counts filchi_runtime_counts(void)
{
	return filchi_runtime_no_counts();
}
