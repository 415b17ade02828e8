/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools of workers. There is a default one, for FILCH_RUN and wherever a pool is NULL, and there can be others.
 *
 *	filch_start(NULL);       the default pool, with what the FILCH_* variables say
 *	...
 *	filch_stop();
 *
 * A pool that nobody uses sleeps: it takes no processor time, unless its wait policy is latency.
 *
 * Functions are submitted to a pool, from any thread, and waited for, if at all, by futures and groups:
 *
 *	filch_submit(NULL, compress, file, &future);
 *	...
 *	err = filch_future_wait(future, &result);
 *	filch_future_free(future);
 *
 * Who waits in a task of the pool runs what it waits for, if nobody has started on that, and else sleeps, with its
 * place lent to a spare worker. It runs nothing but what it waits for: so a lock may be held across a wait.
 *
 * fork(): a child has no workers. The default pool is made anew there, with the same options, when it is first used;
 * others refuse what is submitted, and are only good for filch_pool_destroy.
 */
#ifndef FILCH_POOL_H
#define FILCH_POOL_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_pool;

/* For workers: none. All runs in the thread that asks for it, in order, and no thread is started. */
#define FILCH_NO_WORKERS (-1)

/*
 * How a pool is to be. A field that is zero is taken from the environment variable named, if that is set, and else has
 * its default. Names are those of filch_*_name() below, which list them all.
 */
struct filch_options {
	size_t size; /* sizeof(struct filch_options) */
	/* FILCH_WORKERS (a number, 0 for none). Default: as many as this process may use processors at a time. */
	int workers;
	/*
	 * FILCH_DEQUE: of each worker. Default split. Of a kind that is no stack to its owner jobs run in parallel, the
	 * oldest first, but spawns and loops run in the worker that began them.
	 */
	const char *deque;
	/* FILCH_VICTIM: whom to steal from. Default random. */
	const char *victim;
	/* FILCH_WAIT: latency never sleeps, balanced looks around for some microseconds, power sleeps at once. */
	const char *wait;
	/* FILCH_JOIN: what to do while waiting for a stolen task. Default transitive. */
	const char *join;
	/* FILCH_CAPACITY: tasks a worker may have open to thieves at once. Default: what the deque has. */
	size_t capacity;
	/* FILCH_SEARCHERS: so many workers look for work at once, at most. Default: half of them, two at least. */
	unsigned searchers;
	/* FILCH_SPARES: workers that take the place of those that block, at most. Default: as many as workers. */
	int spares;
	/* FILCH_STACK (bytes, or with a K, M or G): of each worker, address space. Default: 256 megabytes. */
	size_t stack;
	/* FILCH_PIN (1): each worker on a processor of its own. */
	int pin;
	/* Called by each worker, spares too, when it starts and before it ends; either may be NULL. */
	void (*worker_begin)(int worker, void *context);
	void (*worker_end)(int worker, void *context);
	void *context;
	/* FILCH_STACK_REPORT (0: no): a worker that runs out of stack says so before it dies. Default: yes; -1: no. */
	int stack_report;
};

/*
 * The default pool. start: 0; -EALREADY: it is on, and goes on; -EINVAL: options or variables make no sense;
 * -EAGAIN or -ENOMEM: no threads or no memory. stop waits for all that was submitted, and does nothing if there is
 * none: start and stop may be called again and again. Not from a task: -EDEADLK.
 */
FILCH_API int filch_start(const struct filch_options *opt);
FILCH_API int filch_stop(void);

/* Why the last call of this thread that failed did so, in words. Never NULL. */
FILCH_API const char *filch_why(void);

/* Another pool. destroy waits for all that was submitted. */
FILCH_API int filch_pool_create(struct filch_pool **out, const struct filch_options *opt);
FILCH_API int filch_pool_destroy(struct filch_pool *pool);

/* Workers of the pool (NULL: the default one), 0 if all runs in the caller. */
FILCH_API unsigned filch_workers(const struct filch_pool *pool);
/* The number of the worker that calls, from 0; -1: this thread is none. Spares have numbers from filch_workers() on. */
FILCH_API int filch_worker(void);
/* All numbers of workers, with those of spares, are below this; 1 if all runs in the caller. */
FILCH_API unsigned filch_workers_max(const struct filch_pool *pool);

/* Between the two, workers stay awake: for a phase in which work comes often. They count. NULL: the default pool. */
FILCH_API void filch_phase_begin(struct filch_pool *pool);
FILCH_API void filch_phase_end(struct filch_pool *pool);

/* The names there are, from 0. NULL beyond the last. */
FILCH_API const char *filch_victim_name(unsigned n);
FILCH_API const char *filch_wait_name(unsigned n);
FILCH_API const char *filch_join_name(unsigned n);

/* What happened so far. Of spawns only those count that made a task that could be stolen: docs/fork.md. */
struct filch_stats {
	uint64_t tasks;	    /* made to be stolen */
	uint64_t jobs;	    /* submitted to the pool, and run */
	uint64_t steals;    /* by an idle worker, of one task or several */
	uint64_t leaps;	    /* tasks of others, run by one that waits for a stolen task */
	uint64_t returns;   /* stolen by one that waits, but none that it may run */
	uint64_t parks;	    /* a worker fell asleep */
	uint64_t wakes;	    /* a worker woke another */
	uint64_t overflows; /* tasks there was no room for, run at once */
	uint64_t misuses;   /* with FILCH_DEBUG: spawns and syncs that do not match */
	uint64_t grows;	    /* with split, the default deque: times that more of it was shared */
	uint64_t shrinks;   /* and times that some of that was taken back */
};

/* Of one worker, or of all if worker is -1. 0; -EINVAL: no such worker. Counts of a running pool are hints. */
FILCH_API int filch_stats_get(const struct filch_pool *pool, int worker, struct filch_stats *stats);

/* ---- jobs ---- */

/* What is submitted: 0 or -errno, and a result for who waits. *result is NULL at first. */
typedef int filch_fn(void *arg, void **result);

struct filch_future;
struct filch_group;

/*
 * Has fn run, once, by a worker of the pool (NULL: the default one), or at once in the caller if there are no workers.
 * From any thread, and from tasks; what a job submits to its own pool goes to its worker's deque,
 * if others can see all that is in it, and else to a queue. out NULL: nobody is
 * interested. 0; -EINVAL: no function; -ENOMEM: nothing happens; -ESHUTDOWN: there is no such pool, or it is being
 * stopped and the caller is none of its workers, or it was made by the process that this one was forked from.
 */
FILCH_API int filch_submit(struct filch_pool *pool, filch_fn *fn, void *arg, struct filch_future **out);

/*
 * A future is its owner's until filch_future_free, also when the pool is gone: all that was submitted has been run
 * then. Any number of threads may wait for it. result may be NULL.
 *
 *   wait       until it is done: what fn returned. -ECANCELED: it was cancelled before it began. -EDEADLK: the caller
 *              is part of it. -ESHUTDOWN: it was left to be done by the process that this one was forked from
 *   wait_for   for so many nanoseconds, at most: -ETIMEDOUT; longer if it is run by the caller
 *   try        -EAGAIN: it is not done
 *   cancel     it will not begin, or if it has begun filch_cancelled() is true in it. -EALREADY: it is done
 */
FILCH_API int filch_future_wait(struct filch_future *future, void **result);
FILCH_API int filch_future_wait_for(struct filch_future *future, uint64_t ns, void **result);
FILCH_API int filch_future_try(struct filch_future *future, void **result);
FILCH_API int filch_future_cancel(struct filch_future *future);
FILCH_API void filch_future_free(struct filch_future *future);

/*
 * Jobs that are waited for together. Members may submit further members.
 *
 *   create    in the pool (NULL: the default one). -ENOMEM, -ESHUTDOWN.
 *   submit    as filch_submit.
 *   wait      until all are done: 0, or the first error there was, and it stays so. -ECANCELED, of members that did
 *             not begin, counts if there was no other. -EDEADLK: the caller is a member.
 *   cancel    none will begin any more, and in those that have begun filch_cancelled() is true.
 *   destroy   waits, too; the first error, as above. -EDEADLK: nothing happens.
 */
FILCH_API int filch_group_create(struct filch_group **out, struct filch_pool *pool);
FILCH_API int filch_group_submit(struct filch_group *group, filch_fn *fn, void *arg);
FILCH_API int filch_group_wait(struct filch_group *group);
FILCH_API int filch_group_cancel(struct filch_group *group);
FILCH_API int filch_group_destroy(struct filch_group *group);

/*
 * 1 in a job that was cancelled, or whose group was, or one that encloses it: the job that has submitted it, as long as
 * that goes on, or that has created its group. To be asked now and then by what may take long. 0 elsewhere; also in a
 * task that was spawned in a job and stolen by a worker that was idle.
 */
FILCH_API int filch_cancelled(void);

/*
 * Around a call that blocks in a task: another worker, a spare, takes the place of this one for so long. They may be
 * nested. Elsewhere they do nothing.
 */
FILCH_API void filch_blocking_begin(void);
FILCH_API void filch_blocking_end(void);

/* ---- storage of each worker's own ---- */

struct filch_local;

/*
 * create: for the workers of the pool (NULL: the default one), so many bytes each, on a cache line of its own. init is
 * called once by each worker that asks for its storage, when it first does, and fini once for each of these by who
 * calls destroy; either may be NULL. The storage is all zero at first. -EINVAL, -ENOMEM, -ESHUTDOWN.
 *
 * get: that of the calling worker. NULL: no memory, or the caller is no worker of the pool. If the pool has no workers,
 * there is one, and all callers share it.
 *
 * destroy: when no worker uses it any more. Its pool may be gone.
 */
FILCH_API int filch_local_create(struct filch_local **out, struct filch_pool *pool, size_t size,
				 void (*init)(void *storage, void *context), void (*fini)(void *storage, void *context),
				 void *context);
FILCH_API void *filch_local_get(struct filch_local *local);
FILCH_API void filch_local_destroy(struct filch_local *local);

FILCH_END_DECLS

#endif
