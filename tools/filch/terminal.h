/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FILCHI_TOOL_TERMINAL_H
#define FILCHI_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* True if output to f may have colour: f is a terminal with colours, and neither --no-color nor NO_COLOR is set. */
bool filchi_terminal_color(FILE *f, bool no_color);

#endif
