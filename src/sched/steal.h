/* SPDX-License-Identifier: Apache-2.0 */
/* Stealing: from a victim's stash or deque, and with a request if there is nothing. steal.c says how often. */
#ifndef FILCHI_SCHED_STEAL_H
#define FILCHI_SCHED_STEAL_H

#include "sched.h"

/*
 * Takes one item from the victim. From its stash only an item of the range, from its deque any item. If there is
 * nothing, the thief requests a task from the victim. FILCH_OK, FILCH_EMPTY, FILCH_LOST.
 *
 * A thief that pauses gets FILCH_EMPTY at once. last_look: the thief is about to sleep, and does not pause.
 */
int filchi_steal(struct filchi_worker *thief, struct filchi_worker *victim, struct filchi_item_range range,
		 uintptr_t *item, bool last_look);

/* After a steal from that victim: takes more items to the thief's stash, at most half of the remaining items. */
void filchi_steal_more(struct filchi_worker *thief, struct filchi_worker *victim, struct filchi_item_range range);

/* Puts items into the worker's own stash, and wakes a worker. The caller knows that there is room. */
void filchi_steal_stash(struct filchi_worker *w, const uintptr_t *items, size_t count);

/* A stolen item took so long. */
void filchi_steal_report(struct filchi_worker *w, uint64_t took_ns);
/* The last steals of this worker cost more than they were worth. */
bool filchi_steal_is_poor(const struct filchi_worker *w);

/* Counts a steal by a worker that was not idle. */
void filchi_steal_count(struct filchi_worker *thief);

/* Requests a task from a worker. */
void filchi_request(struct filchi_worker *victim);

#endif
