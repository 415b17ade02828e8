/* SPDX-License-Identifier: Apache-2.0 */
/* Which names the user wants. */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* A pattern with a slash is for the path below the DIR, another one for the name. */
static bool matches(const char *const *globs, unsigned count, const struct filchi_dupes_dir *dir, const char *name)
{
	bool found = false;
	char *path = NULL;

	for (unsigned i = 0; i < count && !found; i++) {
		if (!strchr(globs[i], '/')) {
			found = !fnmatch(globs[i], name, 0);
			continue;
		}
		if (!path)
			path = malloc(filchi_dupes_path_below(dir, name, NULL) + 1);
		if (!path) {
			filchi_dupes_fail(dir->run, -ENOMEM);
			return false;
		}
		filchi_dupes_path_below(dir, name, path);
		found = !fnmatch(globs[i], path, 0);
	}
	free(path);
	return found;
}

bool filchi_dupes_wants_name(const struct filchi_dupes_settings *set, const struct filchi_dupes_dir *dir,
			     const char *name, bool directory)
{
	if (set->no_hidden && name[0] == '.')
		return false;
	if (set->excludes && matches(set->exclude, set->excludes, dir, name))
		return false;
	return directory || !set->includes || matches(set->include, set->includes, dir, name);
}
