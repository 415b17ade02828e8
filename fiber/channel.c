/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels: a ring of elements and two queues of waiters that wait. An element goes straight to a receiver that waits.
 * The thread that claims a waiter copies the element from or to its stack, and wakes it afterwards.
 */
#include "channel.h"

#include <errno.h>
#include <string.h>

static unsigned char *slot(struct filch_channel *ch, size_t i)
{
	size_t at = ch->first + i;

	return ch->buffer + (at < ch->capacity ? at : at - ch->capacity) * ch->size;
}

static int try_send(struct filch_channel *ch, const void *element, struct filch_fiber **wake)
{
	struct filchi_node *receiver;

	if (ch->closed)
		return -EPIPE;
	receiver = ch->receivers.first ? filchi_queue_claim(&ch->receivers.first, &ch->receivers.last) : NULL;
	if (receiver) {
		memcpy(receiver->element, element, ch->size);
		*wake = receiver->waiter;
		return 0;
	}
	if (ch->count == ch->capacity)
		return -EAGAIN;
	memcpy(slot(ch, ch->count++), element, ch->size);
	return 0;
}

static int try_recv(struct filch_channel *ch, void *element, struct filch_fiber **wake)
{
	struct filchi_node *sender =
		ch->senders.first ? filchi_queue_claim(&ch->senders.first, &ch->senders.last) : NULL;

	if (sender)
		*wake = sender->waiter;
	if (!ch->count) {
		if (!sender)
			return ch->closed ? -EPIPE : -EAGAIN;
		memcpy(element, sender->element, ch->size);
		return 0;
	}
	memcpy(element, slot(ch, 0), ch->size);
	ch->first = ch->first + 1 < ch->capacity ? ch->first + 1 : 0;
	ch->count--;
	if (sender)
		memcpy(slot(ch, ch->count++), sender->element, ch->size);
	return 0;
}

int filchi_channel_try(struct filch_channel *ch, int op, void *element, struct filch_fiber **wake)
{
	return op == FILCH_CHANNEL_SEND ? try_send(ch, element, wake) : try_recv(ch, element, wake);
}

/* One operation. wait: false for the try functions. */
static int operate(struct filch_channel *ch, int op, void *element, bool wait, uint64_t ns)
{
	struct filchi_thread_waiter thread;
	struct filchi_channel_side *side = NULL;
	struct filch_fiber *wake = NULL;
	struct filchi_node n = {.element = element};
	int err;

	if (!ch || !element)
		return -EINVAL;
	filchi_fiber_lock(&ch->lock);
	err = filchi_channel_try(ch, op, element, &wake);
	if (err == -EAGAIN && wait) {
		side = filchi_channel_side(ch, op);
		n.waiter = filchi_waiter_self(&thread);
		n.ticket = filchi_waiter_begin(n.waiter, filchi_fiber_is_shielded(n.waiter));
		filchi_queue_append(&side->first, &side->last, &n);
	}
	filchi_fiber_unlock(&ch->lock);
	if (wake)
		filchi_waiter_wake(wake, 0);
	if (!n.waiter)
		return err;
	err = filchi_fiber_wait(n.waiter, n.ticket, filchi_fiber_deadline(ns),
				op == FILCH_CHANNEL_SEND ? "room in a channel" : "an element of a channel");
	/* After a claim nobody looks at the node, and after a close the channel may be gone. */
	if (err && !n.fired) {
		filchi_fiber_lock(&ch->lock);
		filchi_queue_remove(&side->first, &side->last, &n);
		filchi_fiber_unlock(&ch->lock);
	}
	return err;
}

int filch_channel_create(struct filch_channel **out, size_t element_size, size_t capacity)
{
	struct filch_channel *ch;

	if (!out || !element_size || element_size > PTRDIFF_MAX / 2 || capacity > (PTRDIFF_MAX / 2) / element_size)
		return -EINVAL;
	ch = filchi_fiber_alloc(FILCHI_CACHE_LINE, sizeof(*ch) + element_size * capacity);
	if (!ch)
		return -ENOMEM;
	ch->size = element_size;
	ch->capacity = capacity;
	*out = ch;
	return 0;
}

int filch_channel_send(struct filch_channel *ch, const void *element)
{
	return operate(ch, FILCH_CHANNEL_SEND, (void *)(uintptr_t)element, true, UINT64_MAX);
}

int filch_channel_send_for(struct filch_channel *ch, const void *element, uint64_t ns)
{
	return operate(ch, FILCH_CHANNEL_SEND, (void *)(uintptr_t)element, true, ns);
}

int filch_channel_try_send(struct filch_channel *ch, const void *element)
{
	return operate(ch, FILCH_CHANNEL_SEND, (void *)(uintptr_t)element, false, 0);
}

int filch_channel_recv(struct filch_channel *ch, void *element)
{
	return operate(ch, FILCH_CHANNEL_RECV, element, true, UINT64_MAX);
}

int filch_channel_recv_for(struct filch_channel *ch, void *element, uint64_t ns)
{
	return operate(ch, FILCH_CHANNEL_RECV, element, true, ns);
}

int filch_channel_try_recv(struct filch_channel *ch, void *element)
{
	return operate(ch, FILCH_CHANNEL_RECV, element, false, 0);
}

/* All waiters that wait get -EPIPE: no element will come, and none may go in. */
int filch_channel_close(struct filch_channel *ch)
{
	struct filchi_node *claimed = NULL, *n;

	if (!ch)
		return -EINVAL;
	filchi_fiber_lock(&ch->lock);
	if (ch->closed) {
		filchi_fiber_unlock(&ch->lock);
		return -EPIPE;
	}
	ch->closed = true;
	for (int op = FILCH_CHANNEL_SEND; op <= FILCH_CHANNEL_RECV; op++) {
		struct filchi_channel_side *side = filchi_channel_side(ch, op);

		while ((n = filchi_queue_claim(&side->first, &side->last))) {
			n->next = claimed;
			claimed = n;
		}
	}
	filchi_fiber_unlock(&ch->lock);
	for (; claimed; claimed = n) {
		n = claimed->next;
		filchi_waiter_wake(claimed->waiter, -EPIPE);
	}
	return 0;
}

void filch_channel_destroy(struct filch_channel *ch)
{
	filchi_fiber_free(ch);
}
