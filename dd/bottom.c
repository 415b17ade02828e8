/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the last row up: the best path from each node to the end, the cutset, and the thresholds.
 *
 * The threshold theta of a node says: a path to its state with a value of at most theta leads to no solution that is
 * better than the best one and is not found elsewhere (Coppé, Gillard and Schaus, 2024).
 *
 * - A pruned node has its theta from its bound, a filtered one from the cache or its dominator.
 * - A node in the cutset: if its best path to the end cannot beat the best value, theta is the best value less this path,
 *   and not more than its children allow. Else it will be an open subproblem, and theta is its own value.
 * - Else theta is the least theta of a child less the cost of the arc.
 */
#include "dd.h"

#include <errno.h>

/* The final number of child c of a row; GONE: theta of the child. */
static inline uint32_t find_child(const struct filchi_dd_work *w, const struct filchi_dd_row *below, uint32_t c,
				  int64_t *cost)
{
	if (below->map == SIZE_MAX)
		return c;
	if (w->model->p.merge_cost)
		*cost += filchi_dd_words(&w->costs)[below->map + c];
	return filchi_dd_map(w, below->map)[c];
}

struct sums {
	int64_t bottom, theta;
	bool exact; /* all children */
};

static inline void add_child(const struct filchi_dd_work *w, const struct filchi_dd_row *below,
			     const struct filch_dd_arc *arc, struct sums *s)
{
	int64_t cost = arc->cost, theta;
	uint32_t c = find_child(w, below, arc->child, &cost);

	if (c & FILCHI_DD_GONE) {
		if (c == FILCHI_DD_DROPPED)
			return;
		theta = filchi_dd_words(&w->thetas)[c & ~FILCHI_DD_GONE];
	} else {
		int64_t bottom = filchi_dd_words(&w->bottoms)[below->node + c];

		theta = filchi_dd_words(&w->lower)[below->node + c];
		if (bottom > FILCHI_DD_NONE && bottom + cost > s->bottom)
			s->bottom = bottom + cost;
		s->exact = s->exact && filchi_dd_nodes(w, below->node)[c].flags & FILCHI_DD_NODE_EXACT;
	}
	if (theta < FILCHI_DD_INFINITE && theta - cost < s->theta)
		s->theta = theta - cost;
}

static void do_row(struct filchi_dd_work *w, int row, int64_t best)
{
	const struct filchi_dd_row *r = filchi_dd_row(w, row), *below = r + 1;
	struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);
	int64_t *bottom = filchi_dd_words(&w->bottoms) + r->node, *theta = filchi_dd_words(&w->lower) + r->node;

	for (uint32_t i = 0; i < r->count; i++) {
		struct sums s = {FILCHI_DD_NONE, FILCHI_DD_INFINITE, true};

		if (nodes[i].flags & FILCHI_DD_NODE_PRUNED) {
			bottom[i] = FILCHI_DD_NONE;
			theta[i] = nodes[i].theta;
			continue;
		}
		for (uint32_t a = 0; a < nodes[i].arcs; a++)
			add_child(w, below, filchi_dd_arcs(w) + nodes[i].arc + a, &s);
		if (w->use_layer ? w->cut_row && row == w->cut_row - 1
				 : nodes[i].flags & FILCHI_DD_NODE_EXACT && !s.exact) {
			if (s.bottom == FILCHI_DD_NONE) {
				;
			} else if (nodes[i].top + s.bottom <= best) {
				s.theta = best - s.bottom < s.theta ? best - s.bottom : s.theta;
			} else {
				s.theta = nodes[i].top;
				nodes[i].flags |= FILCHI_DD_NODE_CUTSET;
			}
		}
		bottom[i] = s.bottom;
		theta[i] = s.theta;
	}
}

/*
 * The last row has no arcs. If it is the end, a path to it ends there: it does not beat the best value if its own value
 * does not. Else the row has no nodes, or the compile has stopped before it.
 */
static void do_last(struct filchi_dd_work *w, int64_t best)
{
	const struct filchi_dd_row *r = filchi_dd_row(w, w->row_count - 1);
	const struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);

	for (uint32_t i = 0; i < r->count; i++) {
		filchi_dd_words(&w->bottoms)[r->node + i] = 0;
		filchi_dd_words(&w->lower)[r->node + i] =
			nodes[i].flags & FILCHI_DD_NODE_EXACT ? best : FILCHI_DD_INFINITE;
	}
}

int filchi_dd_bottom_up(struct filchi_dd_work *w)
{
	int64_t best = w->best > w->solid ? w->best : w->solid;

	if (filchi_dd_need(w->memory, &w->bottoms, w->node_count, sizeof(int64_t)) ||
	    filchi_dd_need(w->memory, &w->lower, w->node_count, sizeof(int64_t)))
		return -ENOMEM;
	do_last(w, best);
	for (int row = w->row_count - 2; row >= 0; row--)
		do_row(w, row, best);
	return 0;
}

static size_t log_size(const struct filchi_dd_work *w)
{
	return sizeof(struct filchi_dd_logged) + w->model->stride;
}

/* A threshold that finds no memory is lost. */
static void keep(struct filchi_dd_work *w, const struct filchi_dd_logged *entry, const unsigned char *state)
{
	struct filchi_dd_logged *to;

	if (!w->defer) {
		filchi_dd_cache_put(w->cache, entry->depth, state, entry->hash, entry->theta, entry->explored);
		return;
	}
	if (filchi_dd_need(w->memory, &w->log, w->log_count + 1, log_size(w)))
		return;
	to = (struct filchi_dd_logged *)(void *)(w->log.data + w->log_count++ * log_size(w));
	*to = *entry;
	memcpy(to->state, state, w->model->stride);
}

void filchi_dd_publish(struct filchi_dd_work *w, struct filchi_dd_cache *cache, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++) {
		const struct filchi_dd_logged *e = (const struct filchi_dd_logged *)(void *)(w->log.data + i * log_size(w));

		filchi_dd_cache_put(cache, e->depth, e->state, e->hash, e->theta, e->explored);
	}
}

/*
 * With the last exact layer as cutset, only nodes down to it count. If a state stays the same in the next layer, only its
 * last node counts: the nodes before it rely on it, so their thresholds must not say that it is explored.
 */
void filchi_dd_learn(struct filchi_dd_work *w)
{
	int rows = w->row_count - 1;

	if (!w->cache)
		return;
	if (w->use_layer && w->cut_row)
		rows = w->cut_row;
	for (int row = 0; row < rows; row++) {
		const struct filchi_dd_row *r = filchi_dd_row(w, row);
		const struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);

		for (uint32_t i = 0; i < r->count; i++) {
			struct filchi_dd_logged entry = {.theta = filchi_dd_words(&w->lower)[r->node + i],
							 .hash = nodes[i].hash,
							 .depth = w->depth + row,
							 .explored = !(nodes[i].flags & FILCHI_DD_NODE_CUTSET)};

			if (!(nodes[i].flags & FILCHI_DD_NODE_EXACT) || entry.theta < nodes[i].top)
				continue;
			if (!(nodes[i].flags & FILCHI_DD_NODE_STAYS) || nodes[i].flags & FILCHI_DD_NODE_CUTSET)
				keep(w, &entry, filchi_dd_state(w, r->node + i));
		}
	}
}
