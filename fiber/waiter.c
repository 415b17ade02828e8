/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting and waking. Plain C without the switch, so that the model checker can run it.
 *
 * The state of a waiter is one word: the number of its wait, and a phase.
 *
 *   RUNNING   it runs, or may run
 *   WAITING   it has announced a wait. Any thread may claim the wait: a signal, a timer, a cancellation
 *   CLAIMED   one thread has claimed it. That thread may still write to the waiter's stack. It then calls wake
 *   READY     it was woken, with a reason
 *   DONE      a fiber has ended, and nobody uses the record but its joiner
 *
 * Only one claim of a wait succeeds. A claim of an older wait fails, because the number differs. SHIELDED says that a
 * cancellation must not claim. PARKED says that a free fiber has left its stack: before that no other worker may run
 * it. The waker of a fiber that is not parked leaves the rest to the worker of the fiber. A pinned fiber needs no
 * PARKED. Its worker alone runs it, and looks for it only after the switch.
 *
 * A fiber that ends exchanges `joiner` for ENDED. If there is a joiner, it claims and wakes that waiter. DONE is the
 * last access. A joiner that gives up takes its name back. If that fails the fiber has ended, and the joiner waits for
 * DONE.
 *
 * May run together: begin, take_back, resume and join by the waiter itself; parked by its worker; claim, wake, cancel
 * and finish by any thread, but wake only after a claim.
 *
 * Linearization: a wait ends with the CAS of claim or take_back. A fiber ends with the exchange of finish.
 *
 * Edges:
 *   P1   wake: fetch_add_acq_rel state → parked: fetch_add_acq_rel state   a fiber goes on after it has left its stack
 *        and after it has its reason
 *   P2   state: the lock of a queue, or joiner, has published the wait. Only one CAS succeeds
 *   P3   state: written by the waiter or its worker. Stale claims fail
 *   C1   cancel: fence_sc → is_cancelled: fence_sc   the waiter sees that it is cancelled, or the canceller sees the
 *        wait
 *   C2   cancelled: a flag
 *   C3   begin: store_rel state → cancel: load_acq state   the record, which the canceller reads and writes next
 *   J1   join, detach: cas_rel joiner → finish: exchange_acq joiner   the wait of the joiner
 *   J2   finish: store_rel state → wait_done: load_acq state   the result, and the end of all accesses
 *   J3   joiner: whether the fiber has ended; wait_done orders the rest
 */
#include "waiter.h"

#include <errno.h>

enum { RUNNING, WAITING, CLAIMED, READY, PHASE = 3, PARKED = 4, SHIELDED = 8, DONE = 16, NUMBER = 32 };

#define SPINS FILCHI_TUNE(100u, 1u)

#define ENDED ((struct filch_fiber *)8)
#define GONE ((struct filch_fiber *)16)

filchi_ticket filchi_waiter_begin(struct filch_fiber *p, bool shielded)
{
	uint64_t number = (filchi_load_rlx(&p->state, P3) & ~(uint64_t)(NUMBER - 1)) + NUMBER;
	filchi_ticket ticket = number | WAITING | (shielded ? SHIELDED : 0);

	filchi_store_rel(&p->state, ticket, C3);
	return ticket;
}

filchi_ticket filchi_waiter_ticket(struct filch_fiber *p)
{
	return (filchi_load_rlx(&p->state, P2) & ~(uint64_t)(PHASE | PARKED)) | WAITING;
}

bool filchi_ticket_is_shielded(filchi_ticket ticket)
{
	return ticket & SHIELDED;
}

bool filchi_waiter_claim(struct filch_fiber *p, filchi_ticket ticket)
{
	uint64_t state = ticket;

	/* A second turn only if the fiber has parked since. */
	do
		if (filchi_cas_rlx(&p->state, &state, state + (CLAIMED - WAITING), P2))
			return true;
	while ((state & ~(uint64_t)PARKED) == ticket);
	return false;
}

/* A pinned fiber or a thread may go on as soon as it is ready, and then be gone. */
void filchi_waiter_wake(struct filch_fiber *p, int reason)
{
	filchi_plain_set(&p->reason, reason);
	if (p->kind != FILCHI_WAITER_FREE || (filchi_fetch_add_acq_rel(&p->state, READY - CLAIMED, P1) & PARKED))
		filchi_fiber_ready(p);
}

bool filchi_waiter_take_back(struct filch_fiber *p, filchi_ticket ticket)
{
	return filchi_cas_rlx(&p->state, &ticket, ticket & ~(uint64_t)(NUMBER - 1), P2);
}

void filchi_waiter_parked(struct filch_fiber *p)
{
	if ((filchi_fetch_add_acq_rel(&p->state, PARKED, P1) & PHASE) == READY)
		filchi_fiber_ready(p);
}

void filchi_waiter_resume(struct filch_fiber *p)
{
	filchi_store_rlx(&p->state, filchi_load_rlx(&p->state, P3) & ~(uint64_t)(NUMBER - 1), P3);
}

bool filchi_waiter_cancel(struct filch_fiber *p)
{
	uint64_t state;

	filchi_store_rlx(&p->cancelled, 1, C2);
	filchi_fence_sc(C1);
	state = filchi_load_acq(&p->state, C3) & ~(uint64_t)PARKED;
	return (state & (PHASE | SHIELDED)) == WAITING && filchi_waiter_claim(p, state);
}

bool filchi_waiter_is_cancelled(struct filch_fiber *p)
{
	filchi_fence_sc(C1);
	return filchi_load_rlx(&p->cancelled, C2);
}

/* ---- the end of a fiber ---- */

void filchi_waiter_init(struct filch_fiber *p, bool detached)
{
	/* The number of waits goes on, so that old tickets of the record stay invalid. */
	filchi_waiter_resume(p);
	filchi_store_rlx(&p->joiner, detached ? GONE : NULL, J3);
	filchi_store_rlx(&p->cancelled, 0, C2);
}

bool filchi_waiter_finish(struct filch_fiber *p)
{
	struct filch_fiber *joiner = filchi_exchange_acq(&p->joiner, ENDED, J1);

	if (joiner == GONE)
		return true;
	if (joiner) {
		filchi_ticket ticket = filchi_load_rlx(&joiner->state, P2) & ~(uint64_t)PARKED;

		/*
		 * The joiner stays in this wait until it sees DONE. But its time may be over, or it may be cancelled.
		 */
		if ((ticket & PHASE) == WAITING)
			(void)filchi_waiter_end(joiner, ticket, 0);
	}
	filchi_store_rel(&p->state, filchi_load_rlx(&p->state, P3) | DONE, J2);
	return false;
}

int filchi_waiter_join(struct filch_fiber *p, struct filch_fiber *joiner)
{
	struct filch_fiber *now = NULL;

	if (filchi_cas_rel(&p->joiner, &now, joiner, J1))
		return 0;
	return now == ENDED ? -EALREADY : -EBUSY;
}

bool filchi_waiter_leave(struct filch_fiber *p, struct filch_fiber *joiner)
{
	return filchi_cas_rlx(&p->joiner, &joiner, NULL, J3);
}

bool filchi_waiter_detach(struct filch_fiber *p)
{
	struct filch_fiber *now = NULL;

	if (filchi_cas_rel(&p->joiner, &now, GONE, J1))
		return false;
	filchi_waiter_wait_done(p);
	return true;
}

void filchi_waiter_wait_done(struct filch_fiber *p)
{
	for (unsigned spins = 1; !(filchi_load_acq(&p->state, J2) & DONE); spins++) {
		if (spins % SPINS == 0)
			filchi_fiber_thread_yield();
		filchi_spin_wait();
	}
}
