/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths and opens. A path may be longer than the system accepts in one call. Another process may put a symbolic link in
 * the place of a directory meanwhile: no open follows it, so that none leaves the tree.
 */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Writes from the end to the beginning, since a directory knows its parent only. */
static size_t path_from(const struct filchi_dupes_dir *dir, const char *name, bool with_root, char *out)
{
	size_t length = name ? strlen(name) : 0, parts = name ? 1 : 0;
	const struct filchi_dupes_dir *d;
	char *end;

	for (d = dir; d->parent || with_root; d = d->parent) {
		bool slash = !d->parent && d->length && d->name[d->length - 1] == '/';

		length += d->length + (parts && !slash);
		parts++;
		if (!d->parent)
			break;
	}
	if (!out)
		return length;
	end = out + length;
	*end = 0;
	if (name) {
		end -= strlen(name);
		memcpy(end, name, strlen(name));
	}
	for (d = dir; end > out; d = d->parent) {
		if ((name || d != dir) && (d->parent || d->name[d->length - 1] != '/'))
			*--end = '/';
		end -= d->length;
		memcpy(end, d->name, d->length);
	}
	return length;
}

size_t filchi_dupes_path(const struct filchi_dupes_dir *dir, const char *name, char *out)
{
	return path_from(dir, name, true, out);
}

size_t filchi_dupes_path_below(const struct filchi_dupes_dir *dir, const char *name, char *out)
{
	return path_from(dir, name, false, out);
}

char *filchi_dupes_path_new(const struct filchi_dupes_dir *dir, const char *name)
{
	char *path = malloc(filchi_dupes_path(dir, name, NULL) + 1);

	if (path)
		filchi_dupes_path(dir, name, path);
	return path;
}

static const struct filchi_dupes_dir *root_of(const struct filchi_dupes_dir *dir)
{
	while (dir->parent)
		dir = dir->parent;
	return dir;
}

static int open_at(int fd, const char *name, int flags)
{
	int r;

	do
		r = openat(fd, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
	while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : r;
}

/* Directory by directory. */
static int open_step_by_step(int root, char *path, int flags)
{
	int fd = root, next;
	char *slash;

	for (; (slash = strchr(path, '/')); path = slash + 1) {
		*slash = 0;
		next = open_at(fd, path, O_PATH | O_DIRECTORY);
		if (fd != root)
			close(fd);
		if (next < 0)
			return next;
		fd = next;
	}
	next = open_at(fd, path, flags);
	if (fd != root)
		close(fd);
	return next;
}

/* The system, or a filter of system calls, may lack openat2. */
int filchi_dupes_open_below(int root, const char *path, int flags)
{
	struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK),
			       .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
	size_t length = strlen(path);
	char *copy;
	long r;

	if (!strchr(path, '/'))
		return open_at(root, path, flags);
	if (length < PATH_MAX) {
		do
			r = syscall(SYS_openat2, root, path, &how, sizeof(how));
		while (r < 0 && (errno == EINTR || errno == EAGAIN));
		if (r >= 0)
			return (int)r;
		if (errno != ENOSYS && errno != EPERM && errno != EINVAL && errno != E2BIG)
			return -errno;
	}
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	r = open_step_by_step(root, copy, flags);
	free(copy);
	return (int)r;
}

int filchi_dupes_open_near(const struct filchi_dupes_dir *dir, const char *name, int flags)
{
	return dir->fd >= 0 ? open_at(dir->fd, name, flags) : filchi_dupes_open(dir, name, flags);
}

int filchi_dupes_open(const struct filchi_dupes_dir *dir, const char *name, int flags)
{
	const struct filchi_dupes_dir *root = root_of(dir);
	size_t length = filchi_dupes_path_below(dir, name, NULL);
	char buffer[PATH_MAX], *path = length < sizeof(buffer) ? buffer : malloc(length + 1);
	int fd;

	if (!path)
		return -ENOMEM;
	filchi_dupes_path_below(dir, name, path);
	fd = filchi_dupes_open_below(root->fd, path, flags);
	if (path != buffer)
		free(path);
	return fd;
}
