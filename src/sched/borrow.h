/* SPDX-License-Identifier: Apache-2.0 */
/* External threads that run as a sleeping worker for a while. borrow.c has the protocol. */
#ifndef FILCHI_SCHED_BORROW_H
#define FILCHI_SCHED_BORROW_H

#include "sched.h"

/*
 * The calling thread, which is no worker, becomes a worker that sleeps. NULL: it cannot. The scheduler must not be
 * stopped until the thread has given the worker back.
 */
struct filchi_worker *filchi_borrow(struct filchi_sched *s);
void filchi_give_back(struct filchi_worker *w);

/* Waits for a permit, while an external thread may borrow the worker. */
void filchi_lease_wait(struct filchi_worker *w);

#endif
