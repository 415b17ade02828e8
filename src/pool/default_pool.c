/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The default pool: its start, its stop, and the threads that hold it in between.
 *
 * An external thread counts itself in `holders` before it reads `default_pool`. filch_stop clears `default_pool` before
 * it reads `holders`. So one of the two sees the other, and no pool is freed while a thread uses it. The count belongs
 * to one process. In a child of fork() it starts again from 0, because the holders of the parent do not exist there.
 *
 * Edges:
 *   D1   start: store_rel default_pool, then hold: load_sc default_pool (D2)   the finished pool
 *   D2   hold: cas_sc holders, load_sc default_pool; stop: store_sc default_pool, load_sc holders   one sees the other
 *   D3   release: fetch_add_rel holders, then stop: load_sc holders (D2)   the holder no longer uses the pool
 *   D4   holders: whether to sleep; the kernel looks again
 *   D5   default_pool: changed with the lock held. A reader with the lock needs no order
 *   D6   starts, ending: they order nothing
 */
#include "job.h"
#include "lock.h"

#include "../os/process.h"
#include "../os/wait.h"

#include <errno.h>

static struct filchi_fork_lock lock; /* for start, stop, and the new pool of a child of fork() */
static FILCHI_ATOMIC(struct filch_pool *) default_pool;
static FILCHI_ATOMIC(uint32_t) ending; /* a thread waits for the end of the pool, with the lock */
static FILCHI_ATOMIC(uint32_t) starts; /* without their filch_stop; a child of fork() inherits the number */

/* The generation of the process, the number of holders, and in the lowest bit: a thread sleeps until there are none. */
static FILCHI_ATOMIC(uint32_t) holders;

#define WAITED 1u
#define HOLDER 2u
#define COUNT_BITS 20
#define HOLDERS(word) ((word) >> 1 & ((1u << (COUNT_BITS - 1)) - 1))

static uint32_t generation_word(void)
{
	return (uint32_t)filchi_process_generation() << COUNT_BITS;
}

static bool is_stale(const struct filch_pool *pool)
{
	return pool->generation != filchi_process_generation();
}

struct filchi_worker *filchi_pool_worker(void)
{
	struct filchi_worker *w = filchi_worker_self();

	return w && !is_stale(filchi_pool_of(w)) ? w : NULL;
}

bool filchi_pool_is(const struct filch_pool *pool, const struct filchi_worker *w)
{
	const struct filch_pool *own = filchi_pool_of(w);

	return pool ? pool == own : filchi_plain_get(&own->is_default);
}

/* ---- use ---- */

static void enter(void)
{
	uint32_t word = filchi_load_rlx(&holders, D4);
	uint32_t next;

	do {
		uint32_t here = generation_word();

		next = (word >> COUNT_BITS == here >> COUNT_BITS ? word : here) + HOLDER;
	} while (!filchi_cas_sc(&holders, &word, next, D2));
}

static void leave(void)
{
	if (filchi_fetch_add_rel(&holders, (uint32_t)-HOLDER, D3) & WAITED)
		filchi_futex_wake(&holders, INT32_MAX);
}

static void wait_for_holders(void)
{
	for (;;) {
		uint32_t word = filchi_load_sc(&holders, D2);

		if (word >> COUNT_BITS != generation_word() >> COUNT_BITS || !HOLDERS(word))
			return;
		(void)filchi_wait_bit(&holders, word, WAITED, FILCHI_NO_DEADLINE);
	}
}

/* Makes a pool like the parent's, in a child of fork(). The items of the old pool are lost with its workers. */
static void make_again(void)
{
	struct filch_pool *old, *pool;

	(void)filchi_fork_lock(&lock); /* it guards one word only, which is never half changed */
	old = filchi_load_rlx(&default_pool, D5);
	if (old && is_stale(old) && !filchi_pool_create(&pool, &old->options, true))
		filchi_store_rel(&default_pool, pool, D1);
	filchi_fork_unlock(&lock);
}

/* The pool of the job or task that the calling thread runs, or NULL. The pool does not end before the job. */
static struct filch_pool *own_pool(void)
{
	struct filchi_worker *w = filchi_pool_worker();
	struct filchi_job *job = w ? NULL : filchi_job_outside();

	if (w)
		return filchi_pool_of(w);
	return job && !is_stale(job->pool) ? job->pool : NULL;
}

int filchi_pool_hold(struct filchi_pool_hold *hold, struct filch_pool *pool)
{
	struct filch_pool *own = own_pool();

	hold->counted = hold->entered = false;
	hold->pool = pool ? pool : own;
	if (!hold->pool)
		return filchi_pool_hold_default(hold);
	if (is_stale(hold->pool))
		return filchi_fail(-ESHUTDOWN, "the pool was left behind by fork()");
	/* A worker keeps its pool. So does another thread that runs a job of the pool, but it may be too late to
	 * submit. */
	if (!filchi_pool_has_workers(hold->pool) || (hold->pool == own && filchi_pool_worker()))
		return 0;
	hold->entered = filchi_sched_enter(&hold->pool->sched);
	return hold->entered ? 0 : filchi_fail(-ESHUTDOWN, "the pool is being stopped");
}

int filchi_pool_hold_default(struct filchi_pool_hold *hold)
{
	struct filch_pool *own = own_pool();

	hold->counted = hold->entered = false;
	if (own && filchi_plain_get(&own->is_default))
		return filchi_pool_hold(hold, own);
	for (int attempt = 0; attempt < 2; attempt++) {
		enter();
		hold->pool = filchi_load_sc(&default_pool, D2);
		if (hold->pool && !is_stale(hold->pool)) {
			hold->counted = true;
			return 0;
		}
		leave();
		if (!hold->pool)
			return filchi_fail(-ESHUTDOWN, "there is no default pool: filch_start() makes it");
		make_again();
	}
	return -ESHUTDOWN; /* make_again() has set the message */
}

void filchi_pool_release(struct filchi_pool_hold *hold)
{
	if (hold->counted)
		leave();
	if (hold->entered)
		filchi_sched_leave(&hold->pool->sched);
}

/* ---- start and stop ---- */

/* True if the calling thread runs a job or task of the default pool. That pool cannot end before the job. */
static bool is_inside(void)
{
	struct filch_pool *own = own_pool();

	if (own && filchi_plain_get(&own->is_default))
		return true;
	for (struct filchi_job *job = filchi_job_current(); job; job = job->below)
		if (filchi_plain_get(&job->pool->is_default))
			return true;
	return false;
}

/*
 * The thread that stops the pool holds the lock until all workers have ended. A worker may wait for a job of another
 * pool. Such a job must not wait for the lock: false, the pool is being stopped.
 */
static bool lock_pool(void)
{
	bool in_job = filchi_pool_worker() || filchi_job_outside();

	if (!in_job) {
		(void)filchi_fork_lock(&lock);
		return true;
	}
	while (!filchi_fork_trylock(&lock)) {
		if (filchi_load_rlx(&ending, D6))
			return false;
		filchi_spin_wait();
		filchi_thread_yield();
	}
	return true;
}

/* Adds change to the number of starts if that is above the limit. While the pool ends, the number is 0. */
static bool count_start(uint32_t more_than, uint32_t change)
{
	uint32_t count = filchi_load_rlx(&starts, D6);

	do
		if (count <= more_than)
			return false;
	while (!filchi_cas_rlx(&starts, &count, count + change, D6));
	return true;
}

/* Counts one start less. False: it was the last start. */
static bool undo_start(void)
{
	uint32_t last = 1;

	/* A job of the pool may start the pool once more in between. */
	while (!count_start(1, (uint32_t)-1)) {
		if (filchi_cas_rlx(&starts, &last, 0, D6) || !last)
			return false;
		last = 1;
	}
	return true;
}

static int start_again(const struct filch_options *opt)
{
	if (opt)
		return filchi_fail(-EALREADY, "the default pool is started, with the options of its first start; "
					      "pass NULL to share it, or create a pool with filch_pool_create()");
	if (!count_start(0, 1))
		return filchi_fail(-EALREADY, "the default pool is being stopped");
	return 0;
}

int filch_start(const struct filch_options *opt)
{
	struct filch_pool *pool;
	int err;

	if (is_inside())
		return start_again(opt);
	/* Must come before the lock: a child of fork() must notice that another thread held the lock. */
	if (filchi_process_watch())
		return filchi_fail(-ENOMEM, "no memory for a pool");
	if (!lock_pool())
		return filchi_fail(-EALREADY, "the default pool is being stopped");
	pool = filchi_load_rlx(&default_pool, D5);
	if (pool && !is_stale(pool)) {
		err = start_again(opt);
	} else {
		err = filchi_pool_create(&pool, opt, true);
		if (!err) {
			filchi_store_rlx(&starts, 1, D6);
			filchi_store_rel(&default_pool, pool, D1);
		}
	}
	filchi_fork_unlock(&lock);
	return err;
}

int filch_stop(void)
{
	struct filch_pool *pool;

	if (is_inside())
		return count_start(1, (uint32_t)-1)
			       ? 0
			       : filchi_fail(-EDEADLK, "a job or task of a pool cannot wait until the pool has ended");
	(void)filchi_process_watch(); /* as in filch_start; if it fails, there is no pool either */
	if (!lock_pool())
		return 0;
	pool = filchi_load_rlx(&default_pool, D5);
	if (pool && !undo_start()) {
		filchi_store_rlx(&ending, 1, D6);
		filchi_store_sc(&default_pool, NULL, D2);
		wait_for_holders();
		(void)filch_pool_destroy(pool); /* cannot fail: the thread is no worker of the pool */
		filchi_store_rlx(&ending, 0, D6);
	}
	filchi_fork_unlock(&lock);
	return 0;
}
