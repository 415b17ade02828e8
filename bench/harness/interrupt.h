/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left to do when a signal ends the program (Ctrl-C, kill): an unfinished file is removed, and a line of
 * progress gives way to a word on what happened. Then the program ends as it would have.
 */
#ifndef FILCHI_BENCH_INTERRUPT_H
#define FILCHI_BENCH_INTERRUPT_H

#include <stdbool.h>

/* Signals that are ignored stay ignored. May be called again. */
void filchi_interrupt_catch(void);
/* The file to remove; NULL: none any more. No signal that ends the program may come meanwhile. */
void filchi_interrupt_remove(const char *path);
/* Is there a line of progress on standard error? */
void filchi_interrupt_line(bool shown);

#endif
