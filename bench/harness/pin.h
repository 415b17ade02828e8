/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pins threads to CPUs, because the placement of owner and thief matters more than their code. The first thread has
 * its own CPU. The other threads have one CPU each, or share the rest.
 */
#ifndef FILCHI_BENCH_PIN_H
#define FILCHI_BENCH_PIN_H

#include <stdbool.h>

/* Finds the CPUs that this process may use, different cores first. Returns their number. */
unsigned filchi_pin_cpus(void);

/* Pins the calling thread, which has the number place, to its CPU. With a single CPU, it does nothing. */
void filchi_pin(unsigned place);

/* Lets the calling thread, and threads that it starts, run on all CPUs again. */
void filchi_unpin(void);

#endif
