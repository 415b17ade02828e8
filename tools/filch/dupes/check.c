/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check right before an action: both names still lead to the files that were compared, nobody writes to them, and
 * their bytes are still the same.
 *
 * A read lease (F_SETLEASE) of the kernel is refused while any process has the file open for writing. While it lasts,
 * a process that opens the file for writing waits. So the content stays as it is from the check to the action. The
 * system gives leases to the owner of a file and to root, on local file systems. Without one, the checks remain.
 */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 131072u
#define WANTED (STATX_BASIC_STATS)

static int lease(int fd, bool *leased)
{
	*leased = !fcntl(fd, F_SETLEASE, F_RDLCK);
	return !*leased && errno == EAGAIN ? FILCHI_DUPES_WRITER : 0;
}

/* The reason of an open that has failed. A link in the place of a file or directory was not there before. */
static int why(int err)
{
	return err == -ELOOP || err == -ENOENT || err == -ENOTDIR || err == -EXDEV ? FILCHI_DUPES_CHANGED : -err;
}

/* The status is read after the lease was given: no write comes later. */
static int check(int fd, const struct filchi_dupes_file *expected, struct statx *s, bool *leased)
{
	int reason = fd < 0 ? why(fd) : lease(fd, leased);

	if (reason)
		return reason;
	if (statx(fd, "", AT_EMPTY_PATH, WANTED, s))
		return errno;
	return filchi_dupes_is_same(expected, s) ? 0 : FILCHI_DUPES_CHANGED;
}

static int open_dir(const struct filchi_dupes_dir *d)
{
	struct statx s;
	int fd;

	if (!d->parent) {
		fd = fcntl(d->fd, F_DUPFD_CLOEXEC, 0);
		return fd < 0 ? -errno : fd;
	}
	fd = filchi_dupes_open(d->parent, d->name, O_PATH | O_DIRECTORY);
	if (fd < 0)
		return fd;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO, &s) || s.stx_ino != d->ino ||
	    (s.stx_dev_major << 20 | s.stx_dev_minor) != d->dev) {
		close(fd);
		return -ENOENT; /* another directory has the name now */
	}
	return fd;
}

int filchi_dupes_pair_open(struct filchi_dupes_pair *p, const struct filchi_dupes_file *kept,
			   const struct filchi_dupes_file *file, const struct filchi_dupes_file *name)
{
	int reason;

	*p = (struct filchi_dupes_pair){.kept_fd = -1, .fd = -1, .dir_fd = -1};
	p->dir_fd = open_dir(name->dir);
	if (p->dir_fd < 0)
		return why(p->dir_fd);
	p->kept_fd = filchi_dupes_open(kept->dir, kept->name, O_RDONLY);
	reason = check(p->kept_fd, kept, &p->kept, &p->kept_leased);
	if (reason)
		return reason;
	p->fd = filchi_dupes_open_below(p->dir_fd, name->name, O_RDONLY);
	return check(p->fd, file, &p->file, &p->leased);
}

void filchi_dupes_pair_close(struct filchi_dupes_pair *p)
{
	const int fds[] = {p->kept_fd, p->fd, p->dir_fd};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]); /* ends the lease */
}

/* The bytes that were read, all n unless the file ends before, or -errno. */
static ssize_t read_block(int fd, char *buf, size_t n, uint64_t offset)
{
	size_t got = 0;

	while (got < n) {
		ssize_t r = pread(fd, buf + got, n - got, (off_t)(offset + got));

		if (r < 0 && errno != EINTR)
			return -errno;
		if (!r)
			break;
		got += r > 0 ? (size_t)r : 0;
	}
	return (ssize_t)got;
}

static bool same_time(struct statx_timestamp a, struct statx_timestamp b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* The system takes a lease away when a writer has waited for some time (/proc/sys/fs/lease-break-time). */
static int check_again(int fd, const struct statx *before, bool leased)
{
	struct statx s;

	if (statx(fd, "", AT_EMPTY_PATH, WANTED, &s))
		return errno;
	if (s.stx_size != before->stx_size || !same_time(s.stx_mtime, before->stx_mtime) ||
	    !same_time(s.stx_ctime, before->stx_ctime))
		return FILCHI_DUPES_CHANGED;
	return leased && fcntl(fd, F_GETLEASE) != F_RDLCK ? FILCHI_DUPES_WRITER : 0;
}

/* The times of a file have steps of some milliseconds on some systems: two changes can look like one. */
static int compare_bytes(const struct filchi_dupes_pair *p)
{
	char *blocks = malloc((size_t)2 * BLOCK);
	uint64_t size = p->file.stx_size;
	int reason = blocks ? 0 : ENOMEM;

	for (uint64_t at = 0; at < size && !reason; at += BLOCK) {
		size_t n = size - at < BLOCK ? (size_t)(size - at) : BLOCK;
		ssize_t a = read_block(p->kept_fd, blocks, n, at), b = read_block(p->fd, blocks + BLOCK, n, at);

		if (a < 0 || b < 0)
			reason = (int)-(a < 0 ? a : b);
		else if (a != (ssize_t)n || b != (ssize_t)n || memcmp(blocks, blocks + BLOCK, n) != 0)
			reason = FILCHI_DUPES_CHANGED;
	}
	free(blocks);
	return reason;
}

int filchi_dupes_pair_compare(const struct filchi_dupes_pair *p)
{
	int reason = compare_bytes(p);

	reason = reason ? reason : check_again(p->kept_fd, &p->kept, p->kept_leased);
	return reason ? reason : check_again(p->fd, &p->file, p->leased);
}

/* Two mounts can show one file as two. If one name of it goes, both do. */
bool filchi_dupes_pair_keeps(const struct filchi_dupes_pair *p, const struct filchi_dupes_file *kept)
{
	int fd = filchi_dupes_open(kept->dir, kept->name, O_PATH);
	struct filchi_dupes_id id, expected = {p->kept.stx_ino, p->kept.stx_dev_major, p->kept.stx_dev_minor};
	bool same = fd >= 0 && filchi_dupes_identify(fd, "", AT_EMPTY_PATH, &id) && filchi_dupes_same_id(id, expected);

	if (fd >= 0)
		close(fd);
	return same;
}

int64_t filchi_dupes_changed_at(int fd)
{
	struct statx s;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_CTIME, &s))
		return -1;
	return s.stx_ctime.tv_sec * 1000000000 + (int64_t)s.stx_ctime.tv_nsec;
}
