/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools: worker threads, jobs, and ways to wait for jobs.
 *
 * A pool is a set of worker threads. A job is a function that a thread submits to a pool. A future waits for one job, a
 * group waits for many.
 *
 *	filch_start(NULL);                                   starts the default pool
 *	filch_pool_submit(NULL, compress, file, &future);    a worker will call compress(file, &result)
 *	err = filch_future_wait(future, &result);            returns the return value of compress
 *	filch_future_destroy(future);
 *	filch_stop();
 *
 * Which pool: a pool of NULL means the pool of the calling worker. In a thread that is not a worker NULL means the
 * default pool. This holds for all functions of filch, and for FILCH_RUN. filch_start() makes the default pool,
 * filch_pool_create() makes further pools.
 *
 * Rules
 * - A job must return: no longjmp(), C++ exception or pthread_exit() may leave it.
 * - A job may submit jobs, wait for jobs, and hold a lock while it waits. A waiting worker runs only the job that it
 *   waits for. If that job runs already, the worker sleeps, and a spare worker takes its place.
 * - Jobs that wait for each other in a circle get -EDEADLK.
 * - No function of this header may be called in a signal handler.
 * - No function is a cancellation point. A cancelled thread (pthread_cancel) ends after the function has returned.
 *
 * A pool without work sleeps and takes no processor time, unless its wait policy is latency.
 *
 * A pool without workers (FILCH_NONE) queues its jobs. A wait for a job or its group runs the job in the waiting
 * thread, and so do the try functions. filch_stop() and filch_pool_destroy() run the rest.
 *
 * A thread of another pool runs a queued job that it waits for, if all workers and spares of the job's pool wait. In
 * such a job filch_worker_id() is -1, filch_local_get() returns storage of the thread, and tasks and loops run in the
 * thread alone.
 *
 * A child of fork() has no workers. The first use of the default pool makes the pool again, with the same options.
 * Other pools accept no jobs in the child and can only be destroyed.
 *
 * Manual: filch_pool(3), filch_job(3), filch_future(3), filch_group(3), filch_local(3); filch(7) has all settings.
 */
#ifndef FILCH_POOL_H
#define FILCH_POOL_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_pool;

/* Means none in each option that has a none: workers, spares and stack_report. A 0 there means the default. */
#define FILCH_NONE (-1)

/*
 * Options of a pool. A field of 0 means: the value of the environment variable that its comment names, or else the
 * default. The variables spell FILCH_NONE as 0. filch(7) explains all values. filch_deque_kind_name(),
 * filch_victim_name(), filch_wait_name() and filch_join_name() list the names.
 */
struct filch_options {
	size_t struct_size; /* sizeof(struct filch_options) */
	/*
	 * FILCH_WORKERS: the number of worker threads, at most 1024. Default: the number of processors that the process
	 * may use at a time. FILCH_NONE: the thread that asks for work does the work.
	 */
	int workers;
	/*
	 * FILCH_DEQUE: the kind of deque that each worker has. Default: split. Kinds that are not LIFO for the owner
	 * are for jobs: tasks and loops then run in the worker that began them.
	 */
	const char *deque;
	/* FILCH_VICTIM: the worker from which an idle worker steals. Default: random. */
	const char *victim;
	/*
	 * FILCH_WAIT: the behaviour of a worker that finds no work. balanced (default): it searches for some
	 * microseconds, then sleeps. power: it sleeps at once. latency: it never sleeps.
	 */
	const char *wait;
	/* FILCH_JOIN: the tasks that a worker runs while it waits for a stolen task. Default: transitive. */
	const char *join;
	/* FILCH_CAPACITY: tasks that a worker can offer to thieves at a time. Default: of the deque (split: 2^20). */
	size_t capacity;
	/* FILCH_SEARCHERS: workers that may search for work at a time. Default: half of them, but at least two. */
	unsigned searchers;
	/* FILCH_SPARES: spare workers that the pool may have. Default: as many as workers. FILCH_NONE: no spares. */
	int spares;
	/*
	 * FILCH_STACK: the stack of each worker in bytes, 64k to 1024g; the variable accepts k, m or g after the
	 * number. Default: 256m, less if the address space is limited. A worker also has a task stack for its spawns,
	 * of twice this size and at least 16 MB. Both are address space: the system adds memory as the stacks are used.
	 * If the system refuses a size, both stacks become smaller. A thread that calls an algorithm uses its own
	 * stack.
	 */
	size_t stack;
	/*
	 * FILCH_PIN: 1: each worker runs on one processor, and no two on the same. Default: 0. Threads and programs
	 * that a job starts inherit that processor; docs/environment.md shows how to undo this.
	 */
	int pin;
	/* Called by each worker and each spare: when it starts, and before it ends. May be NULL. */
	void (*worker_begin)(int worker, void *arg);
	void (*worker_end)(int worker, void *arg);
	void *arg;
	/*
	 * FILCH_STACK_REPORT: 1 (default): a worker that has no stack left writes a line to stderr before the program
	 * dies. FILCH_NONE: it writes nothing.
	 */
	int stack_report;
	/* The first part of the threads' names: filch/0, filch/1, and filch/s0 for a spare. Default: filch. */
	const char *name;
};

/*
 * filch_start starts the default pool, and filch_stop ends it. The pool can be started again. A program that ends
 * without filch_stop does not wait for jobs.
 *
 * Starts are counted, so that the libraries of a program can share the pool. Each filch_start that returns 0 needs one
 * filch_stop, and the last filch_stop ends the pool. The first start decides the options. A child of fork() goes on
 * with the count, unless its first call is filch_start.
 *
 * Workers block the signals that the thread blocks which starts the pool. Workers cannot be cancelled.
 *
 * filch_start returns 0 or
 *   -EALREADY   the pool is started and opt is not NULL, or the pool is being stopped. This start does not count
 *   -EINVAL     an option or a variable has a value that is not allowed
 *   -EAGAIN, -ENOMEM   the system has no threads or no memory for the workers; filch_error_message() names the limit
 *
 * filch_stop returns 0, also if there is no pool. The last filch_stop waits until all submitted jobs are done. This
 * takes forever if each job submits another one.
 *   -EDEADLK    a task or job of this pool called the last filch_stop. Nothing happens
 */
FILCH_API int filch_start(const struct filch_options *opt);
FILCH_API int filch_stop(void);

/*
 * filch_pool_create makes another pool. It returns the errors of filch_start. filch_pool_destroy waits until all
 * submitted jobs are done, and ends the pool. It returns the errors of filch_stop. pool may be NULL.
 */
FILCH_API int filch_pool_create(struct filch_pool **out, const struct filch_options *opt);
FILCH_API int filch_pool_destroy(struct filch_pool *pool);

/* Returns the number of workers. 0: the pool has none, and the thread that asks for work does the work. */
FILCH_API unsigned filch_pool_workers(struct filch_pool *pool);
/*
 * Returns the number of the calling worker, from 0. Spares have the numbers from filch_pool_workers() on. A thread that
 * calls an algorithm borrows a sleeping worker and has its number meanwhile. -1: the caller is not a worker. In a pool
 * without workers this is -1 in jobs and tasks as well.
 */
FILCH_API int filch_worker_id(void);
/* Returns a number that is greater than the numbers of all workers and spares. 1: the pool has no workers. */
FILCH_API unsigned filch_pool_worker_ids(struct filch_pool *pool);

/*
 * Between begin and end the workers of the pool do not sleep: for a time in which work comes often. Pairs may overlap,
 * and workers sleep again after the last end. All pairs end with the pool, and in the child of fork(). An end without a
 * begin does nothing.
 */
FILCH_API void filch_pool_keep_awake_begin(struct filch_pool *pool);
FILCH_API void filch_pool_keep_awake_end(struct filch_pool *pool);

/* Return the names that an option accepts, numbered from 0. NULL: there is no name with this number. */
FILCH_API const char *filch_victim_name(unsigned n);
FILCH_API const char *filch_wait_name(unsigned n);
FILCH_API const char *filch_join_name(unsigned n);

/* Statistics of a pool. Most spawns are plain calls, which nothing counts: docs/tasks.md. */
struct filch_stats {
	size_t struct_size;	/* sizeof(struct filch_stats), set by the caller */
	uint64_t tasks;		/* spawns that made a task which could be stolen */
	uint64_t jobs;		/* submitted jobs that have been run */
	uint64_t steals;	/* steals by idle workers; one steal may take several tasks */
	uint64_t leapfrogs;	/* tasks that workers ran while they waited for stolen tasks */
	uint64_t rejected;	/* tasks that a waiting worker has stolen but may not run */
	uint64_t parks;		/* times that a worker fell asleep */
	uint64_t wakes;		/* times that a worker woke another worker */
	uint64_t overflows;	/* tasks that ran at once because the deque was full */
	uint64_t misuses;	/* with FILCH_DEBUG: spawns and syncs that do not match */
	uint64_t split_grows;	/* deque split: times that the owner shared more items with thieves */
	uint64_t split_shrinks; /* deque split: times that the owner took shared items back */
};

/*
 * Writes the statistics of one worker to *stats, or the sums of all workers if worker is -1. While the pool is running,
 * the numbers are approximate. 0. -EINVAL: there is no such worker, or struct_size is not set; *stats is unchanged.
 */
FILCH_API int filch_pool_stats(struct filch_pool *pool, int worker, struct filch_stats *stats);

/* ---- jobs ---- */

/*
 * The function of a job. It may set *result, which is NULL at first. It returns 0 or an error: a negative errno value,
 * or any other number. A wait for the job returns this error. The waits return errno values of their own, such as
 * -ECANCELED and -EDEADLK, so a program that must tell them apart lets its jobs return other numbers.
 *
 * A job that ends the thread of a worker with pthread_exit() makes the library write a line to stderr and abort().
 */
typedef int filch_job_fn(void *arg, void **result);
/* Frees the argument of a job that will never run. */
typedef void filch_drop_fn(void *arg);

struct filch_future;
struct filch_group;

/*
 * filch_pool_submit submits a job: a worker of the pool, or a thread that waits for the job, will call fn(arg, &result)
 * once. Any thread may submit, also a worker in a task or job. *out becomes a new future; out may be NULL.
 *
 * A job that is cancelled before it begins never runs. filch_pool_submit_or_drop takes a function for this case: after
 * the call has returned 0, the library calls either fn or drop, once. drop may run in any thread, also in the thread
 * that cancels, and should only free arg. drop may be NULL.
 *
 * Both return 0 or an error. After an error there is no job, and arg is still the caller's.
 *   -EINVAL      fn is NULL
 *   -ENOMEM      there is no memory
 *   -ECANCELED   the caller runs in a job that was cancelled
 *   -ESHUTDOWN   there is no such pool; or the pool is being stopped and the caller is not its worker; or the parent of
 *                this process made the pool, before fork()
 */
FILCH_API int filch_pool_submit(struct filch_pool *pool, filch_job_fn *fn, void *arg, struct filch_future **out);
FILCH_API int filch_pool_submit_or_drop(struct filch_pool *pool, filch_job_fn *fn, filch_drop_fn *drop, void *arg,
					struct filch_future **out);

/*
 * A future is valid until filch_future_destroy, even after the end of the pool. Any number of threads may wait for it.
 *
 *   wait       waits until the job is done, and returns the return value of its function
 *   wait_for   waits for ns nanoseconds at most. It takes longer if the caller runs the job itself, as a worker of the
 *              pool does, and any thread in a pool without workers
 *   try_wait   does not wait
 *   wait_any   waits until one of count jobs is done, for ns nanoseconds at most, as wait_for does (UINT64_MAX: no
 *              limit), and returns 0. A job that was cancelled before it began is done, too. *which becomes the
 *              lowest index of a future whose job is done; which may be NULL
 *   cancel     keeps the job from running. If the job has begun, filch_job_cancelled() returns 1 in it
 *   destroy    frees the future. The job goes on. future may be NULL
 *
 * If the job is done, *result becomes the value that the function stored, or NULL if the function never ran. Otherwise
 * *result is unchanged. result may be NULL.
 *
 *   -ECANCELED   the job was cancelled before it began (wait, wait_for, try_wait)
 *   -EDEADLK     the caller is a part of this job, or the job waits for the caller's job (wait, wait_for)
 *   -ESHUTDOWN   this process was forked before the job was done, and the parent has the job (wait, wait_for, wait_any)
 *   -ETIMEDOUT   the time is over (wait_for, wait_any)
 *   -EAGAIN      the job is not done (try_wait)
 *   -EALREADY    the job is done (cancel)
 *   -EINVAL      future is NULL, or count is 0 (all)
 *
 * A future that was destroyed is -EINVAL in most cases. A library built with assertions stops the program instead.
 */
FILCH_API int filch_future_wait(struct filch_future *future, void **result);
FILCH_API int filch_future_wait_for(struct filch_future *future, uint64_t ns, void **result);
FILCH_API int filch_future_try_wait(struct filch_future *future, void **result);
FILCH_API int filch_future_wait_any(struct filch_future *const *futures, size_t count, uint64_t ns, size_t *which);
FILCH_API int filch_future_cancel(struct filch_future *future);
FILCH_API void filch_future_destroy(struct filch_future *future);

/*
 * A group waits for many jobs together. Any thread may submit, also a job of the group, and also during a wait. A group
 * can be used again after a wait that returned 0. After an error or a cancel, create a new group: a group keeps its
 * first error.
 *
 *   create     makes a group for jobs of the pool
 *   submit, submit_or_drop   as filch_pool_submit and filch_pool_submit_or_drop, with the same errors
 *   submit_n   submits count jobs at once, which costs less than count calls. Job i calls fn with the address
 *              args + i * arg_size: args may be an array of arguments, or of pointers to arguments. With an arg_size of
 *              0 all jobs get args. With NULL and 1 each job gets its number. After an error there is no job at all.
 *              -EINVAL also if count is more than 2^29, and -EAGAIN if more than 2^29 jobs would not be done
 *   wait       waits until all jobs of the group are done. Returns 0 or the first error of a job
 *   wait_for   waits for ns nanoseconds at most. It takes longer if the caller runs a job of the group itself, as a
 *              worker of the pool does, and any thread in a pool without workers. No job begins in it after the time
 *   try_wait   does not wait. In a pool without workers it runs the jobs
 *   cancel     keeps the jobs that have not begun from running. In the other jobs filch_job_cancelled() returns 1
 *   destroy    waits, returns the result of the wait, and frees the group. A submit in another thread, whose job is
 *              done, need not have returned: it does not use the group any more. group may be NULL
 *
 *   -ECANCELED   no job returned an error, but some were cancelled before they began (waits)
 *   -ECANCELED   the group, or the caller's job, was cancelled (submit)
 *   -EDEADLK     the caller is a part of a job of the group, or such a job waits for the caller's job (wait, wait_for,
 *                destroy; the group still exists then, and after any other result of destroy it is gone)
 *   -ESHUTDOWN   this process was forked before a job was done, and the parent has the job (wait, wait_for, destroy)
 *   -ESHUTDOWN   as filch_pool_submit (create, submit)
 *   -ETIMEDOUT   the time is over (wait_for)
 *   -EAGAIN      a job is not done (try_wait)
 *   -ENOMEM      there is no memory (create, submit)
 *   -EINVAL      the group, or out, or fn is NULL (all except destroy)
 */
FILCH_API int filch_group_create(struct filch_group **out, struct filch_pool *pool);
FILCH_API int filch_group_submit(struct filch_group *group, filch_job_fn *fn, void *arg);
FILCH_API int filch_group_submit_or_drop(struct filch_group *group, filch_job_fn *fn, filch_drop_fn *drop, void *arg);
FILCH_API int filch_group_submit_n(struct filch_group *group, filch_job_fn *fn, void *args, size_t arg_size,
				   size_t count);
FILCH_API int filch_group_wait(struct filch_group *group);
FILCH_API int filch_group_wait_for(struct filch_group *group, uint64_t ns);
FILCH_API int filch_group_try_wait(struct filch_group *group);
FILCH_API int filch_group_cancel(struct filch_group *group);
FILCH_API int filch_group_destroy(struct filch_group *group);

/*
 * Returns 1 if the calling job was cancelled, or its group, or a job that encloses it. A running job encloses the jobs
 * that it submits and the groups that it creates. Tasks and loops of a job belong to the job in any worker. Returns 0
 * outside of jobs. A job that may take long should call this now and then.
 */
FILCH_API int filch_job_cancelled(void);

/*
 * Call begin before a call that blocks, and end after it, in a task or job: a spare works in place of this worker
 * meanwhile. Pairs may be nested. In other threads both do nothing. The library adds a missing end when the job, the
 * FILCH_RUN, the algorithm or the stolen task returns.
 */
FILCH_API void filch_blocking_begin(void);
FILCH_API void filch_blocking_end(void);

/* ---- storage for each worker ---- */

struct filch_local;

/*
 * Storage that each worker of a pool has for itself.
 *
 * create: size bytes for each worker, in separate cache lines, all zero at first. A worker calls init when it asks for
 * its storage for the first time. init and fini may be NULL. -EINVAL, -ENOMEM, -ESHUTDOWN.
 *
 * get: returns the storage of the calling worker. A thread that calls an algorithm gets the storage of the worker that
 * it borrows. NULL: there is no memory, or the caller is not a worker of the pool; filch_error_message() has the
 * reason.
 *
 * destroy: calls fini for each storage in use, in the calling thread, and frees it. No worker may use the storage any
 * more. The pool may be gone already. local may be NULL.
 *
 * In a pool without workers each thread has storage of its own, which exists until destroy, even after the end of the
 * thread. A later thread gets new storage.
 *
 * Storage for the default pool outlives filch_stop: after the next filch_start, a worker gets the storage of the former
 * worker with its number, with its values. While there is no default pool, storage is as in a pool without workers. A
 * child of fork() has all storage, with the values of that moment; if init was running, the child calls it again.
 */
FILCH_API int filch_local_create(struct filch_local **out, struct filch_pool *pool, size_t size,
				 void (*init)(void *storage, void *arg), void (*fini)(void *storage, void *arg),
				 void *arg);
FILCH_API void *filch_local_get(struct filch_local *local);
FILCH_API void filch_local_destroy(struct filch_local *local);

FILCH_END_DECLS

#endif
