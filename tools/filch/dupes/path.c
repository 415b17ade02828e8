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

/* Directory by directory, from the DIR down. */
static int open_step_by_step(const struct filchi_dupes_dir *dir, const char *name, int flags)
{
	const struct filchi_dupes_dir **chain = malloc((dir->depth + 1) * sizeof(struct filchi_dupes_dir *));
	const struct filchi_dupes_dir *d = dir;
	unsigned count = 0;
	int fd, next;

	if (!chain)
		return -ENOMEM;
	for (; d->parent; d = d->parent)
		chain[count++] = d;
	for (fd = d->fd; count && fd >= 0; fd = next) {
		next = open_at(fd, chain[--count]->name, O_PATH | O_DIRECTORY);
		if (fd != d->fd)
			close(fd);
	}
	free(chain);
	if (fd < 0)
		return fd;
	next = open_at(fd, name, flags);
	if (fd != d->fd)
		close(fd);
	return next;
}

/* The system, or a filter of system calls, may lack openat2. */
int filchi_dupes_open(const struct filchi_dupes_dir *dir, const char *name, int flags)
{
	struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK),
			       .resolve = RESOLVE_NO_SYMLINKS};
	const struct filchi_dupes_dir *root = root_of(dir);
	char path[PATH_MAX];
	long r;

	if (dir == root)
		return open_at(root->fd, name, flags);
	if (filchi_dupes_path_below(dir, name, NULL) >= sizeof(path))
		return open_step_by_step(dir, name, flags);
	filchi_dupes_path_below(dir, name, path);
	do
		r = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
	while (r < 0 && (errno == EINTR || errno == EAGAIN));
	if (r >= 0)
		return (int)r;
	if (errno == ENOSYS || errno == EPERM || errno == EINVAL || errno == E2BIG)
		return open_step_by_step(dir, name, flags);
	return -errno;
}
