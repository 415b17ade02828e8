/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads on CPUs that are known: where the scheduler happens to put owner and thief decides more than what they do.
 * The first has a CPU for itself; the others have one each, or share what is left.
 */
#ifndef FILCHI_BENCH_PIN_H
#define FILCHI_BENCH_PIN_H

#include <stdbool.h>

/* Which CPUs this process may use, at its start; different cores come first. How many. */
unsigned filchi_pin_cpus(void);

/* Puts the calling thread, which is number place, on its CPU. Not if there is only one; then all run where they may. */
void filchi_pin(unsigned place);

/* Lets the calling thread, and those it starts, run on all of them again. */
void filchi_unpin(void);

#endif
