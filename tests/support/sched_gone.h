/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of tests/check/sched.c in which the memory of the scheduler is freed as soon as stop returns, while the
 * threads that put items in have not been joined.
 */
#ifndef TEST_SUPPORT_SCHED_GONE_H
#define TEST_SUPPORT_SCHED_GONE_H

#include <stdbool.h>

struct sched_gone {
	unsigned before;  /* items that are in the injector before the threads start: two fill a segment */
	unsigned pushers; /* threads that put in one item each */
	bool asleep;	  /* a worker sleeps until a thread wakes it */
	bool no_memory;	  /* the threads get no memory for another segment: use SCHED_GONE_NO_MEMORY */
};

/* For fail_alloc: the third allocation of each thread fails. */
#define SCHED_GONE_NO_MEMORY 4

void sched_gone(void *scenario);

#endif
