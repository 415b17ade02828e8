/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A party is a fiber or a thread that can wait. party.c has the protocol of waiting and waking.
 *
 * A fiber is a record of 64 bytes. Its stack comes when it begins, and goes when it ends. Records are in chunks that
 * begin with the address of the pool's data, and stay records until the pool ends.
 */
#ifndef FILCHI_FIBER_PARTY_H
#define FILCHI_FIBER_PARTY_H

#include "system.h"

#include <filch/fiber.h>
#include <filch/hooks.h>

#include <stdbool.h>

struct filchi_fiber_block;

enum filchi_party_kind {
	FILCHI_PARTY_NEW,    /* a fiber that has not begun: it has no stack */
	FILCHI_PARTY_PINNED, /* a fiber that goes on in the worker in which it began */
	FILCHI_PARTY_FREE,   /* a fiber that goes on in any worker */
	FILCHI_PARTY_THREAD  /* a thread, with a word to sleep on */
};

enum { FILCHI_PARTY_WILL_BE_FREE = 1, FILCHI_PARTY_AFTER_IO = 2 }; /* flags */

#define FILCHI_PARTY_NO_HOME UINT16_MAX /* it became ready outside of the pool */

struct filch_fiber {
	struct filch_item item;		/* for the deque */
	FILCHI_ATOMIC(uint64_t) state;	/* party.c */
	struct filch_fiber *next;	/* in the list of a worker, or of free records */
	union {
		void *arg;			  /* before it begins */
		struct filchi_fiber_block *block; /* on top of its stack */
		void *result;			  /* when it has ended */
		FILCHI_ATOMIC(uint32_t) * bell;	  /* of a thread */
	};
	union {
		filch_job_fn *fn; /* before it begins */
		intptr_t reason;  /* with which the last wait ended, or the fiber */
	};
	FILCHI_ATOMIC(struct filch_fiber *) joiner;
	const char *name;
	FILCHI_ATOMIC(uint32_t) cancelled;
	uint16_t home; /* the worker in which it became ready, or runs */
	uint8_t kind;  /* enum filchi_party_kind */
	uint8_t size : 6, flags : 2; /* the size of its stack is 1 << size */
};

/* A ticket is the state of one wait of one party. */
typedef uint64_t filchi_ticket;

/*
 * begin announces a wait: from now on another thread may claim the ticket. deaf: a cancellation does not end the wait.
 * The party must then wait, or take the ticket back.
 */
filchi_ticket filchi_party_begin(struct filch_fiber *p, bool deaf);
/* The ticket of the current wait, and whether it is deaf. */
filchi_ticket filchi_party_ticket(struct filch_fiber *p);
bool filchi_ticket_is_deaf(filchi_ticket ticket);
/* Claims the ticket. True: the wait is over, nobody else has claimed it, and the caller must call wake next. */
bool filchi_party_claim(struct filch_fiber *p, filchi_ticket ticket);
/* The wait of a claimed party ends with this reason: 0 or -errno. */
void filchi_party_wake(struct filch_fiber *p, int reason);
/* Both. */
static inline bool filchi_party_end(struct filch_fiber *p, filchi_ticket ticket, int reason)
{
	if (!filchi_party_claim(p, ticket))
		return false;
	filchi_party_wake(p, reason);
	return true;
}
/* The party ends its own wait before it has left its stack. False: it was claimed, and must wait. */
bool filchi_party_take_back(struct filch_fiber *p, filchi_ticket ticket);
/* A free fiber has left its stack. If it was woken meanwhile, it becomes ready now. */
void filchi_party_parked(struct filch_fiber *p);
/* The party goes on. */
void filchi_party_resume(struct filch_fiber *p);

/* Cancels. True: the caller has claimed the current wait, and must wake the party. */
bool filchi_party_cancel(struct filch_fiber *p);
/* After begin: was the party cancelled before? */
bool filchi_party_is_cancelled(struct filch_fiber *p);

/* ---- the end of a fiber ---- */

/* Before it begins. detached: nobody will join it. */
void filchi_party_init(struct filch_fiber *p, bool detached);
/* It has ended, with its result. True: it was detached, and the caller frees it. Otherwise it belongs to its joiner. */
bool filchi_party_finish(struct filch_fiber *p);
/* Registers a party that has begun to wait. 0; -EBUSY; -EALREADY: it has ended. */
int filchi_party_join(struct filch_fiber *p, struct filch_fiber *joiner);
/* The joiner gives up. False: the fiber has ended. */
bool filchi_party_leave(struct filch_fiber *p, struct filch_fiber *joiner);
/* Gives the fiber up. True: it has ended, and the caller frees it. */
bool filchi_party_detach(struct filch_fiber *p);
/* Waits for the last access of finish. */
void filchi_party_wait_done(struct filch_fiber *p);

/* Puts a party that was woken where it goes on: worker.c, or the test. */
void filchi_fiber_ready(struct filch_fiber *p);

#endif
