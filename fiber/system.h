/* SPDX-License-Identifier: Apache-2.0 */
/* The services of the system that fibers need: memory, time, sleep of threads, short locks. */
#ifndef FILCHI_FIBER_SYSTEM_H
#define FILCHI_FIBER_SYSTEM_H

#include "atomic.h"

#include <stddef.h>

#define FILCHI_FIBER_NEVER UINT64_MAX /* as a deadline in ns of the clock */

void *filchi_fiber_alloc(size_t align, size_t size); /* all zero; NULL: no memory */
void filchi_fiber_free(void *block);
uint64_t filchi_fiber_clock(void); /* CLOCK_MONOTONIC in ns */
/* The deadline in so many ns from now on. */
uint64_t filchi_fiber_deadline(uint64_t ns);

/* Sleeps while the word has this value, at most until the deadline. May return early. */
void filchi_fiber_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline);
void filchi_fiber_futex_wake(FILCHI_ATOMIC(uint32_t) * word);
void filchi_fiber_thread_yield(void);

/*
 * A lock for a few instructions, never held across a switch. All zero is free. A waiting thread spins, and then yields.
 */
struct filchi_fiber_lock {
	FILCHI_ATOMIC(uint32_t) word;
};
void filchi_fiber_lock(struct filchi_fiber_lock *lock);
void filchi_fiber_unlock(struct filchi_fiber_lock *lock);

#endif
