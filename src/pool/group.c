/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups: sets of jobs that threads wait for together.
 *
 * Members that have not begun are on a list of the group. So a waiting thread can run each of them, in whichever queue
 * they are. A group is also the job that encloses its members (scope). This job never runs. To cancel it cancels all
 * members. The job that created the group encloses it.
 *
 * Edges:
 *   G1   done: fetch_add_rel pending → try_wait: load_acq pending, and wait.c: load_acq word   members' results
 *   G2   submit: fetch_add_rlx pending   a member is counted before it can be done
 *   G3   wake_waiters: cas_rlx pending   a thread that adds a member sees that a thread sleeps, or the kernel sees
 *        the change
 *   Q1   state: a hint. The claim decides
 *   E1   error: the first error of a member; G1 orders it for the waiting thread
 */
#include "wait.h"

#include "../base/clock.h"
#include "../base/mem.h"
#include "../os/process.h"

#include <errno.h>

/* Members that are not done, and threads that submit one: two each. One if a thread sleeps until there are none. */
#define MEMBER 2u
#define WAITED 1u

struct filch_group {
	FILCHI_ATOMIC(uint32_t) pending;
	FILCHI_ATOMIC(int) error;
	struct filch_pool *pool; /* NULL: the default pool of the moment */
	struct filchi_job *scope;
	unsigned generation;
	struct filchi_mutex lock;
	struct filchi_job *first, *last; /* queued, with a reference each */
};

int filch_group_create(struct filch_group **out, struct filch_pool *pool)
{
	struct filchi_pool_hold hold;
	struct filch_group *g;
	int err;

	if (!out)
		return filchi_fail(-EINVAL, "no place for the group");
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	pool = filchi_plain_get(&hold.pool->is_default) ? NULL : hold.pool;
	filchi_pool_release(&hold);
	g = filchi_alloc(sizeof(*g));
	if (!g)
		return filchi_fail(-ENOMEM, "no memory for a group");
	g->scope = filchi_job_new(NULL, NULL, NULL, 1);
	err = g->scope ? filchi_mutex_init(&g->lock) : -ENOMEM;
	if (err) {
		if (g->scope)
			filchi_job_unref(g->scope);
		filchi_free(g);
		return filchi_fail(err, "no memory for a group");
	}
	filchi_atomic_init(&g->pending, 0);
	filchi_atomic_init(&g->error, 0);
	g->pool = pool;
	g->generation = filchi_process_generation();
	g->first = g->last = NULL;
	*out = g;
	return 0;
}

/* ---- the list ---- */

static void link_job(struct filch_group *g, struct filchi_job *job)
{
	filchi_mutex_lock(&g->lock);
	job->prev = g->last;
	job->next = NULL;
	*(g->last ? &g->last->next : &g->first) = job;
	g->last = job;
	job->listed = true;
	filchi_mutex_unlock(&g->lock);
}

/* With the lock held. */
static void unlink_job(struct filch_group *g, struct filchi_job *job)
{
	*(job->prev ? &job->prev->next : &g->first) = job->next;
	*(job->next ? &job->next->prev : &g->last) = job->prev;
	job->listed = false;
}

/* Takes a job off the list, if it is there, with the list's reference. */
void filchi_group_begun(struct filch_group *g, struct filchi_job *job)
{
	bool listed;

	filchi_mutex_lock(&g->lock);
	listed = job->listed;
	if (listed)
		unlink_job(g, job);
	filchi_mutex_unlock(&g->lock);
	if (listed)
		filchi_job_unref(job);
}

/* The next member to run: the newest, or the oldest if the deque is FIFO for its owner. The caller holds the lock. */
static struct filchi_job *next_of(struct filch_group *g, const struct filchi_worker *w)
{
	const struct filchi_sched_setup *setup = w ? filchi_sched_setup(filchi_worker_sched(w)) : NULL;

	return setup && setup->kind->info.owner_order != FILCH_FIFO ? g->last : g->first;
}

/* Claims a member that has not begun, with the list's reference. NULL: there is no member that this thread may run. */
static struct filchi_job *claim_one(struct filch_group *g, struct filchi_worker *w, bool any)
{
	for (;;) {
		struct filchi_job *job;

		filchi_mutex_lock(&g->lock);
		job = next_of(g, w);
		if (job && !any && !filchi_job_is_for(job, w))
			job = NULL;
		if (job)
			unlink_job(g, job);
		filchi_mutex_unlock(&g->lock);
		if (!job || filchi_job_claim(job))
			return job;
		filchi_job_unref(job);
	}
}

/* ---- members ---- */

void filchi_group_done(struct filch_group *g, int error)
{
	int none = 0;

	/* A member that was cancelled because of an error must not hide the error. */
	if (error && !filchi_cas_rlx(&g->error, &none, error, E1) && none == -ECANCELED && error != -ECANCELED)
		(void)filchi_cas_rlx(&g->error, &none, error, E1);
	/* The group may be freed from here on. To wake the waiting thread, its address is enough. */
	if (filchi_fetch_add_rel(&g->pending, (uint32_t)-MEMBER, G1) == (MEMBER | WAITED))
		filchi_futex_wake(&g->pending, INT32_MAX);
}

/* Wakes the threads that sleep: there is a member to run. */
static void wake_waiters(struct filch_group *g)
{
	uint32_t pending = filchi_load_rlx(&g->pending, G3);
	bool waited = pending & WAITED;

	/* Repeats until the bit is clear: the number may have changed and then have its old value again. */
	while ((pending & WAITED) && !filchi_cas_rlx(&g->pending, &pending, pending & ~WAITED, G3))
		;
	if (waited)
		filchi_futex_wake(&g->pending, INT32_MAX);
}

/* Puts a member into the queue of the pool and on the list of the group. */
static int send(struct filch_group *g, struct filch_pool *pool, struct filchi_job *job)
{
	int err;

	link_job(g, job);
	err = filchi_job_send(pool, job);
	if (!err)
		return 0;
	/* No worker finds the job in a queue. But a waiting thread may have taken it from the list. */
	if (!filchi_job_claim(job)) {
		filchi_job_unref(job);
		return 0;
	}
	filchi_group_begun(g, job);
	filchi_job_unref(job);
	filchi_group_done(g, 0);
	return filchi_fail(err, "%s", err == -ENOMEM ? "no memory for a queue" : "the pool is being stopped");
}

int filch_group_submit_or_drop(struct filch_group *g, filch_job_fn *fn, filch_drop_fn *drop, void *arg)
{
	struct filchi_pool_hold hold;
	struct filchi_job *job;
	int err = 0;

	if (!g || !fn)
		return filchi_fail(-EINVAL, "%s is NULL", g ? "fn" : "the group");
	if (g->generation != filchi_process_generation())
		return filchi_fail(-ESHUTDOWN, "a group of the process that this one was forked from");
	if (filchi_job_is_cancelled(g->scope))
		return filchi_fail(-ECANCELED, "the group was cancelled");
	if (g->pool ? filchi_pool_hold(&hold, g->pool) : filchi_pool_hold_default(&hold))
		return -ESHUTDOWN;
	job = filchi_job_new(hold.pool, fn, arg, 2);
	if (!job) {
		filchi_pool_release(&hold);
		return filchi_fail(-ENOMEM, "no memory for a job");
	}
	filchi_job_set_parent(job, g->scope);
	job->group = g;
	job->drop = drop;
	/* The member may end, and the waiting thread may destroy the group, before this thread is done: it counts, too.
	 */
	(void)filchi_fetch_add_rlx(&g->pending, 2 * MEMBER, G2);
	err = send(g, hold.pool, job);
	filchi_pool_release(&hold);
	wake_waiters(g);
	filchi_group_done(g, 0);
	return err;
}

int filch_group_submit(struct filch_group *g, filch_job_fn *fn, void *arg)
{
	return filch_group_submit_or_drop(g, fn, NULL, arg);
}

/* ---- waiting ---- */

static bool is_over(const struct filchi_wait *x, uint32_t pending)
{
	(void)x;
	return pending < MEMBER;
}

static struct filchi_job *peek(const struct filchi_wait *x, filchi_wanted *wanted, const void *of)
{
	struct filch_group *g = x->target;
	struct filchi_job *job;

	filchi_mutex_lock(&g->lock);
	job = g->first;
	if (job && FILCHI_JOB_STATE(filchi_load_rlx(&job->state, Q1)) == FILCHI_JOB_QUEUED && wanted(job, of))
		filchi_job_ref(job);
	else
		job = NULL;
	filchi_mutex_unlock(&g->lock);
	return job;
}

/* Runs a member, if there is one that the calling thread may run. */
static bool help(const struct filchi_wait *x, struct filchi_worker *w)
{
	struct filchi_job *job = claim_one(x->target, w, false);

	if (job) {
		filchi_job_drop_stale(w, job->pool);
		filchi_job_run(job);
	}
	return job;
}

static bool is_within(const struct filchi_wait *x, const struct filchi_wait *other)
{
	for (struct filchi_job *job = other->within; job; job = job->below)
		if (job->group == x->target)
			return true;
	return false;
}

static const struct filchi_wait_kind kind = {is_over, peek, help, is_within};

static int wait_until(struct filch_group *g, uint64_t deadline)
{
	struct filchi_wait x;

	if (!g)
		return filchi_fail(-EINVAL, "the group is NULL");
	x = (struct filchi_wait){.kind = &kind,
				 .target = g,
				 .word = &g->pending,
				 .waited = WAITED,
				 .generation = g->generation,
				 .deadline = deadline};
	return filchi_wait(&x);
}

static int outcome(struct filch_group *g)
{
	int error = filchi_load_rlx(&g->error, E1);

	return error ? filchi_job_failed(error, "a job of the group") : 0;
}

int filch_group_wait(struct filch_group *g)
{
	int err = wait_until(g, UINT64_MAX);

	return err ? err : outcome(g);
}

int filch_group_wait_for(struct filch_group *g, uint64_t ns)
{
	uint64_t now = filchi_clock_ns();
	int err = wait_until(g, ns < UINT64_MAX - now ? now + ns : UINT64_MAX);

	return err ? err : outcome(g);
}

int filch_group_try_wait(struct filch_group *g)
{
	struct filchi_wait x = {.target = g};

	if (!g)
		return filchi_fail(-EINVAL, "the group is NULL");
	/* Without workers perhaps no other thread ever runs the members. */
	while (g->generation == filchi_process_generation() && help(&x, NULL))
		;
	if (!is_over(&x, filchi_load_acq(&g->pending, G1)))
		return filchi_fail(-EAGAIN, "not done yet");
	return outcome(g);
}

int filch_group_cancel(struct filch_group *g)
{
	struct filchi_job *job;

	if (!g)
		return filchi_fail(-EINVAL, "the group is NULL");
	filchi_job_cancel(g->scope);
	if (g->generation != filchi_process_generation())
		return 0;
	while ((job = claim_one(g, NULL, true))) {
		if (job->serial)
			filchi_job_drop_stale(NULL, job->pool);
		filchi_job_drop(job);
	}
	return 0;
}

int filch_group_destroy(struct filch_group *g)
{
	int err;

	if (!g)
		return 0;
	err = wait_until(g, UINT64_MAX);
	if (err == -EDEADLK)
		return err;
	if (!err)
		err = outcome(g);
	if (g->generation == filchi_process_generation())
		filchi_mutex_destroy(&g->lock);
	filchi_job_unref(g->scope);
	filchi_free(g);
	return err;
}
