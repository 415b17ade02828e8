/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs: functions that were submitted. A future is a handle of the job itself.
 *
 * A queue, a future and a group hold a reference each: the queue until it gives the job to a worker, the group until
 * it finds that the job has begun. The thread that changes the state from QUEUED to RUNNING runs the job. A waiting
 * thread can therefore run a queued job directly; the worker that later finds the entry in the queue drops it.
 *
 * The memory of a job stays a job as long as there is a pool or a future. So a thread may read a job that is over and
 * whose memory another job uses: the version tells. A job refers to its enclosing job by address and version. The low
 * bits of a future are the low bits of the version. So the library recognizes a future that was freed.
 */
#ifndef FILCHI_POOL_JOB_H
#define FILCHI_POOL_JOB_H

#include "pool.h"

enum filchi_job_state { FILCHI_JOB_QUEUED = 1, FILCHI_JOB_RUNNING = 2, FILCHI_JOB_DONE = 3 };

#define FILCHI_JOB_WAITED 4u /* a thread sleeps until the job is done */
#define FILCHI_JOB_OF_ANY 8u /* a thread sleeps until any of several jobs is done: wait.c */
#define FILCHI_JOB_FLAGS 12u
#define FILCHI_JOB_STATE(state) ((state)&3u)

struct filchi_job {
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) state;
	FILCHI_ATOMIC(uint32_t) refs;
	FILCHI_ATOMIC(uint32_t) cancelled;
	int error; /* these two: when it is done */
	union {
		void *result;		 /* for a future */
		struct filchi_job *prev; /* of a member, in the group's list */
	};
	filch_job_fn *fn;
	filch_drop_fn *drop; /* called instead of fn if the job is cancelled before it begins; or NULL */
	void *arg;
	struct filch_pool *pool;   /* whose workers run it; valid until the job is done */
	struct filch_group *group; /* or NULL */
	/* The enclosing job and its version. */
	FILCHI_ATOMIC(struct filchi_job *) parent;
	FILCHI_ATOMIC(uint64_t) parent_version;
	FILCHI_ATOMIC(uint64_t) version;
	FILCHI_ATOMIC(uint64_t)
	clean; /* the epoch in which no cancellation of it or of an enclosing job was found: job.c */
	FILCHI_ATOMIC(void **) runner; /* filchi_thread_slot() of the thread that runs the job */
	struct filchi_job *next;       /* in the group's list, with its lock held, or in a list of free jobs */
	struct filchi_job *below;      /* while it runs: the suspended job of the same thread */
	unsigned generation;	       /* of the process */
	bool series;		       /* series.h */
	bool serial;		       /* its pool has no workers: any thread may run it */
	bool crossed;		       /* while it runs: not all of those below are run by the same thread */
};

static inline uintptr_t filchi_job_item(struct filchi_job *job)
{
	return (uintptr_t)job | 1;
}

static inline struct filchi_job *filchi_job_of(uintptr_t item)
{
	return (struct filchi_job *)(item & ~(uintptr_t)1);
}

_Static_assert(sizeof(struct filchi_job) == 2 * FILCHI_CACHE_LINE, "a submit and its worker exchange each line");

/* ---- memory: job_memory.c ---- */

/* Each pool opens it, and closes it at its end. */
void filchi_job_memory_open(void);
void filchi_job_memory_close(void);
/* For the calling worker, or NULL: any thread. NULL when there is no memory. */
struct filchi_job *filchi_job_memory_take(struct filchi_worker *w);
void filchi_job_memory_give(struct filchi_worker *w, struct filchi_job *job);
/* Many at once, as a list: the calling thread keeps it. NULL when there is no memory. */
struct filchi_job *filchi_job_memory_take_list(void);
void filchi_job_memory_give_list(struct filchi_job *list);
/* The job is over, and the caller will use its memory for another job. */
void filchi_job_memory_renew(struct filchi_job *job);
/* Memory that was no job before. */
void filchi_job_memory_prepare(struct filchi_job *job);
/* Gives back the free jobs that the worker has kept for itself. */
void filchi_job_memory_flush(struct filchi_worker *w);

/* ---- from submission to the end ---- */

/* Makes a job that is in no queue yet. The job that the caller runs encloses it. NULL: no memory. pool NULL: the job
 * stands for a group. */
struct filchi_job *filchi_job_new(struct filch_pool *pool, filch_job_fn *fn, void *arg, uint32_t refs);
/* The same in the memory of a free job, with an enclosing job of the caller's choice. */
void filchi_job_init(struct filchi_job *job, struct filch_pool *pool, struct filchi_job *parent, filch_job_fn *fn,
		     void *arg, uint32_t refs);
void filchi_job_ref(struct filchi_job *job);
void filchi_job_unref(struct filchi_job *job);

/* Puts it where a thread that runs jobs of the pool finds it, with one of its references. 0, -ENOMEM, -ESHUTDOWN. */
int filchi_job_send(struct filch_pool *pool, struct filchi_job *job);

/* True if the calling thread may run the job at any time. w: the worker that it is, or NULL. */
bool filchi_job_is_for(const struct filchi_job *job, const struct filchi_worker *w);
/* If claim returns true, the caller must run or finish the job, which uses up one of its references. */
bool filchi_job_claim(struct filchi_job *job);
/* False: a thread has claimed it. True is a hint. */
bool filchi_job_is_queued(struct filchi_job *job);
/*
 * Claims a job that the caller holds a reference to. A series gives a member instead, and loses the reference.
 * NULL: the caller still has it.
 */
struct filchi_job *filchi_job_claim_any(struct filchi_job *job);
void filchi_job_run(struct filchi_job *job);
/* Runs it without its end. Returns its error; -ECANCELED: it was cancelled, and has not begun. */
int filchi_job_execute(struct filchi_job *job);
void filchi_job_finish(struct filchi_job *job, int error);
/* Finishes a job that was cancelled before it began. */
void filchi_job_drop(struct filchi_job *job);
/* Returns the error of a job to the waiting thread, and sets the message. who: "the job", for example. */
int filchi_job_failed(int error, const char *who);

/*
 * After the claim of a job that is still in a queue: takes entries of such jobs out of the queue. w: the calling worker
 * of the pool, or NULL for another thread, which keeps the pool from ending.
 */
void filchi_job_drop_stale(struct filchi_worker *w, struct filch_pool *pool);

/* Runs a job that the worker found in a queue. */
void filchi_job_run_item(struct filchi_worker *w, uintptr_t item);

/*
 * So many jobs are about to be where other threads find them, and so many are done. From then on the pool may be gone.
 * Only pools without workers count. A job that cannot be sent, and that no other thread has claimed, is done.
 */
void filchi_job_begin_serial(struct filch_pool *pool, uint32_t jobs);
void filchi_job_finish_serial(struct filch_pool *pool, uint32_t jobs);
/* Runs all that is queued in a pool without workers, and waits for the jobs that other threads run. */
void filchi_job_run_serial(struct filch_pool *pool);

/* The job that the calling thread runs, or NULL. */
struct filchi_job *filchi_job_current(void);
/* The same for an external thread. */
static inline struct filchi_job *filchi_job_outside(void)
{
	return *filchi_thread_slot();
}
bool filchi_job_is_cancelled(struct filchi_job *job);
/* Cancels the job and the jobs that it encloses. They find out when they next look. */
void filchi_job_cancel(struct filchi_job *job);

/* ---- group.c ---- */

/* A member has this error. */
void filchi_group_failed(struct filch_group *group, int error);
/* So many members are done. The error is one of theirs, or 0. */
void filchi_group_done(struct filch_group *group, uint32_t members, int error);

#endif
