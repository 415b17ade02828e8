/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a request to its result: which way it takes, and what happens if the fiber stops waiting. A fiber may have gone
 * to another worker since it submitted its operation. Only the worker that has the operation may end it, so the fiber
 * puts the operation into a list of that worker, and wakes the worker.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <poll.h>

#define MISSES 16u
#define LOOK_AGAIN 256u

/* ---- the I/O of a worker ---- */

static int choose(struct filchi_io *io, struct filchi_fiber_worker *w)
{
	const char *step;
	int err = -ENOSYS;

	if (filchi_way_may_ring()) {
		err = filchi_ring_open(&io->ring, &step);
		if (!err) {
			io->has_ring = true;
			w->source = &filchi_uring_source;
			return 0;
		}
		filchi_way_refused(step, err);
		if (!filchi_way_may_threads())
			return err;
	}
	err = filchi_ready_open(io);
	if (!err) {
		filchi_threads_hold();
		io->holds_threads = true;
		w->source = &filchi_ready_source;
	}
	return err;
}

struct filchi_io *filchi_io_self(struct filchi_fiber_worker *w, int *err)
{
	struct filchi_io *io = w->source_data;

	if (io)
		return io;
	*err = -ENOMEM;
	io = filchi_fiber_alloc(_Alignof(struct filchi_io), sizeof(*io));
	if (!io)
		return NULL;
	io->worker = w;
	w->source_data = io;
	*err = choose(io, w);
	if (!*err)
		return io;
	w->source_data = NULL;
	filchi_fiber_free(io);
	return NULL;
}

/* ---- an operation that its fiber does not want any more ---- */

static void cancel_here(struct filchi_io *io, struct filchi_op *op)
{
	if (op->way == FILCHI_WAY_RING)
		filchi_uring_cancel(io, op);
	else
		filchi_ready_cancel(io, op);
}

void filchi_io_take_cancels(struct filchi_io *io)
{
	struct filchi_op *op;

	while ((op = filchi_op_take_cancel(&io->cancels)))
		cancel_here(io, op);
}

/* Ends the operation, and waits for its completion. */
static void stop(struct filchi_op *op, filchi_ticket ticket, const char *name)
{
	struct filchi_io *io = op->io;
	bool elsewhere = false;

	filchi_way_count(FILCHI_IO_ENDED_EARLY, 1);
	if (!filchi_op_begin_cancel(op, &ticket))
		return;
	if (op->way == FILCHI_WAY_POOL) {
		filchi_threads_cancel(op);
	} else if (filchi_fiber_worker() == io->worker) {
		cancel_here(io, op);
	} else {
		elsewhere = true;
		filchi_op_add_cancel(&io->cancels, op);
		filchi_fiber_wake(io->worker);
	}
	filchi_op_wait_cancelled(op, ticket, name);
	if (elsewhere)
		filchi_op_remove_cancel(&io->cancels, op);
}

/* ---- one operation of a fiber ---- */

static int submit(struct filchi_io *io, struct filchi_op *op, enum filchi_io_way way)
{
	switch (way) {
	case FILCHI_WAY_RING:
		return filchi_uring_submit(io, op);
	case FILCHI_WAY_READY:
		return filchi_ready_submit(io, op);
	default:
		return filchi_threads_submit(io, op);
	}
}

static bool is_over(uint64_t deadline)
{
	return deadline != FILCHI_FIBER_NEVER && deadline <= filchi_fiber_clock();
}

static intptr_t run(struct filch_fiber *self, struct filchi_io *io, const struct filchi_request *q,
		    enum filchi_io_way way, uint64_t deadline)
{
	struct filchi_op op = {.request = q, .io = io};
	const char *name = filchi_io_name(q);
	bool shielded = filchi_fiber_is_shielded(self);
	filchi_ticket ticket = filchi_op_begin(&op, self, shielded);
	int err = 0, reason;

	if (!shielded && filchi_waiter_is_cancelled(self))
		err = -ECANCELED;
	else if (is_over(deadline))
		err = -ETIMEDOUT;
	else
		err = submit(io, &op, way);
	if (err) {
		/* A canceller that has claimed the wait will wake the fiber. */
		if (!filchi_waiter_take_back(self, ticket))
			(void)filchi_fiber_wait(self, ticket, FILCHI_FIBER_NEVER, name);
		return err;
	}
	reason = filchi_op_wait(&op, ticket, deadline, name);
	if (reason)
		stop(&op, ticket, name);
	if (way == FILCHI_WAY_POOL)
		filchi_threads_done(io);
	return reason && (op.result == -ECANCELED || op.result == -EINTR) ? reason : op.result;
}

/* ---- the ways ---- */

/* The file has been ready. -EAGAIN: another thread was faster. */
static intptr_t attempt_ready(const struct filchi_request *q)
{
	intptr_t r = filchi_io_try(q);

	return r == -EOPNOTSUPP ? filchi_io_try_briefly(q) : r;
}

/* A ring does not wait for a file that is O_NONBLOCK, but for its readiness. */
static intptr_t run_in_ring(struct filch_fiber *self, struct filchi_io *io, const struct filchi_request *q,
			    uint64_t deadline)
{
	struct filchi_request ready = {.code = FILCHI_IO_POLL, .fd = q->fd, .flags = (uint32_t)filchi_io_events(q)};
	intptr_t r = run(self, io, q, FILCHI_WAY_RING, deadline);

	if (r != -EAGAIN || !ready.flags || q->code == FILCHI_IO_CONNECT)
		return r;
	r = run(self, io, &ready, FILCHI_WAY_RING, deadline);
	return r < 0 ? r : -EINTR;
}

static intptr_t run_without_ring(struct filch_fiber *self, struct filchi_io *io, const struct filchi_request *q,
				 uint64_t deadline)
{
	intptr_t r = -EPERM;

	if (filchi_io_events(q))
		r = run(self, io, q, FILCHI_WAY_READY, deadline);
	if (r >= 0) {
		if (q->code == FILCHI_IO_POLL)
			return r;
		r = attempt_ready(q);
		if (r == -EAGAIN)
			return -EINTR;
		if (r != -EOPNOTSUPP)
			return r;
	} else if (r != -EPERM) {
		return r;
	}
	return run(self, io, q, FILCHI_WAY_POOL, deadline);
}

/* In a thread, or in a task: the caller is blocked. */
static intptr_t block(const struct filchi_request *q, uint64_t deadline)
{
	struct pollfd p = {.fd = q->fd, .events = filchi_io_events(q)};
	intptr_t r = -EAGAIN;

	filch_blocking_begin();
	if (deadline == FILCHI_FIBER_NEVER || !p.events)
		r = filchi_io_call(q);
	while (r == -EAGAIN && p.events) {
		r = filchi_io_wait_ready(&p, deadline);
		if (r >= 0)
			r = q->code == FILCHI_IO_POLL ? p.revents : filchi_io_try_briefly(q);
		if (r == -EOPNOTSUPP)
			r = filchi_io_call(q);
	}
	filch_blocking_end();
	return r;
}

intptr_t filchi_io_drive_in_ring(const struct filchi_request *q, uint64_t deadline)
{
	struct filch_fiber *self = filchi_fiber_current();
	struct filchi_io *io;
	intptr_t r;
	int err;

	if (!self)
		return block(q, deadline);
	do {
		/* After each wait anew: the fiber may be in another worker. */
		io = filchi_io_self(filchi_fiber_worker(), &err);
		if (!io)
			return err;
		r = io->has_ring ? run_in_ring(self, io, q, deadline) : run_without_ring(self, io, q, deadline);
	} while (r == -EINTR);
	return r;
}

intptr_t filchi_io_drive_in_thread(const struct filchi_request *q)
{
	struct filch_fiber *self = filchi_fiber_current();
	int err;
	struct filchi_io *io = filchi_io_self(filchi_fiber_worker(), &err);

	if (!io)
		return err;
	if (!io->holds_threads) {
		filchi_threads_hold();
		io->holds_threads = true;
	}
	return run(self, io, q, FILCHI_WAY_POOL, FILCHI_FIBER_NEVER);
}

/* ---- attempts ---- */

static struct filchi_io *io_here(void)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();

	return w ? w->source_data : NULL;
}

/*
 * A server that has answered waits for its next request: an attempt to receive fails. After a few failures the worker
 * makes only every 16th attempt. The ring looks before it waits, too.
 */
static intptr_t receive(const struct filchi_request *q, uint64_t deadline)
{
	struct filchi_io *io = io_here();
	intptr_t r;

	if (io && io->has_ring && io->missed >= MISSES && ++io->missed % MISSES && !is_over(deadline) &&
	    filchi_fiber_current())
		return -EAGAIN;
	r = filchi_io_try(q);
	if (io)
		io->missed = r == -EAGAIN ? io->missed + 1 : 0;
	return r;
}

/*
 * Some file systems cannot be asked, and an attempt is a system call for nothing. The worker remembers descriptors of
 * such files until they are closed, and looks again now and then: others may have closed them.
 */
static intptr_t attempt_file(const struct filchi_request *q)
{
	struct filchi_io *io = io_here();
	int *refused = io && q->fd >= 0 ? &io->refused[(unsigned)q->fd % FILCHI_IO_REFUSED] : NULL;
	intptr_t r;

	if (FILCHI_UNLIKELY(refused && *refused == q->fd + 1 && ++io->skipped % LOOK_AGAIN))
		return -EOPNOTSUPP;
	r = filchi_io_try(q);
	if (FILCHI_UNLIKELY(r == -EOPNOTSUPP) && refused)
		*refused = q->fd + 1;
	return r;
}

void filchi_io_forget(struct filchi_io *io, int fd)
{
	if (fd >= 0 && io->refused[(unsigned)fd % FILCHI_IO_REFUSED] == fd + 1)
		io->refused[(unsigned)fd % FILCHI_IO_REFUSED] = 0;
}

/* An accept cannot be asked. With no time to wait it is attempted once, as all others are. */
intptr_t filchi_io_drive(const struct filchi_request *q, uint64_t deadline)
{
	intptr_t r;

	switch (q->code) {
	case FILCHI_IO_READ:
		r = attempt_file(q);
		break;
	case FILCHI_IO_WRITE: /* a long one is never attempted */
		r = q->size > FILCHI_IO_WRITE_INLINE ? -EOPNOTSUPP : attempt_file(q);
		break;
	case FILCHI_IO_RECV:
		r = receive(q, deadline);
		break;
	default:
		r = filchi_io_try(q);
	}
	if (r == -EOPNOTSUPP && filchi_io_events(q) && is_over(deadline))
		r = filchi_io_try_briefly(q);
	return r == -EAGAIN || r == -EOPNOTSUPP ? filchi_io_drive_in_ring(q, deadline) : r;
}
