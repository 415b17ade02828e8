/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of known names, separated by commas. Mistakes go to standard error. */
#ifndef FILCHI_TOOL_NAMES_H
#define FILCHI_TOOL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define FILCHI_NAMES_MAX 64

struct filchi_names {
	const char *names[FILCHI_NAMES_MAX];
	size_t count;
};

/*
 * Adds each name of the text once; "all" adds all known names. False after a message that begins with the command and
 * the option ("--deque: ", or ""), and calls the wrong name by the noun (deque).
 */
bool filchi_names_add(struct filchi_names *list, const char *command, const char *option, const char *noun,
		      const char *text, const char *(*known)(unsigned));

/* Says that a name is unknown, and which names are known, after the first if there is one. Returns false. */
bool filchi_names_unknown(const char *command, const char *option, const char *noun, const char *name, size_t length,
			  const char *first, const char *(*known)(unsigned));

#endif
