/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads on CPUs of their own: where the scheduler happens to put owner and thief decides more than what they do.
 * Only when there are enough CPUs for all; on fewer, the scheduler knows best.
 */
#ifndef FILCHI_BENCH_PIN_H
#define FILCHI_BENCH_PIN_H

#include <stdbool.h>

/* Which CPUs this process may use, at its start; different cores come first. How many. */
unsigned filchi_pin_cpus(void);

/* Puts the calling thread on CPU number place of those, if there are at least threads of them. Whether it did. */
bool filchi_pin(unsigned place, unsigned threads);

/* Lets the calling thread, and those it starts, run on all of them again. */
void filchi_unpin(void);

#endif
