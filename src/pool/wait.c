/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop that futures and groups wait in, and the list of the threads that sleep there. wait.h says what for.
 *
 * Edges:
 *   X1   job.c, group.c: word (Q2, G1), wait: load_acq word   what the jobs did
 *   X2   sleep: cas_rlx word   the thread that changes the word sees that this one sleeps, or the kernel sees the
 *        change before it lets this thread sleep
 *   X4   any_done: fetch_add_rel any_done, then wait: load_acq word (X1)   a job that is done. A thread that has seen
 *        an older count looks at the jobs after that, or the kernel sees the change
 *   X3   stalled: counted before the list is locked. So a thread that locks the list later sees it
 */
#include "wait.h"

#include "../base/clock.h"
#include "../os/process.h"
#include "lock.h"

#include <errno.h>

/*
 * Looks before sleep, and from when on the processor is offered to others in between. If they take it, a look may take
 * milliseconds: so there is a limit of time, too.
 */
#define SPINS FILCHI_TUNE(256, 0)
#define YIELD_AFTER 16
#define LOOK_NS 100000u

/* The threads that sleep in waits without a time limit. */
static struct {
	struct filchi_fork_lock lock;
	struct filchi_wait *first;
	unsigned generation; /* of the process that the list is of */
	uint64_t walks;	     /* through the list */
} list;

/* How often one of the jobs was done that a thread waits for any of. */
static FILCHI_ATOMIC(uint32_t) any_done;

FILCHI_ATOMIC(uint32_t) * filchi_wait_any_word(void)
{
	return &any_done;
}

void filchi_wait_any_done(void)
{
	(void)filchi_fetch_add_rel(&any_done, 1, X4);
	filchi_futex_wake(&any_done, INT32_MAX);
}

static void lock_list(void)
{
	unsigned here = filchi_process_generation();

	(void)filchi_fork_lock(&list.lock);
	if (list.generation != here) {
		/* The threads of the parent are not here. */
		list.first = NULL;
		list.generation = here;
	}
}

static void unlock_list(void)
{
	filchi_fork_unlock(&list.lock);
}

void filchi_wait_forget(void)
{
	lock_list();
	unlock_list();
}

static void link_wait(struct filchi_wait *x)
{
	x->prev = NULL;
	x->next = list.first;
	if (x->next)
		x->next->prev = x;
	list.first = x;
}

static void unlink_wait(struct filchi_wait *x)
{
	*(x->prev ? &x->prev->next : &list.first) = x->next;
	if (x->next)
		x->next->prev = x->prev;
}

/* ---- circles ---- */

/*
 * Does x wait, through others, for a job that the thread of self is in? A wait with a time limit ends by itself, and
 * leads nowhere. There are no circles in the list, but many ways may lead to one wait: each is looked at once.
 */
static bool leads_to(const struct filchi_wait *x, const struct filchi_wait *self)
{
	if (x->kind->is_within(x, self))
		return true;
	for (struct filchi_wait *other = list.first; other; other = other->next)
		if (other->seen != list.walks && other->deadline == UINT64_MAX && x->kind->is_within(x, other)) {
			other->seen = list.walks;
			if (leads_to(other, self))
				return true;
		}
	return false;
}

static bool closes_circle(const struct filchi_wait *x)
{
	list.walks++;
	return x->deadline == UINT64_MAX && leads_to(x, x);
}

/* ---- stalled pools ---- */

static bool is_of(const struct filchi_job *job, const void *sched)
{
	return !job->serial && &job->pool->sched == sched;
}

static bool is_of_stalled(const struct filchi_job *job, const void *unused)
{
	(void)unused;
	return !job->serial && filchi_sched_is_stalled(&job->pool->sched);
}

/* Gets the threads up that wait for queued jobs of a pool that is stalled: they run them. With the lock held. */
static void wake_waiters(struct filchi_sched *s)
{
	for (struct filchi_wait *x = list.first; x; x = x->next) {
		struct filchi_job *job = x->kind->peek(x, is_of, s);
		uint32_t word;

		if (!job)
			continue;
		word = filchi_load_rlx(x->word, X2);
		if (!x->waited) {
			filchi_wait_any_done();
		} else if (word & x->waited) {
			/* Until it is done: a number may have changed and then be the same again. */
			while ((word & x->waited) && !filchi_cas_rlx(x->word, &word, word & ~x->waited, X2))
				;
			filchi_futex_wake(x->word, INT32_MAX);
		}
		filchi_job_unref(job);
	}
}

void filchi_wait_stalled(struct filchi_sched *s)
{
	lock_list();
	if (filchi_sched_is_stalled(s))
		wake_waiters(s);
	unlock_list();
}

/*
 * A job that x waits for and whose pool is stalled, claimed, or NULL. It keeps the pool from ending. With the lock
 * held, the pool of a queued job is there: filchi_wait_forget.
 */
static struct filchi_job *claim_stalled(struct filchi_wait *x)
{
	struct filchi_job *job = x->kind->peek(x, is_of_stalled, NULL), *claimed;

	if (!job)
		return NULL;
	filchi_sched_stay(&job->pool->sched);
	claimed = filchi_job_claim_any(job);
	if (claimed)
		return claimed;
	filchi_sched_leave(&job->pool->sched);
	filchi_job_unref(job);
	return NULL;
}

static void run_claimed(struct filchi_job *job)
{
	struct filchi_sched *s = &job->pool->sched;

	/* Not while it is being stopped: its workers may end while this thread has an item of the queue. */
	if (filchi_sched_enter(s)) {
		filchi_job_drop_stale(NULL, job->pool);
		filchi_sched_leave(s);
	}
	filchi_job_run(job);
	filchi_sched_leave(s);
}

/* ---- sleeping ---- */

/*
 * On the list, unless that would close a circle: -EDEADLK; or there is a job to run, *claimed. Unless there is an
 * error, the worker is not there for its own pool.
 */
static int enlist(struct filchi_wait *x, struct filchi_worker *w, struct filchi_job **claimed)
{
	int err = 0;

	x->thread = filchi_thread_slot();
	x->within = filchi_job_current();
	x->seen = 0;
	lock_list();
	if (closes_circle(x)) {
		err = filchi_fail(-EDEADLK, "it waits for itself, through the jobs that it waits for");
	} else {
		*claimed = claim_stalled(x);
		if (!*claimed)
			link_wait(x);
		if (w && filchi_sched_stall(filchi_worker_sched(w)))
			wake_waiters(filchi_worker_sched(w));
	}
	unlock_list();
	return err;
}

static void delist(struct filchi_wait *x)
{
	lock_list();
	unlink_wait(x);
	unlock_list();
}

static int sleep_listed(struct filchi_wait *x, uint32_t waited)
{
	uint64_t now = x->deadline == UINT64_MAX ? 0 : filchi_clock_ns();
	int err = 0;

	if (x->deadline == UINT64_MAX)
		filchi_futex_wait(x->word, waited);
	else
		err = now < x->deadline ? filchi_futex_wait_for(x->word, waited, x->deadline - now) : -ETIMEDOUT;
	delist(x);
	return err;
}

static int sleep_blocked(struct filchi_wait *x, struct filchi_worker *w, uint32_t waited)
{
	uint32_t depth = w ? filchi_spare_depth(w) : 0;
	struct filchi_job *claimed = NULL;
	int err;

	if (w)
		filchi_pool_block(w);
	err = enlist(x, w, &claimed);
	if (claimed)
		run_claimed(claimed);
	else if (!err)
		err = sleep_listed(x, waited);
	/* The job may have made this the child of a fork(), where there is no such worker. */
	if (w && x->generation == filchi_process_generation()) {
		if (err != -EDEADLK)
			filchi_sched_unstall(filchi_worker_sched(w));
		filchi_spare_unwind(w, depth);
	}
	return err;
}

/* Until the word changes, the time is over, or there is no use in it. */
static int sleep_on(struct filchi_wait *x, struct filchi_worker *w, uint32_t word)
{
	uint32_t waited = word | x->waited;

	if (word != waited && !filchi_cas_rlx(x->word, &word, waited, X2))
		return 0;
	/* A thread that queued a job before this bit was there did not see it; a thread that does so now will. */
	if (x->kind->help(x, w))
		return 0;
	return sleep_blocked(x, w, waited);
}

static void look_again(int *looks, uint64_t *since)
{
	filchi_spin_wait();
	if (++*looks <= YIELD_AFTER)
		return;
	if (!*since)
		*since = filchi_clock_ns();
	filchi_thread_yield();
	if (filchi_clock_ns() - *since > LOOK_NS)
		*looks = SPINS;
}

int filchi_wait(struct filchi_wait *x)
{
	struct filchi_worker *w = filchi_pool_worker();
	uint64_t since = 0;
	int err = 0;

	for (int looks = 0;;) {
		uint32_t word = filchi_load_acq(x->word, X1);

		if (x->kind->is_over(x, word))
			return 0;
		if (x->generation != filchi_process_generation())
			return filchi_fail(-ESHUTDOWN, "it was left to the process that this one was forked from");
		if (x->kind->help(x, w)) {
			looks = err = 0;
			since = 0;
		} else if (err) {
			return err == -ETIMEDOUT ? filchi_fail(err, "not done in time") : err;
		} else if (looks < SPINS) {
			look_again(&looks, &since);
		} else {
			err = sleep_on(x, w, word);
		}
	}
}
