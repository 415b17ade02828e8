/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include "say.h"

#include <stdio.h>
#include <string.h>

static void add_name(struct filchi_names *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->names[i], name))
			return;
	if (list->count < FILCHI_NAMES_MAX)
		list->names[list->count++] = name;
}

bool filchi_names_unknown(const char *command, const char *option, const char *noun, const char *name, size_t length,
			  const char *first, const char *(*known)(unsigned))
{
	char shown[FILCHI_SHORT];
	const char *comma = first ? ", " : "";

	fprintf(stderr, "%s: %sunknown %s '%s'; known: %s", command, option, noun, filchi_short(shown, name, length),
		first ? first : "");
	for (unsigned i = 0; (name = known(i)); i++) {
		fprintf(stderr, "%s%s", comma, name);
		comma = ", ";
	}
	fputc('\n', stderr);
	return false;
}

bool filchi_names_add(struct filchi_names *list, const char *command, const char *option, const char *noun,
		      const char *text, const char *(*known)(unsigned))
{
	const char *name;

	for (;;) {
		size_t length = strcspn(text, ",");
		bool all = length == 3 && !memcmp(text, "all", length), found = all;

		for (unsigned i = 0; (name = known(i)); i++)
			if (all || (strlen(name) == length && !memcmp(name, text, length))) {
				add_name(list, name);
				found = true;
			}
		if (!found)
			return filchi_names_unknown(command, option, noun, text, length, "all", known);
		if (!text[length])
			return true;
		text += length + 1;
	}
}
