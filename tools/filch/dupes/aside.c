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
 * have the same content. The log has the name of the folder, so that undo can finish this.
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
#define PREFIX ".filch-"
#define DIGITS 16
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

void filchi_dupes_aside_name(struct filchi_dupes_aside *a)
{
	uint64_t r = 0;

	if (getrandom(&r, sizeof(r), 0) != (ssize_t)sizeof(r))
		r = (uint64_t)getpid(); /* mkdir refuses a name that exists */
	snprintf(a->name, sizeof(a->name), PREFIX "%0*" PRIx64, DIGITS, r);
}

bool filchi_dupes_aside_is_name(const char *name)
{
	size_t prefix = strlen(PREFIX);

	return !strncmp(name, PREFIX, prefix) && strlen(name) == prefix + DIGITS &&
	       strspn(name + prefix, "0123456789abcdef") == DIGITS;
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
	int err;

	a->dir = dir;
	a->fd = -1;
	a->precious = false;
	if (mkdirat(dir, a->name, 0700))
		return errno;
	a->fd = open_folder(dir, a->name);
	if (a->fd >= 0)
		return 0;
	err = -a->fd;
	unlinkat(dir, a->name, AT_REMOVEDIR);
	return err == ENOENT || err == ELOOP || err == ENOTDIR ? FILCHI_DUPES_CHANGED : err;
}

int filchi_dupes_aside_open(struct filchi_dupes_aside *a, int dir, const char *name)
{
	a->dir = dir;
	a->precious = true;
	a->fd = open_folder(dir, name);
	snprintf(a->name, sizeof(a->name), "%s", name);
	return a->fd < 0 ? -a->fd : 0;
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
			if (!a->precious)
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
		if (!a->precious)
			unlinkat(a->fd, FILCHI_DUPES_FILE, 0);
		return err == ENOENT			? FILCHI_DUPES_CHANGED
		       : err == EINVAL || err == ENOSYS ? FILCHI_DUPES_NO_EXCHANGE
							: err;
	}
	if (!leads_to(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, old) || !leads_to(a->dir, name, 0, new))
		return put_back(a, name, &ours);
	err = unlinkat(a->fd, FILCHI_DUPES_FILE, 0) ? errno : 0;
	if (err)
		put_back(a, name, &ours);
	return err;
}

int filchi_dupes_take(struct filchi_dupes_aside *a, const char *name, struct filchi_dupes_id old)
{
	int err = rename_at(a->dir, name, a->fd, FILCHI_DUPES_FILE, 0);

	if (err)
		return err == ENOENT ? FILCHI_DUPES_CHANGED : err;
	return leads_to(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, old) ? 0 : put_back(a, name, NULL);
}

int filchi_dupes_drop(struct filchi_dupes_aside *a, const char *name)
{
	int err = unlinkat(a->fd, FILCHI_DUPES_FILE, 0) ? errno : 0;

	if (err)
		put_back(a, name, NULL);
	return err;
}

int filchi_dupes_give_back(struct filchi_dupes_aside *a, const char *name)
{
	return put_back(a, name, NULL);
}
