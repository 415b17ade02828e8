/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No runtime: the baseline of all others. The recursive functions of the workloads are inline, as tasks of filch
 * are. Without that word gcc does not inline them into themselves, and some take twice as long.
 */
#include "workload.h"

int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why)
{
	*why = "the serial program has one worker";
	return setup->workers == 1 ? 0 : -1;
}

void filchi_runtime_stop(void)
{
}

struct filchi_runtime_counts filchi_runtime_counts(void)
{
	return filchi_runtime_no_counts();
}
