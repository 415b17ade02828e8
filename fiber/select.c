/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Select: one of several operations on channels. It locks all channels, in the order of their addresses, tries each
 * operation, and else waits in all queues at once with one ticket. The thread that claims the ticket marks its node.
 */
#include "channel.h"

#include <errno.h>
#include <stdlib.h>

#define FEW 8u /* cases that need no memory */

struct select {
	const struct filch_channel_case *cases;
	size_t count;
	struct filchi_node *nodes;
	struct filch_channel **order; /* the channels without NULL, sorted; a channel may be there several times */
	size_t channels;
};

static int compare(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t) * (struct filch_channel *const *)a,
		  y = (uintptr_t) * (struct filch_channel *const *)b;

	return x < y ? -1 : x > y;
}

static void lock_all(const struct select *s)
{
	for (size_t i = 0; i < s->channels; i++)
		if (!i || s->order[i] != s->order[i - 1])
			filchi_fiber_lock(&s->order[i]->lock);
}

static void unlock_all(const struct select *s)
{
	for (size_t i = s->channels; i--;)
		if (!i || s->order[i] != s->order[i - 1])
			filchi_fiber_unlock(&s->order[i]->lock);
}

static int check(struct select *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct filch_channel_case *c = &s->cases[i];

		if (!c->channel)
			continue;
		if (!c->element || (c->op != FILCH_CHANNEL_SEND && c->op != FILCH_CHANNEL_RECV))
			return -EINVAL;
		s->order[s->channels++] = c->channel;
	}
	qsort(s->order, s->channels, sizeof(*s->order), compare);
	return 0;
}

/* Begins with any case, so that none starves. A clock is random enough. */
static int try_all(const struct select *s, size_t *which, struct filch_fiber **wake)
{
	static _Thread_local uint32_t turn;
	size_t from = (turn += 2654435761u) % s->count;

	for (size_t i = 0; i < s->count; i++) {
		size_t at = (from + i) % s->count;
		const struct filch_channel_case *c = &s->cases[at];
		int err = c->channel ? filchi_channel_try(c->channel, c->op, c->element, wake) : -EAGAIN;

		if (err != -EAGAIN) {
			*which = at;
			return err;
		}
	}
	return -EAGAIN;
}

static filchi_ticket enlist(const struct select *s, struct filch_fiber *self)
{
	filchi_ticket ticket = filchi_waiter_begin(self, filchi_fiber_is_shielded(self));

	for (size_t i = 0; i < s->count; i++) {
		const struct filch_channel_case *c = &s->cases[i];
		struct filchi_channel_side *side;

		s->nodes[i] = (struct filchi_node){.waiter = self, .ticket = ticket, .element = c->element};
		if (!c->channel)
			continue;
		side = filchi_channel_side(c->channel, c->op);
		filchi_queue_append(&side->first, &side->last, &s->nodes[i]);
	}
	return ticket;
}

static void delist(const struct select *s, size_t *which)
{
	lock_all(s);
	for (size_t i = 0; i < s->count; i++) {
		const struct filch_channel_case *c = &s->cases[i];
		struct filchi_channel_side *side = c->channel ? filchi_channel_side(c->channel, c->op) : NULL;

		if (side)
			filchi_queue_remove(&side->first, &side->last, &s->nodes[i]);
		if (s->nodes[i].fired)
			*which = i;
	}
	unlock_all(s);
}

static int select_until(struct select *s, uint64_t ns, size_t *which)
{
	struct filchi_thread_waiter thread;
	struct filch_fiber *self, *wake = NULL;
	filchi_ticket ticket = 0;
	int err = check(s);

	if (err)
		return err;
	self = filchi_waiter_self(&thread);
	lock_all(s);
	err = try_all(s, which, &wake);
	if (err == -EAGAIN && ns)
		ticket = enlist(s, self);
	unlock_all(s);
	if (wake)
		filchi_waiter_wake(wake, 0);
	if (err != -EAGAIN)
		return err;
	if (!ns)
		return -ETIMEDOUT;
	err = filchi_fiber_wait(self, ticket, filchi_fiber_deadline(ns), "one of several channels");
	delist(s, which);
	return err;
}

int filch_channel_select(const struct filch_channel_case *cases, size_t count, uint64_t ns, size_t *which)
{
	struct filchi_node few_nodes[FEW];
	struct filch_channel *few_channels[FEW];
	struct select s = {.cases = cases, .count = count, .nodes = few_nodes, .order = few_channels};
	size_t ignored;
	int err = -ENOMEM;

	if (!cases || !count || count > PTRDIFF_MAX / sizeof(struct filchi_node))
		return -EINVAL;
	if (count > FEW) {
		s.nodes = filchi_fiber_alloc(sizeof(void *), count * sizeof(*s.nodes));
		s.order = filchi_fiber_alloc(sizeof(void *), count * sizeof(*s.order));
	}
	if (s.nodes && s.order)
		err = select_until(&s, ns, which ? which : &ignored);
	if (count > FEW) {
		filchi_fiber_free(s.nodes);
		filchi_fiber_free(s.order);
	}
	return err;
}
