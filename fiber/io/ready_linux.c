/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker without a ring: an epoll says when a socket, pipe or terminal is ready. Then the fiber attempts its request
 * again. The worker sleeps in the epoll, and an eventfd wakes it.
 *
 * Each operation watches a duplicate of its descriptor. So many operations can wait for one file, and an operation
 * goes on if the descriptor is closed, as in a ring and in a thread.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOKS 64u
#define AT_ONCE 64

static struct filchi_io *io_of(struct filchi_fiber_worker *w)
{
	return w->source_data;
}

int filchi_ready_open(struct filchi_io *io)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLET};
	struct rlimit limit;

	io->duplicates =
		getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT_MAX ? INT_MAX : (int)limit.rlim_cur / 4 * 3;
	io->eventfd = -1;
	io->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (io->epoll >= 0)
		io->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (io->eventfd < 0 || epoll_ctl(io->epoll, EPOLL_CTL_ADD, io->eventfd, &e)) {
		int err = -errno;

		if (io->eventfd >= 0)
			close(io->eventfd);
		if (io->epoll >= 0)
			close(io->epoll);
		return err;
	}
	return 0;
}

/* ---- operations ---- */

/* Duplicates leave a quarter of the descriptors to others, as long as the original ones will do. */
static int watch(struct filchi_io *io, struct filchi_op *op)
{
	struct epoll_event e = {.events = (uint32_t)filchi_io_events(op->request) | EPOLLONESHOT, .data.ptr = op};
	int err, own = fcntl(op->request->fd, F_DUPFD_CLOEXEC, 0);

	if (own < 0 && errno != EMFILE && errno != ENFILE)
		return -errno;
	op->watched = op->request->fd;
	if ((own < 0 || own >= io->duplicates) && !epoll_ctl(io->epoll, EPOLL_CTL_ADD, op->watched, &e)) {
		if (own >= 0)
			close(own);
		return 0;
	}
	if (own < 0)
		return errno == EEXIST ? -EMFILE : -errno;
	op->watched = own;
	if (!epoll_ctl(io->epoll, EPOLL_CTL_ADD, own, &e))
		return 0;
	err = -errno;
	close(own);
	return err;
}

__attribute__((noinline)) int filchi_ready_submit(struct filchi_io *io, struct filchi_op *op)
{
	int err = watch(io, op);

	if (err)
		return err;
	op->way = FILCHI_WAY_READY;
	io->pending++;
	filchi_way_count(FILCHI_IO_WATCHED, 1);
	return 0;
}

static void complete(struct filchi_io *io, struct filchi_op *op, intptr_t result)
{
	(void)epoll_ctl(io->epoll, EPOLL_CTL_DEL, op->watched, NULL);
	if (op->watched != op->request->fd)
		close(op->watched);
	io->pending--;
	filchi_op_complete(op, result);
}

void filchi_ready_cancel(struct filchi_io *io, struct filchi_op *op)
{
	complete(io, op, -ECANCELED);
}

/* ---- the source ---- */

/* Older kernels count in milliseconds. */
static int wait_for(struct filchi_io *io, struct epoll_event *events, uint64_t ns)
{
	struct timespec t = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
	int count = -1;

#ifdef SYS_epoll_pwait2
	count = (int)syscall(SYS_epoll_pwait2, io->epoll, events, AT_ONCE, ns == UINT64_MAX ? NULL : &t, NULL, 0);
	if (count >= 0 || errno != ENOSYS)
		return count;
#endif
	if (ns == UINT64_MAX)
		count = -1;
	else
		count = t.tv_sec < 1000000 ? (int)((ns + 999999u) / 1000000u) : 1000000000;
	return epoll_wait(io->epoll, events, AT_ONCE, count);
}

static void collect(struct filchi_io *io, uint64_t ns)
{
	struct epoll_event events[AT_ONCE];
	int count;

	io->looks = 0;
	do {
		count = wait_for(io, events, ns);
		for (int i = 0; i < count; i++)
			if (events[i].data.ptr)
				complete(io, events[i].data.ptr, (intptr_t)events[i].events);
		ns = 0;
	} while (count == AT_ONCE);
}

static void poll_ready(struct filchi_fiber_worker *w)
{
	struct filchi_io *io = io_of(w);

	filchi_io_take_cancels(io);
	if (io->pending && ++io->looks >= LOOKS)
		collect(io, 0);
}

static void flush_ready(struct filchi_fiber_worker *w)
{
	struct filchi_io *io = io_of(w);

	filchi_io_take_cancels(io);
	if (io->pending)
		collect(io, 0);
}

static bool ready_pending(struct filchi_fiber_worker *w)
{
	return io_of(w)->pending || filchi_threads_pending(io_of(w));
}

static void sleep_in_ready(struct filchi_fiber_worker *w, uint64_t deadline)
{
	uint64_t now, ns = UINT64_MAX;

	if (deadline != FILCHI_FIBER_NEVER) {
		now = filchi_fiber_clock();
		ns = deadline > now ? deadline - now : 0;
	}
	collect(io_of(w), ns);
}

/* The eventfd is never read. The epoll reports each write once. */
static void wake_ready(struct filchi_fiber_worker *w)
{
	const uint64_t one = 1;

	(void)!write(io_of(w)->eventfd, &one, sizeof(one));
}

static void end_ready(struct filchi_fiber_worker *w)
{
	struct filchi_io *io = io_of(w);

	close(io->eventfd);
	close(io->epoll);
	filchi_threads_release();
	w->source = NULL;
	w->source_data = NULL;
	filchi_fiber_free(io);
}

const struct filchi_fiber_source filchi_ready_source = {.poll = poll_ready,
							.flush = flush_ready,
							.pending = ready_pending,
							.sleep = sleep_in_ready,
							.wake = wake_ready,
							.end = end_ready};
