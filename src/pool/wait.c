/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop in which futures and groups wait, and the list of the threads that sleep there. wait.h says why.
 *
 * Edges:
 *   X1   job.c, group.c: word (Q2, G1), wait: load_acq word   the results of the jobs
 *   X2   wake_waiters: the word counts as changed, and the kernel sees that before it lets another thread sleep
 *   X4   any_done: fetch_add_rel any_done, then wait: load_acq word (X1)   a job that is done. A thread that has seen
 *        an older count looks at the jobs after that, or the kernel sees the change
 *   X3   stalled: counted before the list is locked. So a thread that locks the list later sees it
 *   X5   announce: fence_rel → wake: fence_acq   a thread that sees the bit in the word sees the count
 *   X6   any_done: fence_sc → announce: fence_sc   a thread that changes the word sees the count of suspended
 *        waits, or the waiting caller sees the change
 *   X7   suspended_count: changed with the lock held
 *   X8   announce: the word is as the caller has seen it. A thread that changes it later reads from this RMW, also if
 *        an earlier wait had left the bit there, and so sees the count by X5
 */
#include "wait.h"

#include "../os/backoff.h"
#include "../os/process.h"
#include "lock.h"

#include <errno.h>

/*
 * Tries before sleep. After a yield other threads may run for milliseconds, so there is a limit of time as well.
 */
static const struct filchi_backoff_limits limits = {
	.tries = FILCHI_TUNE(256, 0), .yield_after = 16, .yield_ns = 100000};

/* The threads that sleep in waits without a time limit. */
static struct {
	struct filchi_fork_lock lock;
	struct filchi_wait *first;
	unsigned generation; /* the process to which the list belongs */
	uint64_t walks;	     /* walks through the list */
} list;

/* The suspended waits, and their number. */
static struct filchi_wait *suspended;
static FILCHI_ATOMIC(uint32_t) suspended_count;

/* The number of finished jobs that had FILCHI_JOB_OF_ANY. */
static FILCHI_ATOMIC(uint32_t) any_done;

FILCHI_ATOMIC(uint32_t) * filchi_wait_any_word(void)
{
	return &any_done;
}

void filchi_wait_any_done(void)
{
	(void)filchi_fetch_add_rel(&any_done, 1, X4);
	filchi_fence_sc(X6);
	filchi_wait_wake(&any_done);
}

static void lock_list(void)
{
	unsigned here = filchi_process_generation();

	(void)filchi_fork_lock(&list.lock);
	if (list.generation != here) {
		/* The threads of the parent do not exist in this process. */
		list.first = suspended = NULL;
		filchi_store_rlx(&suspended_count, 0, X7);
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

static void link_wait(struct filchi_wait **first, struct filchi_wait *x)
{
	x->prev = NULL;
	x->next = *first;
	if (x->next)
		x->next->prev = x;
	*first = x;
}

static void unlink_wait(struct filchi_wait **first, struct filchi_wait *x)
{
	*(x->prev ? &x->prev->next : first) = x->next;
	if (x->next)
		x->next->prev = x->prev;
}

/* ---- suspended callers ---- */

static void count_suspended(uint32_t change)
{
	filchi_store_rlx(&suspended_count, filchi_load_rlx(&suspended_count, X7) + change, X7);
}

/* The caller holds the lock. The wait may be over when wait_wake returns. A token is NULL from its wake on. */
static void wake_suspended(struct filchi_wait *x)
{
	void *token = x->token;

	unlink_wait(&suspended, x);
	count_suspended((uint32_t)-1);
	x->token = NULL;
	x->hooks->wait_wake(token);
}

static void wake_locked(FILCHI_ATOMIC(uint32_t) * word)
{
	struct filchi_wait *next;

	filchi_futex_wake(word, INT32_MAX);
	for (struct filchi_wait *x = suspended; x; x = next) {
		next = x->next;
		if (x->word == word)
			wake_suspended(x);
	}
}

void filchi_wait_wake(FILCHI_ATOMIC(uint32_t) * word)
{
	filchi_fence_acq(X5);
	if (!filchi_load_rlx(&suspended_count, X7)) {
		filchi_futex_wake(word, INT32_MAX);
		return;
	}
	lock_list();
	wake_locked(word);
	unlock_list();
}

/* Says in the word that a caller waits. False: the word has changed. */
static bool announce(const struct filchi_wait *x, uint32_t word)
{
	filchi_fence_rel(X5);
	if (x->waited)
		return filchi_cas_rlx(x->word, &word, word | x->waited, X8);
	filchi_fence_sc(X6);
	return filchi_load_rlx(x->word, X6) == word;
}

/* Takes the wait off the list if it is still there. wake: suspend must return at once. */
static void cut_short(struct filchi_wait *x, bool wake)
{
	lock_list();
	if (x->token && wake) {
		wake_suspended(x);
	} else if (x->token) {
		unlink_wait(&suspended, x);
		count_suspended((uint32_t)-1);
	}
	unlock_list();
}

static bool is_serial(const struct filchi_job *job, const void *unused)
{
	(void)unused;
	return job->serial;
}

/* True if no worker would run the job that x waits for. */
static bool must_help(const struct filchi_wait *x)
{
	struct filchi_job *job = x->kind->peek(x, is_serial, NULL);

	if (job)
		filchi_job_unref(job);
	return job;
}

/* Suspends the caller until the word changes. False: it cannot be suspended. */
static bool suspend(struct filchi_wait *x, struct filchi_worker *w, uint32_t word, int *err)
{
	void *context, *token;
	const struct filch_hooks *hooks = w ? filchi_worker_hooks(w, &context) : NULL;

	if (!hooks || !hooks->wait_begin || must_help(x))
		return false;
	token = hooks->wait_begin(context);
	if (!token)
		return false;
	x->hooks = hooks;
	lock_list();
	x->token = token;
	link_wait(&suspended, x);
	count_suspended(1);
	unlock_list();
	if (!announce(x, word))
		cut_short(x, true);
	*err = hooks->wait_end(token, x->deadline);
	cut_short(x, false);
	return true;
}

/* ---- circles ---- */

/*
 * True if x waits, through others, for a job that the thread of self runs. A wait with a deadline ends by itself and
 * leads nowhere. The list has no circles, but many ways may lead to one wait. Each wait is visited once.
 */
static bool leads_to(const struct filchi_wait *x, const struct filchi_wait *self)
{
	if (x->kind->is_within(x, self))
		return true;
	for (struct filchi_wait *other = list.first; other; other = other->next)
		if (other->seen != list.walks && other->deadline == FILCHI_NO_DEADLINE &&
		    x->kind->is_within(x, other)) {
			other->seen = list.walks;
			if (leads_to(other, self))
				return true;
		}
	return false;
}

static bool closes_circle(const struct filchi_wait *x)
{
	list.walks++;
	return x->deadline == FILCHI_NO_DEADLINE && leads_to(x, x);
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

/* Wakes the threads that wait for queued jobs of a stalled pool: they run the jobs. The caller holds the lock. */
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
			/*
			 * Repeats until the bit is clear: a count may have changed and then have its old value again.
			 */
			while ((word & x->waited) && !filchi_cas_rlx(x->word, &word, word & ~x->waited, X2))
				;
			wake_locked(x->word);
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
 * Claims a job that x waits for and whose pool is stalled. NULL: there is none. The claim keeps the pool from ending.
 * The caller holds the lock, so the pool of a queued job exists: filchi_wait_forget.
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
 * Puts x on the list. -EDEADLK: that would close a circle. *claimed: a job to run instead. Without an error the worker
 * counts as stalled in its own pool.
 */
static int enlist(struct filchi_wait *x, struct filchi_worker *w, struct filchi_job **claimed)
{
	int err = 0;

	x->thread = filchi_thread_slot();
	x->within = filchi_job_current();
	x->seen = 0;
	lock_list();
	if (closes_circle(x)) {
		err = filchi_fail(
			-EDEADLK,
			"this wait would not end: the job waits for its caller, or the caller is a part of it");
	} else {
		*claimed = claim_stalled(x);
		if (!*claimed)
			link_wait(&list.first, x);
		if (w && filchi_sched_stall(filchi_worker_sched(w)))
			wake_waiters(filchi_worker_sched(w));
	}
	unlock_list();
	return err;
}

static void delist(struct filchi_wait *x)
{
	lock_list();
	unlink_wait(&list.first, x);
	unlock_list();
}

static int sleep_listed(struct filchi_wait *x, uint32_t waited)
{
	int err = filchi_wait_until(x->word, waited, x->deadline);

	delist(x);
	return err;
}

/*
 * After a job that the caller has run, perhaps for long: -ETIMEDOUT if the deadline has passed. So a wait with a
 * deadline begins no job after it, and at least one before it.
 */
static int after_job(const struct filchi_wait *x)
{
	return x->deadline != FILCHI_NO_DEADLINE && filchi_clock_ns() >= x->deadline ? -ETIMEDOUT : 0;
}

static int sleep_blocked(struct filchi_wait *x, struct filchi_worker *w, uint32_t waited)
{
	uint32_t depth = w ? filchi_spare_depth(w) : 0;
	struct filchi_job *claimed = NULL;
	int err;

	if (w)
		filchi_pool_block(w);
	err = enlist(x, w, &claimed);
	if (claimed) {
		run_claimed(claimed);
		err = after_job(x);
	} else if (!err) {
		err = sleep_listed(x, waited);
	}
	/* The claimed job may have called fork(), and this may be the child, which has no such worker. */
	if (w && x->generation == filchi_process_generation()) {
		if (err != -EDEADLK)
			filchi_sched_unstall(filchi_worker_sched(w));
		filchi_spare_unwind(w, depth);
	}
	return err;
}

/* Sleeps until the word changes or the deadline has passed. -EDEADLK: the wait could never end. */
static int sleep_on(struct filchi_wait *x, struct filchi_worker *w, uint32_t word)
{
	if (x->waited && !filchi_wait_announce(x->word, word, x->waited))
		return 0;
	/* A thread that queued a job before this bit was set did not see the bit. A thread that queues one now will. */
	if (x->kind->help(x, w))
		return after_job(x);
	return sleep_blocked(x, w, word | x->waited);
}

int filchi_wait(struct filchi_wait *x)
{
	struct filchi_worker *w = filchi_pool_worker();
	struct filchi_backoff looks = {0};
	bool suspended_once = false;
	int err = 0;

	for (;;) {
		uint32_t word = filchi_load_acq(x->word, X1);

		if (x->kind->is_over(x, word))
			return 0;
		if (x->generation != filchi_process_generation())
			return filchi_fail(-ESHUTDOWN, "it was left to the process that this one was forked from");
		if (err == -ETIMEDOUT)
			return filchi_fail(err, "not done in time");
		if (!err && suspend(x, w, word, &err)) {
			w = filchi_pool_worker(); /* perhaps another one */
			suspended_once = true;
		} else if (!suspended_once && x->kind->help(x, w)) {
			filchi_backoff_reset(&looks);
			err = after_job(x);
		} else if (err) {
			return err;
		} else if (!filchi_backoff(&looks, &limits)) {
			err = sleep_on(x, w, word);
		}
	}
}
