/* SPDX-License-Identifier: Apache-2.0 */
/* A pool: a scheduler with tasks and jobs. */
#ifndef FILCHI_POOL_POOL_H
#define FILCHI_POOL_POOL_H

#include "../base/error.h"
#include "../os/topology.h"
#include "worker.h"

#include <filch/pool.h>

struct filch_pool {
	struct filchi_sched sched;	     /* only with workers */
	struct filchi_task_config tasks;     /* only with workers */
	struct filchi_injector serial_queue; /* only without workers: its jobs */
	struct filch_options options;	     /* complete, with all defaults filled in */
	struct filchi_topology topology;
	char name[16];	     /* the first part of the names of its threads */
	unsigned generation; /* of the process that made the pool: workers do not survive a fork */
	bool is_default;
	FILCHI_ATOMIC(uint64_t) jobs_outside; /* run by threads that are no workers of the pool */
	FILCHI_ATOMIC(uint32_t) unfinished;   /* without workers: twice the jobs, and one if a thread waits for them */
	FILCHI_ATOMIC(uint32_t) stale;	      /* without workers: entries of the queue whose jobs were run elsewhere */
};

/* is_default: workers may ask for this as soon as they start. 0 or -errno, with a message. */
int filchi_pool_create(struct filch_pool **out, const struct filch_options *opt, bool is_default);

/* Completes options from the environment and the defaults, and makes a setup of them. 0 or -EINVAL, with a message. */
int filchi_options_complete(struct filch_options *out, const struct filch_options *opt, unsigned limit);
int filchi_options_setup(struct filchi_sched_setup *setup, enum filchi_join_policy *join,
			 const struct filch_options *options);

static inline bool filchi_pool_has_workers(const struct filch_pool *pool)
{
	return pool->options.workers > 0;
}

/* The worker that the calling thread is, or NULL. In a child of fork() it is no worker of the parent's pools. */
struct filchi_worker *filchi_pool_worker(void);

/*
 * The worker is about to block. Others get its pending SPAWN_Ns, and a spare runs in its place until filchi_spare_end.
 */
static inline void filchi_pool_block(struct filchi_worker *w)
{
	if (!filchi_spare_depth(w))
		filchi_task_give_all(w);
	filchi_spare_begin(w);
}

static inline struct filch_pool *filchi_pool_of(const struct filchi_worker *w)
{
	return filchi_sched_owner(filchi_worker_sched(w));
}

/* True if this is a worker of the pool, and not NULL. */
static inline bool filchi_pool_has(const struct filch_pool *pool, const struct filchi_worker *w)
{
	return w && filchi_worker_sched(w) == &pool->sched;
}

/* True if it is a worker of that pool. pool NULL: the default pool, even during its stop. */
bool filchi_pool_is(const struct filch_pool *pool, const struct filchi_worker *w);

/*
 * Keeps a pool from ending until release. pool NULL: the pool of the job or task that the calling thread runs, else the
 * default pool. hold_default: always the default pool. The same thread must release the pool before it runs a job
 * or task. 0, or -ESHUTDOWN with a message: there is no such pool in this process. A child of fork() gets a new default
 * pool.
 */
struct filchi_pool_hold {
	struct filch_pool *pool;
	bool counted; /* the thread is a holder of the default pool */
	bool entered; /* the thread has entered the scheduler of another pool */
};
int filchi_pool_hold(struct filchi_pool_hold *hold, struct filch_pool *pool);
int filchi_pool_hold_default(struct filchi_pool_hold *hold);
void filchi_pool_release(struct filchi_pool_hold *hold);

/*
 * A thread that is no worker borrows a sleeping worker of the pool (NULL: the default pool) from begin to end, and runs
 * as that worker. If no worker sleeps, or if the pool has hooks, which the thread has not called, it stays outside, and
 * FILCH_RUN_ON hands tasks over. begin returns false if there are no workers to hand anything to.
 */
struct filchi_run_scope {
	struct filchi_pool_hold hold;
	struct filchi_worker *worker; /* the borrowed worker, or NULL */
	unsigned generation;	      /* of the process */
	bool kept;		      /* the thread cannot be cancelled until the end; a worker never can */
	int keep;		      /* the state of cancellation before */
};
bool filchi_run_scope_begin(struct filchi_run_scope *scope, struct filch_pool *pool);
/* For a thread that does everything alone. It only cannot be cancelled. Returns false. */
bool filchi_run_scope_serial(struct filchi_run_scope *scope);
void filchi_run_scope_end(struct filchi_run_scope *scope);

#endif
