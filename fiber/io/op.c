/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An operation and its fiber. Another thread may complete the operation while the fiber stops waiting, because its time
 * is over or because it was cancelled. The buffer of the operation is the fiber's, often on its stack. So a call
 * returns only when its operation is complete:
 *
 *   1. The fiber waits. The completion, a timer or a canceller claims this wait: waiter.c.
 *   2. If it was not the completion, the fiber goes on, announces a second wait by CAS on `ticket`, asks for the end of
 *      the operation, and waits until the operation is complete. Only the completion can claim this wait.
 *
 * The completion exchanges `ticket` for DONE, and then claims the wait that it has found there. If the claim fails the
 * fiber goes on anyway, and finds DONE. After the exchange the completing thread does not use the record any more.
 *
 * May run together: complete by one thread, once; all others by the fiber.
 *
 * Linearization: an operation is complete with the exchange in complete.
 *
 * Edges:
 *   O1   complete: exchange_acq_rel ticket → wait, begin_cancel: load_acq ticket   the result, and the end of all
 *        accesses
 *   O2   begin_cancel: cas_rel ticket: publishes the second wait to the exchange of O1
 *   N1   first: whether the list is empty; the lock orders the list, and the waker of the worker has a fence
 *   O3   ticket: the submission orders it; the thread that completes the operation reads its own writes
 */
#include "op.h"

#define DONE 1u /* no ticket: a ticket has a number */

filchi_ticket filchi_op_begin(struct filchi_op *op, struct filch_fiber *self, bool shielded)
{
	filchi_ticket ticket = filchi_waiter_begin(self, shielded);

	op->fiber = self;
	filchi_store_rlx(&op->ticket, ticket, O3);
	return ticket;
}

int filchi_op_wait(struct filchi_op *op, filchi_ticket ticket, uint64_t deadline, const char *waits_for)
{
	int reason = filchi_fiber_wait(op->fiber, ticket, deadline, waits_for);

	/* If both have happened the result wins. */
	return filchi_load_acq(&op->ticket, O1) == DONE ? 0 : reason;
}

bool filchi_op_begin_cancel(struct filchi_op *op, filchi_ticket *ticket)
{
	uint64_t first = *ticket;

	*ticket = filchi_waiter_begin(op->fiber, true);
	if (filchi_cas_rel(&op->ticket, &first, *ticket, O2))
		return true;
	(void)filchi_waiter_take_back(op->fiber, *ticket);
	(void)filchi_load_acq(&op->ticket, O1);
	return false;
}

void filchi_op_wait_cancelled(struct filchi_op *op, filchi_ticket ticket, const char *waits_for)
{
	(void)filchi_fiber_wait(op->fiber, ticket, UINT64_MAX, waits_for);
}

void filchi_op_complete(struct filchi_op *op, intptr_t result)
{
	struct filch_fiber *f = op->fiber;
	uint64_t ticket;

	filchi_plain_set(&op->result, result);
	ticket = filchi_exchange_acq_rel(&op->ticket, DONE, O1);
	if (filchi_waiter_claim(f, ticket)) {
		f->flags |= FILCHI_WAITER_AFTER_IO;
		filchi_waiter_wake(f, 0);
	}
}

/* ---- cancels ---- */

void filchi_op_add_cancel(struct filchi_cancel_list *cancels, struct filchi_op *op)
{
	filchi_fiber_lock(&cancels->lock);
	op->next = filchi_load_rlx(&cancels->first, N1);
	filchi_store_rlx(&cancels->first, op, N1);
	filchi_fiber_unlock(&cancels->lock);
}

void filchi_op_remove_cancel(struct filchi_cancel_list *cancels, struct filchi_op *op)
{
	struct filchi_op *each;

	filchi_fiber_lock(&cancels->lock);
	each = filchi_load_rlx(&cancels->first, N1);
	if (each == op) {
		filchi_store_rlx(&cancels->first, op->next, N1);
	} else {
		while (each && each->next != op)
			each = each->next;
		if (each)
			each->next = op->next;
	}
	filchi_fiber_unlock(&cancels->lock);
}

/*
 * The caller may have completed an operation before its fiber added it. While the operation is in the list its record
 * exists. If it is not complete, the record exists until the caller completes it.
 */
struct filchi_op *filchi_op_take_cancel(struct filchi_cancel_list *cancels)
{
	struct filchi_op *op = NULL;

	while (!op && filchi_load_rlx(&cancels->first, N1)) {
		filchi_fiber_lock(&cancels->lock);
		op = filchi_load_rlx(&cancels->first, N1);
		if (op) {
			filchi_store_rlx(&cancels->first, op->next, N1);
			if (filchi_load_rlx(&op->ticket, O3) == DONE)
				op = NULL;
		}
		filchi_fiber_unlock(&cancels->lock);
	}
	return op;
}
