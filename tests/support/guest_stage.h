/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stage on which guests are checked: tests/check/guest.c.
 *
 * Each worker has a box for an item in the place of a deque, in which only publish() puts something. What a worker has
 * of its own is plain data: two who use it at once, or one after the other without order, are a race.
 */
#ifndef TEST_SUPPORT_GUEST_STAGE_H
#define TEST_SUPPORT_GUEST_STAGE_H

#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../../src/sched/sched.h"
#include "empty_deque.h"

#define STAGE static __attribute__((unused))

enum { MAX_WORKERS = 2, REGION = 1 << 10 };

struct scenario {
	unsigned workers, guests;
	unsigned items; /* published by one from outside, each in the box of another worker */
	bool injects;	/* they go to the injector instead */
	bool entered;	/* the workers start on their way to sleep */
	bool offers;	/* a guest puts something in the box of its worker */
	bool needs;	/* and stays until that, or else the first item, is done: by another worker */
	bool again;	/* and comes again */
	bool asks;	/* who finds nothing raises hurdles */
};

/*
 * Edges of the test: they order nothing, so that only the library does.
 *   ITEM DONE HURDLE STOP
 */
static struct {
	const struct scenario *s;
	struct filchi_sched sched;
	struct box {
		struct filch_deque base;
		FILCHI_ATOMIC(uint32_t) item;
	} box[MAX_WORKERS];
	unsigned boxes;
	FILCHI_CELL(unsigned) own[MAX_WORKERS];
	FILCHI_ATOMIC(uint32_t) done[MAX_WORKERS]; /* how often */
	bool offered[MAX_WORKERS];		   /* by guests */
	FILCHI_ATOMIC(uint32_t) stopping;
} now;

/* ---- boxes ---- */

static struct filchi_deque_kind box_kind;

STAGE int box_create(struct filch_deque **out, const struct filchi_deque_setup *setup)
{
	struct box *b = &now.box[now.boxes++];

	(void)setup;
	b->base.ops = &box_kind.ops;
	filchi_atomic_init(&b->item, 0);
	*out = &b->base;
	return 0;
}

STAGE size_t box_size(const struct filch_deque *d)
{
	return filchi_load_rlx(&((struct box *)(uintptr_t)d)->item, ITEM);
}

static struct filchi_deque_kind box_kind = {
	.info = {.name = "box", .owner_order = FILCH_LIFO},
	.ops = {.create = box_create,
		.destroy = empty_deque_destroy,
		.push = empty_deque_push,
		.pop = empty_deque_take,
		.steal = empty_deque_take,
		.size = box_size},
};

STAGE FILCHI_ATOMIC(uintptr_t) * hurdle_of(unsigned worker)
{
	return (FILCHI_ATOMIC(uintptr_t) *)&now.sched.workers[worker].public.hurdle;
}

STAGE void publish(unsigned n)
{
	if (now.s->injects) {
		chk_assert(filchi_sched_inject(&now.sched, 2 * n + 1) == 0);
		return;
	}
	filchi_store_rlx(&now.box[n].item, 1, ITEM);
	(void)filchi_sleep_notify(&now.sched.sleep);
}

STAGE bool take_injected(unsigned *n)
{
	uintptr_t item;
	int result;

	while ((result = filchi_injector_take(&now.sched.injector, &item)) == FILCH_LOST)
		filchi_spin_wait();
	if (result == FILCH_OK)
		*n = (unsigned)(item / 2);
	return result == FILCH_OK;
}

STAGE bool take(unsigned *n)
{
	if (now.s->injects)
		return take_injected(n);
	for (unsigned i = 0; i < now.s->workers; i++) {
		uint32_t there = filchi_load_rlx(&now.box[i].item, ITEM);

		if (there && filchi_cas_rlx(&now.box[i].item, &there, 0, ITEM)) {
			*n = i;
			return true;
		}
	}
	return false;
}

/* What is the worker's own, by itself or by a guest. */
STAGE void use_own(const struct filchi_worker *w)
{
	filchi_cell_set(&now.own[w->id], filchi_cell_get(&now.own[w->id]) + 1);
}

#endif
