/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Futures: waiting for one job.
 *
 * Edges:
 *   Q2   job.c: exchange_rel state, then here: load_acq state   the result
 *   Q4   sleep: cas_rlx state   who finishes it sees that someone sleeps, or the kernel's look before the sleep sees it
 *        done; the result comes with Q2
 *   C1   cancel: store_rel cancelled, then job.c: load_acq cancelled
 */
#include "job.h"

#include "../base/clock.h"
#include "../os/process.h"

#include <errno.h>

/* Looks before sleep, and from when on the processor is offered to others in between. */
#define LOOKS FILCHI_TUNE(256, 0)
#define POLITE_LOOK 16

static struct filchi_job *job_of(struct filch_future *future)
{
	return (struct filchi_job *)(void *)future;
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

/* Does this thread run it, further up? */
static bool is_below(struct filchi_job *job)
{
	for (struct filchi_job *b = filchi_job_current(); b; b = b->below)
		if (b == job)
			return true;
	return false;
}

/* Until the state changes, or this time comes. -ETIMEDOUT. */
static int sleep_on(struct filchi_worker *w, struct filchi_job *job, uint64_t deadline)
{
	uint32_t state = filchi_load_rlx(&job->state, Q4);
	uint32_t waited = state | FILCHI_JOB_WAITED;
	uint64_t now = deadline == UINT64_MAX ? 0 : filchi_clock_ns();
	int err = 0;

	if (FILCHI_JOB_STATE(state) == FILCHI_JOB_DONE)
		return 0;
	if (now >= deadline)
		return -ETIMEDOUT;
	if (state != waited && !filchi_cas_rlx(&job->state, &state, waited, Q4))
		return 0;
	if (w)
		filchi_pool_block(w);
	if (deadline == UINT64_MAX)
		filchi_futex_wait(&job->state, waited);
	else
		err = filchi_futex_wait_for(&job->state, waited, deadline - now);
	if (w)
		filchi_spare_end(w);
	return err;
}

/* Runs it here if nobody has begun. With a reference of its own: the queue has one that comes later. */
static bool help(struct filchi_worker *w, struct filchi_job *job)
{
	if (!w || w->sched != job->sched || !filchi_job_claim(job))
		return false;
	filchi_job_ref(job);
	filchi_job_sweep(w);
	filchi_job_run(job);
	return true;
}

static int wait_until(struct filchi_job *job, uint64_t deadline)
{
	struct filchi_worker *w = filchi_pool_worker();
	int err = 0;

	for (int looks = 0; !is_done(job);) {
		if (job->generation != filchi_process_generation())
			return filchi_because(-ESHUTDOWN, "it was left to the process that this one was forked from");
		if (help(w, job))
			continue;
		if (!looks && is_below(job))
			return filchi_because(-EDEADLK, "it waits for itself");
		if (err == -ETIMEDOUT)
			return filchi_because(err, "not done in time");
		if (looks < LOOKS) {
			filchi_spin_wait();
			if (++looks > POLITE_LOOK)
				filchi_thread_yield();
			continue;
		}
		err = sleep_on(w, job, deadline);
	}
	return 0;
}

int filch_future_wait(struct filch_future *future, void **result)
{
	int err;

	if (!future)
		return filchi_because(-EINVAL, "no future");
	err = wait_until(job_of(future), UINT64_MAX);
	return err ? err : outcome(job_of(future), result);
}

int filch_future_wait_for(struct filch_future *future, uint64_t ns, void **result)
{
	uint64_t now = filchi_clock_ns();
	int err;

	if (!future)
		return filchi_because(-EINVAL, "no future");
	err = wait_until(job_of(future), ns < UINT64_MAX - now ? now + ns : UINT64_MAX);
	return err ? err : outcome(job_of(future), result);
}

int filch_future_try(struct filch_future *future, void **result)
{
	if (!future)
		return filchi_because(-EINVAL, "no future");
	if (!is_done(job_of(future)))
		return filchi_because(-EAGAIN, "not done yet");
	return outcome(job_of(future), result);
}

int filch_future_cancel(struct filch_future *future)
{
	struct filchi_job *job = job_of(future);

	if (!job)
		return filchi_because(-EINVAL, "no future");
	if (is_done(job))
		return filchi_because(-EALREADY, "it is done");
	filchi_store_rel(&job->cancelled, 1, C1);
	if (filchi_job_claim(job)) {
		filchi_job_ref(job);
		filchi_job_finish(job, -ECANCELED);
	}
	return 0;
}

void filch_future_free(struct filch_future *future)
{
	if (future)
		filchi_job_unref(job_of(future));
}
