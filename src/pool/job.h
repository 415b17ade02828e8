/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs: functions that were submitted. A future is the job itself, seen from outside.
 *
 * A job is known to the queue it is in, to who holds its future, and to its group as long as it has not begun: each has
 * a reference. Whoever changes its state from QUEUED to RUNNING runs it; so one who waits for it can run it wherever it
 * is, and whoever finds it in the queue later just drops it.
 *
 * The memory of a job is never anything else but a job while there is any pool or future: it can be looked at even when
 * it is used again, and its number of lives says that it was. That is how a job refers to the one that encloses it.
 */
#ifndef FILCHI_POOL_JOB_H
#define FILCHI_POOL_JOB_H

#include "pool.h"

enum filchi_job_state { FILCHI_JOB_QUEUED = 1, FILCHI_JOB_RUNNING = 2, FILCHI_JOB_DONE = 3 };

#define FILCHI_JOB_WAITED 4u /* someone sleeps until it is done */
#define FILCHI_JOB_STATE(state) ((state)&3u)

struct filchi_job {
	FILCHI_ATOMIC(uint32_t) state;
	FILCHI_ATOMIC(uint32_t) refs;
	FILCHI_ATOMIC(uint32_t) cancelled;
	int error; /* these two: when it is done */
	void *result;
	filch_fn *fn;
	void *arg;
	struct filchi_sched *sched; /* whose workers may run it */
	struct filch_group *group;  /* or NULL */
	/* The one that encloses it, and in which of its lives. */
	FILCHI_ATOMIC(struct filchi_job *) parent;
	FILCHI_ATOMIC(uint64_t) parent_life;
	FILCHI_ATOMIC(uint64_t) life;
	struct filchi_job *below; /* while it runs: what the same thread runs, too, and waits in for this one */
	/* Of the group's list, with its lock held, or of free ones. */
	struct filchi_job *next, *prev;
	unsigned generation; /* of the process */
	bool listed;
};

static inline uintptr_t filchi_job_item(struct filchi_job *job)
{
	return (uintptr_t)job | 1;
}

static inline struct filchi_job *filchi_job_of(uintptr_t item)
{
	return (struct filchi_job *)(item & ~(uintptr_t)1);
}

/* ---- memory: jobs.c ---- */

/* Each pool opens it, and closes it at its end. */
void filchi_jobs_open(void);
void filchi_jobs_close(void);
/* For the calling worker, or NULL: any thread. NULL when there is no memory. */
struct filchi_job *filchi_jobs_take(struct filchi_worker *w);
void filchi_jobs_give(struct filchi_worker *w, struct filchi_job *job);
/* What the worker has kept for itself. */
void filchi_jobs_flush(struct filchi_worker *w);

/* ---- life ---- */

/* Queued, but nowhere yet; enclosed by what the caller runs. NULL: no memory. pool NULL: it stands for a group. */
struct filchi_job *filchi_job_new(struct filch_pool *pool, filch_fn *fn, void *arg, uint32_t refs);
void filchi_job_ref(struct filchi_job *job);
void filchi_job_unref(struct filchi_job *job);

/* Not by that, but by this one. */
void filchi_job_enclose(struct filchi_job *job, struct filchi_job *parent);

/* Puts it where a worker finds it, with one of its references. 0, -ENOMEM, -ESHUTDOWN. */
int filchi_job_send(struct filch_pool *pool, struct filchi_job *job);

/* Whoever is told true runs it, or finishes it; the caller's reference goes with that. */
bool filchi_job_claim(struct filchi_job *job);
void filchi_job_run(struct filchi_job *job);
void filchi_job_finish(struct filchi_job *job, int error);
/* To who waits: an error that is a job's own, and the words for filch_why(). who is "the job" or the like. */
int filchi_job_failed(int error, const char *who);

/* After a claim of what is waited for: puts away what is left of it. */
void filchi_job_sweep(struct filchi_worker *w);

/* A job found in a queue. */
void filchi_job_run_item(struct filchi_worker *w, uintptr_t item);

/* What the calling thread runs, or NULL. */
struct filchi_job *filchi_job_current(void);
bool filchi_job_is_cancelled(struct filchi_job *job);

/* ---- of group.c ---- */

/* A member has begun; and it is done. */
void filchi_group_begun(struct filch_group *group, struct filchi_job *job);
void filchi_group_done(struct filch_group *group, int error);

#endif
