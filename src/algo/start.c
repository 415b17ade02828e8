/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How an algorithm starts. This file is the only part of the algorithms that knows pools.
 *
 * A call on the caller's own pool, or on the default pool, takes place in the calling thread, which borrows a sleeping
 * worker if it can. A call on any other pool goes there as a job.
 */
#include "start.h"

struct start {
	filchi_start_fn *run;
	void *arg;
};

static int start_there(void *arg, void **result)
{
	const struct start *s = arg;

	(void)result;
	s->run(s->arg, true);
	return 0;
}

static bool is_elsewhere(const struct filch_pool *pool)
{
	const struct filchi_worker *w = filchi_pool_worker();

	return pool && (!w || filchi_pool_of(w) != pool);
}

int filchi_start(struct filch_pool *pool, bool small, filchi_start_fn *run, void *arg)
{
	struct filchi_run_scope scope;
	bool workers;

	if (!small && is_elsewhere(pool)) {
		struct start s = {run, arg};
		struct filch_future *job;
		int err = filch_pool_submit(pool, start_there, &s, &job);

		if (err)
			return err;
		err = filch_future_wait(job, NULL);
		filch_future_destroy(job);
		return err;
	}
	workers = small ? filchi_run_scope_serial(&scope) : filchi_run_scope_begin(&scope);
	run(arg, workers);
	filchi_run_scope_end(&scope);
	return 0;
}
