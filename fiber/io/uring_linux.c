/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring of a worker. A fiber fills an entry and suspends itself. The worker submits the entries of many fibers by
 * one system call: when its deque is empty, when BATCH are queued, or after LOOKS looks or 50 us. So no fiber waits
 * long for its completion behind fibers that never wait.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <time.h>

#define BATCH 16u
#define LOOKS 64u
#define CLOCK_EACH 8u
#define LATE_NS 50000u
#define OPENS_TOGETHER 4u /* an open is faster than the call if so many entries are submitted at once */
#define OPENS_INLINE 31u  /* after fewer, so many opens are calls */

static struct filchi_io *io_of(struct filchi_fiber_worker *w)
{
	return w->source_data;
}

static void reap(struct filchi_io *io)
{
	struct io_uring_cqe c;

	while (filchi_ring_next(&io->ring, &c)) {
		if (c.user_data == FILCHI_RING_WAKE)
			continue;
		io->pending--;
		if (c.user_data > FILCHI_RING_OWN)
			filchi_op_complete((struct filchi_op *)(uintptr_t)c.user_data, c.res);
	}
}

/* The system has forbidden the ring since it was opened. Queued operations fail, and so do later ones. */
static void give_up(struct filchi_io *io, int err)
{
	io->broken = err;
	filchi_way_refused("io_uring_enter", err);
	while (filchi_ring_queued(&io->ring)) {
		uint64_t data = filchi_ring_take_back(&io->ring);

		io->pending -= data != FILCHI_RING_WAKE;
		if (data > FILCHI_RING_OWN)
			filchi_op_complete((struct filchi_op *)(uintptr_t)data, err);
	}
}

static void enter(struct filchi_io *io, bool wait, uint64_t ns)
{
	uint32_t queued = filchi_ring_queued(&io->ring);
	int err = filchi_ring_enter(&io->ring, wait, ns);

	filchi_way_count(FILCHI_IO_ENTERS, 1);
	filchi_way_count(FILCHI_IO_SUBMITTED, queued - filchi_ring_queued(&io->ring));
	io->looks = 0;
	if (io->opens) {
		if (queued < OPENS_TOGETHER)
			io->opens_inline = OPENS_INLINE;
		io->opens = 0;
	}
	if (err)
		give_up(io, err);
}

static void enter_and_reap(struct filchi_io *io)
{
	enter(io, false, 0);
	io->entered = filchi_fiber_clock();
	reap(io);
}

/* ---- the source ---- */

static bool is_late(struct filchi_io *io)
{
	if (++io->looks % CLOCK_EACH)
		return false;
	return io->looks >= LOOKS || filchi_fiber_clock() - io->entered > LATE_NS;
}

static void poll_ring(struct filchi_fiber_worker *w)
{
	struct filchi_io *io = io_of(w);

	reap(io);
	filchi_io_take_cancels(io);
	if (!io->pending)
		return;
	if (filchi_ring_queued(&io->ring) >= BATCH ||
	    (is_late(io) && (filchi_ring_queued(&io->ring) || filchi_ring_has_completions(&io->ring))))
		enter_and_reap(io);
}

static void flush_ring(struct filchi_fiber_worker *w)
{
	struct filchi_io *io = io_of(w);

	filchi_io_take_cancels(io);
	if (filchi_ring_queued(&io->ring) || filchi_ring_has_completions(&io->ring))
		enter_and_reap(io);
}

static bool ring_pending(struct filchi_fiber_worker *w)
{
	return io_of(w)->pending || filchi_threads_pending(io_of(w));
}

/* A ring that may not be entered any more still has operations in flight: look again soon. */
static void sleep_1ms(void)
{
	struct timespec t = {.tv_nsec = 1000000};

	(void)nanosleep(&t, NULL);
}

static void sleep_in_ring(struct filchi_fiber_worker *w, uint64_t deadline)
{
	struct filchi_io *io = io_of(w);
	uint64_t now, ns = UINT64_MAX;

	if (deadline != FILCHI_FIBER_NEVER) {
		now = filchi_fiber_clock();
		ns = deadline > now ? deadline - now : 0;
	}
	if (io->broken || filchi_ring_arm(&io->ring))
		sleep_1ms();
	else
		enter(io, true, ns);
}

static void wake_ring(struct filchi_fiber_worker *w)
{
	filchi_ring_wake(&io_of(w)->ring);
}

static void end_ring(struct filchi_fiber_worker *w)
{
	struct filchi_io *io = io_of(w);

	filchi_ring_close(&io->ring);
	if (io->holds_threads)
		filchi_threads_release();
	w->source = NULL;
	w->source_data = NULL;
	filchi_fiber_free(io);
}

const struct filchi_fiber_source filchi_uring_source = {.poll = poll_ring,
							.flush = flush_ring,
							.pending = ring_pending,
							.sleep = sleep_in_ring,
							.wake = wake_ring,
							.end = end_ring};

/* ---- operations ---- */

/*
 * A full queue is submitted first. A kernel may refuse that until completions were taken. If it refuses a second time,
 * there is no memory.
 */
static struct io_uring_sqe *entry(struct filchi_io *io)
{
	struct io_uring_sqe *e = filchi_ring_entry(&io->ring);

	for (unsigned tries = 0; !e && tries < 2; tries++) {
		enter_and_reap(io);
		e = filchi_ring_entry(&io->ring);
	}
	return e;
}

int filchi_uring_submit(struct filchi_io *io, struct filchi_op *op)
{
	struct io_uring_sqe *e = io->broken ? NULL : entry(io);

	if (!e)
		return io->broken ? io->broken : -ENOMEM;
	op->way = FILCHI_WAY_RING;
	filchi_io_fill(op->request, e);
	e->user_data = (uint64_t)(uintptr_t)op;
	io->pending++;
	return 0;
}

bool filchi_uring_batches_open(struct filchi_io *io)
{
	if (io->opens_inline) {
		io->opens_inline--;
		return false;
	}
	io->opens++;
	return true;
}

/*
 * The kernel handles entries in order, so this cannot end a later operation of the same fiber. Without an entry the
 * operation goes on until it ends by itself.
 */
void filchi_uring_cancel(struct filchi_io *io, struct filchi_op *op)
{
	struct io_uring_sqe *e = io->broken ? NULL : entry(io);

	if (!e)
		return;
	e->opcode = IORING_OP_ASYNC_CANCEL;
	e->fd = -1;
	e->addr = (uint64_t)(uintptr_t)op;
	e->user_data = FILCHI_RING_NOTHING;
	io->pending++;
}

void filchi_uring_flush_fd(struct filchi_io *io, int fd)
{
	if (filchi_ring_uses(&io->ring, fd))
		enter(io, false, 0);
}
