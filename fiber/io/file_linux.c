/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files. Calls that a ring never makes faster are made at once: statx, getdents, rename, unlink, mkdir, close. If the
 * file system is slow, a setting gives them to threads. An open is faster in a ring only together with others.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST ((size_t)0x7ffff000) /* bytes of one call, as in the kernel */

/* ---- read and write ---- */

/*
 * Below an offset the file is one that can be positioned. There a read gets all bytes up to the end of the file. The
 * attempt may get a part, which is in memory.
 */
ssize_t filch_io_read_for(int fd, void *buf, size_t n, int64_t offset, uint64_t ns)
{
	struct filchi_request q = {.code = FILCHI_IO_READ, .fd = fd, .data = buf, .size = n, .offset = offset};
	uint64_t deadline = filchi_fiber_deadline(ns);
	size_t done = 0;

	if (offset < -1)
		return -EINVAL;
	if (n > MOST)
		q.size = n = MOST;
	for (;;) {
		intptr_t r = filchi_io_drive(&q, deadline);

		if (r < 0 && !done)
			return r;
		if (r > 0)
			done += (size_t)r;
		if (r <= 0 || offset < 0 || done == n)
			return (ssize_t)done;
		q.data = (char *)buf + done;
		q.size = n - done;
		q.offset = offset + (int64_t)done;
	}
}

ssize_t filch_io_read(int fd, void *buf, size_t n, int64_t offset)
{
	return filch_io_read_for(fd, buf, n, offset, UINT64_MAX);
}

ssize_t filch_io_write_for(int fd, const void *buf, size_t n, int64_t offset, uint64_t ns)
{
	struct filchi_request q = {
		.code = FILCHI_IO_WRITE, .fd = fd, .data = (void *)(uintptr_t)buf, .size = n, .offset = offset};
	uint64_t deadline = filchi_fiber_deadline(ns);
	size_t done = 0;

	if (offset < -1)
		return -EINVAL;
	if (n > MOST)
		q.size = n = MOST;
	for (;;) {
		intptr_t r = filchi_io_drive(&q, deadline);

		if (r < 0 && !done)
			return r;
		if (r > 0)
			done += (size_t)r;
		if (r <= 0 || done == n)
			return (ssize_t)done;
		q.data = (char *)(uintptr_t)buf + done;
		q.size = n - done;
		if (offset >= 0)
			q.offset = offset + (int64_t)done;
	}
}

ssize_t filch_io_write(int fd, const void *buf, size_t n, int64_t offset)
{
	return filch_io_write_for(fd, buf, n, offset, UINT64_MAX);
}

int filch_io_fsync(int fd, int flags)
{
	struct filchi_request q = {.code = FILCHI_IO_FSYNC, .fd = fd};

	if (flags & ~FILCH_IO_DATASYNC)
		return -EINVAL;
	q.flags = flags ? IORING_FSYNC_DATASYNC : 0;
	return (int)filchi_io_drive_in_ring(&q, FILCHI_FIBER_NEVER);
}

/* ---- calls that no ring makes faster ---- */

/* On a slow file system, by a setting, threads make them. Without memory or descriptors for that, the worker does. */
static bool files_are_slow(void)
{
	int err;

	return filchi_fiber_current() && filchi_fiber_worker()->shared->settings.slow_files &&
	       filchi_io_self(filchi_fiber_worker(), &err);
}

/* errno belongs to the thread, so this is never inlined into a function that waits. */
static __attribute__((noinline)) long run_here(const struct filchi_file_call *c)
{
	long r = c->run(c);

	return r < 0 ? -errno : r;
}

static long run(struct filchi_file_call *c)
{
	struct filchi_request q = {.code = FILCHI_IO_FILE, .fd = -1, .data = c};

	return files_are_slow() ? (long)filchi_io_drive_in_thread(&q) : run_here(c);
}

static long call_statx(const struct filchi_file_call *c)
{
	return statx(c->fd, c->path, (int)c->flags, c->mask, c->out);
}

int filch_io_statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *out)
{
	return (int)run(&(struct filchi_file_call){
		.run = call_statx, .fd = dirfd, .path = path, .flags = (unsigned)flags, .mask = mask, .out = out});
}

static long call_getdents(const struct filchi_file_call *c)
{
	return syscall(SYS_getdents64, c->fd, c->out, c->size);
}

ssize_t filch_io_getdents(int fd, void *buf, size_t n)
{
	return run(&(struct filchi_file_call){.run = call_getdents, .fd = fd, .out = buf, .size = n < MOST ? n : MOST});
}

static long call_rename(const struct filchi_file_call *c)
{
	if (!c->flags)
		return renameat(c->fd, c->path, c->other_fd, c->other_path);
	return renameat2(c->fd, c->path, c->other_fd, c->other_path, c->flags);
}

int filch_io_rename(int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, unsigned flags)
{
	return (int)run(&(struct filchi_file_call){.run = call_rename,
						   .fd = old_dirfd,
						   .path = old_path,
						   .other_fd = new_dirfd,
						   .other_path = new_path,
						   .flags = flags});
}

static long call_unlink(const struct filchi_file_call *c)
{
	return unlinkat(c->fd, c->path, (int)c->flags);
}

int filch_io_unlink(int dirfd, const char *path, int flags)
{
	return (int)run(
		&(struct filchi_file_call){.run = call_unlink, .fd = dirfd, .path = path, .flags = (unsigned)flags});
}

static long call_mkdir(const struct filchi_file_call *c)
{
	return mkdirat(c->fd, c->path, (mode_t)c->mask);
}

int filch_io_mkdir(int dirfd, const char *path, mode_t mode)
{
	return (int)run(&(struct filchi_file_call){.run = call_mkdir, .fd = dirfd, .path = path, .mask = mode});
}

/* ---- open and close ---- */

/* The kernel takes an open that creates a file to one of its threads, which is slower than the call. */
static bool opens_in_ring(int flags)
{
	struct filchi_fiber_worker *w = filchi_fiber_current() ? filchi_fiber_worker() : NULL;
	struct filchi_io *io;
	int err;

	if (files_are_slow())
		return true;
	if (!w || flags & (O_CREAT | O_TRUNC | O_TMPFILE))
		return false;
	io = filchi_io_self(w, &err);
	return io && io->has_ring && filchi_uring_batches_open(io);
}

int filch_io_openat(int dirfd, const char *path, int flags, mode_t mode)
{
	struct filchi_request q = {.code = FILCHI_IO_OPENAT,
				   .fd = dirfd,
				   .data = (void *)(uintptr_t)path,
				   .flags = (uint32_t)flags,
				   .size = mode};

	if (opens_in_ring(flags))
		return (int)filchi_io_drive_in_ring(&q, FILCHI_FIBER_NEVER);
	return (int)filchi_io_call(&q);
}

static long call_close(const struct filchi_file_call *c)
{
	return close(c->fd);
}

/*
 * A queued operation must get the file, and not another one that gets the number next. A fiber that was cancelled
 * closes its files, too. After EINTR the descriptor is closed on Linux.
 */
int filch_io_close(int fd)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	struct filchi_io *io = w ? w->source_data : NULL;
	long err;

	if (io)
		filchi_io_forget(io, fd);
	if (io && io->has_ring)
		filchi_uring_flush_fd(io, fd);
	filch_fiber_shield_begin();
	err = run(&(struct filchi_file_call){.run = call_close, .fd = fd});
	filch_fiber_shield_end();
	return err == -EINTR ? 0 : (int)err;
}
