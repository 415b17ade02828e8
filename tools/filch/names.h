/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of names, separated by commas, of those that there are. What is wrong is said on standard error. */
#ifndef FILCHI_TOOL_NAMES_H
#define FILCHI_TOOL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define FILCHI_NAMES_MAX 64

struct filchi_names {
	const char *names[FILCHI_NAMES_MAX];
	size_t count;
};

/* Adds what is in the list, of the names there are, each once; all of them for "all". */
bool filchi_names_add(struct filchi_names *list, const char *command, const char *option, const char *text,
		      const char *(*there_are)(unsigned));

#endif
