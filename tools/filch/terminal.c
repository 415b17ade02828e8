/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool filchi_terminal_color(FILE *f, bool no_color)
{
	const char *asked = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_color || (asked && *asked))
		return false;
	return isatty(fileno(f)) && term && strcmp(term, "dumb") != 0;
}
