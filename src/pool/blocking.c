/* SPDX-License-Identifier: Apache-2.0 */
/* filch_blocking_begin and filch_blocking_end: src/sched/spare.c has the mechanism. */
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
