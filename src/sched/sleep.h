/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How workers that find nothing fall asleep without missing what is published meanwhile. README.md has the protocol and
 * why it is right.
 *
 * A worker is busy, searching or sleeping; how many search and how many sleep is in one word. Who sleeps waits for a
 * permit, and who gives one has moved a sleeper to the searchers before: so the words are right at each moment, and of
 * many who publish at once only the first wakes anybody.
 *
 * Edges:
 *   C1   counts: here a hint, in sleep.c more
 */
#ifndef FILCHI_SCHED_SLEEP_H
#define FILCHI_SCHED_SLEEP_H

#include "../base/atomic.h"
#include "../base/compiler.h"

struct filchi_sleep {
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) counts; /* sleeping above, searching below: 16 bits each */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) permits;
};

#define FILCHI_SLEEPING_ONE 0x10000u
#define FILCHI_SLEEPING(counts) ((counts) >> 16)
#define FILCHI_SEARCHING(counts) ((counts)&0xffffu)

void filchi_sleep_init(struct filchi_sleep *s);

/* Searching and sleeping now, as a hint. */
static inline uint32_t filchi_sleep_counts(struct filchi_sleep *s)
{
	return filchi_load_rlx(&s->counts, C1);
}

/* A busy worker starts to search, unless as many do as the cap allows. */
bool filchi_sleep_search(struct filchi_sleep *s, uint32_t cap);

/* A searcher has found something. Wakes another if it was the last one: there may be more. True: one was woken. */
bool filchi_sleep_found(struct filchi_sleep *s);

/*
 * The same for a searcher that has found an item and knows of no other. True: it was the only searcher, and all of the
 * others sleep, so many and at least one. Then nobody is woken, but the worker must look at the injector, and call
 * notify if there is an item. False: *woken says whether one was woken.
 */
bool filchi_sleep_found_alone(struct filchi_sleep *s, uint32_t others, bool *woken);

/*
 * A worker falls asleep. After enter it must look for work everywhere once more. Then either it waits, and is a
 * searcher again when that returns, or it found something and leaves: a searcher as well, who calls found next.
 */
void filchi_sleep_enter(struct filchi_sleep *s, bool searching);
void filchi_sleep_wait(struct filchi_sleep *s);
void filchi_sleep_leave(struct filchi_sleep *s);

/* Anyone, after having published something: wakes one if nobody searches and someone sleeps. True: one was woken. */
bool filchi_sleep_notify(struct filchi_sleep *s);

/* Who has a permit that is of no use to it: for another. */
void filchi_sleep_pass(struct filchi_sleep *s);

/* Who is awake takes the place of one that sleeps, and is busy. It gives it back by enter. False: nobody sleeps. */
bool filchi_sleep_replace(struct filchi_sleep *s);

/* Anyone: wakes all that sleep. */
void filchi_sleep_wake_all(struct filchi_sleep *s);

#endif
