/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whom to steal from. Attempt n of a round; a worker with k others makes k attempts.
 *
 *   random       any of the others, each time anew
 *   sequential   from the one after oneself, in the order of their ids
 *   last         the one that the last steal was from, then at random
 *   two          of two at random the one that has more
 *   nearest      by the topology, the nearest first
 *   size         at random, by how much each has
 *
 * Sizes are hints.
 */
#include "sched.h"

static uint32_t others_of(const struct filchi_worker *w)
{
	return filchi_sched_victims(w->sched) - 1;
}

/* The n-th of the others, from the one after oneself. */
static uint32_t other(const struct filchi_worker *w, uint32_t n)
{
	return (w->id + 1 + n) % filchi_sched_victims(w->sched);
}

static uint32_t at_random(struct filchi_worker *w)
{
	return other(w, filchi_rng_below(&w->rng, others_of(w)));
}

static size_t size_of(const struct filchi_worker *w, uint32_t id)
{
	return filch_deque_size(w->sched->workers[id].deque);
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
	mark = filchi_rng_next(&w->rng) % total;
	for (uint32_t i = 0; i < others; i++) {
		uint64_t size = size_of(w, other(w, i));

		if (mark < size)
			return other(w, i);
		mark -= size;
	}
	return at_random(w); /* they have changed meanwhile */
}

/* Then spares, as they come. They have no order themselves. */
static uint32_t nearest(const struct filchi_worker *w, uint32_t n)
{
	uint32_t workers = w->sched->worker_count;

	if (!w->order)
		return other(w, n);
	return n < workers - 1 ? w->order[n] : n + 1;
}

uint32_t filchi_victim_pick(struct filchi_worker *w, uint32_t attempt)
{
	switch (w->sched->setup.victim) {
	case FILCHI_VICTIM_SEQUENTIAL:
		return other(w, attempt);
	case FILCHI_VICTIM_NEAREST:
		return nearest(w, attempt);
	case FILCHI_VICTIM_LAST:
		return attempt == 0 && w->last_victim != w->id ? w->last_victim : at_random(w);
	case FILCHI_VICTIM_TWO:
		return larger_of_two(w);
	case FILCHI_VICTIM_SIZE:
		return by_size(w);
	default:
		return at_random(w);
	}
}
