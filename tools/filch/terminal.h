/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FILCHI_TOOL_TERMINAL_H
#define FILCHI_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* True if f is a terminal that knows escape codes: TERM is set, and is not dumb. */
bool filchi_terminal_escapes(FILE *f);

/* Columns of the terminal f; 0 if f is no terminal, or if it is unknown. */
unsigned filchi_terminal_columns(FILE *f);

/*
 * A line of progress that is written again and again in the same place, cut to the width of the terminal. An empty text
 * removes it. *shown: characters of the last line, 0 at first.
 */
void filchi_terminal_line(FILE *f, const char *text, size_t *shown);

/* True if output to f may have colour: f is a terminal with colours, and neither --no-color nor NO_COLOR is set. */
bool filchi_terminal_color(FILE *f, bool no_color);

#endif
