/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a worker: pinned fibers that other threads have made ready. A worker that waits inside of a job sleeps
 * on its inbox. In all other cases the pool wakes the worker. inbox.c has the protocol.
 *
 * Edges, as in inbox.c:
 *   I2   first: whether it is empty
 *   A3   idle: a flag
 */
#ifndef FILCHI_FIBER_INBOX_H
#define FILCHI_FIBER_INBOX_H

#include "waiter.h"

enum filchi_inbox_sleep {
	FILCHI_INBOX_AWAKE,    /* or asleep in the pool */
	FILCHI_INBOX_ASLEEP,   /* inside of a job, on the word `sleep` */
	FILCHI_INBOX_IN_SOURCE /* inside of a job, in the worker's source of events */
};

struct filchi_inbox {
	FILCHI_ATOMIC(struct filch_fiber *) first; /* the newest */
	FILCHI_ATOMIC(uint32_t) sleep;		   /* enum filchi_inbox_sleep */
	FILCHI_ATOMIC(uint32_t) idle;		   /* the worker has nothing to do */
};

/* Any thread. True: the inbox was empty, so the caller must wake the worker next. */
bool filchi_inbox_put(struct filchi_inbox *in, struct filch_fiber *f);
/* The worker: takes all fibers, the oldest first. NULL: there is none. */
struct filch_fiber *filchi_inbox_take(struct filchi_inbox *in);
/* A hint. */
static inline bool filchi_inbox_is_empty(struct filchi_inbox *in)
{
	return !filchi_load_rlx(&in->first, I2);
}

/*
 * Any thread, after it has made something for the worker to find. Returns how the worker slept inside of a job. A
 * worker that slept on the word is awake then. In the other cases the caller must wake the source, or the worker of the
 * pool.
 */
enum filchi_inbox_sleep filchi_inbox_wake(struct filchi_inbox *in);
/* True if the worker sleeps inside of a job, or is about to. */
bool filchi_inbox_sleeps(struct filchi_inbox *in);

/*
 * The worker, inside of a job. begin announces the sleep. True: nothing is there, and *woken is still 0. The worker may
 * look elsewhere once more, and sleeps: wait, or the sleep of its source. It calls end in any case.
 */
bool filchi_inbox_sleep_begin(struct filchi_inbox *in, enum filchi_inbox_sleep how, FILCHI_ATOMIC(uint32_t) * woken);
void filchi_inbox_sleep_wait(struct filchi_inbox *in, uint64_t deadline);
void filchi_inbox_sleep_end(struct filchi_inbox *in);

/*
 * For the report of a deadlock. A worker that sleeps and waits for no event is idle. It calls set_busy before it looks
 * into its inbox, and set_idle before it looks at the other workers. is_idle: any thread. If the last two workers
 * become idle at once, at least one of them sees that both are. A fiber in the inbox keeps its worker from being idle.
 */
static inline void filchi_inbox_set_busy(struct filchi_inbox *in)
{
	if (FILCHI_UNLIKELY(filchi_load_rlx(&in->idle, A3)))
		filchi_store_rlx(&in->idle, 0, A3);
}
void filchi_inbox_set_idle(struct filchi_inbox *in);
bool filchi_inbox_is_idle(struct filchi_inbox *in);

/* A thread that waits: wake sets the word, which the thread may free as soon as it sees that. */
void filchi_inbox_set_woken(FILCHI_ATOMIC(uint32_t) * woken);
bool filchi_inbox_is_woken(FILCHI_ATOMIC(uint32_t) * woken);

#endif
