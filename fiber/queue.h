/* SPDX-License-Identifier: Apache-2.0 */
/* Waiters that wait for a mutex, a condition or a channel, in order. A lock protects each queue. */
#ifndef FILCHI_FIBER_QUEUE_H
#define FILCHI_FIBER_QUEUE_H

#include "worker.h"

/* On the stack of the waiter that waits. */
struct filchi_node {
	struct filchi_node *next, *prev;
	struct filch_fiber *waiter;
	filchi_ticket ticket;
	bool listed;
	bool fired;    /* this node was claimed: of several in a select */
	void *element; /* of a channel */
	void *owner;   /* of a mutex: the identity that will have it */
};

static inline void filchi_queue_append(struct filchi_node **first, struct filchi_node **last, struct filchi_node *n)
{
	n->next = NULL;
	n->prev = *last;
	*(*last ? &(*last)->next : first) = n;
	*last = n;
	n->listed = true;
}

static inline void filchi_queue_remove(struct filchi_node **first, struct filchi_node **last, struct filchi_node *n)
{
	if (!n->listed)
		return;
	*(n->prev ? &n->prev->next : first) = n->next;
	*(n->next ? &n->next->prev : last) = n->prev;
	n->listed = false;
}

/* Takes the first node whose wait can be claimed. The caller must wake its waiter. NULL: there is none. */
static inline struct filchi_node *filchi_queue_claim(struct filchi_node **first, struct filchi_node **last)
{
	struct filchi_node *n;

	while ((n = *first)) {
		filchi_queue_remove(first, last, n);
		if (filchi_waiter_claim(n->waiter, n->ticket)) {
			n->fired = true;
			return n;
		}
	}
	return NULL;
}

#endif
