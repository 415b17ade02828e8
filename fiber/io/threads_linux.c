/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads for workers without a ring. They call what waits and cannot be watched: reads and writes of files, fsync,
 * open. One queue and at most THREADS threads for all pools of the process. Threads start when they are needed, and end
 * with the last worker that uses them. A call that has begun is never ended early.
 *
 * Edges:
 *   COUNTER   called: whether the worker sleeps in its epoll; orders nothing
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#define THREADS 8u

/* start_lock: one worker at a time begins or ends. lock: all other fields. */
static struct {
	pthread_mutex_t start_lock, lock;
	pthread_cond_t more;
	struct filchi_op *first, **last;
	pthread_t threads[THREADS];
	unsigned count, idle, holders;
	bool stop;
	pid_t pid;
} pool;

/* The child of a fork() has none of the threads. */
static void begin_in_child(void)
{
	static const pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
	static const pthread_cond_t no_waiters = PTHREAD_COND_INITIALIZER;

	pool.start_lock = pool.lock = free_lock;
	pool.more = no_waiters;
	pool.first = NULL;
	pool.count = pool.idle = pool.holders = 0;
	pool.stop = false;
}

/* The caller has the lock. */
static void unlink_op(struct filchi_op *op)
{
	*op->link = op->next;
	if (op->next)
		op->next->link = op->link;
	else
		pool.last = op->link;
	op->link = NULL;
}

static void *serve(void *unused)
{
	(void)pthread_mutex_lock(&pool.lock);
	for (;;) {
		struct filchi_op *op = pool.first;

		if (op) {
			unlink_op(op);
			(void)pthread_mutex_unlock(&pool.lock);
			filchi_op_complete(op, filchi_io_call(op->request));
			(void)pthread_mutex_lock(&pool.lock);
		} else if (pool.stop) {
			break;
		} else {
			pool.idle++;
			(void)pthread_cond_wait(&pool.more, &pool.lock);
			pool.idle--;
		}
	}
	(void)pthread_mutex_unlock(&pool.lock);
	return unused;
}

/* The caller has the lock. Signals of the process are for its other threads. */
static void start_thread(void)
{
	sigset_t all, before;

	if (pool.count == THREADS)
		return;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!pthread_create(&pool.threads[pool.count], NULL, serve, NULL))
		pool.count++;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Without any thread the worker itself calls, and waits. */
int filchi_threads_submit(struct filchi_io *io, struct filchi_op *op)
{
	op->way = FILCHI_WAY_POOL;
	(void)filchi_fetch_add_rlx(&io->called, 1, COUNTER);
	filchi_way_count(FILCHI_IO_CALLED, 1);
	(void)pthread_mutex_lock(&pool.lock);
	if (!pool.idle || pool.first)
		start_thread();
	if (!pool.count) {
		(void)pthread_mutex_unlock(&pool.lock);
		filchi_op_complete(op, filchi_io_call(op->request));
		return 0;
	}
	if (!pool.first)
		pool.last = &pool.first;
	op->next = NULL;
	op->link = pool.last;
	*pool.last = op;
	pool.last = &op->next;
	(void)pthread_cond_signal(&pool.more);
	(void)pthread_mutex_unlock(&pool.lock);
	return 0;
}

void filchi_threads_cancel(struct filchi_op *op)
{
	bool queued;

	(void)pthread_mutex_lock(&pool.lock);
	queued = op->link;
	if (queued)
		unlink_op(op);
	(void)pthread_mutex_unlock(&pool.lock);
	if (queued)
		filchi_op_complete(op, -ECANCELED);
}

void filchi_threads_done(struct filchi_io *io)
{
	(void)filchi_fetch_add_rlx(&io->called, (uint32_t)-1, COUNTER);
}

bool filchi_threads_pending(struct filchi_io *io)
{
	return filchi_load_rlx(&io->called, COUNTER);
}

void filchi_threads_hold(void)
{
	static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
	pid_t pid = getpid();

	(void)pthread_mutex_lock(&first);
	if (pool.pid != pid) {
		begin_in_child();
		pool.pid = pid;
	}
	(void)pthread_mutex_unlock(&first);
	(void)pthread_mutex_lock(&pool.start_lock);
	pool.holders++;
	(void)pthread_mutex_unlock(&pool.start_lock);
}

/* Their queue is empty, because no fiber of the last pool waits any more. */
void filchi_threads_release(void)
{
	(void)pthread_mutex_lock(&pool.start_lock);
	if (!--pool.holders) {
		(void)pthread_mutex_lock(&pool.lock);
		pool.stop = true;
		(void)pthread_cond_broadcast(&pool.more);
		(void)pthread_mutex_unlock(&pool.lock);
		for (unsigned i = 0; i < pool.count; i++)
			(void)pthread_join(pool.threads[i], NULL);
		pool.count = 0;
		pool.stop = false;
	}
	(void)pthread_mutex_unlock(&pool.start_lock);
}
