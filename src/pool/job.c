/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs, from submission to the end. job.h says what they are.
 *
 * Edges:
 *   Q1   state: one wins. What the job is made of came with the queue, the group's lock or the future
 *   Q2   finish: exchange_rel state, then future.c: load_acq state   the result
 *   Q3   state, references and cancelled of a job nobody else knows yet
 *   REF   unref: fetch_add_acq_rel refs   the last one sees what all others did
 *   C1   cancelled: store_rel → load_acq   also by who only looks: life, read afterwards, is as new
 *   C2   new: store_rel parent, parent_life → is_cancelled: load_acq   the same
 *   LIFE   life: changed by jobs.c before the rest, which C1 and C2 publish. Who looks reads it last: unchanged,
 *        what was read before is of that life, or says that the job is not cancelled
 *   COUNTER   orders nothing
 */
#include "job.h"

#include "../os/process.h"

#include <errno.h>

/* Of a thread that is no worker: what it runs, because there are no workers. */
static _Thread_local struct filchi_job *alone;

static void set_current(struct filchi_worker *w, struct filchi_job *job)
{
	if (w)
		w->job = job;
	else
		alone = job;
}

struct filchi_job *filchi_job_current(void)
{
	struct filchi_worker *w = filchi_pool_worker();

	return w ? w->job : alone;
}

void filchi_job_enclose(struct filchi_job *job, struct filchi_job *parent)
{
	filchi_store_rel(&job->parent, parent, C2);
	filchi_store_rel(&job->parent_life, parent ? filchi_load_rlx(&parent->life, LIFE) : 0, C2);
}

struct filchi_job *filchi_job_new(struct filch_pool *pool, filch_fn *fn, void *arg, uint32_t refs)
{
	struct filchi_worker *w = filchi_pool_worker();
	struct filchi_job *job = filchi_jobs_take(w);

	if (!job)
		return NULL;
	filchi_store_rlx(&job->state, FILCHI_JOB_QUEUED, Q3);
	filchi_store_rlx(&job->refs, refs, Q3);
	filchi_store_rlx(&job->cancelled, 0, Q3);
	filchi_job_enclose(job, w ? w->job : alone);
	filchi_plain_set(&job->error, 0);
	filchi_plain_set(&job->result, NULL);
	filchi_plain_set(&job->fn, fn);
	filchi_plain_set(&job->arg, arg);
	job->sched = pool ? &pool->sched : NULL;
	job->group = NULL;
	job->below = job->next = job->prev = NULL;
	job->generation = filchi_process_generation();
	job->listed = false;
	return job;
}

void filchi_job_ref(struct filchi_job *job)
{
	(void)filchi_fetch_add_rlx(&job->refs, 1, REF);
}

void filchi_job_unref(struct filchi_job *job)
{
	if (filchi_fetch_add_acq_rel(&job->refs, (uint32_t)-1, REF) == 1)
		filchi_jobs_give(filchi_pool_worker(), job);
}

int filchi_job_send(struct filch_pool *pool, struct filchi_job *job)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (w && w->sched == &pool->sched)
		return filchi_sched_offer(w, filchi_job_item(job));
	return filchi_sched_inject(&pool->sched, filchi_job_item(job));
}

bool filchi_job_claim(struct filchi_job *job)
{
	uint32_t state = filchi_load_rlx(&job->state, Q1);

	while (FILCHI_JOB_STATE(state) == FILCHI_JOB_QUEUED) {
		uint32_t running = FILCHI_JOB_RUNNING | (state & FILCHI_JOB_WAITED);

		if (filchi_cas_rlx(&job->state, &state, running, Q1))
			return true;
	}
	return false;
}

void filchi_job_finish(struct filchi_job *job, int error)
{
	struct filch_group *group = job->group;

	filchi_plain_set(&job->error, error);
	/* Who waits may have given up its reference by the time it is woken; there is one more. */
	if (filchi_exchange_rel(&job->state, FILCHI_JOB_DONE, Q2) & FILCHI_JOB_WAITED)
		filchi_futex_wake(&job->state, INT32_MAX);
	if (group)
		filchi_group_done(group, error);
	filchi_job_unref(job);
}

int filchi_job_failed(int error, const char *who)
{
	if (error == -ECANCELED)
		return filchi_because(error, "%s was cancelled", who);
	return filchi_because(error, "%s returned %d", who, error);
}

void filchi_job_run(struct filchi_job *job)
{
	struct filchi_worker *w = filchi_pool_worker();
	uint32_t blocking = w ? w->blocking : 0;
	int error = -ECANCELED;

	job->below = w ? w->job : alone;
	set_current(w, job);
	if (!filchi_job_is_cancelled(job)) {
		if (w)
			filchi_count(&w->counters.jobs);
		error = filchi_plain_get(&job->fn)(filchi_plain_get(&job->arg), &job->result);
	}
	/* It may have forgotten to say that it does not block any more. */
	while (w && w->blocking > blocking)
		filchi_spare_end(w);
	set_current(w, job->below);
	filchi_job_finish(job, error);
}

void filchi_job_run_item(struct filchi_worker *w, uintptr_t item)
{
	struct filchi_job *job = filchi_job_of(item);

	(void)w;
	if (!filchi_job_claim(job)) {
		filchi_job_unref(job);
		return;
	}
	if (job->group)
		filchi_group_begun(job->group, job);
	filchi_job_run(job);
}

/* An entry of a job that someone has claimed elsewhere. */
static bool drop(uintptr_t item)
{
	if (filchi_item_is_task(item) ||
	    FILCHI_JOB_STATE(filchi_load_rlx(&filchi_job_of(item)->state, Q1)) == FILCHI_JOB_QUEUED)
		return false;
	filchi_job_unref(filchi_job_of(item));
	return true;
}

/*
 * Who claims jobs that it waits for leaves their entries behind. If it never did anything else, there would be more and
 * more of them: so it looks where the last one should be. Of a queue to its owner the order must not change.
 */
void filchi_job_sweep(struct filchi_worker *w)
{
	const struct filchi_deque_ops *ops = w->deque->ops;
	bool hides = filchi_sched_hides(w->sched);
	uintptr_t item;

	if (!hides && w->sched->setup.kind->info.owner_order != FILCH_LIFO)
		return;
	/* The top of a stack is what was claimed; of a queue, two for each that is added will make them fewer. */
	for (int i = 0; i < (hides ? 2 : 1); i++) {
		int got = hides ? filchi_injector_take(&w->sched->injector, &item) : ops->pop(w->deque, &item);

		if (got != FILCH_OK)
			return;
		if (drop(item))
			continue;
		while ((hides || ops->push(w->deque, item)) && filchi_sched_inject(w->sched, item))
			filchi_thread_yield(); /* until some memory is free */
		/* Who looked for it meanwhile may sleep now. */
		filchi_worker_notify(w);
		return;
	}
}

/* ---- cancellation ---- */

bool filchi_job_is_cancelled(struct filchi_job *job)
{
	struct filchi_job *self = job;
	uint64_t life = filchi_load_rlx(&job->life, LIFE);

	while (job) {
		bool cancelled = filchi_load_acq(&job->cancelled, C1);
		struct filchi_job *parent = filchi_load_acq(&job->parent, C2);
		uint64_t parent_life = filchi_load_acq(&job->parent_life, C2);

		if (filchi_load_rlx(&job->life, LIFE) != life)
			return false; /* that one is over, and what was read is of another */
		if (cancelled) {
			/* It stays so when the other is over. */
			filchi_store_rel(&self->cancelled, 1, C1);
			return true;
		}
		job = parent;
		life = parent_life;
	}
	return false;
}

int filch_cancelled(void)
{
	struct filchi_job *job = filchi_job_current();

	return job && filchi_job_is_cancelled(job);
}

/* ---- submission ---- */

int filch_submit(struct filch_pool *pool, filch_fn *fn, void *arg, struct filch_future **out)
{
	struct filchi_pool_hold hold;
	struct filchi_job *job;
	int err = 0;

	if (!fn)
		return filchi_because(-EINVAL, "no function");
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	job = filchi_job_new(hold.pool, fn, arg, out ? 2 : 1);
	if (!job) {
		filchi_pool_release(&hold);
		return filchi_because(-ENOMEM, "no memory for a job");
	}
	if (out)
		*out = (struct filch_future *)job;
	if (!filchi_pool_has_workers(hold.pool)) {
		(void)filchi_fetch_add_rlx(&hold.pool->jobs_alone, 1, COUNTER);
		filchi_pool_release(&hold);
		(void)filchi_job_claim(job);
		filchi_job_run(job);
		return 0;
	}
	err = filchi_job_send(hold.pool, job);
	filchi_pool_release(&hold);
	if (err) {
		filchi_job_unref(job);
		if (out) {
			filchi_job_unref(job);
			*out = NULL;
		}
		return filchi_because(err, "%s",
				      err == -ENOMEM ? "no memory for a queue" : "the pool is being stopped");
	}
	return 0;
}
