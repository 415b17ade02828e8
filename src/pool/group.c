/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups: sets of jobs that threads wait for together.
 *
 * Members that have not begun are on a list of the group's, so that a waiting thread can run any of them, wherever they
 * are queued. Members that have begun stay on the list until a submit or a waiting thread finds them there: a worker
 * never takes the lock of the list. Each group has a job that never runs, the scope, which encloses the members. A
 * cancel of the group cancels the scope. The job that has created the group encloses the scope.
 *
 * Two counters say whether all members are done. Submits change one and workers the other, so that they do not wait
 * for the same cache line. After a submit has put its member on the list, and freed the lock, the group may be gone.
 *
 * Edges:
 *   G1   done: fetch_add_rel done → try_wait: load_acq done, and wait.c: load_acq word   what the members did, and the
 *        members that they have submitted
 *   G2   submitted: changed with the lock held. The queue or the list publishes it to the thread that runs the member,
 *        and G1 to the waiting thread
 *   G3   count: cas_rlx done   the waiting thread says that it sleeps, then looks at the list. So a thread that adds a
 *        member sees that, or the waiting thread sees the member. A thread that changes done sees it, or the kernel
 *        sees the change
 *   G4   job.c: fetch_add_acq_rel refs (REF), is_only_listed: load_acq refs   all uses of a member, before its memory
 *        is used again
 *   E1   error: the first there is; G1 orders it for the waiting thread
 */
#include "series.h"
#include "wait.h"

#include "../base/mem.h"
#include "../os/process.h"

#include <errno.h>

/* Both counters count in twos: the lowest bit of done says that a thread sleeps until all members are done. */
#define MEMBER 2u
#define WAITED 1u

/* Members on the list before the first sweep. */
#define SWEEP FILCHI_TUNE(256u, 2u)

struct filch_group {
	/* Changed by the threads that submit members, or look for them: with the lock held. */
	struct filchi_mutex lock;
	struct filchi_job *first, *last; /* with a reference each; some have begun */
	size_t listed, sweep_at;	 /* members on the list, and the number at which to sweep it */
	struct filchi_job *free;	 /* memory for the next members */
	bool looked;			 /* a thread has found no member since the last submit */
	FILCHI_ATOMIC(uint32_t) submitted;
	/* Set at the start. */
	unsigned generation;
	struct filch_pool *pool; /* NULL: whichever is the default one */
	struct filchi_job *scope;
	/* Changed by the threads that run members. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) done;
	FILCHI_ATOMIC(int) error;
};

int filch_group_create(struct filch_group **out, struct filch_pool *pool)
{
	struct filchi_pool_hold hold;
	struct filch_group *g;
	int err;

	if (!out)
		return filchi_fail_null("out");
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
	filchi_atomic_init(&g->submitted, 0);
	filchi_atomic_init(&g->done, 0);
	filchi_atomic_init(&g->error, 0);
	g->pool = pool;
	g->generation = filchi_process_generation();
	g->first = g->last = g->free = NULL;
	g->listed = 0;
	g->sweep_at = SWEEP;
	g->looked = false;
	*out = g;
	return 0;
}

/* ---- the list: all of this with the lock held ---- */

static void link_job(struct filch_group *g, struct filchi_job *job)
{
	job->prev = g->last;
	job->next = NULL;
	*(g->last ? &g->last->next : &g->first) = job;
	g->last = job;
	g->listed++;
}

static void unlink_job(struct filch_group *g, struct filchi_job *job)
{
	*(job->prev ? &job->prev->next : &g->first) = job->next;
	*(job->next ? &job->next->prev : &g->last) = job->prev;
	g->listed--;
}

/* No other thread has the job, and those that had it have finished with it. */
static bool is_only_listed(struct filchi_job *job)
{
	return filchi_load_acq(&job->refs, G4) == 1;
}

/* Takes the job off the list. Its memory is for the next members, unless another thread still has the job. */
static void retire(struct filch_group *g, struct filchi_job *job)
{
	unlink_job(g, job);
	if (job->series || !is_only_listed(job)) {
		filchi_job_unref(job);
		return;
	}
	filchi_job_memory_renew(job);
	job->next = g->free;
	g->free = job;
}

/*
 * Retires the members that have begun. A worker that begins a member does not: it would wait for the lock. The work is
 * in proportion to the submits, because the list grows to several times its length in between.
 */
static void sweep(struct filch_group *g)
{
	for (struct filchi_job *job = g->first, *next; job; job = next) {
		next = job->next;
		if (!filchi_job_is_queued(job))
			retire(g, job);
	}
	g->sweep_at = 4 * g->listed + SWEEP;
}

/* Memory for a member, or NULL. In most cases the oldest member is done, and the processor has it in its cache. */
static struct filchi_job *take_memory(struct filch_group *g)
{
	struct filchi_job *job = g->first;

	if (g->listed >= g->sweep_at)
		sweep(g);
	else if (!g->free && job && is_only_listed(job))
		retire(g, job);
	if (!g->free)
		g->free = filchi_job_memory_take_list();
	job = g->free;
	if (job)
		g->free = job->next;
	return job;
}

/* The next one to run: the newest, or the oldest if the owner of a deque would take that. */
static struct filchi_job *next_of(struct filch_group *g, const struct filchi_worker *w)
{
	const struct filchi_sched_setup *setup = w ? filchi_sched_setup(filchi_worker_sched(w)) : NULL;

	return setup && setup->kind->info.owner_order != FILCH_FIFO ? g->last : g->first;
}

/* Claims a queued member for this thread, or for any, with the list's reference. NULL: there is none. */
static struct filchi_job *claim_one(struct filch_group *g, struct filchi_worker *w, bool any)
{
	struct filchi_job *job, *claimed = NULL;

	filchi_mutex_lock(&g->lock);
	while (!claimed && (job = next_of(g, w)) && (any || filchi_job_is_for(job, w))) {
		if (job->series)
			claimed = filchi_series_claim(filchi_series_of(job));
		else if (filchi_job_claim(job))
			claimed = job;
		if (claimed == job)
			unlink_job(g, job);
		else if (!filchi_job_is_queued(job))
			retire(g, job);
		else if (!claimed)
			break; /* no memory for a member of a series */
	}
	g->looked |= !claimed;
	filchi_mutex_unlock(&g->lock);
	return claimed;
}

/* ---- members ---- */

/* An error of a member replaces -ECANCELED, because the error may be the reason of the cancel. */
void filchi_group_failed(struct filch_group *g, int error)
{
	int none = 0;

	if (!filchi_cas_rlx(&g->error, &none, error, E1) && none == -ECANCELED && error != -ECANCELED)
		(void)filchi_cas_rlx(&g->error, &none, error, E1);
}

void filchi_group_done(struct filch_group *g, uint32_t members, int error)
{
	uint32_t waited = filchi_load_rlx(&g->done, G3) & WAITED, before;
	/* It is read before the members are done, because the group may be gone after that. */
	uint32_t submitted = waited ? filchi_load_rlx(&g->submitted, G2) : 0;

	if (error)
		filchi_group_failed(g, error);
	before = filchi_fetch_add_rel(&g->done, members * MEMBER, G1);
	/* To wake who waits, the address of the group will do. A thread that came to sleep meanwhile looks again. */
	if ((before & WAITED) && (!waited || (int32_t)(before - WAITED + members * MEMBER - submitted) >= 0))
		filchi_wait_wake(&g->done);
}

/*
 * Counts members that are about to be on the list. With the lock held. True: threads sleep that should look for them.
 * These threads are to be woken when the lock is free.
 */
static bool count(struct filch_group *g, uint32_t members)
{
	uint32_t done, waited;

	filchi_store_rlx(&g->submitted, filchi_load_rlx(&g->submitted, G2) + members * MEMBER, G2);
	/* A thread looks after it has said that it sleeps. */
	if (!g->looked)
		return false;
	g->looked = false;
	done = filchi_load_rlx(&g->done, G3);
	waited = done & WAITED;
	/* Until it is done: the number may have changed and then be the same again. */
	while ((done & WAITED) && !filchi_cas_rlx(&g->done, &done, done & ~WAITED, G3))
		;
	return waited;
}

/* On the list of the group, then in the queue of the pool. After the lock, the group may be gone at any time. */
static int add(struct filch_group *g, struct filch_pool *pool, filch_job_fn *fn, filch_drop_fn *drop, void *arg)
{
	struct filchi_job *job;
	bool waited = false;
	int err;

	filchi_mutex_lock(&g->lock);
	job = take_memory(g);
	if (job) {
		filchi_job_begin_serial(pool, 1);
		filchi_job_init(job, pool, g->scope, fn, arg, 2);
		job->group = g;
		job->drop = drop;
		waited = count(g, 1);
		link_job(g, job);
	}
	filchi_mutex_unlock(&g->lock);
	if (!job)
		return filchi_fail(-ENOMEM, "no memory for a job");
	if (waited)
		filchi_wait_wake(&g->done);
	err = filchi_job_send(pool, job);
	if (!err)
		return 0;
	/* No worker finds the job in a queue. But a waiting thread may have taken it from the list. */
	if (!filchi_job_claim(job)) {
		filchi_job_unref(job);
		return 0;
	}
	filchi_job_unref(job);
	filchi_group_done(g, 1, 0);
	filchi_job_finish_serial(pool, 1);
	return filchi_fail(err, "no memory for a queue");
}

/* The pool is held after that. */
static int check_and_hold(struct filch_group *g, filch_job_fn *fn, struct filchi_pool_hold *hold)
{
	if (!g || !fn)
		return filchi_fail(-EINVAL, "%s is NULL", g ? "fn" : "the group");
	if (g->generation != filchi_process_generation())
		return filchi_fail(-ESHUTDOWN, "a group of the process that this one was forked from");
	if (filchi_job_is_cancelled(g->scope))
		return filchi_fail(-ECANCELED, "the group was cancelled");
	return (g->pool ? filchi_pool_hold(hold, g->pool) : filchi_pool_hold_default(hold)) ? -ESHUTDOWN : 0;
}

int filch_group_submit_or_drop(struct filch_group *g, filch_job_fn *fn, filch_drop_fn *drop, void *arg)
{
	struct filchi_pool_hold hold;
	int err = check_and_hold(g, fn, &hold);

	if (err)
		return err;
	err = add(g, hold.pool, fn, drop, arg);
	filchi_pool_release(&hold);
	return err;
}

int filch_group_submit(struct filch_group *g, filch_job_fn *fn, void *arg)
{
	return filch_group_submit_or_drop(g, fn, NULL, arg);
}

/* True if the counters have room for so many more members. With the lock held. */
static bool has_room(struct filch_group *g, uint32_t members)
{
	uint32_t done = filchi_load_rlx(&g->done, G3) & ~WAITED;
	uint32_t unfinished = (filchi_load_rlx(&g->submitted, G2) - done) / MEMBER;

	return unfinished <= FILCHI_SERIES_MAX - members;
}

/* The same for a series. */
static int add_series(struct filch_group *g, struct filch_pool *pool, struct filchi_series *s)
{
	uint32_t count_of_all = s->count;
	bool waited = false, room;
	int err;

	filchi_mutex_lock(&g->lock);
	room = has_room(g, count_of_all);
	if (room) {
		filchi_job_begin_serial(pool, count_of_all);
		waited = count(g, count_of_all);
		link_job(g, &s->job);
	}
	filchi_mutex_unlock(&g->lock);
	if (!room) {
		filchi_series_free(s);
		return filchi_fail(-EAGAIN, "the group would have more than %u jobs that are not done",
				   FILCHI_SERIES_MAX);
	}
	if (waited)
		filchi_wait_wake(&g->done);
	while ((err = filchi_job_send(pool, &s->job))) {
		if (filchi_series_claim_all(s)) {
			filchi_job_unref(&s->job);
			filchi_group_done(g, count_of_all, 0);
			filchi_job_finish_serial(pool, count_of_all);
			return filchi_fail(err, "no memory for a queue");
		}
		filchi_thread_yield(); /* a waiting thread has run a member: now all will run, when some memory is free
					*/
	}
	return 0;
}

int filch_group_submit_n(struct filch_group *g, filch_job_fn *fn, void *args, size_t arg_size, size_t count)
{
	struct filchi_pool_hold hold;
	struct filchi_series *s;
	int err;

	if (count > FILCHI_SERIES_MAX)
		return filchi_fail(-EINVAL, "count is %zu, and at most %u is allowed", count, FILCHI_SERIES_MAX);
	err = check_and_hold(g, fn, &hold);
	if (err)
		return err;
	if (count == 1) {
		err = add(g, hold.pool, fn, NULL, args);
	} else if (count) {
		s = filchi_series_new(hold.pool, g, g->scope, fn, args, arg_size, (uint32_t)count);
		err = s ? add_series(g, hold.pool, s) : filchi_fail(-ENOMEM, "no memory for %zu jobs", count);
	}
	filchi_pool_release(&hold);
	return err;
}

/* ---- waiting ---- */

static bool is_over(const struct filchi_wait *x, uint32_t done)
{
	struct filch_group *g = x->target;

	return (done & ~WAITED) == filchi_load_rlx(&g->submitted, G2);
}

static struct filchi_job *peek(const struct filchi_wait *x, filchi_wanted *wanted, const void *of)
{
	struct filch_group *g = x->target;
	struct filchi_job *job;

	filchi_mutex_lock(&g->lock);
	while ((job = g->first) && !filchi_job_is_queued(job))
		retire(g, job);
	if (job && wanted(job, of))
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
				 .word = &g->done,
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
	int err = wait_until(g, FILCHI_NO_DEADLINE);

	return err ? err : outcome(g);
}

int filch_group_wait_for(struct filch_group *g, uint64_t ns)
{
	int err = wait_until(g, filchi_wait_deadline(ns));

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
	if (!is_over(&x, filchi_load_acq(&g->done, G1)))
		return filchi_fail(-EAGAIN, "not done yet");
	return outcome(g);
}

/* A series, with the reference of the list; NULL: there is none. */
static struct filchi_job *unlink_series(struct filch_group *g)
{
	struct filchi_job *job;

	filchi_mutex_lock(&g->lock);
	for (job = g->first; job && !job->series; job = job->next)
		;
	if (job)
		unlink_job(g, job);
	filchi_mutex_unlock(&g->lock);
	return job;
}

static void cancel_series(struct filch_group *g)
{
	struct filchi_job *job;

	while ((job = unlink_series(g))) {
		struct filch_pool *serial = job->serial ? job->pool : NULL;
		uint32_t members = filchi_series_claim_rest(filchi_series_of(job));

		filchi_job_unref(job);
		if (!members)
			continue;
		if (serial)
			filchi_job_drop_stale(NULL, serial);
		filchi_group_done(g, members, -ECANCELED);
		if (serial)
			filchi_job_finish_serial(serial, members);
	}
}

int filch_group_cancel(struct filch_group *g)
{
	struct filchi_job *job;

	if (!g)
		return filchi_fail(-EINVAL, "the group is NULL");
	filchi_job_cancel(g->scope);
	if (g->generation != filchi_process_generation())
		return 0;
	cancel_series(g);
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
	err = wait_until(g, FILCHI_NO_DEADLINE);
	if (err == -EDEADLK)
		return err;
	if (!err)
		err = outcome(g);
	/* In the child of fork() another thread may have had the lock. */
	if (g->generation == filchi_process_generation()) {
		sweep(g);
		filchi_job_memory_give_list(g->free);
		filchi_mutex_destroy(&g->lock);
	}
	filchi_job_unref(g->scope);
	filchi_free(g);
	return err;
}
