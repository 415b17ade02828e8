/* SPDX-License-Identifier: Apache-2.0 */
/* Around what blocks: src/sched/spare.c has how. */
#include "pool.h"

void filch_blocking_begin(void)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (w)
		filchi_pool_block(w);
}

void filch_blocking_end(void)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (w)
		filchi_spare_end(w);
}
