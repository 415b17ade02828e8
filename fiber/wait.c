/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a party waits. A fiber is suspended. A thread sleeps on its bell. A worker that waits inside of a job, outside of
 * tasks, runs its own ready fibers meanwhile: it may wait for one of them. A spare runs its other items.
 *
 * Edges:
 *   D1   wait_at_door: fence_sc, worker.c: wake: fence_sc   as there
 *   D2   door, bell: as in worker.c
 *   D3   worker.c: store_rel bell, wait: load_acq bell   as there
 *   I2   inbox: whether it is empty, after the fence of D1
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

struct filch_fiber *filchi_fiber_party(struct filchi_thread_party *thread)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	struct filch_fiber *f = filchi_fiber_current();

	if (f)
		return f;
	memset(thread, 0, sizeof(*thread));
	thread->party.kind = FILCHI_PARTY_THREAD;
	thread->party.bell = &thread->bell;
	if (may_run_fibers(w))
		thread->party.next = (struct filch_fiber *)(void *)w;
	return &thread->party;
}

bool filchi_fiber_is_deaf(const struct filch_fiber *self)
{
	return self->kind == FILCHI_PARTY_THREAD || self->block->shields;
}

/* ---- fibers ---- */

/* True: the wait is over before it began. */
static bool ends_early(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, int *reason)
{
	if (!filchi_ticket_is_deaf(ticket) && filchi_party_is_cancelled(self))
		*reason = -ECANCELED;
	else if (deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock())
		*reason = -ETIMEDOUT;
	else
		return false;
	return filchi_party_take_back(self, ticket);
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
	if (filchi_timer_add(w, t) && filchi_party_take_back(self, ticket))
		return -ENOMEM;
	reason = filchi_fiber_suspend(self, waits_for);
	filchi_timer_remove(w, t);
	return reason;
}

/* ---- threads ---- */

static int wait_on_bell(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline)
{
	filch_blocking_begin();
	while (!filchi_load_acq(self->bell, D3)) {
		filchi_fiber_futex_wait(self->bell, 0, deadline);
		if (deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock() &&
		    filchi_party_take_back(self, ticket)) {
			filch_blocking_end();
			return -ETIMEDOUT;
		}
	}
	filch_blocking_end();
	return (int)filchi_plain_get(&self->reason);
}

/* The last look for an item, with the door announced. */
static bool run_item(void)
{
	struct filch_item *item = filch_item_take();

	if (item)
		filch_item_run(item);
	return item;
}

static void sleep_at_door(struct filch_fiber *self, struct filchi_fiber_worker *w, uint64_t deadline)
{
	bool source = w->source && w->source->pending(w);
	uint32_t door = source ? FILCHI_DOOR_SOURCE : FILCHI_DOOR_ASLEEP;
	uint64_t earliest = filchi_load_rlx(&w->earliest, T1);

	if (earliest < deadline)
		deadline = earliest;
	filchi_store_rlx(&w->door, door, D2);
	filchi_fence_sc(D1);
	if (!filchi_load_rlx(self->bell, D2) && !filchi_load_rlx(&w->inbox, I2) && !run_item()) {
		if (source)
			w->source->sleep(w, deadline);
		else
			filchi_fiber_futex_wait(&w->door, door, deadline);
	}
	(void)filchi_exchange_acq(&w->door, FILCHI_DOOR_OPEN, D2);
}

static int wait_at_door(struct filch_fiber *self, struct filchi_fiber_worker *w, filchi_ticket ticket,
			uint64_t deadline)
{
	bool over = false;

	filch_blocking_begin();
	(void)filchi_fetch_add_rlx(&w->shared->doors, 1, D2);
	while (!over && !filchi_load_acq(self->bell, D3)) {
		if (deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock())
			over = filchi_party_take_back(self, ticket);
		else if (!filchi_fiber_run_ready(w))
			sleep_at_door(self, w, deadline);
	}
	(void)filchi_fetch_add_rlx(&w->shared->doors, (uint32_t)-1, D2);
	filch_blocking_end();
	return over ? -ETIMEDOUT : (int)filchi_plain_get(&self->reason);
}

static int wait_in_thread(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline)
{
	struct filchi_fiber_worker *w = (struct filchi_fiber_worker *)(void *)self->next;

	return w ? wait_at_door(self, w, ticket, deadline) : wait_on_bell(self, ticket, deadline);
}

int filchi_fiber_wait(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, const char *waits_for)
{
	int reason;

	if (self->kind == FILCHI_PARTY_THREAD)
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
	struct filchi_thread_party thread;
	struct filch_fiber *self = filchi_fiber_party(&thread);
	uint64_t deadline = filchi_fiber_deadline(ns);
	int reason = filchi_fiber_wait(self, filchi_party_begin(self, filchi_fiber_is_deaf(self)), deadline, "a time");

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
