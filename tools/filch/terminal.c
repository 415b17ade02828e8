/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE

#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool filchi_terminal_escapes(FILE *f)
{
	const char *term = getenv("TERM");

	return isatty(fileno(f)) && term && *term && strcmp(term, "dumb") != 0;
}

unsigned filchi_terminal_columns(FILE *f)
{
	struct winsize size = {0};

	return ioctl(fileno(f), TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

void filchi_terminal_line(FILE *f, const char *text, size_t *shown)
{
	unsigned columns = filchi_terminal_columns(f);
	size_t length = strlen(text), room = columns > 1 ? columns - 1 : length; /* the last column may wrap */
	size_t blanks;

	length = length < room ? length : room;
	blanks = *shown > length ? *shown - length : 0;
	if (filchi_terminal_escapes(f))
		fprintf(f, "\r%.*s\033[K", (int)length, text);
	else
		fprintf(f, "\r%.*s%*s%s%.*s", (int)length, text, (int)blanks, "", blanks ? "\r" : "",
			blanks ? (int)length : 0, text);
	fflush(f);
	*shown = length;
}

bool filchi_terminal_color(FILE *f, bool no_color)
{
	const char *asked = getenv("NO_COLOR");

	if (no_color || (asked && *asked))
		return false;
	return filchi_terminal_escapes(f);
}
