/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for jobs: futures and groups share one loop.
 *
 * A waiting thread runs the jobs that it waits for, if they are queued and it may run them. Otherwise it looks for a
 * while, and then sleeps until a word changes. A spare runs in the place of a sleeping worker. All sleeping threads are
 * on one list of the process. The list serves two purposes:
 *
 * - A thread that would close a circle of waits gets -EDEADLK. Such a wait would never end: a wait without a deadline
 *   ends only when all of its jobs are done, and a job ends only after the waits of its thread.
 * - A pool is stalled if all of its workers, and all spares that it may have, sleep in waits and joins. Then no worker
 *   runs the queued jobs, and another thread that waits for such a job runs it. So pools whose jobs wait for each
 *   other go on.
 *
 * Hooks may suspend the caller instead (include/filch/hooks.h): a fiber. Its worker goes on, and the waiting fiber runs
 * no job itself. Such waits are on a list of their own.
 */
#ifndef FILCHI_POOL_WAIT_H
#define FILCHI_POOL_WAIT_H

#include "../os/wait.h"
#include "job.h"

struct filchi_wait;

/* True if the caller wants this job. Its pool exists as long as the list is locked. */
typedef bool filchi_wanted(const struct filchi_job *job, const void *of);

struct filchi_wait_kind {
	bool (*is_over)(const struct filchi_wait *x, uint32_t word);
	/* A queued job that x waits for, if it is wanted, with a reference for the caller; NULL: there is none. */
	struct filchi_job *(*peek)(const struct filchi_wait *x, filchi_wanted *wanted, const void *of);
	/* Runs such a job if the calling thread may. */
	bool (*help)(const struct filchi_wait *x, struct filchi_worker *w);
	/* True if the thread that sleeps in the other wait is inside of a job that x waits for. */
	bool (*is_within)(const struct filchi_wait *x, const struct filchi_wait *other);
};

struct filchi_wait {
	const struct filchi_wait_kind *kind;
	void *target;			/* the job or the group */
	FILCHI_ATOMIC(uint32_t) * word; /* changes when there is news */
	uint32_t waited;		/* the bit of word that says that a thread sleeps; 0: word has no such bit */
	unsigned generation;		/* of the process that made the target */
	uint64_t deadline;		/* or FILCHI_NO_DEADLINE */
	/* Set here. */
	const struct filch_hooks *hooks; /* of a suspended caller, with the token */
	void *token;
	void **thread;			 /* the thread that waits */
	struct filchi_job *within;	 /* the job that this thread runs, or NULL */
	struct filchi_wait *next, *prev; /* on the list */
	uint64_t seen;			 /* the last walk through the list that came here */
};

/* Waits. 0; or -ETIMEDOUT, -EDEADLK or -ESHUTDOWN, with a message. */
int filchi_wait(struct filchi_wait *x);

/* Call this before a pool is freed: afterwards no thread of this list looks at the pool. */
void filchi_wait_forget(void);

/* Wakes all threads and suspended callers that wait for this word. Only its address is used. */
void filchi_wait_wake(FILCHI_ATOMIC(uint32_t) * word);

/* The word that changes when a job with FILCHI_JOB_OF_ANY is done, and the change. */
FILCHI_ATOMIC(uint32_t) * filchi_wait_any_word(void);
void filchi_wait_any_done(void);

/* For the scheduler: all threads of the pool sleep in joins and waits. */
void filchi_wait_stalled(struct filchi_sched *s);

#endif
