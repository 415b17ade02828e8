/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes one action back. The name gets a file of its own again: a copy of the kept file,
 * with the mode, owner and time that it had. Nothing is done if the name or the kept file are not as the action has
 * left them. Reflinks need no undo: each file has its own name and content.
 *
 * Other users may own the directories. So each DIR must be the directory that it was, by its inode, and no way below it
 * follows a symbolic link. The kept file's owner can change its content and reset its time: so a file of another
 * owner is not made from it, and set-user-ID bits only come back if the kept file has them.
 *
 * A kill can have cut off the last action. Then its folder may still be beside the name, with the old file or with the
 * new link. The old file goes back to its name, a link is deleted, and so is the folder.
 */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPIED (1u << 20) /* bytes at a time */

static int open_root(const char *path, struct filchi_dupes_id expected)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct filchi_dupes_id id;

	if (fd < 0)
		return -errno;
	if (!filchi_dupes_identify(fd, "", AT_EMPTY_PATH, &id) || !filchi_dupes_same_id(id, expected)) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

/* The directory of a path below a DIR; *name becomes the last part of the path. */
static int open_dir_of(struct filchi_dupes_entry *e, char **name)
{
	int root_fd = open_root(e->root, e->root_id), fd;
	char *slash = strrchr(e->below, '/');

	*name = slash ? slash + 1 : e->below;
	if (root_fd < 0 || !slash)
		return root_fd;
	*slash = 0;
	fd = filchi_dupes_open_below(root_fd, e->below, O_PATH | O_DIRECTORY);
	*slash = '/';
	close(root_fd);
	return fd;
}

/* Opens the kept file, if it is still what it was. Bits that it must not give to the copy are taken off the mode. */
static int open_kept(struct filchi_dupes_entry *e, bool any_owner)
{
	int root = open_root(e->kept_root, e->kept_root_id),
	    fd = root < 0 ? root : filchi_dupes_open_below(root, e->kept_below, O_RDONLY), reason = 0;
	struct statx s;
	bool same_owner;

	if (root >= 0)
		close(root);
	if (fd < 0)
		return fd;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &s) || !S_ISREG(s.stx_mode) || s.stx_size != e->size ||
	    s.stx_mtime.tv_sec * 1000000000 + (int64_t)s.stx_mtime.tv_nsec != e->kept_mtime ||
	    !filchi_dupes_same_id((struct filchi_dupes_id){s.stx_ino, s.stx_dev_major, s.stx_dev_minor}, e->kept))
		reason = -ESTALE;
	same_owner = !reason && s.stx_uid == e->uid && s.stx_gid == e->gid;
	if (!reason && !same_owner && !any_owner)
		reason = -EACCES;
	if (reason) {
		close(fd);
		return reason;
	}
	if (!same_owner || ((s.stx_mode ^ e->mode) & (S_ISUID | S_ISGID)))
		e->mode &= ~(unsigned)(S_ISUID | S_ISGID);
	return fd;
}

static int copy_bytes(int from, int to, uint64_t size)
{
	char *buf = malloc(COPIED);
	int err = buf ? 0 : ENOMEM;

	for (uint64_t at = 0; at < size && !err;) {
		ssize_t n = pread(from, buf, COPIED, (off_t)at),
			done = n > 0 ? pwrite(to, buf, (size_t)n, (off_t)at) : n;

		if (n < 0 || done < 0)
			err = errno == EINTR ? 0 : errno;
		else if (!n || !done)
			err = EIO; /* the file has become shorter */
		else
			at += (uint64_t)done;
	}
	free(buf);
	return err;
}

/* The owner first: a change of it clears bits of the mode. */
static int copy_aside(const struct filchi_dupes_aside *a, const struct filchi_dupes_entry *e, int kept)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {e->mtime / 1000000000, e->mtime % 1000000000}};
	int fd = openat(a->fd, FILCHI_DUPES_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int err;

	if (fd < 0)
		return errno;
	if (times[1].tv_nsec < 0) { /* before 1970 */
		times[1].tv_sec--;
		times[1].tv_nsec += 1000000000;
	}
	err = copy_bytes(kept, fd, e->size);
	if (!err && ((fchown(fd, e->uid, e->gid) && errno != EPERM) || fchmod(fd, e->mode) || futimens(fd, times)))
		err = errno;
	if (!err && fsync(fd) && errno != EINVAL)
		err = errno;
	close(fd);
	if (err)
		unlinkat(a->fd, FILCHI_DUPES_FILE, 0);
	return err;
}

static bool is_delete(const struct filchi_dupes_entry *e)
{
	return !strcmp(e->action, "delete");
}

/* Whether the name is as the action has left it: a link of the kept file, or gone. Or it is still the old file. */
static int check_name(const struct filchi_dupes_entry *e, int dir, const char *name, struct filchi_dupes_id *id)
{
	struct filchi_dupes_id target;
	struct statx s;
	bool exists = !statx(dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &s) &&
		      filchi_dupes_identify(dir, name, AT_SYMLINK_NOFOLLOW, id);

	if (exists && filchi_dupes_same_id(*id, e->old))
		return FILCHI_DUPES_NEVER_DONE;
	if (is_delete(e))
		return exists ? EEXIST : 0;
	if (!exists || !filchi_dupes_identify(dir, name, 0, &target) || !filchi_dupes_same_id(target, e->kept) ||
	    S_ISLNK(s.stx_mode) != !strcmp(e->action, "symlink"))
		return ESTALE;
	return 0;
}

/* Gives the name to the file in the folder. */
static int give_name(const struct filchi_dupes_entry *e, struct filchi_dupes_aside *a, const char *name,
		     struct filchi_dupes_id old, struct filchi_dupes_id new)
{
	if (!is_delete(e))
		return filchi_dupes_replace(a, name, old, new);
	return renameat2(a->fd, FILCHI_DUPES_FILE, a->dir, name, RENAME_NOREPLACE) ? errno : 0;
}

static int restore(const struct filchi_dupes_entry *e, int kept, int dir, const char *name, struct filchi_dupes_id old)
{
	struct filchi_dupes_aside a;
	struct filchi_dupes_id new = {0};
	int reason;

	filchi_dupes_aside_name(&a);
	reason = filchi_dupes_aside_make(&a, dir);
	if (reason)
		return reason;
	reason = copy_aside(&a, e, kept);
	if (!reason && !filchi_dupes_identify(a.fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, &new))
		reason = errno;
	reason = reason ? reason : give_name(e, &a, name, old, new);
	if (reason && is_delete(e))
		unlinkat(a.fd, FILCHI_DUPES_FILE, 0);
	filchi_dupes_aside_end(&a);
	return reason;
}

/* ---- an action that was cut off ---- */

/* What the folder of the action has. */
enum rest { NO_FOLDER, NOTHING, OLD_FILE, NEW_LINK, SOMETHING };

static enum rest open_rest(const struct filchi_dupes_entry *e, int dir, struct filchi_dupes_aside *a)
{
	struct filchi_dupes_id id;
	struct statx s;

	if (filchi_dupes_aside_open(a, dir, e->aside))
		return NO_FOLDER;
	if (!filchi_dupes_identify(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, &id) ||
	    statx(a->fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &s))
		return NOTHING;
	if (filchi_dupes_same_id(id, e->old))
		return OLD_FILE;
	if (filchi_dupes_same_id(id, e->kept) || (S_ISLNK(s.stx_mode) && !strcmp(e->action, "symlink")))
		return NEW_LINK;
	return SOMETHING;
}

/* Puts an old file back from the folder, and removes what the action has left there. *restored: no copy is needed. */
static int undo_rest(const struct filchi_dupes_entry *e, int dir, const char *name, bool yes, bool *restored)
{
	struct filchi_dupes_aside a;
	struct filchi_dupes_id id = {0};
	enum rest rest = open_rest(e, dir, &a);
	int reason = 0;

	if (rest == NO_FOLDER)
		return 0;
	if (rest == OLD_FILE) {
		reason = check_name(e, dir, name, &id);
		*restored = !reason;
		if (!reason && yes)
			reason = give_name(e, &a, name, id, e->old);
	} else if (rest == NEW_LINK && yes) {
		reason = unlinkat(a.fd, FILCHI_DUPES_FILE, 0) ? errno : 0;
	} else if (rest == SOMETHING) {
		reason = FILCHI_DUPES_ASIDE;
	}
	if (yes)
		filchi_dupes_aside_end(&a);
	else
		close(a.fd);
	return reason;
}

int filchi_dupes_restore(struct filchi_dupes_entry *e, bool finished, const struct filchi_dupes_settings *set)
{
	struct filchi_dupes_id old = {0};
	bool restored = false;
	char *name;
	int dir = open_dir_of(e, &name), kept, reason;

	if (dir < 0)
		return -dir;
	reason = finished ? 0 : undo_rest(e, dir, name, set->yes, &restored);
	if (!reason && !restored)
		reason = check_name(e, dir, name, &old);
	if (!reason && !restored) {
		kept = open_kept(e, set->any_owner);
		reason = kept >= 0 ? 0 : kept == -EACCES ? FILCHI_DUPES_OWNER : -kept;
		if (!reason && set->yes)
			reason = restore(e, kept, dir, name, old);
		if (kept >= 0)
			close(kept);
	}
	close(dir);
	return reason == FILCHI_DUPES_NEVER_DONE && finished ? ESTALE : reason;
}
