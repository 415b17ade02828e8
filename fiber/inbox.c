/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a worker, and its sleep inside of a job.
 *
 * A thread that makes something for the worker to find publishes it, has a fence, and looks whether the worker sleeps.
 * The worker announces its sleep, has a fence, and looks whether there is something. So the worker finds it, or is
 * woken. Only the thread that exchanges `sleep` wakes the worker.
 *
 * May run together: put and wake by any thread; all others by the worker.
 *
 * Linearization: a fiber is in the inbox with the CAS of put, and out of it with the exchange of take.
 *
 * Edges:
 *   I1   put: cas_rel first → take: exchange_acq_rel first   the fibers in it
 *   I2   first: whether it is empty. A worker that sleeps has the fence of D1; filch_worker_wake() and the last look of
 *        the pool have another one
 *   D1   wake: fence_sc → sleep_begin: fence_sc   the worker sees a fiber or its wake, or the waker sees its sleep
 *   D2   sleep, woken: hints; read after the fence of D1 where it matters
 *   D4   sleep_begin: store_rel sleep → wake: exchange_acq sleep   the source of events in which the worker sleeps
 *   A1   take: exchange_acq_rel first (I1), is_idle: load_acq first   a worker that has taken a fiber is seen to be
 *        busy
 *   A2   set_idle: fence_sc, twice   one of two workers sees that the other one is idle, too
 *   A3   idle: a flag; A1 and A2 order it
 *   D3   set_woken: store_rel woken → is_woken: load_acq woken   the reason of the wake, and the end of all accesses
 */
#include "inbox.h"

bool filchi_inbox_put(struct filchi_inbox *in, struct filch_fiber *f)
{
	struct filch_fiber *first = filchi_load_rlx(&in->first, I2);

	do
		filchi_plain_set(&f->next, first);
	while (!filchi_cas_rel(&in->first, &first, f, I1));
	return !first;
}

struct filch_fiber *filchi_inbox_take(struct filchi_inbox *in)
{
	struct filch_fiber *f, *list = NULL, *next;

	for (f = filchi_exchange_acq_rel(&in->first, NULL, I1); f; f = next) {
		next = filchi_plain_get(&f->next);
		filchi_plain_set(&f->next, list);
		list = f;
	}
	return list;
}

enum filchi_inbox_sleep filchi_inbox_wake(struct filchi_inbox *in)
{
	uint32_t how;

	filchi_fence_sc(D1);
	if (!filchi_load_rlx(&in->sleep, D2))
		return FILCHI_INBOX_AWAKE;
	how = filchi_exchange_acq(&in->sleep, FILCHI_INBOX_AWAKE, D4);
	if (how == FILCHI_INBOX_ASLEEP)
		filchi_fiber_futex_wake(&in->sleep);
	return (enum filchi_inbox_sleep)how;
}

bool filchi_inbox_sleeps(struct filchi_inbox *in)
{
	return filchi_load_rlx(&in->sleep, D2) != FILCHI_INBOX_AWAKE;
}

bool filchi_inbox_sleep_begin(struct filchi_inbox *in, enum filchi_inbox_sleep how, FILCHI_ATOMIC(uint32_t) * woken)
{
	filchi_store_rel(&in->sleep, (uint32_t)how, D4);
	filchi_fence_sc(D1);
	return !filchi_load_rlx(woken, D2) && filchi_inbox_is_empty(in);
}

void filchi_inbox_sleep_wait(struct filchi_inbox *in, uint64_t deadline)
{
	filchi_fiber_futex_wait(&in->sleep, FILCHI_INBOX_ASLEEP, deadline);
}

void filchi_inbox_sleep_end(struct filchi_inbox *in)
{
	filchi_store_rlx(&in->sleep, FILCHI_INBOX_AWAKE, D2);
}

/* ---- deadlock ---- */

void filchi_inbox_set_idle(struct filchi_inbox *in)
{
	filchi_store_rlx(&in->idle, 1, A3);
	filchi_fence_sc(A2);
}

bool filchi_inbox_is_idle(struct filchi_inbox *in)
{
	return !filchi_load_acq(&in->first, A1) && filchi_load_rlx(&in->idle, A3);
}

/* ---- threads that wait ---- */

void filchi_inbox_set_woken(FILCHI_ATOMIC(uint32_t) * woken)
{
	filchi_store_rel(woken, 1, D3);
}

bool filchi_inbox_is_woken(FILCHI_ATOMIC(uint32_t) * woken)
{
	return filchi_load_acq(woken, D3);
}
