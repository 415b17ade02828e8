/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups: waiting for many jobs.
 *
 * Members that have not begun are on a list of the group's, so that who waits can run any of them, wherever they are
 * queued. A group is also the job that encloses its members (scope): one that never runs, is cancelled instead of them,
 * and is itself enclosed by what has created the group.
 *
 * Edges:
 *   G1   done: fetch_add_rel pending → wait: load_acq pending   what the members did
 *   G2   submit: fetch_add_rlx pending   a member is counted before it can be done
 *   G3   sleep: cas_rlx pending   who ends or adds a member sees that someone sleeps, or the kernel sees the change
 *   E1   error: the first there is; G1 orders it for who waits
 *   C1   cancel: store_rel cancelled, then job.c: load_acq cancelled
 *   COUNTER   orders nothing
 */
#include "job.h"

#include "../base/mem.h"
#include "../os/process.h"

#include <errno.h>

/* Looks before sleep, and from when on the processor is offered to others in between. */
#define LOOKS FILCHI_TUNE(256, 0)
#define POLITE_LOOK 16

/* Members that are not done: two each, and one if someone sleeps until there are none. */
#define MEMBER 2u
#define WAITED 1u

struct filch_group {
	FILCHI_ATOMIC(uint32_t) pending;
	FILCHI_ATOMIC(int) error;
	struct filch_pool *pool; /* NULL: whichever is the default one */
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
		return filchi_because(-EINVAL, "no place for the group");
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	filchi_pool_release(&hold);
	g = filchi_alloc(sizeof(*g));
	if (!g)
		return filchi_because(-ENOMEM, "no memory for a group");
	g->scope = filchi_job_new(NULL, NULL, NULL, 1);
	err = g->scope ? filchi_mutex_init(&g->lock) : -ENOMEM;
	if (err) {
		if (g->scope)
			filchi_job_unref(g->scope);
		filchi_free(g);
		return filchi_because(err, "no memory for a group");
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

/* Takes it off the list, if it is there, with the list's reference. */
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

/* One that nobody has begun, claimed, with the list's reference; NULL: there is none. */
static struct filchi_job *claim_one(struct filch_group *g, bool oldest)
{
	for (;;) {
		struct filchi_job *job;

		filchi_mutex_lock(&g->lock);
		job = oldest ? g->first : g->last;
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

	/* What did not begin because of an error must not hide that. */
	if (error && !filchi_cas_rlx(&g->error, &none, error, E1) && none == -ECANCELED && error != -ECANCELED)
		(void)filchi_cas_rlx(&g->error, &none, error, E1);
	/* From here on the group may be gone; to wake who waits, its address will do. */
	if (filchi_fetch_add_rel(&g->pending, (uint32_t)-MEMBER, G1) == (MEMBER | WAITED))
		filchi_futex_wake(&g->pending, INT32_MAX);
}

/* Those who sleep get up: there is something to be run. */
static void rouse(struct filch_group *g)
{
	uint32_t pending = filchi_load_rlx(&g->pending, G3);

	if (pending & WAITED) {
		(void)filchi_cas_rlx(&g->pending, &pending, pending & ~WAITED, G3);
		filchi_futex_wake(&g->pending, INT32_MAX);
	}
}

/* In the queue of the pool and on the list of the group. */
static int send(struct filch_group *g, struct filch_pool *pool, struct filchi_job *job)
{
	int err;

	link_job(g, job);
	err = filchi_job_send(pool, job);
	if (!err)
		return 0;
	/* Nobody finds it in a queue; but someone who waits may have had it from the list. */
	if (!filchi_job_claim(job)) {
		filchi_job_unref(job);
		return 0;
	}
	filchi_group_begun(g, job);
	filchi_job_unref(job);
	filchi_group_done(g, 0);
	return filchi_because(err, "%s", err == -ENOMEM ? "no memory for a queue" : "the pool is being stopped");
}

int filch_group_submit(struct filch_group *g, filch_fn *fn, void *arg)
{
	struct filchi_pool_hold hold;
	struct filchi_job *job;
	int err = 0;

	if (!g || !fn)
		return filchi_because(-EINVAL, "no group or no function");
	if (g->generation != filchi_process_generation())
		return filchi_because(-ESHUTDOWN, "a group of the process that this one was forked from");
	if (filchi_pool_hold(&hold, g->pool))
		return -ESHUTDOWN;
	job = filchi_job_new(hold.pool, fn, arg, filchi_pool_has_workers(hold.pool) ? 2 : 1);
	if (!job) {
		filchi_pool_release(&hold);
		return filchi_because(-ENOMEM, "no memory for a job");
	}
	filchi_job_enclose(job, g->scope);
	job->group = g;
	(void)filchi_fetch_add_rlx(&g->pending, MEMBER, G2);
	if (filchi_pool_has_workers(hold.pool)) {
		err = send(g, hold.pool, job);
		filchi_pool_release(&hold);
		rouse(g);
		return err;
	}
	(void)filchi_fetch_add_rlx(&hold.pool->jobs_alone, 1, COUNTER);
	filchi_pool_release(&hold);
	(void)filchi_job_claim(job);
	filchi_job_run(job);
	return 0;
}

/* ---- waiting ---- */

static bool is_member(struct filch_group *g)
{
	for (struct filchi_job *job = filchi_job_current(); job; job = job->below)
		if (job->group == g)
			return true;
	return false;
}

/* Runs a member here, if there is one and this is the place for it. */
static bool help(struct filch_group *g, struct filchi_worker *w)
{
	struct filchi_job *job;

	if (!w || !filchi_pool_is(g->pool, w))
		return false;
	job = claim_one(g, w->sched->setup.kind->info.owner_order == FILCH_FIFO);
	if (job) {
		filchi_job_sweep(w);
		filchi_job_run(job);
	}
	return job;
}

static void sleep_on(struct filch_group *g, struct filchi_worker *w, uint32_t pending)
{
	uint32_t waited = pending | WAITED;

	if (pending != waited && !filchi_cas_rlx(&g->pending, &pending, waited, G3))
		return;
	/* Who has put something on the list since the last look did not see the bit; who does after this one will. */
	if (help(g, w))
		return;
	if (w)
		filchi_pool_block(w);
	filchi_futex_wait(&g->pending, waited);
	if (w)
		filchi_spare_end(w);
}

static int wait_for_all(struct filch_group *g)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (!g)
		return filchi_because(-EINVAL, "no group");
	if (is_member(g))
		return filchi_because(-EDEADLK, "a member waits for its group");
	for (int looks = 0;;) {
		uint32_t pending = filchi_load_acq(&g->pending, G1);

		if (pending < MEMBER)
			return 0;
		if (g->generation != filchi_process_generation())
			return filchi_because(-ESHUTDOWN, "it was left to the process that this one was forked from");
		if (help(g, w)) {
			looks = 0;
		} else if (looks < LOOKS) {
			filchi_spin_wait();
			if (++looks > POLITE_LOOK)
				filchi_thread_yield();
		} else {
			sleep_on(g, w, pending);
		}
	}
}

static int outcome(struct filch_group *g)
{
	int error = filchi_load_rlx(&g->error, E1);

	return error ? filchi_job_failed(error, "a job of the group") : 0;
}

int filch_group_wait(struct filch_group *g)
{
	int err = wait_for_all(g);

	return err ? err : outcome(g);
}

int filch_group_cancel(struct filch_group *g)
{
	struct filchi_job *job;

	if (!g)
		return filchi_because(-EINVAL, "no group");
	filchi_store_rel(&g->scope->cancelled, 1, C1);
	if (g->generation != filchi_process_generation())
		return 0;
	while ((job = claim_one(g, true)))
		filchi_job_finish(job, -ECANCELED);
	return 0;
}

int filch_group_destroy(struct filch_group *g)
{
	int err;

	if (!g)
		return 0;
	err = wait_for_all(g);
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
