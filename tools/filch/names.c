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

static bool no_such(const char *command, const char *option, const char *text, size_t length,
		    const char *(*there_are)(unsigned))
{
	char value[FILCHI_SHORT];
	const char *name;

	fprintf(stderr, "%s: %s: there is no '%s'; there are: all", command, option, filchi_short(value, text, length));
	for (unsigned i = 0; (name = there_are(i)); i++)
		fprintf(stderr, ", %s", name);
	fputc('\n', stderr);
	return false;
}

bool filchi_names_add(struct filchi_names *list, const char *command, const char *option, const char *text,
		      const char *(*there_are)(unsigned))
{
	const char *name;

	for (;;) {
		size_t length = strcspn(text, ",");
		bool all = length == 3 && !memcmp(text, "all", length), found = all;

		for (unsigned i = 0; (name = there_are(i)); i++)
			if (all || (strlen(name) == length && !memcmp(name, text, length))) {
				add_name(list, name);
				found = true;
			}
		if (!found)
			return no_such(command, option, text, length, there_are);
		if (!text[length])
			return true;
		text += length + 1;
	}
}
