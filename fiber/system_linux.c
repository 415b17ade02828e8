/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "system.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void *filchi_fiber_alloc(size_t align, size_t size)
{
	void *block;

	if (size > PTRDIFF_MAX - align)
		return NULL;
	size = (size + align - 1) & ~(align - 1);
	block = aligned_alloc(align, size);
	if (block)
		memset(block, 0, size);
	return block;
}

void filchi_fiber_free(void *block)
{
	free(block);
}

uint64_t filchi_fiber_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t filchi_fiber_deadline(uint64_t ns)
{
	uint64_t now;

	if (ns == UINT64_MAX)
		return FILCHI_FIBER_NEVER;
	now = filchi_fiber_clock();
	return ns < FILCHI_FIBER_NEVER - now ? now + ns : FILCHI_FIBER_NEVER;
}

void filchi_fiber_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline)
{
	struct timespec until = {.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};

	/* BITSET: the time is that of the clock and not from now on. */
	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, deadline == FILCHI_FIBER_NEVER ? NULL : &until, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

void filchi_fiber_futex_wake(FILCHI_ATOMIC(uint32_t) * word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void filchi_fiber_thread_yield(void)
{
	sched_yield();
}
