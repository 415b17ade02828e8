/* SPDX-License-Identifier: Apache-2.0 */
/* OMP_STACKSIZE sets the workers' stacks; filch bench sets it. */
#include "workload.h"

#include <omp.h>

int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why)
{
	*why = "OpenMP has fewer threads";
	omp_set_dynamic(0);
	omp_set_num_threads((int)setup->workers);
	return omp_get_max_threads() == (int)setup->workers ? 0 : -1;
}

void filchi_runtime_stop(void)
{
}

struct filchi_runtime_counts filchi_runtime_counts(void)
{
	return filchi_runtime_no_counts();
}
