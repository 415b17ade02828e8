/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The raw interface to io_uring: three system calls and two mappings. One thread owns a ring, and only this thread may
 * call these functions, except filchi_ring_wake.
 *
 * liburing takes the same time for each operation. The raw interface needs no library, and no version of a library must
 * fit to another one. The kernel says by a probe which operations it has.
 */
#ifndef FILCHI_IO_RING_H
#define FILCHI_IO_RING_H

#include "../atomic.h"

#include <linux/io_uring.h>
#include <stddef.h>

/* Constants that the headers of older systems lack. The kernel says whether it knows them. */
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1u << 8)
#define IORING_SETUP_TASKRUN_FLAG (1u << 9)
#define IORING_SQ_TASKRUN (1u << 2)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1u << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1u << 13)
#endif
/* Events of a poll: big-endian machines have the halves of the word the other way round. */
static inline uint32_t filchi_ring_events(uint32_t events)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return events << 16 | events >> 16;
#else
	return events;
#endif
}

enum { FILCHI_OP_MSG_RING = 40, FILCHI_REGISTER_SEND_MSG_RING = 31 };

/* user_data of completions that belong to no operation. All other values are addresses. */
enum { FILCHI_RING_WAKE = 1, FILCHI_RING_NOTHING = 2, FILCHI_RING_OWN = 7 };

struct filchi_ring {
	int fd;
	uint32_t setup; /* the flags of the setup */
	int eventfd;	/* an eventfd, or -1: filchi_ring_wake sends a message */
	bool eventfd_is_polled;
	uint32_t filled; /* the tail of the submission queue, ahead of the shared one */
	uint32_t sq_mask, cq_mask;
	FILCHI_ATOMIC(uint32_t) * sq_head, *sq_tail, *sq_flags, *cq_head, *cq_tail;
	uint32_t *sq_array;
	struct io_uring_sqe *entries;
	struct io_uring_cqe *completions;
	void *map;
	size_t map_bytes, entry_bytes;
};

/*
 * Opens a ring and pushes one NOP through it, because the system may forbid the use of a ring only. Returns 0 or
 * -errno; *step becomes the system call or the feature that is missing, in words.
 */
int filchi_ring_open(struct filchi_ring *r, const char **step);
void filchi_ring_close(struct filchi_ring *r);

/* An entry to fill, all zero, or NULL: the queue is full. */
struct io_uring_sqe *filchi_ring_entry(struct filchi_ring *r);
/* The number of entries that were filled and not submitted. */
uint32_t filchi_ring_queued(struct filchi_ring *r);
/* An entry among these uses the descriptor. */
bool filchi_ring_uses(struct filchi_ring *r, int fd);
/* Takes the newest of these back. Returns its user_data. */
uint64_t filchi_ring_take_back(struct filchi_ring *r);

/*
 * Submits, and lets the kernel deliver completions. wait: sleeps until there is one, at most for ns. Returns 0, also if
 * it was interrupted or the time is over, or -errno.
 */
int filchi_ring_enter(struct filchi_ring *r, bool wait, uint64_t ns);
/* True: there are completions, or the kernel has some that an enter would deliver. */
bool filchi_ring_has_completions(struct filchi_ring *r);
/* Takes one completion. */
bool filchi_ring_next(struct filchi_ring *r, struct io_uring_cqe *out);

/* Before the owner sleeps in enter: from now on filchi_ring_wake() will wake it. 0 or -errno. */
int filchi_ring_arm(struct filchi_ring *r);
/* Any thread: ends the owner's enter, or its next one. */
void filchi_ring_wake(const struct filchi_ring *r);

#endif
