/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sleep of workers that find no item. No work that is published meanwhile is missed: README.md has the protocol and
 * its proof.
 *
 * A worker is busy, searching or sleeping. One word has the numbers of searching and of sleeping workers. A sleeping
 * worker waits for a permit. A waker moves one sleeper to the searchers and then adds the permit. So the numbers are
 * right at each moment. If many threads publish at once, only the first of them wakes a worker.
 *
 * A worker with hooks (include/filch/hooks.h) sleeps in a parker of its own. So a thread can wake this worker, and the
 * sleep can have a deadline or take place in a hook. A waker claims a parker by CAS, and only the claimer pays for the
 * wake.
 *
 * Edges:
 *   C1   counts: a hint here. sleep.c says where it is more
 */
#ifndef FILCHI_SCHED_SLEEP_H
#define FILCHI_SCHED_SLEEP_H

#include "../base/atomic.h"
#include "../base/compiler.h"
#include "../os/wait.h"

enum filchi_parker_state { FILCHI_PARKER_AWAKE, FILCHI_PARKER_ASLEEP, FILCHI_PARKER_IN_HOOK, FILCHI_PARKER_CLAIMED };

/* The parker of one worker. All fields except the state are set before the parker is added. */
struct filchi_parker {
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) state; /* enum filchi_parker_state */
	struct filchi_parker *next;
	void (*wake)(void *context); /* for a worker that sleeps in its hook */
	void *context;
};

struct filchi_sleep {
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) counts; /* sleeping above, searching below: 16 bits each */
	FILCHI_OWN_LINE struct filchi_permits permits;
	FILCHI_ATOMIC(struct filchi_parker *) parkers; /* only grows */
};

#define FILCHI_SLEEPING_ONE 0x10000u
#define FILCHI_SLEEPING(counts) ((counts) >> 16)
#define FILCHI_SEARCHING(counts) ((counts)&0xffffu)

void filchi_sleep_init(struct filchi_sleep *s);

/* The searching and the sleeping workers: a hint. */
static inline uint32_t filchi_sleep_counts(struct filchi_sleep *s)
{
	return filchi_load_rlx(&s->counts, C1);
}

/* A busy worker starts to search. False: as many workers search as the cap allows. */
bool filchi_sleep_search(struct filchi_sleep *s, uint32_t cap);

/* A searcher has found work. The last searcher wakes a worker, because there may be more work. True: it has. */
bool filchi_sleep_found(struct filchi_sleep *s);

/*
 * The same for a searcher that has found an item and knows of no other item. True: it was the only searcher, and all
 * `others`, at least one, sleep. Then no worker is woken: the caller must look at the injector, and call notify if
 * there is an item. False: *woken says whether a worker was woken.
 */
bool filchi_sleep_found_alone(struct filchi_sleep *s, uint32_t others, bool *woken);

/*
 * A worker falls asleep. After enter it must look for work everywhere once more. If it finds none, it waits. If it
 * finds some, it leaves, and calls found next. It is a searcher when wait or leave returns.
 */
void filchi_sleep_enter(struct filchi_sleep *s, bool searching);
void filchi_sleep_wait(struct filchi_sleep *s);
void filchi_sleep_leave(struct filchi_sleep *s);

/* For any thread that has published work: wakes a worker if one sleeps and none searches. True: it has. */
bool filchi_sleep_notify(struct filchi_sleep *s);

/* Gives back a permit that the caller cannot use, for another sleeper. */
void filchi_sleep_pass(struct filchi_sleep *s);

/* Counts one sleeper less, for a thread that runs as a sleeping worker until enter. False: no worker sleeps. */
bool filchi_sleep_replace(struct filchi_sleep *s);

/* For any thread: wakes all sleeping workers. */
void filchi_sleep_wake_all(struct filchi_sleep *s);

/* ---- parkers ---- */

/* Adds a parker, which must exist as long as s. From then on its worker calls these functions instead. */
void filchi_parker_add(struct filchi_sleep *s, struct filchi_parker *parker);
/* As enter. */
void filchi_parker_enter(struct filchi_sleep *s, struct filchi_parker *parker, bool searching);
/*
 * As wait, in three steps: is_quiet says whether the worker may still sleep. in_hook announces that it sleeps in its
 * hook, and returns false if it must not sleep any more. Otherwise it sleeps in wait until the deadline. leave follows.
 */
bool filchi_parker_is_quiet(struct filchi_sleep *s, struct filchi_parker *parker);
bool filchi_parker_in_hook(struct filchi_parker *parker);
void filchi_parker_wait(struct filchi_parker *parker, uint64_t deadline);
/* As leave. */
void filchi_parker_leave(struct filchi_sleep *s, struct filchi_parker *parker);
/* For a thread that has given this worker something to find: wakes the worker if it sleeps. True: it has. */
bool filchi_parker_notify(struct filchi_parker *parker);
/*
 * Wakes each worker that sleeps in a parker. filchi_sleep_wake_all() may miss one: permits are anonymous, and a worker
 * that is just falling asleep may be claimed for the permit of another worker.
 */
void filchi_parker_wake_each(struct filchi_sleep *s);

#endif
