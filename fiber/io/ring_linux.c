/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges, whose other end is the kernel:
 *   R1   sq_tail: publishes the entries
 *   R2   cq_tail: publishes the completions
 *   R3   cq_head: gives the completions back
 *   R4   sq_head: the kernel has copied the entries
 *   R5   flags: a hint; enter orders the rest
 *   OWN  the owner reads its own writes
 */
#define _GNU_SOURCE
#include "ring.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES 256u
#define COMPLETIONS (4 * ENTRIES)

/*
 * NODROP: completions beyond the queue wait in the kernel. So any number of operations may be in flight. Operations on
 * sockets take as long as they like, and none of them may keep another one from its start.
 */
#define FEATURES                                                                                                       \
	(IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_SUBMIT_STABLE | IORING_FEAT_RW_CUR_POS |           \
	 IORING_FEAT_FAST_POLL | IORING_FEAT_EXT_ARG)

static int call_enter(const struct filchi_ring *r, unsigned submit, unsigned wait, unsigned flags, const void *arg,
		      size_t size)
{
	long done = syscall(SYS_io_uring_enter, r->fd, submit, wait, flags, arg, size);

	return done < 0 ? -errno : (int)done;
}

static int call_register(int fd, unsigned code, void *arg, unsigned count)
{
	return syscall(SYS_io_uring_register, fd, code, arg, count) < 0 ? -errno : 0;
}

/* ---- open and close ---- */

static int setup(struct filchi_ring *r, struct io_uring_params *p)
{
	static const uint32_t ways[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
						IORING_SETUP_TASKRUN_FLAG,
					IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG, 0};
	int err = 0;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		*p = (struct io_uring_params){.flags = ways[i] | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP,
					      .cq_entries = COMPLETIONS};
		r->fd = (int)syscall(SYS_io_uring_setup, ENTRIES, p);
		r->setup = ways[i];
		if (r->fd >= 0)
			return 0;
		err = -errno;
		if (err != -EINVAL)
			break;
	}
	return err;
}

static int map(struct filchi_ring *r, const struct io_uring_params *p)
{
	size_t sq = p->sq_off.array + p->sq_entries * sizeof(uint32_t);
	size_t cq = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
	char *base;

	r->map_bytes = sq > cq ? sq : cq;
	r->entry_bytes = p->sq_entries * sizeof(struct io_uring_sqe);
	r->map = mmap(NULL, r->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, IORING_OFF_SQ_RING);
	if (r->map == MAP_FAILED)
		return -errno;
	r->entries =
		mmap(NULL, r->entry_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, IORING_OFF_SQES);
	if (r->entries == MAP_FAILED)
		return -errno;
	/* A child of fork() has no part in the ring. */
	(void)madvise(r->map, r->map_bytes, MADV_DONTFORK);
	(void)madvise(r->entries, r->entry_bytes, MADV_DONTFORK);
	base = r->map;
	r->sq_head = (void *)(base + p->sq_off.head);
	r->sq_tail = (void *)(base + p->sq_off.tail);
	r->sq_flags = (void *)(base + p->sq_off.flags);
	r->sq_array = (void *)(base + p->sq_off.array);
	r->cq_head = (void *)(base + p->cq_off.head);
	r->cq_tail = (void *)(base + p->cq_off.tail);
	r->completions = (void *)(base + p->cq_off.cqes);
	r->sq_mask = p->sq_entries - 1;
	r->cq_mask = p->cq_entries - 1;
	for (uint32_t i = 0; i < p->sq_entries; i++)
		r->sq_array[i] = i;
	return 0;
}

static int probe(const struct filchi_ring *r)
{
	static const uint8_t needed[] = {IORING_OP_NOP,	    IORING_OP_READ,	IORING_OP_WRITE,       IORING_OP_FSYNC,
					 IORING_OP_OPENAT,  IORING_OP_SEND,	IORING_OP_RECV,	       IORING_OP_ACCEPT,
					 IORING_OP_CONNECT, IORING_OP_POLL_ADD, IORING_OP_ASYNC_CANCEL};
	enum { COUNT = 64 };
	_Alignas(struct io_uring_probe) char
		space[sizeof(struct io_uring_probe) + COUNT * sizeof(struct io_uring_probe_op)] = {0};
	struct io_uring_probe *known = (void *)space;
	int err = call_register(r->fd, IORING_REGISTER_PROBE, known, COUNT);

	if (err)
		return err;
	for (size_t i = 0; i < sizeof(needed); i++)
		if (needed[i] > known->last_op || !(known->ops[needed[i]].flags & IO_URING_OP_SUPPORTED))
			return -EOPNOTSUPP;
	return 0;
}

/* A message to a ring, by a thread without a ring. Linux 6.13. */
static int send_wake(const struct filchi_ring *r)
{
	struct io_uring_sqe message = {.opcode = FILCHI_OP_MSG_RING, .fd = r->fd, .off = FILCHI_RING_WAKE};

	return call_register(-1, FILCHI_REGISTER_SEND_MSG_RING, &message, 1);
}

/* Any system call may be forbidden, and only a trial shows it. */
static int try_out(struct filchi_ring *r)
{
	bool sent = !send_wake(r);
	struct io_uring_cqe c;
	unsigned seen = 0;

	filchi_ring_entry(r)->user_data = FILCHI_RING_NOTHING;
	for (unsigned tries = 0; seen < 1u + sent && tries < 10; tries++) {
		int err = filchi_ring_enter(r, true, 1000000000u);

		if (err)
			return err;
		while (filchi_ring_next(r, &c))
			seen++;
	}
	if (!sent) {
		r->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (r->eventfd < 0)
			return -errno;
	}
	return seen == 1u + sent ? 0 : -EIO;
}

int filchi_ring_open(struct filchi_ring *r, const char **step)
{
	struct io_uring_params p;
	int err;

	*r = (struct filchi_ring){.fd = -1, .eventfd = -1, .map = MAP_FAILED, .entries = MAP_FAILED};
	*step = "io_uring_setup";
	err = setup(r, &p);
	if (!err && (p.features & FEATURES) != FEATURES) {
		*step = "io_uring of this kernel is too old";
		err = -ENOSYS;
	}
	if (!err) {
		*step = "mmap of the ring";
		err = map(r, &p);
	}
	if (!err) {
		*step = "io_uring_register";
		err = probe(r);
	}
	if (!err) {
		*step = "io_uring_enter";
		err = try_out(r);
	}
	if (err)
		filchi_ring_close(r);
	return err;
}

void filchi_ring_close(struct filchi_ring *r)
{
	if (r->entries != MAP_FAILED)
		munmap(r->entries, r->entry_bytes);
	if (r->map != MAP_FAILED)
		munmap(r->map, r->map_bytes);
	if (r->eventfd >= 0)
		close(r->eventfd);
	if (r->fd >= 0)
		close(r->fd);
}

/* ---- submission ---- */

struct io_uring_sqe *filchi_ring_entry(struct filchi_ring *r)
{
	struct io_uring_sqe *e;

	if (r->filled - filchi_load_acq(r->sq_head, R4) > r->sq_mask)
		return NULL;
	e = &r->entries[r->filled++ & r->sq_mask];
	memset(e, 0, sizeof(*e));
	return e;
}

uint32_t filchi_ring_queued(struct filchi_ring *r)
{
	return r->filled - filchi_load_rlx(r->sq_head, R4);
}

bool filchi_ring_uses(struct filchi_ring *r, int fd)
{
	for (uint32_t i = filchi_load_rlx(r->sq_head, R4); i != r->filled; i++)
		if (r->entries[i & r->sq_mask].fd == fd)
			return true;
	return false;
}

/* The kernel looks at entries only inside of enter. */
uint64_t filchi_ring_take_back(struct filchi_ring *r)
{
	return r->entries[--r->filled & r->sq_mask].user_data;
}

int filchi_ring_enter(struct filchi_ring *r, bool wait, uint64_t ns)
{
	struct __kernel_timespec time = {.tv_sec = (int64_t)(ns / 1000000000u),
					 .tv_nsec = (long long)(ns % 1000000000u)};
	struct io_uring_getevents_arg arg = {.sigmask_sz = _NSIG / 8, .ts = (uint64_t)(uintptr_t)&time};
	unsigned flags = IORING_ENTER_GETEVENTS;
	int err;

	if (wait && ns != UINT64_MAX)
		flags |= IORING_ENTER_EXT_ARG;
	filchi_store_rel(r->sq_tail, r->filled, R1);
	err = call_enter(r, filchi_ring_queued(r), wait, flags, flags & IORING_ENTER_EXT_ARG ? (void *)&arg : NULL,
			 flags & IORING_ENTER_EXT_ARG ? sizeof(arg) : _NSIG / 8);
	/* EBUSY and EAGAIN: the kernel has no room. The entries stay, and the next enter submits them. */
	return err >= 0 || err == -EINTR || err == -ETIME || err == -EBUSY || err == -EAGAIN ? 0 : err;
}

/* ---- completion ---- */

bool filchi_ring_has_completions(struct filchi_ring *r)
{
	return filchi_load_rlx(r->cq_tail, R5) != filchi_load_rlx(r->cq_head, OWN) ||
	       (filchi_load_rlx(r->sq_flags, R5) & (IORING_SQ_CQ_OVERFLOW | IORING_SQ_TASKRUN));
}

bool filchi_ring_next(struct filchi_ring *r, struct io_uring_cqe *out)
{
	uint32_t head = filchi_load_rlx(r->cq_head, OWN);

	if (head == filchi_load_acq(r->cq_tail, R2))
		return false;
	*out = r->completions[head & r->cq_mask];
	filchi_store_rel(r->cq_head, head + 1, R3);
	if (out->user_data == FILCHI_RING_WAKE && r->eventfd >= 0 && !(out->flags & IORING_CQE_F_MORE))
		r->eventfd_is_polled = false;
	return true;
}

/* ---- waking ---- */

/*
 * The eventfd is never read: each write wakes the poll, whatever the counter is. If the counter is not 0 when the poll
 * begins, the owner wakes once for nothing.
 */
int filchi_ring_arm(struct filchi_ring *r)
{
	struct io_uring_sqe *e;

	if (r->eventfd < 0 || r->eventfd_is_polled)
		return 0;
	e = filchi_ring_entry(r);
	if (!e)
		return -EAGAIN;
	e->opcode = IORING_OP_POLL_ADD;
	e->fd = r->eventfd;
	e->poll32_events = filchi_ring_events(POLLIN);
	e->len = IORING_POLL_ADD_MULTI;
	e->user_data = FILCHI_RING_WAKE;
	r->eventfd_is_polled = true;
	return 0;
}

void filchi_ring_wake(const struct filchi_ring *r)
{
	const uint64_t one = 1;

	if (r->eventfd < 0)
		while (send_wake(r) == -ENOMEM)
			(void)sched_yield();
	else
		(void)!write(r->eventfd, &one, sizeof(one));
}
