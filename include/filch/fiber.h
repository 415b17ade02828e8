/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fibers: functions with a stack of their own that wait without a thread. A library of its own: link filch_fiber.
 *
 *	filch_start(NULL);
 *	filch_fiber_start(&fiber, NULL, serve, client, NULL);    a worker of the pool will call serve(client, &result)
 *	err = filch_fiber_join(fiber, &result);                  returns the return value of serve
 *	filch_stop();                                            waits until all fibers have ended
 *
 * A fiber that waits is suspended, and its worker runs something else. In a fiber these calls suspend: all functions
 * below that wait, and filch_future_wait(), filch_group_wait() and their relatives. All of them may be called in other
 * threads and in jobs as well, and then block the thread. Inside of a task, FILCH_RUN or algorithm that a fiber calls,
 * they block the worker, too. Calls of the system, and locks of pthreads, always block the worker.
 *
 * A fiber that has not begun is stolen like a job. A fiber that has begun stays with its worker, unless the option
 * migrate says otherwise. Thread-local variables, errno among them, belong to the worker. Compilers assume that a
 * function stays in its thread, and may keep the address of a thread-local variable. So a fiber that migrates must
 * not use such a variable in a function that also waits.
 *
 * Times are in nanoseconds, and UINT64_MAX means no limit. Functions that can fail return 0 or a negative errno value;
 * they do not set errno. Common errors:
 *
 *   -ETIMEDOUT   the time is over
 *   -ECANCELED   filch_fiber_cancel() was called for the calling fiber
 *   -EINVAL      an argument is not allowed
 *   -ENOMEM      there is no memory
 *
 * Manual: filch_fiber(3), filch_fiber_mutex(3), filch_channel(3).
 */
#ifndef FILCH_FIBER_H
#define FILCH_FIBER_H

#include "pool.h"

FILCH_BEGIN_DECLS

struct filch_fiber;

/* Whether a fiber may go on in another worker after it has waited. */
enum filch_fiber_migrate {
	FILCH_FIBER_MIGRATE_DEFAULT = 0, /* as filch_fiber_setup() says */
	FILCH_FIBER_PINNED = 1,		 /* it stays with the worker in which it began */
	FILCH_FIBER_FREE = 2		 /* it may go on in any worker, if the pool allows it, too */
};

/* Options of a fiber. */
struct filch_fiber_options {
	size_t struct_size; /* sizeof(struct filch_fiber_options) */
	/* For reports. The text must stay valid until the fiber has ended. Default: no name. */
	const char *name;
	/* The stack in bytes, with 16 KiB of guard: a power of two from 32 KiB on is best. Default: of the pool. */
	size_t stack;
	int migrate; /* enum filch_fiber_migrate */
	/*
	 * Not 0: the fiber has a floating-point environment of its own, such as a rounding mode. It begins with the
	 * worker's. Each wait takes a few ns more. Default: it shares the worker's. -ENOTSUP on machines other than
	 * x86-64 and AArch64.
	 */
	int fenv;
};

/*
 * filch_fiber_start makes a fiber: a worker of the pool will call fn(arg, &result). Any thread may call it. A pool of
 * NULL is as in pool.h. out NULL: the fiber is detached. After an error there is no fiber.
 *   -ENOTSUP     the pool has no workers, or has other hooks; or an option is not for this machine
 *   -ESHUTDOWN   there is no such pool, or it is being stopped and the caller is none of its workers
 *
 * filch_fiber_join waits until the fiber has ended, returns the return value of fn and frees the fiber. If the wait
 * itself fails, the fiber still exists. A fiber can be joined or detached once.
 *   -EDEADLK     the caller is this fiber
 *   -EBUSY       another caller joins it already
 *   -ECANCELED   also if the fiber was cancelled before it began
 * filch_fiber_join_for waits for ns at most. A caller that may be cancelled itself, and must know whether the fiber has
 * ended, joins between shield_begin and shield_end: then each result is that of the fiber.
 *
 * filch_fiber_detach gives the fiber up: it is freed at its end. fiber may be NULL.
 */
FILCH_API int filch_fiber_start(struct filch_fiber **out, struct filch_pool *pool, filch_job_fn *fn, void *arg,
				const struct filch_fiber_options *opt);
FILCH_API int filch_fiber_join(struct filch_fiber *fiber, void **result);
FILCH_API int filch_fiber_join_for(struct filch_fiber *fiber, uint64_t ns, void **result);
FILCH_API void filch_fiber_detach(struct filch_fiber *fiber);

/*
 * filch_fiber_cancel asks a fiber to end. If it has not begun, it never runs. Otherwise its current wait returns
 * -ECANCELED, and so does each later wait. filch_fiber_cancelled returns 1 in it. filch_fiber_mutex_lock() is no such
 * wait. Between shield_begin and shield_end the calling fiber does not notice; pairs may be nested. The caller of
 * cancel must not have joined or detached the fiber.
 */
FILCH_API void filch_fiber_cancel(struct filch_fiber *fiber);
FILCH_API int filch_fiber_cancelled(void);
FILCH_API void filch_fiber_shield_begin(void);
FILCH_API void filch_fiber_shield_end(void);

/* Lets other fibers of this worker run first. In a job it runs such fibers, in other threads it is sched_yield(). */
FILCH_API void filch_fiber_yield(void);
/* Waits for ns. 0 or -ECANCELED. */
FILCH_API int filch_fiber_sleep(uint64_t ns);

/* Returns the calling fiber, or NULL in another thread and in tasks. */
FILCH_API struct filch_fiber *filch_fiber_self(void);
/* Returns the name of a fiber, never NULL. rename changes the name of the calling fiber. */
FILCH_API const char *filch_fiber_name(const struct filch_fiber *fiber);
FILCH_API void filch_fiber_rename(const char *name);
/*
 * Returns the bytes of the calling fiber's stack that were in use at most, in whole pages. An earlier fiber with the
 * same stack may have used them. 0: the caller is no fiber.
 */
FILCH_API size_t filch_fiber_stack_used(void);

/*
 * Storage of each fiber: a key has one pointer for each fiber, NULL at first. destroy is called with a pointer that is
 * not NULL when its fiber ends; destroy may be NULL. In other threads get returns NULL, and set -EPERM.
 */
FILCH_API int filch_fiber_key_create(unsigned *key, void (*destroy)(void *value));
FILCH_API void *filch_fiber_key_get(unsigned key);
FILCH_API int filch_fiber_key_set(unsigned key, void *value);

/* Settings for the fibers of one pool, and its statistics. */
struct filch_fiber_settings {
	size_t struct_size; /* sizeof(struct filch_fiber_settings) */
	size_t stack;	    /* FILCH_FIBER_STACK: of each fiber. Default: 64 KiB */
	int migrate;	    /* FILCH_FIBER_MIGRATE (pinned, free): of each fiber. Default: pinned */
	/*
	 * Called once if all workers sleep, no timer runs and no operation is pending, but fibers have not ended. They
	 * wait for each other, or for a thread outside. May be NULL.
	 */
	void (*stuck)(struct filch_pool *pool, uint64_t fibers, void *arg);
	void *arg;
	/*
	 * FILCH_IO_FILES=threads: not 0 if files may be on a slow file system, such as one of a network. Threads then
	 * make the calls of filch/io.h that name, list or close files. Default: 0, the workers make them.
	 */
	int slow_files;
};
struct filch_fiber_stats {
	size_t struct_size; /* sizeof(struct filch_fiber_stats), set by the caller */
	uint64_t started;   /* fibers that have begun */
	uint64_t ended;	    /* of these, fibers that have ended */
	uint64_t stolen;    /* times that a fiber went on, or began, in another worker than it became ready in */
	uint64_t stolen_io; /* of these, after an operation of I/O */
	uint64_t switches;  /* times that a worker went on with a fiber */
	uint64_t stacks;    /* stacks that exist, in use or not */
	uint64_t unguarded; /* of these, stacks without a guard, because the system refused it */
};
FILCH_API int filch_fiber_setup(struct filch_pool *pool, const struct filch_fiber_settings *settings);
FILCH_API int filch_fiber_stats(struct filch_pool *pool, struct filch_fiber_stats *stats);

/*
 * Calls fn for each fiber of the pool that has begun and not ended. waits_for names the reason of its wait, and ns is
 * the time since then. waits_for is NULL if the fiber runs or is ready. The state may change meanwhile. fn must not
 * wait, and must not start fibers.
 */
typedef void filch_fiber_each_fn(const char *name, const char *waits_for, uint64_t ns, void *arg);
FILCH_API int filch_fiber_each(struct filch_pool *pool, filch_fiber_each_fn *fn, void *arg);

/* ---- mutex and condition ---- */

/* All zero is an unlocked mutex, and a condition without waiters. There is nothing to destroy. */
struct filch_fiber_mutex {
	uint32_t lock_, flags_;
	void *owner_, *first_, *last_;
};
struct filch_fiber_cond {
	uint32_t lock_, flags_;
	void *first_, *last_;
};

/*
 * Waiters get the mutex in order. lock is no point of cancellation and always returns 0, or -EDEADLK: the caller has
 * the mutex. lock_for returns -ETIMEDOUT or -ECANCELED, too. trylock returns -EBUSY if the mutex is locked. unlock
 * returns -EPERM if the caller does not have the mutex.
 */
FILCH_API int filch_fiber_mutex_lock(struct filch_fiber_mutex *m);
FILCH_API int filch_fiber_mutex_lock_for(struct filch_fiber_mutex *m, uint64_t ns);
FILCH_API int filch_fiber_mutex_trylock(struct filch_fiber_mutex *m);
FILCH_API int filch_fiber_mutex_unlock(struct filch_fiber_mutex *m);

/*
 * wait unlocks the mutex, waits for a signal, and locks the mutex again, also after an error: -ETIMEDOUT, -ECANCELED,
 * or -EPERM, if the caller does not have the mutex. A wait may return 0 without a signal.
 */
FILCH_API int filch_fiber_cond_wait(struct filch_fiber_cond *c, struct filch_fiber_mutex *m);
FILCH_API int filch_fiber_cond_wait_for(struct filch_fiber_cond *c, struct filch_fiber_mutex *m, uint64_t ns);
FILCH_API void filch_fiber_cond_signal(struct filch_fiber_cond *c);
FILCH_API void filch_fiber_cond_broadcast(struct filch_fiber_cond *c);

/* ---- channels ---- */

struct filch_channel;

/*
 * A channel carries elements of a fixed size from senders to receivers, in order. It holds up to capacity elements.
 * With a capacity of 0 a send waits for its receiver.
 *
 *   send, recv   wait. The _for functions wait for ns at most, the try_ functions not at all
 *   close        lets no more elements in. Receivers get the remaining ones, and then -EPIPE. Senders that wait get
 * -EPIPE destroy      frees the channel. No thread or fiber may use it any more. ch may be NULL
 *
 *   -EPIPE       the channel is closed
 *   -EAGAIN      there is no room, or no element (try_)
 *   -ETIMEDOUT, -ECANCELED   as above
 */
FILCH_API int filch_channel_create(struct filch_channel **out, size_t element_size, size_t capacity);
FILCH_API int filch_channel_send(struct filch_channel *ch, const void *element);
FILCH_API int filch_channel_send_for(struct filch_channel *ch, const void *element, uint64_t ns);
FILCH_API int filch_channel_try_send(struct filch_channel *ch, const void *element);
FILCH_API int filch_channel_recv(struct filch_channel *ch, void *element);
FILCH_API int filch_channel_recv_for(struct filch_channel *ch, void *element, uint64_t ns);
FILCH_API int filch_channel_try_recv(struct filch_channel *ch, void *element);
FILCH_API int filch_channel_close(struct filch_channel *ch);
FILCH_API void filch_channel_destroy(struct filch_channel *ch);

/*
 * Waits until one of several sends and receives is possible, and does it. It takes one at random if several are
 * possible at once. *which becomes the index of its case. Returns 0 or -EPIPE, as the operation does. After -ETIMEDOUT
 * and -ECANCELED nothing was done. With an ns of 0 it does not wait.
 */
enum filch_channel_op { FILCH_CHANNEL_SEND = 1, FILCH_CHANNEL_RECV = 2 };
struct filch_channel_case {
	struct filch_channel *channel; /* NULL: never possible */
	int op;			       /* enum filch_channel_op */
	void *element;		       /* read by a send, written by a receive */
};
FILCH_API int filch_channel_select(const struct filch_channel_case *cases, size_t count, uint64_t ns, size_t *which);

FILCH_END_DECLS

#endif
