/* SPDX-License-Identifier: Apache-2.0 */
/*
 * If a signal ends the program (Ctrl-C, kill), the line of progress is replaced by the word "interrupted". Then the
 * program ends as it would without this file.
 */
#ifndef FILCHI_BENCH_INTERRUPT_H
#define FILCHI_BENCH_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers. Ignored signals stay ignored. More calls have no effect. */
void filchi_interrupt_catch(void);
/* Says whether standard error has a line of progress. */
void filchi_interrupt_line(bool shown);

#endif
