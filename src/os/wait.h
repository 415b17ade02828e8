/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two ways to sleep on a futex until another thread changes a word.
 *
 * A word with a bit that says "a thread sleeps". The sleeper sets the bit by a CAS from the value that it has seen. The
 * thread that changes the word replaces the bit as well, by an RMW, and calls filchi_futex_wake() if the bit was set.
 * If the change comes before the CAS, the CAS fails. If it comes between the CAS and the sleep, the kernel sees that
 * the word has another value. If it comes later, the waker has seen the bit. So no change is missed.
 *
 * Permits: a counting semaphore. A thread takes one permit, or sleeps until there is one. Permits are anonymous: a
 * permit that is given for one sleeper may be taken by another thread. They order nothing.
 *
 * Edges:
 *   B1   word: whether to sleep; the caller has read the word, and reads it again
 *   P1   permits: changed by RMW only, so that none is lost or taken twice
 */
#ifndef FILCHI_OS_WAIT_H
#define FILCHI_OS_WAIT_H

#include "../base/clock.h"
#include "os.h"

#include <errno.h>

/* As a deadline in ns of filchi_clock_ns(): none. */
#define FILCHI_NO_DEADLINE UINT64_MAX

/* The deadline of a wait for ns nanoseconds from now on. */
static inline uint64_t filchi_wait_deadline(uint64_t ns)
{
	uint64_t now = filchi_clock_ns();

	return ns < FILCHI_NO_DEADLINE - now ? now + ns : FILCHI_NO_DEADLINE;
}

/*
 * Says in the word that a thread sleeps: seen becomes seen | bit. True: the word now has that value, and the caller may
 * sleep until it changes. False: the word has changed, and the caller must look at it again.
 */
static inline bool filchi_wait_announce(FILCHI_ATOMIC(uint32_t) * word, uint32_t seen, uint32_t bit)
{
	return (seen & bit) || filchi_cas_rlx(word, &seen, seen | bit, B1);
}

/* Sleeps while the word has this value. 0: woken, for any reason; -ETIMEDOUT: the deadline has passed. */
static inline int filchi_wait_until(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline)
{
	uint64_t now;

	if (deadline == FILCHI_NO_DEADLINE) {
		filchi_futex_wait(word, value);
		return 0;
	}
	now = filchi_clock_ns();
	return now < deadline ? filchi_futex_wait_for(word, value, deadline - now) : -ETIMEDOUT;
}

/* Both: announces the sleep and sleeps. 0: the caller must look at the word again; -ETIMEDOUT. */
static inline int filchi_wait_bit(FILCHI_ATOMIC(uint32_t) * word, uint32_t seen, uint32_t bit, uint64_t deadline)
{
	return filchi_wait_announce(word, seen, bit) ? filchi_wait_until(word, seen | bit, deadline) : 0;
}

struct filchi_permits {
	FILCHI_ATOMIC(uint32_t) count;
};

static inline void filchi_permits_init(struct filchi_permits *p)
{
	filchi_atomic_init(&p->count, 0);
}

/* Permits that are not taken yet: a hint. */
static inline uint32_t filchi_permits_count(struct filchi_permits *p)
{
	return filchi_load_rlx(&p->count, P1);
}

/* The two steps of give, for a caller that wakes threads in its own way. */
static inline void filchi_permits_add(struct filchi_permits *p, uint32_t count)
{
	(void)filchi_fetch_add_rlx(&p->count, count, P1);
}

static inline void filchi_permits_wake(struct filchi_permits *p, uint32_t count)
{
	filchi_futex_wake(&p->count, count);
}

static inline void filchi_permits_give(struct filchi_permits *p, uint32_t count)
{
	filchi_permits_add(p, count);
	filchi_permits_wake(p, count);
}

/* One attempt. False: there was no permit, or another thread changed their number at the same time. */
static inline bool filchi_permits_try_take(struct filchi_permits *p)
{
	uint32_t count = filchi_load_rlx(&p->count, P1);

	return count && filchi_cas_rlx(&p->count, &count, count - 1, P1);
}

/* Takes a permit, and sleeps until there is one. */
static inline void filchi_permits_take(struct filchi_permits *p)
{
	for (;;) {
		uint32_t count = filchi_load_rlx(&p->count, P1);

		if (!count)
			filchi_futex_wait(&p->count, 0);
		else if (filchi_cas_rlx(&p->count, &count, count - 1, P1))
			return;
	}
}

#endif
