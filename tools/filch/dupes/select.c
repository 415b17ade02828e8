/* SPDX-License-Identifier: Apache-2.0 */
/* Which names the user wants. */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* A pattern with a slash is for the path below the DIR, another one for the name. */
bool filchi_dupes_matches(const char *glob, const struct filchi_dupes_dir *dir, const char *name)
{
	char *path;
	bool found;

	if (!strchr(glob, '/'))
		return !fnmatch(glob, name, 0);
	path = malloc(filchi_dupes_path_below(dir, name, NULL) + 1);
	if (!path) {
		filchi_dupes_fail(dir->run, -ENOMEM);
		return false;
	}
	filchi_dupes_path_below(dir, name, path);
	found = !fnmatch(glob, path, 0);
	free(path);
	return found;
}

static bool matches(const char *const *globs, unsigned count, const struct filchi_dupes_dir *dir, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (filchi_dupes_matches(globs[i], dir, name))
			return true;
	return false;
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
