/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A name gets another file, or goes. Another process may give the name to a file of its own at any moment, and no
 * system call says "rename, if the name is still of that inode". So nothing is ever renamed over a name:
 *
 *   1. A folder is made in the same directory. Other users cannot enter it. The new file is made in it.
 *   2. The new file and the name are exchanged, in one step of the system (RENAME_EXCHANGE).
 *   3. The folder now has the old file, and nobody else can touch it. If it is the inode that was checked, it is
 *      deleted. Otherwise both are exchanged again.
 *
 * If the process is killed, the name has the old file or the new one, and the folder may stay with the other one. Both
 * have the same content.
 */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRIES 100
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1u
#define RENAME_EXCHANGE 2u
#endif

static int rename_at(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	return syscall(SYS_renameat2, from_dir, from, to_dir, to, flags) ? errno : 0;
}

bool filchi_dupes_same_id(struct filchi_dupes_id a, struct filchi_dupes_id b)
{
	return a.ino == b.ino && a.major == b.major && a.minor == b.minor;
}

bool filchi_dupes_identify(int dir, const char *name, int flags, struct filchi_dupes_id *id)
{
	struct statx s;

	if (statx(dir, name, flags | AT_NO_AUTOMOUNT, STATX_INO, &s))
		return false;
	*id = (struct filchi_dupes_id){s.stx_ino, s.stx_dev_major, s.stx_dev_minor};
	return true;
}

static bool leads_to(int dir, const char *name, int flags, struct filchi_dupes_id expected)
{
	struct filchi_dupes_id id;

	return filchi_dupes_identify(dir, name, flags, &id) && filchi_dupes_same_id(id, expected);
}

static void random_name(char out[32])
{
	uint64_t r = 0;

	if (getrandom(&r, sizeof(r), 0) != (ssize_t)sizeof(r))
		r = (uint64_t)getpid(); /* mkdir refuses a name that exists */
	snprintf(out, 32, ".filch-%016" PRIx64, r);
}

/* Another user can put another folder into its place, but no folder that belongs to this user. */
static int open_folder(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat s;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &s) || s.st_uid != geteuid() || (s.st_mode & 077)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

int filchi_dupes_aside_make(struct filchi_dupes_aside *a, int dir)
{
	a->dir = dir;
	a->fd = -1;
	for (int i = 0; i < TRIES; i++) {
		random_name(a->name);
		if (!mkdirat(dir, a->name, 0700)) {
			a->fd = open_folder(dir, a->name);
			return a->fd >= 0 ? 0 : a->fd == -ENOENT || a->fd == -ELOOP ? FILCHI_DUPES_CHANGED : -a->fd;
		}
		if (errno != EEXIST)
			return errno;
	}
	return EEXIST;
}

/* A folder that still has a file stays. */
void filchi_dupes_aside_end(struct filchi_dupes_aside *a)
{
	if (a->fd < 0)
		return;
	close(a->fd);
	unlinkat(a->dir, a->name, AT_REMOVEDIR);
}

/* The folder has a file of somebody else. It goes back to its name, or to a name beside it. */
static int put_back(struct filchi_dupes_aside *a, const char *name, const struct filchi_dupes_id *ours)
{
	char free_name[64];

	for (int i = 0; i < TRIES; i++) {
		int err = rename_at(a->fd, FILCHI_DUPES_FILE, a->dir, name, RENAME_NOREPLACE);

		if (!err)
			return FILCHI_DUPES_CHANGED;
		if (err == EEXIST && ours)
			err = rename_at(a->fd, FILCHI_DUPES_FILE, a->dir, name, RENAME_EXCHANGE);
		else if (err == EEXIST)
			break;
		if (!err && leads_to(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, *ours)) {
			unlinkat(a->fd, FILCHI_DUPES_FILE, 0);
			return FILCHI_DUPES_CHANGED;
		}
		if (err && err != ENOENT && err != EEXIST)
			break;
	}
	snprintf(free_name, sizeof(free_name), "%s-found", a->name + 1);
	rename_at(a->fd, FILCHI_DUPES_FILE, a->dir, free_name, RENAME_NOREPLACE);
	return FILCHI_DUPES_ASIDE;
}

int filchi_dupes_replace(struct filchi_dupes_aside *a, const char *name, struct filchi_dupes_id old,
			 struct filchi_dupes_id new)
{
	struct filchi_dupes_id ours;
	int err;

	if (!filchi_dupes_identify(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, &ours))
		return errno;
	err = rename_at(a->fd, FILCHI_DUPES_FILE, a->dir, name, RENAME_EXCHANGE);
	if (err) {
		unlinkat(a->fd, FILCHI_DUPES_FILE, 0);
		return err == ENOENT			? FILCHI_DUPES_CHANGED
		       : err == EINVAL || err == ENOSYS ? FILCHI_DUPES_NO_EXCHANGE
							: err;
	}
	if (!leads_to(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, old) || !leads_to(a->dir, name, 0, new))
		return put_back(a, name, &ours);
	return unlinkat(a->fd, FILCHI_DUPES_FILE, 0) ? errno : 0;
}

int filchi_dupes_remove(struct filchi_dupes_aside *a, const char *name, struct filchi_dupes_id old)
{
	int err = rename_at(a->dir, name, a->fd, FILCHI_DUPES_FILE, 0);

	if (err)
		return err == ENOENT ? FILCHI_DUPES_CHANGED : err;
	if (!leads_to(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, old))
		return put_back(a, name, NULL);
	return unlinkat(a->fd, FILCHI_DUPES_FILE, 0) ? errno : 0;
}
