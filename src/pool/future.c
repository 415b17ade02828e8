/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Futures: the submission of one job, and the wait for it.
 *
 * Edges:
 *   Q1   state: a hint. The claim decides
 *   Q2   job.c: exchange_rel state, then here: load_acq state   the result of the job
 *   Q5   runner: with the lock of wait.c
 *   Q6   state: the thread that finishes the job sees the mark, or the thread that sets the mark sees the end
 *   VERSION   version: the caller has a reference to the job, so the version does not change
 */
#include "wait.h"

#include "../os/process.h"

#include <assert.h>
#include <errno.h>

/* The low bits of a job's address are zero. */
#define VERSION_BITS (FILCHI_CACHE_LINE - 1u)

static struct filch_future *future_of(struct filchi_job *job)
{
	uintptr_t version = (uintptr_t)filchi_load_rlx(&job->version, VERSION) & VERSION_BITS;

	return (struct filch_future *)((uintptr_t)job | version);
}

/* NULL, with a message: there is no future, or the job has been freed. */
static struct filchi_job *job_of(struct filch_future *future)
{
	struct filchi_job *job = (struct filchi_job *)((uintptr_t)future & ~(uintptr_t)VERSION_BITS);

	if (!future) {
		(void)filchi_fail(-EINVAL, "the future is NULL");
		return NULL;
	}
	if (future_of(job) == future)
		return job;
	(void)filchi_fail(-EINVAL, "the future was destroyed before");
	assert(!"a future is used after filch_future_destroy");
	return NULL;
}

static bool is_done(struct filchi_job *job)
{
	return FILCHI_JOB_STATE(filchi_load_acq(&job->state, Q2)) == FILCHI_JOB_DONE;
}

static int outcome(struct filchi_job *job, void **result)
{
	int error = filchi_plain_get(&job->error);

	if (result)
		*result = filchi_plain_get(&job->result);
	return error ? filchi_job_failed(error, "the job") : 0;
}

/* ---- waiting ---- */

static bool is_over(const struct filchi_wait *x, uint32_t state)
{
	(void)x;
	return FILCHI_JOB_STATE(state) == FILCHI_JOB_DONE;
}

static struct filchi_job *peek(const struct filchi_wait *x, filchi_wanted *wanted, const void *of)
{
	struct filchi_job *job = x->target;

	if (FILCHI_JOB_STATE(filchi_load_rlx(&job->state, Q1)) != FILCHI_JOB_QUEUED || !wanted(job, of))
		return NULL;
	filchi_job_ref(job);
	return job;
}

/* Runs the job if no thread has begun it. Takes a reference, because the queue keeps its own until a worker comes. */
static bool help(const struct filchi_wait *x, struct filchi_worker *w)
{
	struct filchi_job *job = x->target;

	if (!filchi_job_is_for(job, w) || !filchi_job_claim(job))
		return false;
	filchi_job_ref(job);
	filchi_job_drop_stale(w, job->pool);
	filchi_job_run(job);
	return true;
}

static bool is_within(const struct filchi_wait *x, const struct filchi_wait *other)
{
	struct filchi_job *job = x->target, *at = other->within;

	if (FILCHI_JOB_STATE(filchi_load_rlx(&job->state, Q1)) != FILCHI_JOB_RUNNING)
		return false;
	if (filchi_load_rlx(&job->runner, Q5) == other->thread)
		return true;
	/* A stolen task runs in another thread, but belongs to the job that spawned it. */
	if (at && (at->crossed || filchi_load_rlx(&at->runner, Q5) != other->thread))
		for (; at; at = at->below)
			if (at == job)
				return true;
	return false;
}

static const struct filchi_wait_kind kind = {is_over, peek, help, is_within};

static int wait_until(struct filch_future *future, uint64_t deadline, void **result)
{
	struct filchi_job *job = job_of(future);
	struct filchi_wait x;
	int err;

	if (!job)
		return -EINVAL;
	x = (struct filchi_wait){.kind = &kind,
				 .target = job,
				 .word = &job->state,
				 .waited = FILCHI_JOB_WAITED,
				 .generation = job->generation,
				 .deadline = deadline};
	err = filchi_wait(&x);
	return err ? err : outcome(job, result);
}

int filch_future_wait(struct filch_future *future, void **result)
{
	return wait_until(future, FILCHI_NO_DEADLINE, result);
}

int filch_future_wait_for(struct filch_future *future, uint64_t ns, void **result)
{
	return wait_until(future, filchi_wait_deadline(ns), result);
}

/* ---- any of several ---- */

struct any {
	struct filch_future *const *futures;
	size_t count;
};

static bool any_is_over(const struct filchi_wait *x, uint32_t word)
{
	const struct any *any = x->target;

	(void)word;
	for (size_t i = 0; i < any->count; i++)
		if (is_done(job_of(any->futures[i])))
			return true;
	return false;
}

static struct filchi_job *any_peek(const struct filchi_wait *x, filchi_wanted *wanted, const void *of)
{
	const struct any *any = x->target;
	struct filchi_job *job = NULL;

	for (size_t i = 0; i < any->count && !job; i++)
		job = peek(&(struct filchi_wait){.target = job_of(any->futures[i])}, wanted, of);
	return job;
}

static bool any_help(const struct filchi_wait *x, struct filchi_worker *w)
{
	const struct any *any = x->target;

	for (size_t i = 0; i < any->count; i++)
		if (help(&(struct filchi_wait){.target = job_of(any->futures[i])}, w))
			return true;
	return false;
}

/* The wait ends with the first job that is done. So a circle through one of the jobs proves nothing. */
static bool any_is_within(const struct filchi_wait *x, const struct filchi_wait *other)
{
	(void)x;
	(void)other;
	return false;
}

static const struct filchi_wait_kind any_kind = {any_is_over, any_peek, any_help, any_is_within};

/* Asks the thread that will finish the job to change the word. */
static void mark_any(struct filchi_job *job)
{
	uint32_t state = filchi_load_rlx(&job->state, Q6);

	while (FILCHI_JOB_STATE(state) != FILCHI_JOB_DONE && !(state & FILCHI_JOB_OF_ANY) &&
	       !filchi_cas_rlx(&job->state, &state, state | FILCHI_JOB_OF_ANY, Q6))
		;
}

/* Checks that all are valid futures. A job of the parent process must be done. */
static int check_and_mark(struct filch_future *const *futures, size_t count)
{
	if (!count || !futures)
		return filchi_fail(-EINVAL, "%s", count ? "futures is NULL" : "count is 0");
	for (size_t i = 0; i < count; i++) {
		struct filchi_job *job = job_of(futures[i]);

		if (!job)
			return -EINVAL;
		if (!is_done(job) && job->generation != filchi_process_generation())
			return filchi_fail(-ESHUTDOWN, "a job was left to the process that this one was forked from");
		mark_any(job);
	}
	return 0;
}

int filch_future_wait_any(struct filch_future *const *futures, size_t count, uint64_t ns, size_t *which)
{
	struct any any = {futures, count};
	struct filchi_wait x = {.kind = &any_kind,
				.target = &any,
				.word = filchi_wait_any_word(),
				.generation = filchi_process_generation(),
				.deadline = filchi_wait_deadline(ns)};
	int err = check_and_mark(futures, count);
	size_t i = 0;

	if (!err)
		err = filchi_wait(&x);
	if (err)
		return err;
	while (!is_done(job_of(futures[i])))
		i++;
	if (which)
		*which = i;
	return 0;
}

int filch_future_try_wait(struct filch_future *future, void **result)
{
	struct filchi_job *job = job_of(future);

	if (!job)
		return -EINVAL;
	/* Without workers perhaps no other thread ever runs the job. */
	if (job->serial && !is_done(job) && job->generation == filchi_process_generation()) {
		struct filchi_wait x = {.target = job};

		(void)help(&x, filchi_pool_worker());
	}
	if (!is_done(job))
		return filchi_fail(-EAGAIN, "not done yet");
	return outcome(job, result);
}

int filch_future_cancel(struct filch_future *future)
{
	struct filchi_job *job = job_of(future);

	if (!job)
		return -EINVAL;
	if (is_done(job))
		return filchi_fail(-EALREADY, "the job is done already");
	filchi_job_cancel(job);
	if (filchi_job_claim(job)) {
		filchi_job_ref(job);
		if (job->serial)
			filchi_job_drop_stale(NULL, job->pool);
		filchi_job_drop(job);
	}
	return 0;
}

void filch_future_destroy(struct filch_future *future)
{
	struct filchi_job *job = future ? job_of(future) : NULL;

	if (job)
		filchi_job_unref(job);
}

/* ---- submission ---- */

int filch_pool_submit_or_drop(struct filch_pool *pool, filch_job_fn *fn, filch_drop_fn *drop, void *arg,
			      struct filch_future **out)
{
	struct filchi_job *job, *current = filchi_job_current();
	struct filchi_pool_hold hold;
	int err;

	if (!fn)
		return filchi_fail(-EINVAL, "fn is NULL");
	if (current && filchi_job_is_cancelled(current))
		return filchi_fail(-ECANCELED, "the job that submits was cancelled");
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	job = filchi_job_new(hold.pool, fn, arg, out ? 2 : 1);
	if (!job) {
		filchi_pool_release(&hold);
		return filchi_fail(-ENOMEM, "no memory for a job");
	}
	job->drop = drop;
	if (out)
		*out = future_of(job);
	filchi_job_begin_serial(hold.pool, 1);
	err = filchi_job_send(hold.pool, job);
	if (err)
		filchi_job_finish_serial(hold.pool, 1);
	filchi_pool_release(&hold);
	if (err) {
		filchi_job_unref(job);
		if (out) {
			filchi_job_unref(job);
			*out = NULL;
		}
		return filchi_fail(err, "no memory for a queue");
	}
	return 0;
}

int filch_pool_submit(struct filch_pool *pool, filch_job_fn *fn, void *arg, struct filch_future **out)
{
	return filch_pool_submit_or_drop(pool, fn, NULL, arg, out);
}
