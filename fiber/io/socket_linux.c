/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets, and other files that can be ready or not. */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <poll.h>

#define MOST ((size_t)0x7ffff000)

int filch_io_accept_for(int fd, struct sockaddr *addr, socklen_t *len, int flags, uint64_t ns)
{
	struct filchi_request q = {
		.code = FILCHI_IO_ACCEPT, .fd = fd, .data = addr, .room = len, .flags = (uint32_t)flags};

	return (int)filchi_io_drive(&q, filchi_fiber_deadline(ns));
}

int filch_io_accept(int fd, struct sockaddr *addr, socklen_t *len, int flags)
{
	return filch_io_accept_for(fd, addr, len, flags, UINT64_MAX);
}

int filch_io_connect_for(int fd, const struct sockaddr *addr, socklen_t len, uint64_t ns)
{
	struct filchi_request q = {.code = FILCHI_IO_CONNECT, .fd = fd, .data = (void *)(uintptr_t)addr, .size = len};

	return (int)filchi_io_drive(&q, filchi_fiber_deadline(ns));
}

int filch_io_connect(int fd, const struct sockaddr *addr, socklen_t len)
{
	return filch_io_connect_for(fd, addr, len, UINT64_MAX);
}

/* Sends or receives until all bytes are through, if `all`, or until the first result. */
static ssize_t move(struct filchi_request *q, bool all, uint64_t ns)
{
	uint64_t deadline = filchi_fiber_deadline(ns);
	size_t done = 0, n = q->size;

	if (n > MOST)
		q->size = n = MOST;
	for (;;) {
		intptr_t r = filchi_io_drive(q, deadline);

		if (r < 0 && !done)
			return r;
		if (r > 0)
			done += (size_t)r;
		if (r <= 0 || !all || done == n)
			return (ssize_t)done;
		q->data = (char *)q->data + r;
		q->size -= (size_t)r;
	}
}

/* A socket that does not wait is handled by the call itself. */
ssize_t filch_io_send_for(int fd, const void *buf, size_t n, int flags, uint64_t ns)
{
	struct filchi_request q = {.code = FILCHI_IO_SEND,
				   .fd = fd,
				   .data = (void *)(uintptr_t)buf,
				   .size = n,
				   .flags = (uint32_t)(flags & ~MSG_DONTWAIT)};

	if (flags & MSG_DONTWAIT)
		return filchi_io_try(&q);
	return move(&q, true, ns);
}

ssize_t filch_io_send(int fd, const void *buf, size_t n, int flags)
{
	return filch_io_send_for(fd, buf, n, flags, UINT64_MAX);
}

ssize_t filch_io_recv_for(int fd, void *buf, size_t n, int flags, uint64_t ns)
{
	struct filchi_request q = {.code = FILCHI_IO_RECV,
				   .fd = fd,
				   .data = buf,
				   .size = n,
				   .flags = (uint32_t)(flags & ~(MSG_DONTWAIT | MSG_WAITALL))};

	if (flags & MSG_DONTWAIT)
		return filchi_io_try(&q);
	if ((flags & (MSG_WAITALL | MSG_PEEK)) == (MSG_WAITALL | MSG_PEEK))
		return -EINVAL;
	return move(&q, flags & MSG_WAITALL, ns);
}

ssize_t filch_io_recv(int fd, void *buf, size_t n, int flags)
{
	return filch_io_recv_for(fd, buf, n, flags, UINT64_MAX);
}

int filch_io_poll(int fd, short events, uint64_t ns)
{
	struct filchi_request q = {.code = FILCHI_IO_POLL, .fd = fd, .flags = (uint16_t)events};

	if (!(events & (POLLIN | POLLOUT | POLLPRI)))
		return -EINVAL;
	return (int)filchi_io_drive(&q, filchi_fiber_deadline(ns));
}
