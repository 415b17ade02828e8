/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One operation of one fiber: a record on the stack of the fiber. op.c has the protocol between the fiber, which may
 * stop waiting, and the thread that completes the operation.
 */
#ifndef FILCHI_IO_OP_H
#define FILCHI_IO_OP_H

#include "../waiter.h"

#include <sys/socket.h>

struct filchi_io;

enum filchi_io_code {
	FILCHI_IO_READ,
	FILCHI_IO_WRITE,
	FILCHI_IO_FSYNC,
	FILCHI_IO_OPENAT,
	FILCHI_IO_ACCEPT,
	FILCHI_IO_CONNECT,
	FILCHI_IO_SEND,
	FILCHI_IO_RECV,
	FILCHI_IO_POLL,
	FILCHI_IO_NOP,
	FILCHI_IO_FILE /* a call that no ring makes faster: data is a struct filchi_file_call */
};

/* What a call asks for. */
struct filchi_request {
	enum filchi_io_code code;
	int fd;
	void *data;	 /* buffer, path or address */
	size_t size;	 /* bytes of data; for an open the mode */
	int64_t offset;	 /* -1: the current position */
	uint32_t flags;	 /* of the call; events of a poll */
	socklen_t *room; /* of an accept: bytes of data, and then of the address */
};

struct filchi_op {
	/* op.c */
	struct filch_fiber *fiber;
	FILCHI_ATOMIC(uint64_t) ticket; /* of the current wait, or DONE */
	intptr_t result;
	/* Only the thread that completes the operation, and the fiber before and after, use these. */
	const struct filchi_request *request;
	struct filchi_io *io; /* whose thread completes it */
	uint8_t way;	      /* enum filchi_io_way */
	int watched;	      /* the descriptor that an epoll watches */
	/* A lock protects the list. */
	struct filchi_op *next, **link; /* link NULL: in no list */
};

/* The fiber begins: then it submits the operation, and calls wait. */
filchi_ticket filchi_op_begin(struct filchi_op *op, struct filch_fiber *self, bool shielded);
/*
 * Waits for the operation, at most until the deadline. Returns 0: the operation is complete. Otherwise the wait has
 * ended for another reason, and the operation goes on. The fiber must ask for its end, and call wait_cancelled.
 */
int filchi_op_wait(struct filchi_op *op, filchi_ticket ticket, uint64_t deadline, const char *waits_for);
/* Announces the second wait. False: the operation is complete. True: the fiber must call wait_cancelled next. */
bool filchi_op_begin_cancel(struct filchi_op *op, filchi_ticket *ticket);
/* Waits until the operation is complete, and no cancellation ends this wait. */
void filchi_op_wait_cancelled(struct filchi_op *op, filchi_ticket ticket, const char *waits_for);
/* The operation is complete. The record may be gone as soon as this has begun. */
void filchi_op_complete(struct filchi_op *op, intptr_t result);

/*
 * Operations that fibers in other workers want to end, in a list of the worker that has them. The fiber adds its
 * operation between begin_cancel and wait_cancelled, and removes it after wait_cancelled. take returns an operation
 * that is not complete, or NULL. Only the thread that completes the operations of the list may call it.
 */
struct filchi_cancel_list {
	struct filchi_fiber_lock lock;
	FILCHI_ATOMIC(struct filchi_op *) first;
};
void filchi_op_add_cancel(struct filchi_cancel_list *cancels, struct filchi_op *op);
void filchi_op_remove_cancel(struct filchi_cancel_list *cancels, struct filchi_op *op);
struct filchi_op *filchi_op_take_cancel(struct filchi_cancel_list *cancels);

/* Waits as filchi_fiber_wait(): wait.c, or the test. */
int filchi_fiber_wait(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, const char *waits_for);

#endif
