/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal may end the program (Ctrl-C, kill): then a line of progress gives way to the word "interrupted". After that
 * the program ends as it would have.
 */
#ifndef FILCHI_BENCH_INTERRUPT_H
#define FILCHI_BENCH_INTERRUPT_H

#include <stdbool.h>

/* Signals that are ignored stay ignored. May be called again. */
void filchi_interrupt_catch(void);
/* Is there a line of progress on standard error? */
void filchi_interrupt_line(bool shown);

#endif
