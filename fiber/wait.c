/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a waiter waits. A fiber is suspended. A thread sleeps on its word `woken`. A worker that waits inside of a job,
 * outside of tasks, runs its own ready fibers meanwhile: it may wait for one of them. A spare runs its other items.
 *
 * Edges:
 *   W1   waiting_jobs: a count. The push of an item has a fence, and so has the sleep in inbox.c
 *   T1   earliest: as in timer.c
 *   B1   waits_for, since: for reports
 *   C2   cancelled: a flag
 */
#include "worker.h"

#include <errno.h>
#include <string.h>

/* A worker inside of a job. Not while a task waits: a fiber that runs meanwhile might push items above its tasks. */
static bool may_run_fibers(const struct filchi_fiber_worker *w)
{
	return w && !w->current && filch_item_nested() < 2;
}

struct filch_fiber *filchi_waiter_self(struct filchi_thread_waiter *thread)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	struct filch_fiber *f = filchi_fiber_current();

	if (f)
		return f;
	memset(thread, 0, sizeof(*thread));
	thread->waiter.kind = FILCHI_WAITER_THREAD;
	thread->waiter.woken = &thread->woken;
	if (may_run_fibers(w))
		thread->waiter.next = (struct filch_fiber *)(void *)w;
	return &thread->waiter;
}

bool filchi_fiber_is_shielded(const struct filch_fiber *self)
{
	return self->kind == FILCHI_WAITER_THREAD || self->block->shields;
}

/* ---- fibers ---- */

/* True: the wait is over before it began. */
static bool ends_early(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, int *reason)
{
	if (!filchi_ticket_is_shielded(ticket) && filchi_waiter_is_cancelled(self))
		*reason = -ECANCELED;
	else if (deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock())
		*reason = -ETIMEDOUT;
	else
		return false;
	return filchi_waiter_take_back(self, ticket);
}

int filchi_fiber_suspend(struct filch_fiber *self, const char *waits_for)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	struct filchi_fiber_block *b = self->block;

	filchi_store_rlx(&b->since, w->now, B1);
	filchi_store_rlx(&b->waits_for, waits_for, B1);
	filchi_fiber_leave(w, FILCHI_FIBER_SUSPENDED);
	filchi_store_rlx(&b->waits_for, NULL, B1);
	return (int)filchi_plain_get(&self->reason);
}

static int wait_until(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, const char *waits_for)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	struct filchi_timer *t = &self->block->timer;
	int reason;

	*t = (struct filchi_timer){.deadline = deadline, .fiber = self, .ticket = ticket};
	if (filchi_timer_add(w, t) && filchi_waiter_take_back(self, ticket))
		return -ENOMEM;
	reason = filchi_fiber_suspend(self, waits_for);
	filchi_timer_remove(w, t);
	return reason;
}

/* ---- threads ---- */

static int wait_on_futex(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline)
{
	filch_blocking_begin();
	while (!filchi_inbox_is_woken(self->woken)) {
		filchi_fiber_futex_wait(self->woken, 0, deadline);
		if (deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock() &&
		    filchi_waiter_take_back(self, ticket)) {
			filch_blocking_end();
			return -ETIMEDOUT;
		}
	}
	filch_blocking_end();
	return (int)filchi_plain_get(&self->reason);
}

/* The last look for an item, with the sleep announced. */
static bool run_item(void)
{
	struct filch_item *item = filch_item_take();

	if (item)
		filch_item_run(item);
	return item;
}

static void sleep_in_job(struct filch_fiber *self, struct filchi_fiber_worker *w, uint64_t deadline)
{
	bool source = w->source && w->source->pending(w);
	uint64_t earliest = filchi_load_rlx(&w->earliest, T1);

	if (earliest < deadline)
		deadline = earliest;
	if (filchi_inbox_sleep_begin(&w->inbox, source ? FILCHI_INBOX_IN_SOURCE : FILCHI_INBOX_ASLEEP, self->woken) &&
	    !run_item()) {
		if (source)
			w->source->sleep(w, deadline);
		else
			filchi_inbox_sleep_wait(&w->inbox, deadline);
	}
	filchi_inbox_sleep_end(&w->inbox);
}

static int wait_in_job(struct filch_fiber *self, struct filchi_fiber_worker *w, filchi_ticket ticket, uint64_t deadline)
{
	bool over = false;

	filch_blocking_begin();
	(void)filchi_fetch_add_rlx(&w->shared->waiting_jobs, 1, W1);
	while (!over && !filchi_inbox_is_woken(self->woken)) {
		if (deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock())
			over = filchi_waiter_take_back(self, ticket);
		else if (!filchi_fiber_run_ready(w))
			sleep_in_job(self, w, deadline);
	}
	(void)filchi_fetch_add_rlx(&w->shared->waiting_jobs, (uint32_t)-1, W1);
	filch_blocking_end();
	return over ? -ETIMEDOUT : (int)filchi_plain_get(&self->reason);
}

static int wait_in_thread(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline)
{
	struct filchi_fiber_worker *w = (struct filchi_fiber_worker *)(void *)self->next;

	return w ? wait_in_job(self, w, ticket, deadline) : wait_on_futex(self, ticket, deadline);
}

int filchi_fiber_wait(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, const char *waits_for)
{
	int reason;

	if (self->kind == FILCHI_WAITER_THREAD)
		return wait_in_thread(self, ticket, deadline);
	if (FILCHI_UNLIKELY(ends_early(self, ticket, deadline, &reason)))
		return reason;
	if (deadline != FILCHI_FIBER_NEVER)
		return wait_until(self, ticket, deadline, waits_for);
	return filchi_fiber_suspend(self, waits_for);
}

/* ---- yield and sleep ---- */

void filch_fiber_yield(void)
{
	struct filch_fiber *f = filchi_fiber_current();

	if (FILCHI_LIKELY(f))
		filchi_fiber_leave(filchi_fiber_worker(), FILCHI_FIBER_YIELDED);
	else if (!may_run_fibers(filchi_fiber_worker()) || !filchi_fiber_run_ready(filchi_fiber_worker()))
		filchi_fiber_thread_yield();
}

int filch_fiber_sleep(uint64_t ns)
{
	struct filchi_thread_waiter thread;
	struct filch_fiber *self = filchi_waiter_self(&thread);
	uint64_t deadline = filchi_fiber_deadline(ns);
	int reason =
		filchi_fiber_wait(self, filchi_waiter_begin(self, filchi_fiber_is_shielded(self)), deadline, "a time");

	return reason == -ETIMEDOUT ? 0 : reason;
}

/* ---- cancellation, as the fiber itself sees it ---- */

int filch_fiber_cancelled(void)
{
	struct filch_fiber *f = filchi_fiber_current();

	return f && !f->block->shields && filchi_load_rlx(&f->cancelled, C2);
}

void filch_fiber_shield_begin(void)
{
	struct filch_fiber *f = filchi_fiber_current();

	if (f)
		f->block->shields++;
}

void filch_fiber_shield_end(void)
{
	struct filch_fiber *f = filchi_fiber_current();

	if (f && f->block->shields)
		f->block->shields--;
}
