/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request: an attempt that does not wait, the plain call, and the entry of a ring. None of these functions suspends
 * the fiber. They are never inlined into functions that do, because errno belongs to the thread.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static intptr_t answer(intptr_t r)
{
	return r < 0 ? -errno : r;
}

static intptr_t poll_now(const struct filchi_request *q)
{
	struct pollfd p = {.fd = q->fd, .events = (short)q->flags};
	int count = poll(&p, 1, 0);

	if (count < 0)
		return -errno;
	if (q->fd < 0)
		return -EBADF;
	return p.revents & POLLNVAL ? -EBADF : p.revents ? p.revents : -EAGAIN;
}

static intptr_t try_once(const struct filchi_request *q)
{
	struct iovec v = {.iov_base = q->data, .iov_len = q->size};

	switch (q->code) {
	case FILCHI_IO_READ:
		return answer(preadv2(q->fd, &v, 1, q->offset, RWF_NOWAIT));
	case FILCHI_IO_WRITE:
		return answer(pwritev2(q->fd, &v, 1, q->offset, RWF_NOWAIT));
	case FILCHI_IO_SEND:
		return answer(send(q->fd, q->data, q->size, (int)q->flags | MSG_DONTWAIT | MSG_NOSIGNAL));
	case FILCHI_IO_RECV:
		return answer(recv(q->fd, q->data, q->size, (int)q->flags | MSG_DONTWAIT));
	case FILCHI_IO_POLL:
		return poll_now(q);
	default:
		return -EOPNOTSUPP;
	}
}

/* Some files and emulators say EINVAL or ENOSYS if they cannot be asked. */
__attribute__((noinline)) intptr_t filchi_io_try(const struct filchi_request *q)
{
	intptr_t r;

	do
		r = try_once(q);
	while (r == -EINTR);
	if ((q->code == FILCHI_IO_READ || q->code == FILCHI_IO_WRITE) && (r == -EINVAL || r == -ENOSYS))
		return -EOPNOTSUPP;
	return r;
}

static intptr_t call_once(const struct filchi_request *q)
{
	switch (q->code) {
	case FILCHI_IO_READ:
		return q->offset < 0 ? read(q->fd, q->data, q->size) : pread(q->fd, q->data, q->size, q->offset);
	case FILCHI_IO_WRITE:
		return q->offset < 0 ? write(q->fd, q->data, q->size) : pwrite(q->fd, q->data, q->size, q->offset);
	case FILCHI_IO_FSYNC:
		return q->flags ? fdatasync(q->fd) : fsync(q->fd);
	case FILCHI_IO_OPENAT:
		return openat(q->fd, q->data, (int)q->flags, (mode_t)q->size);
	case FILCHI_IO_ACCEPT:
		return accept4(q->fd, q->data, q->room, (int)q->flags);
	case FILCHI_IO_CONNECT:
		return connect(q->fd, q->data, (socklen_t)q->size);
	case FILCHI_IO_SEND:
		return send(q->fd, q->data, q->size, (int)q->flags | MSG_NOSIGNAL);
	case FILCHI_IO_RECV:
		return recv(q->fd, q->data, q->size, (int)q->flags);
	case FILCHI_IO_POLL: {
		struct pollfd p = {.fd = q->fd, .events = (short)q->flags};
		int count = poll(&p, 1, -1);

		return count < 0 ? count : p.revents;
	}
	case FILCHI_IO_FILE: {
		const struct filchi_file_call *c = q->data;

		return c->run(c);
	}
	default:
		return 0;
	}
}

/* A connect that was interrupted goes on; its second call waits for the first. */
__attribute__((noinline)) intptr_t filchi_io_call(const struct filchi_request *q)
{
	intptr_t r;
	bool again = false;

	for (;; again = true) {
		r = answer(call_once(q));
		if (q->code == FILCHI_IO_CONNECT && again && r == -EISCONN)
			return 0;
		if (q->code == FILCHI_IO_CONNECT && again && r == -EALREADY)
			r = -EAGAIN;
		if (q->code == FILCHI_IO_CONNECT && r == -EINPROGRESS)
			r = -EAGAIN;
		if (r != -EINTR)
			return r;
	}
}

/*
 * All users of the file see O_NONBLOCK meanwhile, other processes as well. The lock orders the changes of this process.
 * A connect that goes on says EINPROGRESS or EALREADY. Its EAGAIN is another matter: the other side has no room, and no
 * readiness will tell.
 */
__attribute__((noinline)) intptr_t filchi_io_try_briefly(const struct filchi_request *q)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	intptr_t r;
	int flags;

	(void)pthread_mutex_lock(&lock);
	flags = fcntl(q->fd, F_GETFL);
	if (flags < 0 || (!(flags & O_NONBLOCK) && fcntl(q->fd, F_SETFL, flags | O_NONBLOCK))) {
		r = -errno;
	} else {
		do
			r = answer(call_once(q));
		while (r == -EINTR);
		if (!(flags & O_NONBLOCK))
			(void)fcntl(q->fd, F_SETFL, flags);
	}
	(void)pthread_mutex_unlock(&lock);
	if (q->code == FILCHI_IO_CONNECT && r == -EAGAIN)
		return -EOPNOTSUPP;
	return r == -EINPROGRESS || r == -EALREADY ? -EAGAIN : r;
}

__attribute__((noinline)) int filchi_io_wait_ready(struct pollfd *p, uint64_t deadline)
{
	for (;;) {
		uint64_t now = deadline == FILCHI_FIBER_NEVER ? 0 : filchi_fiber_clock();
		uint64_t ns = deadline > now ? deadline - now : 0;
		struct timespec t = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
		int count = ppoll(p, 1, deadline == FILCHI_FIBER_NEVER ? NULL : &t, NULL);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		return !count ? -ETIMEDOUT : p->revents & POLLNVAL ? -EBADF : 0;
	}
}

short filchi_io_events(const struct filchi_request *q)
{
	switch (q->code) {
	case FILCHI_IO_READ:
	case FILCHI_IO_ACCEPT:
	case FILCHI_IO_RECV:
		return POLLIN;
	case FILCHI_IO_WRITE:
	case FILCHI_IO_CONNECT:
	case FILCHI_IO_SEND:
		return POLLOUT;
	case FILCHI_IO_POLL:
		return (short)q->flags;
	default:
		return 0;
	}
}

const char *filchi_io_name(const struct filchi_request *q)
{
	static const char *const names[] = {
		[FILCHI_IO_READ] = "a read",	       [FILCHI_IO_WRITE] = "a write",
		[FILCHI_IO_FSYNC] = "an fsync",	       [FILCHI_IO_OPENAT] = "an open",
		[FILCHI_IO_ACCEPT] = "an accept",      [FILCHI_IO_CONNECT] = "a connect",
		[FILCHI_IO_SEND] = "a send",	       [FILCHI_IO_RECV] = "a recv",
		[FILCHI_IO_POLL] = "a poll",	       [FILCHI_IO_NOP] = "a turn of the ring",
		[FILCHI_IO_FILE] = "a call for a file"};

	return names[q->code];
}

void filchi_io_fill(const struct filchi_request *q, struct io_uring_sqe *e)
{
	static const uint8_t codes[] = {[FILCHI_IO_READ] = IORING_OP_READ,     [FILCHI_IO_WRITE] = IORING_OP_WRITE,
					[FILCHI_IO_FSYNC] = IORING_OP_FSYNC,   [FILCHI_IO_OPENAT] = IORING_OP_OPENAT,
					[FILCHI_IO_ACCEPT] = IORING_OP_ACCEPT, [FILCHI_IO_CONNECT] = IORING_OP_CONNECT,
					[FILCHI_IO_SEND] = IORING_OP_SEND,     [FILCHI_IO_RECV] = IORING_OP_RECV,
					[FILCHI_IO_POLL] = IORING_OP_POLL_ADD, [FILCHI_IO_NOP] = IORING_OP_NOP};

	e->opcode = codes[q->code];
	e->fd = q->fd;
	e->addr = (uint64_t)(uintptr_t)q->data;
	/* Flags of all kinds are in one union. A length is at most 2 GiB: the callers see to that. */
	e->msg_flags = q->flags;
	switch (q->code) {
	case FILCHI_IO_READ:
	case FILCHI_IO_WRITE:
		e->off = (uint64_t)q->offset;
		e->len = (uint32_t)q->size;
		break;
	case FILCHI_IO_ACCEPT:
		e->addr2 = (uint64_t)(uintptr_t)q->room;
		break;
	case FILCHI_IO_CONNECT:
		e->off = q->size;
		break;
	case FILCHI_IO_SEND:
		e->msg_flags = q->flags | MSG_NOSIGNAL;
		e->len = (uint32_t)q->size;
		break;
	case FILCHI_IO_POLL:
		e->poll32_events = filchi_ring_events(q->flags);
		break;
	default:
		e->len = (uint32_t)q->size;
	}
}
