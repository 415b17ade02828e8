/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input and output of fibers: a call that would wait suspends the fiber, and its worker runs something else. Link
 * filch_fiber.
 *
 *	n = filch_io_recv(client, buf, sizeof buf, 0);
 *	if (n < 0)
 *		fprintf(stderr, "recv: %s\n", strerror((int)-n));
 *
 * The functions take the arguments of the calls of POSIX and Linux with these names. They return a result of 0 or more,
 * or a negative errno value, and never set errno. They never return -EINTR.
 *
 * All of them may be called outside of fibers as well, and then block the thread. So they do in a job, and in a task
 * that a fiber runs.
 *
 * An operation waits also if the file is O_NONBLOCK. Functions with _for wait for ns nanoseconds at most, and return
 * -ETIMEDOUT; 0 means not to wait. A wait of a fiber that was cancelled returns -ECANCELED. Both happen only after the
 * system has given the operation up. So buffers may be on the stack. If the operation has succeeded meanwhile, its
 * result is returned. An operation that need not wait does not notice a cancellation.
 *
 * A descriptor must not be closed while an operation uses it, as among threads: shutdown() or filch_fiber_cancel()
 * ends the operation first.
 *
 * The workers use io_uring. If the system forbids or lacks it, they use epoll and threads. The environment variable
 * FILCH_IO chooses: uring, threads, or auto, the default.
 *
 * Manual: filch_io(3).
 */
#ifndef FILCH_IO_H
#define FILCH_IO_H

#include "base.h"

#include <sys/socket.h>
#include <sys/types.h>

FILCH_BEGIN_DECLS

struct statx;

/*
 * Files. read and write take an offset, or -1 for the current position. A read with an offset returns all n bytes,
 * unless the file ends before. A write returns n, unless an error comes after a part.
 *
 *   openat    a file that does not block: of a FIFO without its other end, the open may block the worker
 *   getdents  entries of a directory as of getdents64(2)
 *   fsync     flags: 0 or FILCH_IO_DATASYNC
 *   rename    flags: as of renameat2(2)
 *   unlink    flags: 0 or AT_REMOVEDIR
 */
FILCH_API int filch_io_openat(int dirfd, const char *path, int flags, mode_t mode);
FILCH_API int filch_io_close(int fd);
FILCH_API int filch_io_statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *out);
FILCH_API ssize_t filch_io_getdents(int fd, void *buf, size_t n);
FILCH_API ssize_t filch_io_read(int fd, void *buf, size_t n, int64_t offset);
FILCH_API ssize_t filch_io_read_for(int fd, void *buf, size_t n, int64_t offset, uint64_t ns);
FILCH_API ssize_t filch_io_write(int fd, const void *buf, size_t n, int64_t offset);
FILCH_API ssize_t filch_io_write_for(int fd, const void *buf, size_t n, int64_t offset, uint64_t ns);
enum { FILCH_IO_DATASYNC = 1 }; /* for fsync: as fdatasync(2) */
FILCH_API int filch_io_fsync(int fd, int flags);
FILCH_API int filch_io_rename(int old_dirfd, const char *old_path, int new_dirfd, const char *new_path, unsigned flags);
FILCH_API int filch_io_unlink(int dirfd, const char *path, int flags);
FILCH_API int filch_io_mkdir(int dirfd, const char *path, mode_t mode);

/*
 * Sockets. send returns n, or less if an error comes after a part. It causes no SIGPIPE. recv returns the bytes that
 * have come, or with MSG_WAITALL all n bytes. With MSG_DONTWAIT neither waits: -EAGAIN.
 */
FILCH_API int filch_io_accept(int fd, struct sockaddr *addr, socklen_t *len, int flags);
FILCH_API int filch_io_accept_for(int fd, struct sockaddr *addr, socklen_t *len, int flags, uint64_t ns);
FILCH_API int filch_io_connect(int fd, const struct sockaddr *addr, socklen_t len);
FILCH_API int filch_io_connect_for(int fd, const struct sockaddr *addr, socklen_t len, uint64_t ns);
FILCH_API ssize_t filch_io_send(int fd, const void *buf, size_t n, int flags);
FILCH_API ssize_t filch_io_send_for(int fd, const void *buf, size_t n, int flags, uint64_t ns);
FILCH_API ssize_t filch_io_recv(int fd, void *buf, size_t n, int flags);
FILCH_API ssize_t filch_io_recv_for(int fd, void *buf, size_t n, int flags, uint64_t ns);

/* Waits until the file has one of the events of poll(2). Returns the events that it has. ns UINT64_MAX: no limit. */
FILCH_API int filch_io_poll(int fd, short events, uint64_t ns);

/* Which way a new worker takes, and why: one line of text, which stays valid. reason may be NULL. */
enum filch_io_way { FILCH_IO_URING = 1, FILCH_IO_THREADS = 2 };
FILCH_API int filch_io_way(const char **reason);

/* Statistics of all pools of the process. */
struct filch_io_stats {
	size_t struct_size;   /* sizeof(struct filch_io_stats), set by the caller */
	uint64_t enters;      /* system calls that have submitted to rings or waited for them */
	uint64_t submitted;   /* operations that went through a ring, and requests to end some */
	uint64_t watched;     /* waits for the readiness of a file, without a ring */
	uint64_t called;      /* operations that threads have called: without a ring, or for slow files */
	uint64_t ended_early; /* operations that were ended by a timeout or a cancellation */
};
FILCH_API int filch_io_stats(struct filch_io_stats *stats);

FILCH_END_DECLS

#endif
