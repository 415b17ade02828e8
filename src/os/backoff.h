/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-off: a thread that waits for another thread looks, pauses, and looks again. At first it only pauses, because the
 * other thread often needs less time than a sleep takes. Later it also yields the processor, because the other thread
 * may need that processor. In the end the caller should sleep.
 *
 *	struct filchi_backoff b = {0};
 *
 *	while (!is_done())
 *		if (!filchi_backoff(&b, &limits))
 *			sleep_until_done();
 *
 * Under the checker a try takes no time, and the limits of a bounded loop should be 0 or 1 (FILCHI_TUNE). A loop that
 * has no other end than the change it waits for must tell the checker: filchi_backoff_stay() does, and filchi_backoff()
 * does with FILCHI_BACKOFF_ALWAYS.
 */
#ifndef FILCHI_OS_BACKOFF_H
#define FILCHI_OS_BACKOFF_H

#include "../base/clock.h"
#include "os.h"

/* As limits.tries: the caller never sleeps. */
#define FILCHI_BACKOFF_ALWAYS UINT32_MAX

struct filchi_backoff_limits {
	uint32_t tries;	      /* before it is time to sleep */
	uint32_t tries_alone; /* instead of tries if there is one processor; 0: the same */
	uint32_t yield_after; /* tries without a yield; with one processor there are none */
	uint32_t yield_every; /* tries from one yield to the next; 0 and 1: each try yields */
	uint32_t doublings;   /* how often the pauses of a try double: 0: one pause; 6: 1, 2, 4 and up to 64 */
	uint32_t equal_tries; /* tries before the pauses double; 0: 1 */
	uint64_t yield_ns;    /* time from the first yield until it is time to sleep; 0: only tries count */
};

/* All zero at the start of a wait, unless filchi_backoff_start() makes it. */
struct filchi_backoff {
	uint32_t tries;
	bool alone;
	uint64_t since_ns; /* the first yield, if there is a limit of time */
};

/* alone: all threads of the pool share one processor, and a pause is of no use. */
static inline struct filchi_backoff filchi_backoff_start(bool alone)
{
	return (struct filchi_backoff){.alone = alone};
}

/* True if it is time to sleep. */
static inline bool filchi_backoff_is_over(const struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	uint32_t tries = b->alone && limits->tries_alone ? limits->tries_alone : limits->tries;

	return tries != FILCHI_BACKOFF_ALWAYS && b->tries >= tries;
}

/* After a change for which the caller has waited. */
static inline void filchi_backoff_reset(struct filchi_backoff *b)
{
	b->tries = 0;
	b->since_ns = 0;
}

static inline bool filchi_backoff_yields(const struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	if (b->alone)
		return true;
	if (b->tries < limits->yield_after)
		return false;
	return limits->yield_every <= 1 || (b->tries - limits->yield_after) % limits->yield_every == 0;
}

static inline void filchi_backoff_yield(struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	if (limits->yield_ns && !b->since_ns)
		b->since_ns = filchi_clock_ns();
	filchi_thread_yield();
	/* The other threads may have run for milliseconds: few tries can be a long time. */
	if (limits->yield_ns && filchi_clock_ns() - b->since_ns >= limits->yield_ns)
		b->tries = limits->tries;
}

/* One try, without its pause. */
static inline void filchi_backoff_try(struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	bool yields = filchi_backoff_yields(b, limits);

	b->tries += b->tries < FILCHI_BACKOFF_ALWAYS - 1;
	if (yields)
		filchi_backoff_yield(b, limits);
}

/* Pauses of the next try. */
static inline uint32_t filchi_backoff_pauses(const struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	uint32_t doublings = b->tries / (limits->equal_tries ? limits->equal_tries : 1);

	if (b->alone)
		return 0;
	return 1u << (doublings < limits->doublings ? doublings : limits->doublings);
}

/* One try that never says that it is time to sleep: the caller has a reason to look again. */
static inline void filchi_backoff_stay(struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	for (uint32_t pauses = filchi_backoff_pauses(b, limits); pauses > 1; pauses--)
		filchi_pause();
	filchi_spin_wait();
	filchi_backoff_try(b, limits);
}

/* Waits for one try and returns true, or returns false at once: it is time to sleep. */
static inline bool filchi_backoff(struct filchi_backoff *b, const struct filchi_backoff_limits *limits)
{
	if (limits->tries == FILCHI_BACKOFF_ALWAYS) {
		filchi_backoff_stay(b, limits);
		return true;
	}
	if (filchi_backoff_is_over(b, limits))
		return false;
	for (uint32_t pauses = filchi_backoff_pauses(b, limits); pauses; pauses--)
		filchi_pause();
	filchi_backoff_try(b, limits);
	return true;
}

#endif
