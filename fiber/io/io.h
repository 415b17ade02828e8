/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O of fibers.
 *
 *   file_linux.c    the public functions for files       try_linux.c      one request: attempt, call, entry of a ring
 *   socket_linux.c  the public functions for sockets     way_linux.c      FILCH_IO, the reason, statistics
 *   drive_linux.c   from a request to its result         uring_linux.c    the ring of a worker
 *   op.c            completion against timeout, cancel   ready_linux.c    without a ring: epoll
 *   ring_linux.c    the raw interface to io_uring        threads_linux.c  without a ring: threads
 *
 * A request is first attempted without waiting, where the system has a way to do that. If it would wait, the fiber is
 * suspended, and the worker's ring does it. Without a ring an epoll of the worker says when a socket or pipe is ready,
 * and threads call what has no such state.
 */
#ifndef FILCHI_IO_IO_H
#define FILCHI_IO_IO_H

#include "../worker.h"
#include "op.h"
#include "ring.h"

#include <filch/io.h>

struct pollfd;

enum filchi_io_way { FILCHI_WAY_RING, FILCHI_WAY_READY, FILCHI_WAY_POOL };

#define FILCHI_IO_REFUSED 16u
#define FILCHI_IO_WRITE_INLINE 65536u /* bytes; a longer write may wait for memory */

/* A call that names files: run makes it, and returns its result or -1 with errno. */
struct filchi_file_call {
	long (*run)(const struct filchi_file_call *c);
	int fd, other_fd;
	const char *path, *other_path;
	unsigned flags, mask;
	void *out;
	size_t size;
};

/* Per worker. Only the worker uses it, except the list of ends, and the counter of threads. */
struct filchi_io {
	struct filchi_fiber_worker *worker;
	bool has_ring;
	int broken; /* -errno: the system forbids the use of the ring since */
	struct filchi_ring ring;
	int epoll, eventfd, duplicates; /* without a ring */
	uint32_t pending;		/* operations in flight, and entries of the ring in the queue */
	uint32_t looks;			/* since the last enter */
	uint64_t entered;		/* when that was */
	uint32_t missed;		/* attempts to receive, in a row */
	uint32_t skipped;		/* attempts to read or write, because the file has refused one before */
	int refused[FILCHI_IO_REFUSED]; /* such descriptors, plus 1 */
	bool holds_threads;
	uint32_t opens, opens_inline; /* queued in the ring; next ones that are plain calls */
	FILCHI_OWN_LINE struct filchi_cancel_list cancels;
	FILCHI_ATOMIC(uint32_t) called; /* operations that threads call */
};

/* ---- drive_linux.c ---- */

/* Runs the request in a fiber or a thread, at most until the deadline. The result of the system call or -errno. */
intptr_t filchi_io_drive(const struct filchi_request *q, uint64_t deadline);
/* The same without an attempt before: for operations that are cheaper in a ring. */
intptr_t filchi_io_drive_in_ring(const struct filchi_request *q, uint64_t deadline);
/* By a thread, whatever the worker has: for calls that may take long. The caller is a fiber. */
intptr_t filchi_io_drive_in_thread(const struct filchi_request *q);
/* The descriptor is closed. */
void filchi_io_forget(struct filchi_io *io, int fd);
/* The I/O of the calling worker, made at the first call. NULL: no memory; *err is set. */
struct filchi_io *filchi_io_self(struct filchi_fiber_worker *w, int *err);
/* The worker ends the operations in the list. */
void filchi_io_take_cancels(struct filchi_io *io);

/* ---- try_linux.c ---- */

/* -EAGAIN: it would wait. -EOPNOTSUPP: the file cannot be asked. */
intptr_t filchi_io_try(const struct filchi_request *q);
/* The same for a file that says when it is ready, and cannot be asked: it is non-blocking for a moment. */
intptr_t filchi_io_try_briefly(const struct filchi_request *q);
/* The plain call. It waits. */
intptr_t filchi_io_call(const struct filchi_request *q);
/* Waits in poll(). 0 or -errno. */
int filchi_io_wait_ready(struct pollfd *p, uint64_t deadline);
void filchi_io_fill(const struct filchi_request *q, struct io_uring_sqe *e);
/* Events of poll() after which a new attempt makes sense; 0: none. */
short filchi_io_events(const struct filchi_request *q);
const char *filchi_io_name(const struct filchi_request *q);

/* ---- uring_linux.c and ready_linux.c: a worker's source of events ---- */

extern const struct filchi_fiber_source filchi_uring_source, filchi_ready_source;
/* 0, and the operation will complete, or -errno. */
int filchi_uring_submit(struct filchi_io *io, struct filchi_op *op);
void filchi_uring_cancel(struct filchi_io *io, struct filchi_op *op);
/* True: the next open goes through the ring. */
bool filchi_uring_batches_open(struct filchi_io *io);
/* Submits entries that use a descriptor. */
void filchi_uring_flush_fd(struct filchi_io *io, int fd);
/* Waits for the events of the request. -EPERM: the file is always ready. */
int filchi_ready_open(struct filchi_io *io);
int filchi_ready_submit(struct filchi_io *io, struct filchi_op *op);
void filchi_ready_cancel(struct filchi_io *io, struct filchi_op *op);

/* ---- threads_linux.c: threads, for all pools of the process ---- */

int filchi_threads_submit(struct filchi_io *io, struct filchi_op *op);
/* Takes the operation back if no thread has begun it. */
void filchi_threads_cancel(struct filchi_op *op);
/* The fiber has its result. */
void filchi_threads_done(struct filchi_io *io);
bool filchi_threads_pending(struct filchi_io *io);
/* A worker that uses them begins, and ends. The last one ends the threads. */
void filchi_threads_hold(void);
void filchi_threads_release(void);

/* ---- way_linux.c ---- */

/* Does FILCH_IO allow a ring? */
bool filchi_way_may_ring(void);
/* And threads? */
bool filchi_way_may_threads(void);
/* Keeps the reason of the first refusal. */
void filchi_way_refused(const char *step, int err);
enum filchi_io_counter {
	FILCHI_IO_ENTERS,
	FILCHI_IO_SUBMITTED,
	FILCHI_IO_WATCHED,
	FILCHI_IO_CALLED,
	FILCHI_IO_ENDED_EARLY,
	FILCHI_IO_COUNTERS
};
void filchi_way_count(enum filchi_io_counter which, uint64_t n);

#endif
