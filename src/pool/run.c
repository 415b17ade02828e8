/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_RUN and FILCH_RUN_ON, and the run scope of loops and other algorithms.
 *
 * The calling thread decides where a task runs:
 *
 * - A worker runs a task of its own pool itself, above whatever it does.
 * - A thread outside of all pools hands the task to the pool and sleeps until it is done.
 * - A thread inside a job or task of another pool may be all that its pool has. So it submits a job that runs the task,
 *   and waits for this job like for any future: a spare takes its place, and pools whose tasks run each other in a
 *   circle go on (wait.h).
 * - Without a pool that has workers, and in a job that runs outside of a worker, the thread runs the task alone.
 */
#include "job.h"

#include "../os/process.h"
#include "../sched/borrow.h"

/* ---- FILCH_RUN ---- */

static int run_in_job(void *task, void **result)
{
	(void)result;
	filch_task_run_(NULL, task);
	return 0;
}

/* False: the task has not run, because the pool is being stopped or the calling job was cancelled. */
static bool run_as_job(struct filch_pool *pool, struct filch_task *t)
{
	struct filch_future *future;
	int err;

	if (filch_pool_submit(pool, run_in_job, t, &future))
		return false;
	err = filch_future_wait(future, NULL);
	filch_future_destroy(future);
	return !err;
}

/* For an external thread that runs no job. */
static bool run_from_outside(struct filch_pool *pool, struct filch_task *t)
{
	struct filchi_pool_hold hold;
	bool run;

	if (filchi_pool_hold(&hold, pool))
		return false;
	run = filchi_pool_has_workers(hold.pool) && !filchi_task_run_there(&hold.pool->sched, t);
	filchi_pool_release(&hold);
	return run;
}

void filch_task_run_(struct filch_pool *pool, struct filch_task *t)
{
	struct filchi_worker *w = filchi_pool_worker();
	struct filchi_job *outside = w ? NULL : filchi_job_outside();
	bool run;

	if (w && (!pool || filchi_pool_is(pool, w))) {
		filchi_task_run_here(w, t);
		return;
	}
	if (!w && !outside)
		run = run_from_outside(pool, t);
	else
		/* The workers of its own pool may wait for a job that runs outside of them. */
		run = pool && !(outside && outside->pool == pool) && run_as_job(pool, t);
	if (!run)
		filchi_task_run_serial(t);
}

/* ---- run scopes ---- */

bool filchi_run_scope_serial(struct filchi_run_scope *scope)
{
	scope->worker = NULL;
	scope->kept = !filchi_pool_worker();
	if (scope->kept)
		scope->keep = filchi_thread_keep();
	return false;
}

bool filchi_run_scope_begin(struct filchi_run_scope *scope, struct filch_pool *pool)
{
	bool workers;

	(void)filchi_run_scope_serial(scope);
	if (!scope->kept)
		return true;
	if (filchi_job_outside() || filchi_pool_hold(&scope->hold, pool))
		return false;
	pool = scope->hold.pool;
	scope->generation = pool->generation;
	workers = filchi_pool_has_workers(pool);
	if (workers && !pool->options.worker_begin && !pool->options.worker_end)
		scope->worker = filchi_borrow(&pool->sched);
	if (!scope->worker)
		filchi_pool_release(&scope->hold);
	return workers;
}

void filchi_run_scope_end(struct filchi_run_scope *scope)
{
	if (scope->worker && scope->generation != filchi_process_generation()) {
		/* The thread has forked in between: the pool, and its count of holders, stayed with the parent. */
		filchi_thread_local_set(NULL);
	} else if (scope->worker) {
		filchi_give_back(scope->worker);
		filchi_pool_release(&scope->hold);
	}
	if (scope->kept)
		filchi_thread_keep_not(scope->keep);
}
