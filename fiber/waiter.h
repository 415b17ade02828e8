/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A waiter is a fiber or a thread that can wait. waiter.c has the protocol of waiting and waking.
 *
 * A fiber is a record of 64 bytes. Its stack comes when it begins, and goes when it ends. Records are in chunks that
 * begin with the address of the pool's data, and stay records until the pool ends.
 */
#ifndef FILCHI_FIBER_WAITER_H
#define FILCHI_FIBER_WAITER_H

#include "system.h"

#include <filch/fiber.h>
#include <filch/hooks.h>

#include <stdbool.h>

struct filchi_fiber_block;

enum filchi_waiter_kind {
	FILCHI_WAITER_NEW,    /* a fiber that has not begun: it has no stack */
	FILCHI_WAITER_PINNED, /* a fiber that goes on in the worker in which it began */
	FILCHI_WAITER_FREE,   /* a fiber that goes on in any worker */
	FILCHI_WAITER_THREAD  /* a thread, with a word to sleep on */
};

enum { FILCHI_WAITER_WILL_BE_FREE = 1, FILCHI_WAITER_AFTER_IO = 2, FILCHI_WAITER_HAS_FENV = 4 }; /* flags */

#define FILCHI_WAITER_SIZE 12u		 /* the size of its stack is 1 << (SIZE + size) */
#define FILCHI_WAITER_NO_HOME UINT16_MAX /* it became ready outside of the pool */

struct filch_fiber {
	struct filch_item item;	       /* for the deque */
	FILCHI_ATOMIC(uint64_t) state; /* waiter.c */
	struct filch_fiber *next;      /* in the list of a worker, or of free records */
	union {
		void *arg;			  /* before it begins */
		struct filchi_fiber_block *block; /* on top of its stack */
		void *result;			  /* when it has ended */
		FILCHI_ATOMIC(uint32_t) * woken;  /* of a thread */
	};
	union {
		filch_job_fn *fn; /* before it begins */
		intptr_t reason;  /* with which the last wait ended, or the fiber */
	};
	FILCHI_ATOMIC(struct filch_fiber *) joiner;
	const char *name;
	FILCHI_ATOMIC(uint32_t) cancelled;
	uint16_t home;		     /* the worker in which it became ready, or runs */
	uint8_t kind;		     /* enum filchi_waiter_kind */
	uint8_t size : 5, flags : 3; /* its stack; FILCHI_WAITER_... */
};

/* A ticket is the state of one wait of one waiter. */
typedef uint64_t filchi_ticket;

/*
 * begin announces a wait: from now on another thread may claim the ticket. shielded: a cancellation does not end the
 * wait. The waiter must then wait, or take the ticket back.
 */
filchi_ticket filchi_waiter_begin(struct filch_fiber *p, bool shielded);
/* The ticket of the current wait, and whether it is shielded. */
filchi_ticket filchi_waiter_ticket(struct filch_fiber *p);
bool filchi_ticket_is_shielded(filchi_ticket ticket);
/* Claims the ticket. True: the wait is over, nobody else has claimed it, and the caller must call wake next. */
bool filchi_waiter_claim(struct filch_fiber *p, filchi_ticket ticket);
/* The wait of a claimed waiter ends with this reason: 0 or -errno. */
void filchi_waiter_wake(struct filch_fiber *p, int reason);
/* Both. */
static inline bool filchi_waiter_end(struct filch_fiber *p, filchi_ticket ticket, int reason)
{
	if (!filchi_waiter_claim(p, ticket))
		return false;
	filchi_waiter_wake(p, reason);
	return true;
}
/* The waiter ends its own wait before it has left its stack. False: it was claimed, and must wait. */
bool filchi_waiter_take_back(struct filch_fiber *p, filchi_ticket ticket);
/* A free fiber has left its stack. If it was woken meanwhile, it becomes ready now. */
void filchi_waiter_parked(struct filch_fiber *p);
/* The waiter goes on. */
void filchi_waiter_resume(struct filch_fiber *p);

/* Cancels. True: the caller has claimed the current wait, and must wake the waiter. */
bool filchi_waiter_cancel(struct filch_fiber *p);
/* After begin: was the waiter cancelled before? */
bool filchi_waiter_is_cancelled(struct filch_fiber *p);

/* ---- the end of a fiber ---- */

/* Before it begins. detached: nobody will join it. */
void filchi_waiter_init(struct filch_fiber *p, bool detached);
/* It has ended, with its result. True: it was detached, and the caller frees it. Otherwise it belongs to its joiner. */
bool filchi_waiter_finish(struct filch_fiber *p);
/* Registers a waiter that has begun to wait. 0; -EBUSY; -EALREADY: it has ended. */
int filchi_waiter_join(struct filch_fiber *p, struct filch_fiber *joiner);
/* The joiner gives up. False: the fiber has ended. */
bool filchi_waiter_leave(struct filch_fiber *p, struct filch_fiber *joiner);
/* Gives the fiber up. True: it has ended, and the caller frees it. */
bool filchi_waiter_detach(struct filch_fiber *p);
/* Waits for the last access of finish. */
void filchi_waiter_wait_done(struct filch_fiber *p);

/* Puts a waiter that was woken where it goes on: worker.c, or the test. */
void filchi_fiber_ready(struct filch_fiber *p);

#endif
