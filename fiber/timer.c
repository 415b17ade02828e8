/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadlines: a heap for each worker. A free fiber may go on in another worker and remove its timer there, so the heap
 * has a lock. Only the worker itself adds timers and lets them expire.
 *
 * Edges:
 *   T1   earliest: a hint; the lock orders the heap
 */
#include "worker.h"

#include <errno.h>
#include <string.h>

#define ROOM 64u
#define AT_ONCE 32u

static void place(struct filchi_fiber_worker *w, size_t i, struct filchi_timer *t)
{
	w->timers[i] = t;
	t->index = i;
}

static void up(struct filchi_fiber_worker *w, size_t i, struct filchi_timer *t)
{
	while (i && w->timers[(i - 1) / 2]->deadline > t->deadline) {
		place(w, i, w->timers[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	place(w, i, t);
}

static void down(struct filchi_fiber_worker *w, size_t i, struct filchi_timer *t)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < w->timer_count && w->timers[child + 1]->deadline < w->timers[child]->deadline)
			child++;
		if (child >= w->timer_count || w->timers[child]->deadline >= t->deadline)
			break;
		place(w, i, w->timers[child]);
		i = child;
	}
	place(w, i, t);
}

static void set_earliest(struct filchi_fiber_worker *w)
{
	filchi_store_rlx(&w->earliest, w->timer_count ? w->timers[0]->deadline : FILCHI_FIBER_NEVER, T1);
}

/* The caller holds the lock. */
static void cut(struct filchi_fiber_worker *w, struct filchi_timer *t)
{
	struct filchi_timer *last = w->timers[--w->timer_count];

	if (last != t) {
		if (t->index && w->timers[(t->index - 1) / 2]->deadline > last->deadline)
			up(w, t->index, last);
		else
			down(w, t->index, last);
	}
	t->listed = false;
	set_earliest(w);
}

static int make_room(struct filchi_fiber_worker *w)
{
	size_t room = w->timer_room ? 2 * w->timer_room : ROOM;
	struct filchi_timer **timers = filchi_fiber_alloc(sizeof(void *), room * sizeof(*timers));

	if (!timers)
		return -ENOMEM;
	if (w->timer_count)
		memcpy(timers, w->timers, w->timer_count * sizeof(*timers));
	filchi_fiber_free(w->timers);
	w->timers = timers;
	w->timer_room = room;
	return 0;
}

int filchi_timer_add(struct filchi_fiber_worker *w, struct filchi_timer *t)
{
	int err = 0;

	filchi_fiber_lock(&w->timer_lock);
	if (w->timer_count == w->timer_room)
		err = make_room(w);
	if (!err) {
		t->listed = true;
		up(w, w->timer_count++, t);
		set_earliest(w);
	}
	filchi_fiber_unlock(&w->timer_lock);
	return err;
}

void filchi_timer_remove(struct filchi_fiber_worker *w, struct filchi_timer *t)
{
	filchi_fiber_lock(&w->timer_lock);
	if (t->listed)
		cut(w, t);
	filchi_fiber_unlock(&w->timer_lock);
}

void filchi_timer_expire(struct filchi_fiber_worker *w)
{
	struct {
		struct filch_fiber *fiber;
		filchi_ticket ticket;
	} over[AT_ONCE];
	size_t count;

	if (filchi_load_rlx(&w->earliest, T1) == FILCHI_FIBER_NEVER)
		return;
	do {
		uint64_t now = filchi_fiber_clock();

		count = 0;
		filchi_fiber_lock(&w->timer_lock);
		while (count < AT_ONCE && w->timer_count && w->timers[0]->deadline <= now) {
			struct filchi_timer *t = w->timers[0];

			over[count].fiber = t->fiber;
			over[count++].ticket = t->ticket;
			cut(w, t);
		}
		filchi_fiber_unlock(&w->timer_lock);
		for (size_t i = 0; i < count; i++)
			(void)filchi_waiter_end(over[i].fiber, over[i].ticket, -ETIMEDOUT);
	} while (count == AT_ONCE);
}
