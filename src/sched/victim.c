/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of a victim. A round of a worker with k others has k attempts.
 *
 *   random       any other worker, each time
 *   sequential   the others in the order of their ids, from the next one on
 *   last         the victim of the last steal, then random
 *   two          the one of two random workers that has more items
 *   nearest      the nearest first, by the topology
 *   size         random, weighted by the number of items
 *
 * Numbers of items are hints.
 */
#include "../base/mem.h"
#include "sched.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the order of nearest ---- */

struct neighbour {
	unsigned distance;
	uint32_t offset; /* of its id */
};

static int nearer(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;

	return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
					  : (x->offset > y->offset) - (x->offset < y->offset);
}

static int sort_neighbours(struct filchi_sched *s, struct filchi_worker *w, struct neighbour *near)
{
	uint32_t n = s->worker_count;

	w->nearest = filchi_alloc_array(0, n, sizeof(*w->nearest));
	if (!w->nearest)
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++)
		near[i - 1] = (struct neighbour){s->setup.distance(s->setup.owner, w->id, (w->id + i) % n), i};
	qsort(near, n - 1, sizeof(*near), nearer);
	for (uint32_t i = 0; i + 1 < n; i++)
		w->nearest[i] = (w->id + near[i].offset) % n;
	return 0;
}

int filchi_victim_init(struct filchi_sched *s)
{
	struct neighbour *near;
	int err = 0;

	if (s->setup.victim != FILCHI_VICTIM_NEAREST || !s->setup.distance)
		return 0;
	near = filchi_alloc_array(0, s->worker_count, sizeof(*near));
	if (!near)
		return -ENOMEM;
	for (uint32_t id = 0; id < s->worker_count && !err; id++)
		err = sort_neighbours(s, s->workers[id], near);
	filchi_free(near);
	return err;
}

/* ---- the policies ---- */

static uint32_t others_of(const struct filchi_worker *w)
{
	return filchi_sched_victims(w->sched) - 1;
}

/* The n-th of the other workers, in the order of ids, from the next one on. */
static uint32_t other(const struct filchi_worker *w, uint32_t n)
{
	return (w->id + 1 + n) % filchi_sched_victims(w->sched);
}

static uint32_t at_random(struct filchi_worker *w)
{
	return other(w, filchi_rng_below(&w->thief.rng, others_of(w)));
}

static size_t size_of(const struct filchi_worker *w, uint32_t id)
{
	return filch_deque_size(filchi_sched_worker(w->sched, id)->deque);
}

static uint32_t larger_of_two(struct filchi_worker *w)
{
	uint32_t a = at_random(w);
	uint32_t b = at_random(w);

	return size_of(w, b) > size_of(w, a) ? b : a;
}

static uint32_t by_size(struct filchi_worker *w)
{
	uint32_t others = others_of(w);
	uint64_t total = 0, mark;

	for (uint32_t i = 0; i < others; i++)
		total += size_of(w, other(w, i));
	if (!total)
		return at_random(w);
	mark = filchi_rng_next(&w->thief.rng) % total;
	for (uint32_t i = 0; i < others; i++) {
		uint64_t size = size_of(w, other(w, i));

		if (mark < size)
			return other(w, i);
		mark -= size;
	}
	return at_random(w); /* the sizes have changed */
}

/* Spares come after the workers, in the order of their ids. A spare has no order of its own, and goes by id. */
static uint32_t nearest(const struct filchi_worker *w, uint32_t n)
{
	uint32_t workers = w->sched->worker_count;

	if (!w->nearest)
		return other(w, n);
	return n < workers - 1 ? w->nearest[n] : n + 1;
}

uint32_t filchi_victim_pick(struct filchi_worker *w, uint32_t attempt)
{
	switch (w->sched->setup.victim) {
	case FILCHI_VICTIM_SEQUENTIAL:
		return other(w, attempt);
	case FILCHI_VICTIM_NEAREST:
		return nearest(w, attempt);
	case FILCHI_VICTIM_LAST:
		return attempt == 0 && w->thief.last_victim != w->id ? w->thief.last_victim : at_random(w);
	case FILCHI_VICTIM_TWO:
		return larger_of_two(w);
	case FILCHI_VICTIM_SIZE:
		return by_size(w);
	default:
		return at_random(w);
	}
}
