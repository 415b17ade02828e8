/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FILCHI_TOOL_TERMINAL_H
#define FILCHI_TOOL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* May there be color? On a terminal that can, unless --no-color or NO_COLOR says otherwise. */
bool filchi_terminal_color(FILE *f, bool no_color);

#endif
