/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs, from submission to the end. job.h explains jobs.
 *
 * A submit from an external thread: filch_pool_submit (future.c) makes the job, and filchi_job_send puts it into the
 * injector, which wakes a worker. The worker finds the item and calls filchi_job_run_item.
 *
 * Edges:
 *   Q1   state: one thread wins. The queue, the group's lock or the future has published the job's other fields
 *   Q2   finish: exchange_rel state, then wait.c, future.c: load_acq state   the result
 *   Q3   state, references and cancelled of a job that no other thread knows yet
 *   Q5   runner: a reader holds the lock of wait.c, and the runner takes it before it sleeps
 *   Q7   finish_serial: fetch_add_rel unfinished → run_serial: load_acq unfinished   the thread no longer uses the pool
 *   REF   unref: fetch_add_acq_rel refs   the last thread sees all accesses of the others
 *   C1   cancelled: store_rel → load_acq   also for a thread that only looks: version, read afterwards, is as new
 *   C2   enclose: store_rel parent, parent_version → is_cancelled: load_acq   the same
 *   C3   clean: orders nothing. The value of another version says the same as the end of this one: not cancelled
 *   EPOCH   cancel: fetch_add_rel epoch → is_cancelled: load_acq epoch   a job that is clean in this epoch was checked
 *        after all cancellations that the epoch counts
 *   VERSION   version: changed by job_memory.c before the rest, which C1 and C2 publish. A thread that looks reads it
 *        last: unchanged, the values read before are of that version, or say that the job is not cancelled
 *   COUNTER   orders nothing
 */
#include "series.h"
#include "wait.h"

#include "../os/process.h"

#include <errno.h>

/*
 * The number of cancellations in this process, from 1. A job that was checked in this epoch need not be checked again.
 */
static FILCHI_ATOMIC(uint64_t) epoch = 1;

static void set_current(struct filchi_worker *w, struct filchi_job *job)
{
	if (w)
		filchi_task_set_context(w, job);
	else
		*filchi_thread_slot() = job;
}

static struct filchi_job *current_of(struct filchi_worker *w)
{
	return w ? filchi_task_context(w) : filchi_job_outside();
}

struct filchi_job *filchi_job_current(void)
{
	return current_of(filchi_pool_worker());
}

static void set_parent(struct filchi_job *job, struct filchi_job *parent)
{
	filchi_store_rel(&job->parent, parent, C2);
	filchi_store_rel(&job->parent_version, parent ? filchi_load_rlx(&parent->version, VERSION) : 0, C2);
}

void filchi_job_init(struct filchi_job *job, struct filch_pool *pool, struct filchi_job *parent, filch_job_fn *fn,
		     void *arg, uint32_t refs)
{
	filchi_store_rlx(&job->state, FILCHI_JOB_QUEUED, Q3);
	filchi_store_rlx(&job->refs, refs, Q3);
	filchi_store_rlx(&job->cancelled, 0, Q3);
	filchi_store_rlx(&job->clean, 0, C3);
	filchi_store_rlx(&job->runner, NULL, Q5);
	set_parent(job, parent);
	filchi_plain_set(&job->error, 0);
	filchi_plain_set(&job->result, NULL);
	filchi_plain_set(&job->fn, fn);
	filchi_plain_set(&job->arg, arg);
	job->drop = NULL;
	job->pool = pool;
	job->group = NULL;
	job->next = NULL;
	job->generation = filchi_process_generation();
	job->series = false;
	job->serial = pool && !filchi_pool_has_workers(pool);
}

struct filchi_job *filchi_job_new(struct filch_pool *pool, filch_job_fn *fn, void *arg, uint32_t refs)
{
	struct filchi_worker *w = filchi_pool_worker();
	struct filchi_job *job = filchi_job_memory_take(w);

	if (job)
		filchi_job_init(job, pool, current_of(w), fn, arg, refs);
	return job;
}

void filchi_job_ref(struct filchi_job *job)
{
	(void)filchi_fetch_add_rlx(&job->refs, 1, REF);
}

void filchi_job_unref(struct filchi_job *job)
{
	if (filchi_fetch_add_acq_rel(&job->refs, (uint32_t)-1, REF) != 1)
		return;
	if (job->series)
		filchi_series_free(filchi_series_of(job));
	else
		filchi_job_memory_give(filchi_pool_worker(), job);
}

/* ---- jobs of a pool without workers ---- */

#define UNFINISHED 2u
#define UNFINISHED_WAITED 1u

void filchi_job_begin_serial(struct filch_pool *pool, uint32_t jobs)
{
	if (!filchi_pool_has_workers(pool))
		(void)filchi_fetch_add_rlx(&pool->unfinished, jobs * UNFINISHED, Q7);
}

/* To wake the thread that waits, the address of the pool is enough. */
void filchi_job_finish_serial(struct filch_pool *pool, uint32_t jobs)
{
	if (filchi_pool_has_workers(pool))
		return;
	if (filchi_fetch_add_rel(&pool->unfinished, (uint32_t) - (jobs * UNFINISHED), Q7) & UNFINISHED_WAITED)
		filchi_futex_wake(&pool->unfinished, INT32_MAX);
}

void filchi_job_run_serial(struct filch_pool *pool)
{
	uintptr_t item;

	for (;;) {
		uint32_t unfinished = filchi_load_acq(&pool->unfinished, Q7);
		uint32_t waited = unfinished | UNFINISHED_WAITED;
		int result = filchi_injector_take(&pool->serial_queue, &item);

		if (result == FILCH_OK)
			filchi_job_run_item(NULL, item);
		else if (result == FILCH_EMPTY && unfinished < UNFINISHED)
			return;
		else if (result == FILCH_EMPTY &&
			 (unfinished == waited || filchi_cas_rlx(&pool->unfinished, &unfinished, waited, Q7)))
			filchi_futex_wait(&pool->unfinished, waited);
	}
}

/* ---- from submission to the end ---- */

int filchi_job_send(struct filch_pool *pool, struct filchi_job *job)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (!filchi_pool_has_workers(pool))
		return filchi_injector_push(&pool->serial_queue, filchi_job_item(job));
	if (filchi_pool_has(pool, w))
		return filchi_sched_offer(w, filchi_job_item(job));
	return filchi_sched_inject(&pool->sched, filchi_job_item(job));
}

bool filchi_job_is_for(const struct filchi_job *job, const struct filchi_worker *w)
{
	/* The pool may be freed if the job is done: only its address is used. */
	return job->serial || filchi_pool_has(job->pool, w);
}

bool filchi_job_is_queued(struct filchi_job *job)
{
	if (job->series)
		return !filchi_series_is_over(filchi_series_of(job));
	return FILCHI_JOB_STATE(filchi_load_rlx(&job->state, Q1)) == FILCHI_JOB_QUEUED;
}

bool filchi_job_claim(struct filchi_job *job)
{
	uint32_t state = filchi_load_rlx(&job->state, Q1);

	while (FILCHI_JOB_STATE(state) == FILCHI_JOB_QUEUED) {
		uint32_t running = FILCHI_JOB_RUNNING | (state & FILCHI_JOB_FLAGS);

		if (filchi_cas_rlx(&job->state, &state, running, Q1))
			return true;
	}
	return false;
}

struct filchi_job *filchi_job_claim_any(struct filchi_job *job)
{
	struct filchi_job *member;

	if (!job->series)
		return filchi_job_claim(job) ? job : NULL;
	member = filchi_series_claim(filchi_series_of(job));
	if (member)
		filchi_job_unref(job);
	return member;
}

void filchi_job_finish(struct filchi_job *job, int error)
{
	struct filch_pool *serial = job->serial ? job->pool : NULL;
	struct filch_group *group = job->group;
	uint32_t before;

	filchi_plain_set(&job->error, error);
	/* A woken thread may drop its reference before the wake returns. This thread has one more. */
	before = filchi_exchange_rel(&job->state, FILCHI_JOB_DONE, Q2);
	if (before & FILCHI_JOB_WAITED)
		filchi_wait_wake(&job->state);
	if (before & FILCHI_JOB_OF_ANY)
		filchi_wait_any_done();
	if (group)
		filchi_group_done(group, 1, error);
	if (serial)
		filchi_job_finish_serial(serial, 1);
	filchi_job_unref(job);
}

void filchi_job_drop(struct filchi_job *job)
{
	if (job->drop)
		job->drop(filchi_plain_get(&job->arg));
	filchi_job_finish(job, -ECANCELED);
}

int filchi_job_failed(int error, const char *who)
{
	if (error == -ECANCELED)
		return filchi_fail(error, "%s was cancelled", who);
	return filchi_fail(error, "%s returned %d", who, error);
}

/* Runs the function as that worker. NULL: as a thread that is no worker of the job's pool. */
static int call(struct filchi_worker *w, struct filchi_job *job)
{
	uint32_t blocking = w ? filchi_spare_depth(w) : 0;
	/* If the thread were cancelled in the job, the job would never be done. Workers cannot be cancelled. */
	int keep = w ? 0 : filchi_thread_keep(), error;
	void *ignored = NULL; /* nobody asks for the result of a member */

	if (w)
		filchi_count(&filchi_pool_worker_of(w)->jobs_run);
	else
		(void)filchi_fetch_add_rlx(&job->pool->jobs_outside, 1, COUNTER);
	error = filchi_plain_get(&job->fn)(filchi_plain_get(&job->arg), job->group ? &ignored : &job->result);
	/* It may have forgotten to say that it does not block any more. */
	if (w)
		filchi_spare_unwind(w, blocking);
	else
		filchi_thread_keep_not(keep);
	return error;
}

int filchi_job_execute(struct filchi_job *job)
{
	struct filchi_worker *self = filchi_pool_worker();
	/* In a job of another pool the thread is an external thread: without a worker id, and without storage there. */
	struct filchi_worker *w = job->serial || filchi_pool_has(job->pool, self) ? self : NULL;
	struct filchi_job *below = current_of(self), *outside = filchi_job_outside();
	int error;

	if (filchi_job_is_cancelled(job)) {
		if (job->drop)
			job->drop(filchi_plain_get(&job->arg));
		return -ECANCELED;
	}
	job->below = below;
	job->crossed = below && (below->crossed || filchi_load_rlx(&below->runner, Q5) != filchi_thread_slot());
	filchi_store_rlx(&job->runner, filchi_thread_slot(), Q5);
	if (self != w)
		filchi_thread_local_set(NULL);
	set_current(w, job);
	error = call(w, job);
	set_current(w, w ? below : outside);
	if (self != w)
		filchi_thread_local_set(self);
	return error;
}

void filchi_job_run(struct filchi_job *job)
{
	filchi_job_finish(job, filchi_job_execute(job));
}

void filchi_job_run_item(struct filchi_worker *w, uintptr_t item)
{
	struct filchi_job *job = filchi_job_of(item);

	(void)w;
	if (job->series) {
		filchi_series_run_item(filchi_series_of(job));
		return;
	}
	if (!filchi_job_claim(job)) {
		filchi_job_unref(job);
		return;
	}
	filchi_job_run(job);
}

/* ---- entries of jobs that were claimed elsewhere ---- */

static bool drop_stale(uintptr_t item)
{
	if (!filchi_item_is_free(item) || filchi_item_is_foreign(item) || filchi_job_is_queued(filchi_job_of(item)))
		return false;
	filchi_job_unref(filchi_job_of(item));
	return true;
}

/* Goes through the whole queue when half of it may be stale. The other entries keep their order. */
static void sweep_serial(struct filch_pool *pool)
{
	struct filchi_injector *queue = &pool->serial_queue;
	uint32_t stale = filchi_fetch_add_rlx(&pool->stale, 1, COUNTER) + 1;
	uintptr_t item;

	if (stale < FILCHI_TUNE(16u, 2u) + filchi_injector_size(queue) / 2)
		return;
	filchi_store_rlx(&pool->stale, 0, COUNTER);
	for (size_t left = filchi_injector_size(queue); left; left--) {
		if (filchi_injector_take(queue, &item) != FILCH_OK)
			return;
		while (!drop_stale(item) && filchi_injector_push(queue, item))
			filchi_thread_yield(); /* until some memory is free */
	}
}

/* Looks at two entries of a queue for each entry that is added. So stale entries become fewer. */
static void sweep_injector(struct filchi_sched *s)
{
	uintptr_t item;

	for (int i = 0; i < 2 && filchi_sched_take(s, &item) == FILCH_OK; i++)
		if (!drop_stale(item)) {
			/* This also wakes a worker that looked for the item meanwhile and may sleep now. */
			while (filchi_sched_inject(s, item))
				filchi_thread_yield(); /* until some memory is free */
			return;
		}
}

/*
 * A thread that claims the jobs that it waits for leaves their entries in the queue. Without this function their number
 * could grow without end. So the thread looks where the last entry should be. The order of a worker's own queue must
 * not change.
 */
void filchi_job_drop_stale(struct filchi_worker *w, struct filch_pool *pool)
{
	uintptr_t item;

	if (!filchi_pool_has_workers(pool)) {
		sweep_serial(pool);
		return;
	}
	if (!w || filchi_sched_owner_private(&pool->sched)) {
		sweep_injector(&pool->sched);
		return;
	}
	/* The top of a stack is the claimed job. */
	if (filchi_sched_setup(&pool->sched)->kind->info.owner_order == FILCH_LIFO && filchi_worker_pop(w, &item) &&
	    !drop_stale(item))
		filchi_worker_requeue(w, &item, 1);
}

/* ---- cancellation ---- */

/*
 * The walk ends at a job that was found clean in the same epoch. Each job is checked when it begins, and so is each of
 * its enclosing jobs. So the walk is short unless a job was cancelled since.
 */
bool filchi_job_is_cancelled(struct filchi_job *job)
{
	struct filchi_job *self = job;
	uint64_t now = filchi_load_acq(&epoch, EPOCH);
	uint64_t version = filchi_load_rlx(&job->version, VERSION);

	while (job) {
		bool cancelled = filchi_load_acq(&job->cancelled, C1);
		bool clean = filchi_load_rlx(&job->clean, C3) == now;
		struct filchi_job *parent = filchi_load_acq(&job->parent, C2);
		uint64_t parent_version = filchi_load_acq(&job->parent_version, C2);

		if (filchi_load_rlx(&job->version, VERSION) != version)
			break; /* the enclosing job is over, and the values belong to another job */
		if (cancelled) {
			/* The job stays cancelled when the enclosing job is over. */
			filchi_store_rel(&self->cancelled, 1, C1);
			return true;
		}
		if (clean)
			break;
		job = parent;
		version = parent_version;
	}
	/* Often the value is right already, and other threads may read the same line. */
	if (filchi_load_rlx(&self->clean, C3) != now)
		filchi_store_rlx(&self->clean, now, C3);
	return false;
}

void filchi_job_cancel(struct filchi_job *job)
{
	filchi_store_rel(&job->cancelled, 1, C1);
	(void)filchi_fetch_add_rel(&epoch, 1, EPOCH);
}

int filch_job_cancelled(void)
{
	struct filchi_job *job = filchi_job_current();

	return job && filchi_job_is_cancelled(job);
}
