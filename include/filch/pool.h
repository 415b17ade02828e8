/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools of workers. A worker is a thread that runs tasks and jobs.
 *
 * There is one default pool, and a program can create other pools. A pool of NULL means the same everywhere: in a job
 * or task the pool that runs it, elsewhere the default pool. FILCH_RUN and filch/algo.h use that pool, too.
 *
 *	filch_start(NULL);       starts the default pool; FILCH_* variables are its options
 *	...
 *	filch_stop();
 *
 * A pool that has nothing to do sleeps and takes no processor time, unless its wait policy is latency.
 *
 * A job is a function that is submitted to a pool, from any thread. To wait for it, use a future (for one job) or a
 * group (for many):
 *
 *	filch_pool_submit(NULL, compress, file, &future);
 *	...
 *	err = filch_future_wait(future, &result);
 *	filch_future_destroy(future);
 *
 * A job may wait for other jobs. If no worker has started the job that it waits for, the waiting worker runs that job
 * itself. Otherwise it sleeps, and a spare worker takes its place meanwhile. A waiting worker runs no other jobs, so a
 * job may hold a lock while it waits. Jobs that wait for each other in a circle get -EDEADLK.
 *
 * Jobs of different pools may wait for each other, too. If all workers of a pool wait, and it has no spare worker left,
 * the thread that waits for a queued job of that pool runs the job. In such a job filch_worker_id() is -1,
 * filch_local_get() has storage of that thread, and tasks and loops run in that thread only.
 *
 * Without workers, a submitted job is queued until a thread needs it: a wait for it or for its group runs it in the
 * waiting thread, and so does filch_future_try_wait. filch_stop and filch_pool_destroy run the rest.
 *
 * fork(): the child process has no workers. There the default pool is made again, with the same options, when it is
 * first used. Other pools accept no jobs in the child and can only be destroyed.
 *
 * pthread_cancel(): no function here is a cancellation point. A thread that is cancelled meanwhile goes on until the
 * function has returned, and until a job that it runs while it waits has returned.
 */
#ifndef FILCH_POOL_H
#define FILCH_POOL_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_pool;

/* A value for the option workers: no threads are started, and all work is done in the thread that asks for it. */
#define FILCH_NONE (-1)

/*
 * Options of a pool. If a field is zero, the environment variable named in its comment is used; if that is not set
 * either, the default. Fields that are names take those that filch_deque_kind_name() (deque), filch_victim_name(),
 * filch_wait_name() and filch_join_name() list. filch(7) explains the values.
 */
struct filch_options {
	size_t struct_size; /* sizeof(struct filch_options) */
	/*
	 * FILCH_WORKERS (0: no workers, as FILCH_NONE here). At most 1024. Default: the number of processors that
	 * this process may use at a time.
	 */
	int workers;
	/*
	 * FILCH_DEQUE: the kind of queue that each worker has. Default: split. If it is a kind that is not LIFO for its
	 * owner, jobs run in parallel, but spawned tasks and loops run in the worker that began them.
	 */
	const char *deque;
	/* FILCH_VICTIM: which worker to steal from. Default: random. */
	const char *victim;
	/*
	 * FILCH_WAIT: what a worker does when it finds no work. balanced (default): looks for some microseconds, then
	 * sleeps. power: sleeps at once. latency: never sleeps.
	 */
	const char *wait;
	/* FILCH_JOIN: what a worker runs while it waits for a task that was stolen from it. Default: transitive. */
	const char *join;
	/*
	 * FILCH_CAPACITY: how many tasks a worker can offer to thieves at once. Default: what the deque has (split:
	 * 2^20).
	 */
	size_t capacity;
	/* FILCH_SEARCHERS: how many workers may look for work at once. Default: half of them, but at least two. */
	unsigned searchers;
	/* FILCH_SPARES: how many spare workers there may be (-1 here, 0 there: none). Default: as many as workers. */
	int spares;
	/*
	 * FILCH_STACK: the stack of each worker in bytes, 64k to 1024g. The variable may have a k, m or g behind the
	 * number. A worker also has a task stack, which holds its spawns: of twice this size, but at least 16 MB. Where
	 * the system refuses these sizes, both are smaller. Both are address space; memory is used as the stacks are.
	 * Default: 256m, and less if the address space is limited. A thread that calls an algorithm (algo.h) takes part
	 * with its own stack.
	 */
	size_t stack;
	/*
	 * FILCH_PIN: 1: each worker runs on one processor only, each on another. Default: 0. Threads and programs that
	 * a job starts inherit that one processor. To undo this, the new thread, or the child before exec(), calls
	 * sched_getaffinity() with the process id of the program, which is that of its main thread, and passes the
	 * answer to sched_setaffinity(0, ...).
	 */
	int pin;
	/* Called by each worker, and each spare worker, when it starts and before it ends. May be NULL. */
	void (*worker_begin)(int worker, void *arg);
	void (*worker_end)(int worker, void *arg);
	void *arg;
	/*
	 * FILCH_STACK_REPORT: whether a worker that has no stack left writes a line to stderr before the program dies.
	 * 1 (default): yes. -1 here, 0 in the variable: no.
	 */
	int stack_report;
	/* The first part of the names of the threads: filch/0, filch/1, and filch/s0 for a spare. Default: filch. */
	const char *name;
};

/*
 * Start and stop the default pool. It can be started again after it was stopped.
 *
 * Starts are counted, so that several libraries of a program can share the pool: each filch_start that returns 0 needs
 * one filch_stop, and the last one ends the pool. The first start decides the options. In a child of fork() the count
 * goes on, unless the child calls filch_start before anything else.
 *
 * All workers block the signals that the thread blocks which starts the pool. Workers cannot be cancelled.
 *
 * filch_start: 0. -EALREADY: it is started already and opt is not NULL, or it is being stopped; this start does not
 * count. -EINVAL: an option or a variable makes no sense. -EAGAIN, -ENOMEM: the system has no threads or no memory for
 * so many workers, and filch_error_message() names the limits.
 *
 * filch_stop: 0, also if there is no pool. The last one waits until all submitted jobs are done. This takes forever if
 * a job always submits another one. -EDEADLK: the last stop was called in a task or job of this pool; nothing happens.
 */
FILCH_API int filch_start(const struct filch_options *opt);
FILCH_API int filch_stop(void);

/* Another pool. create returns the errors of filch_start. destroy waits until all that was submitted is done. */
FILCH_API int filch_pool_create(struct filch_pool **out, const struct filch_options *opt);
FILCH_API int filch_pool_destroy(struct filch_pool *pool);

/* The number of workers of the pool. 0: all work is done in the thread that asks for it. */
FILCH_API unsigned filch_pool_workers(const struct filch_pool *pool);
/*
 * The number of the calling worker, from 0. Spare workers have numbers from filch_pool_workers() on. A thread that
 * takes part in an algorithm (algo.h) has the number of the worker whose place it has. -1: not a worker; without
 * workers it is -1 in jobs and tasks, too.
 */
FILCH_API int filch_worker_id(void);
/* The numbers of all workers, also of spare ones, are less than this. 1 if there are no workers. */
FILCH_API unsigned filch_pool_worker_ids(const struct filch_pool *pool);

/*
 * From begin to end the workers of the pool do not sleep. For a phase of the program in which
 * work comes often. Phases may overlap: workers sleep again after the last end. A phase also ends with its pool, and in
 * the child of fork(). An end without a begin does nothing.
 */
FILCH_API void filch_pool_keep_awake_begin(struct filch_pool *pool);
FILCH_API void filch_pool_keep_awake_end(struct filch_pool *pool);

/* The names there are, numbered from 0. NULL after the last. */
FILCH_API const char *filch_victim_name(unsigned n);
FILCH_API const char *filch_wait_name(unsigned n);
FILCH_API const char *filch_join_name(unsigned n);

/* What has happened so far. Most spawns are plain calls and are not counted: see docs/tasks.md. */
struct filch_stats {
	size_t struct_size;	/* sizeof(struct filch_stats), set by the caller */
	uint64_t tasks;		/* spawns that made a task which could be stolen */
	uint64_t jobs;		/* jobs that were submitted and have been run */
	uint64_t steals;	/* steals by idle workers; one steal may take several tasks */
	uint64_t leapfrogs;	/* tasks of other workers that a worker ran while it waited for a stolen task */
	uint64_t rejected;	/* tasks that a waiting worker has stolen but may not run */
	uint64_t parks;		/* a worker fell asleep */
	uint64_t wakes;		/* a worker woke another one */
	uint64_t overflows;	/* tasks for which a queue had no room: they were run at once */
	uint64_t misuses;	/* with FILCH_DEBUG: spawns and syncs that do not match */
	uint64_t split_grows;	/* the deque split: times that more of it was shared with thieves */
	uint64_t split_shrinks; /* the deque split: times that some of it was taken back */
};

/*
 * The statistics of one worker, or the sums of all if worker is -1. While the pool is running, the numbers are only
 * approximate. 0; -EINVAL: no such worker, or the size is not set. After an error *stats is as before.
 */
FILCH_API int filch_pool_stats(const struct filch_pool *pool, int worker, struct filch_stats *stats);

/* ---- jobs ---- */

/*
 * The type of a job's function. It may set *result, which is NULL at first. It returns 0, or an error: a negative errno
 * value, or any other number. A thread that waits for the job gets the result and the error. filch returns errno
 * values, too, such as -ECANCELED and -EDEADLK. If the program must tell the two apart, its jobs return other numbers.
 *
 * The function must return: no longjmp() out of it, no C++ exception, no pthread_exit(). If a job ends a worker's
 * thread with pthread_exit(), the library writes a line to stderr and aborts the program.
 */
typedef int filch_job_fn(void *arg, void **result);
/* Frees the argument of a job that is never run. */
typedef void filch_drop_fn(void *arg);

struct filch_future;
struct filch_group;

/*
 * Submits a job: fn(arg, &result) will be called once, by a worker of the pool, or by a thread that waits for it. Both
 * functions can be called from any thread, and in tasks and jobs.
 *
 * *out is a new future, to wait for the job. out may be NULL if no thread will wait for it.
 *
 * A job that is cancelled before it begins is never run. filch_pool_submit_or_drop has a function for this case: after
 * it has returned 0, exactly one of fn and drop is called, once. drop may be called in any thread, also in one that
 * cancels. It should only free arg. drop may be NULL.
 *
 * 0, or an error. After an error there is no job, and the library will not call fn or drop. So after an error arg is
 * still yours to free. -EINVAL: fn is NULL. -ENOMEM: no memory. -ECANCELED: the caller runs in a job that was
 * cancelled. -ESHUTDOWN: there is no such pool. Or it is being stopped, and the caller is not one of its workers. Or
 * the parent of this process made it, before fork().
 */
FILCH_API int filch_pool_submit(struct filch_pool *pool, filch_job_fn *fn, void *arg, struct filch_future **out);
FILCH_API int filch_pool_submit_or_drop(struct filch_pool *pool, filch_job_fn *fn, filch_drop_fn *drop, void *arg,
					struct filch_future **out);

/*
 * A future stays valid until filch_future_destroy, even when the pool no longer exists. (By then all of its jobs have
 * been run.) Any number of threads may wait for the same future. result may be NULL.
 *
 * *result is set if the job is done, to the value that fn has stored there; NULL if fn was not called. It stays
 * unchanged after -ETIMEDOUT, -EAGAIN, -EDEADLK, -ESHUTDOWN and -EINVAL.
 *
 * -EINVAL: the future is NULL, or it has been freed and its memory is used again. This is found in most cases, not in
 * all. A library built with assertions stops the program then.
 *
 *   wait       waits until the job is done, and returns what fn has returned.
 *              -ECANCELED: it was cancelled before it began. -EDEADLK: the caller runs inside of this job, or the job
 *              waits for the caller's job, directly or through others.
 *              -ESHUTDOWN: it was not done when this process was forked, and remains with the parent
 *   wait_for   the same, but waits ns nanoseconds at most: then -ETIMEDOUT. It takes longer if the caller, as a worker
 *              of the pool, runs the job itself
 *   try        the same, but does not wait: -EAGAIN if the job is not done
 *   wait_any   waits until at least one of count jobs is done, ns nanoseconds at most (UINT64_MAX: no limit). *which is
 *              the index of the first of these in the array; which may be NULL. 0; -ETIMEDOUT; -EINVAL: count is 0, or
 *              a future is no future
 *   cancel     if the job has not begun, it will not be run. If it has begun, filch_job_cancelled() returns 1 in it.
 *              -EALREADY: the job is done already
 *   free       frees the future. The job itself goes on
 */
FILCH_API int filch_future_wait(struct filch_future *future, void **result);
FILCH_API int filch_future_wait_for(struct filch_future *future, uint64_t ns, void **result);
FILCH_API int filch_future_try_wait(struct filch_future *future, void **result);
FILCH_API int filch_future_wait_any(struct filch_future *const *futures, size_t count, uint64_t ns, size_t *which);
FILCH_API int filch_future_cancel(struct filch_future *future);
FILCH_API void filch_future_destroy(struct filch_future *future);

/*
 * A group of jobs that are waited for together. Any thread may submit, also a job of the group, and also while others
 * wait. A group can be used again after a wait that returned 0. After an error or a cancel, create a new group: this
 * one keeps its first error. A group may be destroyed as soon as its jobs are done, even if a call of
 * filch_group_submit in another thread has not returned yet: destroy waits for that.
 *
 * -EINVAL, from all but destroy: the group is NULL (create: out is NULL; submit: also if fn is NULL). destroy accepts
 * NULL.
 *
 *   create    a group for jobs of the pool. -ENOMEM, -ESHUTDOWN
 *   submit    as filch_pool_submit, with the same errors. -ECANCELED: the group was cancelled
 *   submit_or_drop   as filch_pool_submit_or_drop
 *   wait      waits until all jobs of the group are done. Returns 0, or the first error that one of them has returned;
 *             later calls return the same error. If there was no error but some jobs were cancelled before they began:
 *             -ECANCELED. -EDEADLK: the caller runs inside of a job of the group, or a job of the group waits for the
 *             caller's job. -ESHUTDOWN: as for futures
 *   wait_for  the same, but waits ns nanoseconds at most: then -ETIMEDOUT
 *   try_wait  the same, but does not wait: -EAGAIN if a job is not done. In a pool without workers it runs the jobs
 *   cancel    jobs that have not begun will not be run. In those that have begun filch_job_cancelled() returns 1. From
 * now on submit returns -ECANCELED destroy   waits as wait does, returns the same, and frees the group. -EDEADLK: as
 * above, and nothing happens
 */
FILCH_API int filch_group_create(struct filch_group **out, struct filch_pool *pool);
FILCH_API int filch_group_submit(struct filch_group *group, filch_job_fn *fn, void *arg);
FILCH_API int filch_group_submit_or_drop(struct filch_group *group, filch_job_fn *fn, filch_drop_fn *drop, void *arg);
FILCH_API int filch_group_wait(struct filch_group *group);
FILCH_API int filch_group_wait_for(struct filch_group *group, uint64_t ns);
FILCH_API int filch_group_try_wait(struct filch_group *group);
FILCH_API int filch_group_cancel(struct filch_group *group);
FILCH_API int filch_group_destroy(struct filch_group *group);

/*
 * Returns 1 if the calling job was cancelled, or its group, or a job that encloses it. A job encloses the jobs that it
 * submits, as long as it runs itself, and the groups that it creates. A job that may take long should call this now and
 * then. The tasks that are spawned in a job, and the loops in it, belong to the job, whichever worker runs them.
 * Returns 0 outside of jobs.
 */
FILCH_API int filch_job_cancelled(void);

/*
 * Call these before and after a call that blocks, inside of a task or job: meanwhile a spare worker takes the place of
 * this one. Pairs may be nested. Outside of workers they do nothing. A begin without its end is over when the job
 * returns, or the FILCH_RUN or the algorithm; in a task that another worker has stolen, when that task returns.
 */
FILCH_API void filch_blocking_begin(void);
FILCH_API void filch_blocking_end(void);

/* ---- storage for each worker ---- */

struct filch_local;

/*
 * Storage of which each worker of a pool has a copy of its own.
 *
 * create: for the pool, size bytes for each worker, in cache lines of its own. The storage is
 * all zero at first. init is called when a worker asks for its storage for the first time, by that worker. Both init
 * and fini may be NULL. -EINVAL, -ENOMEM, -ESHUTDOWN.
 *
 * get: the storage of the calling worker, and in an algorithm that of the worker whose place the thread has. NULL: no
 * memory, or the caller is not a worker of the pool; filch_error_message() has the reason.
 *
 * If the pool has no workers, each thread that calls has storage of its own. It is kept until destroy, also when the
 * thread has ended: a later thread gets new storage.
 *
 * Storage for the default pool is for whichever pool is the default one. It outlives filch_stop: after filch_start, a
 * worker gets the storage of the worker that had its number, with the values in it. If the new pool has more workers,
 * those get new storage. While there is no default pool, storage is as in a pool without workers. A child of fork() has
 * all storage with the values of that moment. If init was running then, it is called again in the child. Storage for
 * another pool is for that pool only.
 *
 * destroy: calls fini for all storage that was asked for, in the calling thread, and frees it. To be called when no
 * worker uses the storage any more. The pool may have been destroyed before.
 */
FILCH_API int filch_local_create(struct filch_local **out, struct filch_pool *pool, size_t size,
				 void (*init)(void *storage, void *arg), void (*fini)(void *storage, void *arg),
				 void *arg);
FILCH_API void *filch_local_get(struct filch_local *local);
FILCH_API void filch_local_destroy(struct filch_local *local);

FILCH_END_DECLS

#endif
