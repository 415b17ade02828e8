/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How an algorithm starts. This file is the only part of the algorithms that knows pools.
 *
 * The work begins in a worker of the pool. A thread outside of all pools borrows a sleeping worker if it can. Otherwise
 * it hands the work over, as FILCH_RUN_ON does, and so does a worker of another pool.
 */
#include "start.h"

FILCH_TASK(void, start, filchi_start_fn *, run, void *, arg, struct filch_pool *, pool)
{
	run(arg, pool, true);
}

/* True: the calling thread runs as a worker of the pool. */
static bool is_worker_of(const struct filch_pool *pool)
{
	const struct filchi_worker *w = filchi_pool_worker();

	return w && (!pool || filchi_pool_is(pool, w));
}

void filchi_start(struct filch_pool *pool, bool small, filchi_start_fn *run, void *arg)
{
	struct filchi_run_scope scope;
	bool workers = small ? filchi_run_scope_serial(&scope) : filchi_run_scope_begin(&scope, pool);

	if (workers && !is_worker_of(pool))
		FILCH_RUN_ON(pool, start, run, arg, pool);
	else
		run(arg, pool, workers);
	filchi_run_scope_end(&scope);
}
