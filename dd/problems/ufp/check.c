/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value of a matching, by shortest augmenting paths. It shares nothing with the solver.
 *
 * Matched arcs become neighbours: the head of the one is the tail of the other. An arc with a negative cost is first
 * filled, and then paths of least cost bring back what is too much. The paths of one search form a tree. Flow along any
 * of them leaves no circle of negative cost, because no link of the tree is longer than the difference of the distances.
 */
#include "ufp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FAR INT64_MAX

/* A link of the residual network. Its reverse has the number ^ 1. */
struct link {
	uint32_t to, next; /* next: of the same node */
	int64_t cost, left;
};

struct residual {
	size_t nodes, links;
	struct link *link;
	uint32_t *first; /* by node; UINT32_MAX: none */
	int64_t *excess, *distance;
	uint32_t *via, *queue; /* link that leads to the node on its path; ring of nodes to look at */
	bool *queued;
};

static int residual_alloc(struct residual *r, size_t nodes, size_t links)
{
	*r = (struct residual){.nodes = nodes};
	r->link = calloc(links + 1, sizeof(*r->link));
	r->first = calloc(nodes, sizeof(*r->first));
	r->excess = calloc(nodes, sizeof(*r->excess));
	r->distance = calloc(nodes, sizeof(*r->distance));
	r->via = calloc(nodes, sizeof(*r->via));
	r->queue = calloc(nodes, sizeof(*r->queue));
	r->queued = calloc(nodes, sizeof(*r->queued));
	return r->link && r->first && r->excess && r->distance && r->via && r->queue && r->queued ? 0 : -ENOMEM;
}

static void residual_free(struct residual *r)
{
	free(r->link);
	free(r->first);
	free(r->excess);
	free(r->distance);
	free(r->via);
	free(r->queue);
	free(r->queued);
}

static void add(struct residual *r, uint32_t from, uint32_t to, int64_t cost, int64_t left)
{
	r->link[r->links] = (struct link){to, r->first[from], cost, left};
	r->first[from] = (uint32_t)r->links++;
}

/* Adds a link with its reverse. A negative cost: the link is full. Returns its cost so far. */
static int64_t add_both(struct residual *r, uint32_t from, uint32_t to, int64_t cost, int64_t capacity)
{
	bool full = cost < 0;

	add(r, from, to, cost, full ? 0 : capacity);
	add(r, to, from, -cost, full ? capacity : 0);
	if (!full)
		return 0;
	r->excess[from] -= capacity;
	r->excess[to] += capacity;
	return cost * capacity;
}

/* Least distances from all nodes that have too much. */
static void find_paths(struct residual *r)
{
	size_t front = 0, count = 0;

	for (uint32_t v = 0; v < r->nodes; v++) {
		r->distance[v] = r->excess[v] > 0 ? 0 : FAR;
		r->via[v] = UINT32_MAX;
		r->queued[v] = r->excess[v] > 0;
		if (r->queued[v])
			r->queue[count++] = v;
	}
	while (count) {
		uint32_t v = r->queue[front];

		front = (front + 1) % r->nodes;
		count--;
		r->queued[v] = false;
		for (uint32_t a = r->first[v]; a != UINT32_MAX; a = r->link[a].next) {
			const struct link *l = &r->link[a];

			if (!l->left || r->distance[v] + l->cost >= r->distance[l->to])
				continue;
			r->distance[l->to] = r->distance[v] + l->cost;
			r->via[l->to] = a;
			if (!r->queued[l->to])
				r->queue[(front + count++) % r->nodes] = l->to;
			r->queued[l->to] = true;
		}
	}
}

/* Sends as much as possible along the path to the end, perhaps nothing. Returns the cost. */
static int64_t augment(struct residual *r, uint32_t end)
{
	int64_t amount = -r->excess[end], cost = r->distance[end];
	uint32_t v = end;

	for (; r->via[v] != UINT32_MAX; v = r->link[r->via[v] ^ 1].to)
		amount = r->link[r->via[v]].left < amount ? r->link[r->via[v]].left : amount;
	amount = r->excess[v] < amount ? r->excess[v] : amount;
	r->excess[v] -= amount;
	r->excess[end] += amount;
	for (v = end; r->via[v] != UINT32_MAX; v = r->link[r->via[v] ^ 1].to) {
		r->link[r->via[v]].left -= amount;
		r->link[r->via[v] ^ 1].left += amount;
	}
	return cost * amount;
}

/* Nodes: those of the instance, then one root, then two for each arc: its ends at nodes in Q. */
static int64_t best_reward(struct residual *r, const struct filchi_ufp *u, const int32_t *solution, size_t scenario)
{
	uint32_t root = (uint32_t)u->nodes;
	int64_t cost = 0;
	bool again = true;

	r->links = 0;
	memset(r->first, 0xff, r->nodes * sizeof(*r->first));
	memset(r->excess, 0, r->nodes * sizeof(*r->excess));
	for (size_t v = 0; v < u->nodes; v++) {
		add_both(r, root, (uint32_t)v, 0, u->supply[v]);
		add_both(r, (uint32_t)v, root, 0, filchi_ufp_demand(u, scenario, v));
	}
	for (size_t a = 0; a < u->arcs; a++) {
		const struct filchi_ufp_arc *arc = &u->arc[a];
		uint32_t from = u->in_q[arc->tail] ? root + 1 + 2 * (uint32_t)a : arc->tail;
		uint32_t to = u->in_q[arc->head] ? root + 2 + 2 * (uint32_t)a : arc->head;

		if (u->in_q[arc->head] && solution[a] >= 0)
			to = root + 1 + 2 * (uint32_t)solution[a];
		cost += add_both(r, from, to, -arc->reward, arc->capacity);
	}
	while (again) {
		find_paths(r);
		again = false;
		for (uint32_t v = 0; v < r->nodes; v++)
			if (r->excess[v] < 0 && r->distance[v] < FAR) {
				cost += augment(r, v);
				again = true;
			}
	}
	return -cost;
}

static int check_matching(const struct filchi_ufp *u, const int32_t *solution, bool *taken,
			  struct filchi_check_error *error)
{
	for (size_t a = 0; a < u->arcs; a++) {
		int32_t b = solution[a];

		if (b == -1)
			continue;
		if (b < 0 || (size_t)b >= u->arcs)
			return filchi_check_fail(error, "number %zu is %d, not -1 or an arc", a, b);
		if (!u->in_q[u->arc[a].head])
			return filchi_check_fail(error, "arc %zu is matched, but its head is not in Q", a);
		if (u->arc[b].tail != u->arc[a].head)
			return filchi_check_fail(error, "arc %zu is matched with arc %d, which does not leave its head", a, b);
		if (taken[b])
			return filchi_check_fail(error, "arc %d is matched twice", b);
		taken[b] = true;
	}
	return 0;
}

int filchi_ufp_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
		     struct filchi_check_error *error)
{
	const struct filchi_ufp *u = instance;
	bool *taken = calloc(u->arcs + 1, sizeof(*taken));
	struct residual r;
	int err = residual_alloc(&r, u->nodes + 1 + 2 * u->arcs, 4 * u->nodes + 2 * u->arcs);

	if (err || !taken)
		err = filchi_check_fail(error, "no memory for the check");
	if (!err)
		err = filchi_check_count(error, count, u->arcs);
	if (!err)
		err = check_matching(u, solution, taken, error);
	if (!err)
		*value = 0;
	for (size_t k = 0; !err && k < u->scenarios; k++)
		*value += best_reward(&r, u, solution, k);
	residual_free(&r);
	free(taken);
	return err;
}
