/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks: how a library beside filch gives work of its own kind to the workers of a pool. Fibers are such a library.
 *
 * An item is a small struct of the library with a function. Workers keep items in their deques, steal them, and call
 * the function once for each push. Hooks are functions that each worker calls when it looks for an item, and when it
 * sleeps. A pool without hooks pays nothing for them.
 *
 * A worker with hooks looks for work in this order: next(FILCH_LOOK_POP), its deque, next(FILCH_LOOK_STEAL), the
 * submitted jobs, the other workers. Before it sleeps it announces that, calls next(FILCH_LOOK_SLEEP), and looks
 * everywhere once more. A thread that gives this worker something to find there must call filch_worker_wake() next.
 * So the worker finds it, or is woken.
 *
 * External threads do not borrow workers of a pool with hooks: a worker's context belongs to one thread.
 *
 * Manual: filch_hooks(3).
 */
#ifndef FILCH_HOOKS_H
#define FILCH_HOOKS_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_pool;

/* An item. Its address must be a multiple of 8. It is the library's again when run is called. */
struct filch_item {
	void (*run)(struct filch_item *item);
};

/* The moment at which a worker asks for an item. */
enum filch_look {
	FILCH_LOOK_POP,	  /* before it looks into its deque: must be quick */
	FILCH_LOOK_STEAL, /* its deque is empty */
	FILCH_LOOK_SLEEP  /* it has announced that it will sleep: the last look */
};

/*
 * The hooks of a pool. The thread of the worker calls all of them, except attach, wake, wait_wake and detach. context
 * is the result of begin. Hooks that may be NULL are marked.
 */
struct filch_hooks {
	size_t struct_size; /* sizeof(struct filch_hooks) */
	/* The first call of filch_pool_attach() for this pool. All numbers of workers are less than ids. NULL: no
	 * memory. */
	void *(*attach)(struct filch_pool *pool, unsigned ids);
	/* The worker's first use of the hooks. Returns its context, or NULL: no memory, and the worker asks again. */
	void *(*begin)(void *arg, struct filch_pool *pool, int worker);
	/* The worker ends. */
	void (*end)(void *context);
	/* Returns an item to run now, or NULL. */
	struct filch_item *(*next)(void *context, enum filch_look look);
	/*
	 * Where and until when the worker may sleep. *deadline is UINT64_MAX, and may become a time of CLOCK_MONOTONIC
	 * in ns. True: the worker sleeps in the hook sleep, which returns after wake, at the deadline, or earlier.
	 * NULL: the worker sleeps in the pool until it is woken.
	 */
	int (*plan)(void *context, uint64_t *deadline);
	void (*sleep)(void *context, uint64_t deadline);
	/* Ends the sleep of that worker, or its next sleep. Any thread calls it, once for each sleep. */
	void (*wake)(void *context);
	/* True while the pool must not end because of this worker. NULL: never. */
	int (*busy)(void *context);
	/*
	 * For filch_future_wait() and the other waits of the pool. wait_begin returns a token if the caller can be
	 * suspended here, or NULL. wait_end suspends the caller until wait_wake, which may have come before, or until
	 * the deadline (-ETIMEDOUT), or returns another error. Any thread may call wait_wake, once for each token. All
	 * NULL: waits block the worker.
	 */
	void *(*wait_begin)(void *context);
	int (*wait_end)(void *token, uint64_t deadline);
	void (*wait_wake)(void *token);
	/* The pool has ended, and its workers have called end. May be NULL. */
	void (*detach)(void *arg);
};

/*
 * Attaches hooks to a pool for the rest of its life, and enters the pool: the caller must leave it. A pool of NULL is
 * as in pool.h. A pool has one set of hooks, and *arg becomes the result of its hook attach. The struct must stay
 * valid.
 *
 * Returns 0 or
 *   -EBUSY       the pool has other hooks
 *   -ENOTSUP     the pool has no workers
 *   -ESHUTDOWN   there is no such pool, or it is being stopped
 *   -ENOMEM      there is no memory
 *   -EINVAL      a hook is missing, or struct_size is not set
 */
FILCH_API int filch_pool_attach(struct filch_pool *pool, const struct filch_hooks *hooks, void **arg);

/*
 * Gives an item to the workers: a worker of the pool puts it into its own deque, if thieves can see it there. Other
 * threads inject it. pool must not be NULL, and the caller must be a worker of it, or have entered it. 0 or -ENOMEM.
 */
FILCH_API int filch_item_push(struct filch_pool *pool, struct filch_item *item);

/* Wakes that worker if it sleeps. The caller is a worker of the pool, or has entered it. */
FILCH_API void filch_worker_wake(struct filch_pool *pool, int worker);
/* Wakes all workers, if the pool is being stopped: for a hook busy that has become false for several of them. */
FILCH_API void filch_worker_wake_all(struct filch_pool *pool);

/*
 * A thread that is no worker of the pool keeps the pool from ending until it leaves. enter returns 0 or -ESHUTDOWN: the
 * pool is being stopped. stay cannot fail, and is for a thread that knows that a hook busy is true meanwhile. The pool
 * is not NULL.
 */
FILCH_API int filch_pool_enter(struct filch_pool *pool);
FILCH_API void filch_pool_stay(struct filch_pool *pool);
FILCH_API void filch_pool_leave(struct filch_pool *pool);

/* Returns 2 if the calling worker runs a task, 1 if it runs a job and no task, and else 0: it runs an item itself. */
FILCH_API int filch_item_nested(void);

/*
 * For a job that waits in its worker and meanwhile runs items there. take returns an item that the worker's own deque
 * or the injector has, or NULL. run calls the function of an item as the worker itself does: inside of it
 * filch_item_nested() is 0. Both must not be called inside of a task.
 */
FILCH_API struct filch_item *filch_item_take(void);
FILCH_API void filch_item_run(struct filch_item *item);

FILCH_END_DECLS

#endif
