/* SPDX-License-Identifier: Apache-2.0 */
/* A channel, for channel.c and select.c. */
#ifndef FILCHI_FIBER_CHANNEL_H
#define FILCHI_FIBER_CHANNEL_H

#include "queue.h"

struct filchi_channel_side {
	struct filchi_node *first, *last;
};

/* The lock protects all of it. Senders wait only if the buffer is full, receivers only if it is empty. */
struct filch_channel {
	struct filchi_fiber_lock lock;
	bool closed;
	size_t size, capacity;
	size_t first, count; /* of the elements in the buffer */
	struct filchi_channel_side senders, receivers;
	unsigned char buffer[];
};

/*
 * The operation without a wait. The caller holds the lock. 0, -EPIPE, -EAGAIN. *wake becomes a claimed waiter that the
 * caller must wake, with reason 0, after the lock.
 */
int filchi_channel_try(struct filch_channel *ch, int op, void *element, struct filch_fiber **wake);

static inline struct filchi_channel_side *filchi_channel_side(struct filch_channel *ch, int op)
{
	return op == FILCH_CHANNEL_SEND ? &ch->senders : &ch->receivers;
}

#endif
