/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree is kept as its preorder, so that each subtree is one block of it. A pivot removes one link of the tree, whose
 * flow is outside of its bounds, and joins the two parts by another link. The ratio test passes links whose whole
 * capacity does not suffice: they go to their other bound (long steps).
 *
 * Costs are whole numbers, so potentials are whole numbers, too, and exact. Flows are exact for whole capacities.
 */
#include "flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-7 /* of flows; far below 1, so that whole flows are exact */
#define RELATIVE 1e-12 /* of the largest capacity */
#define TOLERANCE_MOST 0.25 /* a whole flow outside of its bounds is outside by 1 */

/* The tree of artificial links. */
static void reset(struct filchi_ufp_flow *f)
{
	size_t nodes = f->n->nodes, links = f->n->links;

	memset(f->potential, 0, nodes * sizeof(*f->potential));
	memset(f->parent, 0, nodes * sizeof(*f->parent));
	memset(f->in_tree, 0, links);
	for (uint32_t v = 0; v < nodes; v++) {
		f->order[v] = f->place[v] = v;
		f->size[v] = v ? 1 : (uint32_t)nodes;
		f->link[v] = (uint32_t)links + v;
		f->in_tree[links + v] = 1;
	}
}

int filchi_ufp_flow_init(struct filchi_ufp_flow *f, const struct filchi_ufp_network *n)
{
	size_t nodes = n->nodes, links = n->links;

	*f = (struct filchi_ufp_flow){.n = n, .random = 0x9e3779b97f4a7c15u};
	f->potential = calloc(nodes, sizeof(*f->potential));
	f->excess = calloc(nodes, sizeof(*f->excess));
	f->flow = calloc(nodes, sizeof(*f->flow));
	f->parent = calloc(nodes, sizeof(*f->parent));
	f->link = calloc(nodes, sizeof(*f->link));
	f->order = calloc(nodes, sizeof(*f->order));
	f->place = calloc(nodes, sizeof(*f->place));
	f->size = calloc(nodes, sizeof(*f->size));
	f->spare = calloc(nodes, sizeof(*f->spare));
	f->upper = calloc(links + nodes, 1);
	f->in_tree = calloc(links + nodes, 1);
	f->candidate = calloc(links + 1, sizeof(*f->candidate));
	f->ratio = calloc(links + 1, sizeof(*f->ratio));
	if (!f->potential || !f->excess || !f->flow || !f->parent || !f->link || !f->order || !f->place || !f->size ||
	    !f->spare || !f->upper || !f->in_tree || !f->candidate || !f->ratio) {
		filchi_ufp_flow_end(f);
		return -ENOMEM;
	}
	reset(f);
	return 0;
}

void filchi_ufp_flow_end(struct filchi_ufp_flow *f)
{
	free(f->potential);
	free(f->excess);
	free(f->flow);
	free(f->parent);
	free(f->link);
	free(f->order);
	free(f->place);
	free(f->size);
	free(f->spare);
	free(f->upper);
	free(f->in_tree);
	free(f->candidate);
	free(f->ratio);
	*f = (struct filchi_ufp_flow){0};
}

static inline double capacity_of(const struct filchi_ufp_flow *f, uint32_t link)
{
	return link < f->n->links ? f->capacity[link] : 0;
}

/* Its link leads from v to the parent. An artificial link leads from the root to the node. */
static inline bool leads_up(const struct filchi_ufp_flow *f, uint32_t v)
{
	uint32_t link = f->link[v];

	if (link < f->n->links)
		return f->n->tail[link] == v;
	return link - f->n->links != v;
}

static inline bool below(const struct filchi_ufp_flow *f, uint32_t v, uint32_t top)
{
	return f->place[v] - f->place[top] < f->size[top];
}

static inline uint32_t next_random(struct filchi_ufp_flow *f)
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return (uint32_t)(f->random >> 32);
}

/* Each link outside of the tree goes to the bound that its reduced cost asks for. The tree carries the rest. */
static void start(struct filchi_ufp_flow *f)
{
	const struct filchi_ufp_network *n = f->n;

	double most = 0;

	memset(f->excess, 0, n->nodes * sizeof(*f->excess));
	for (size_t a = 0; a < n->links; a++) {
		double reduced = n->cost[a] + f->potential[n->tail[a]] - f->potential[n->head[a]];

		f->upper[a] = reduced < 0;
		most = f->capacity[a] > most ? f->capacity[a] : most;
		if (reduced >= 0 || f->in_tree[a])
			continue;
		f->excess[n->tail[a]] -= f->capacity[a];
		f->excess[n->head[a]] += f->capacity[a];
	}
	f->tolerance = TOLERANCE + RELATIVE * most;
	f->tolerance = f->tolerance < TOLERANCE_MOST ? f->tolerance : TOLERANCE_MOST;
	for (size_t i = n->nodes; --i > 0;) {
		uint32_t v = f->order[i];

		f->flow[v] = leads_up(f, v) ? f->excess[v] : -f->excess[v];
		f->excess[f->parent[v]] += f->excess[v];
	}
}

/* How far the flow of the link of v is outside of its bounds. Positive: above its capacity. */
static inline double violation(const struct filchi_ufp_flow *f, uint32_t v)
{
	double over = f->flow[v] - capacity_of(f, f->link[v]);

	return f->flow[v] < -f->tolerance ? f->flow[v] : over > f->tolerance ? over : 0;
}

/* The node whose link leaves the tree; 0: none. */
static uint32_t choose_leaving(struct filchi_ufp_flow *f, bool at_random)
{
	double most = 0;
	uint32_t chosen = 0, seen = 0;

	for (uint32_t v = 1; v < f->n->nodes; v++) {
		double amount = violation(f, v);

		amount = amount < 0 ? -amount : amount;
		if (amount > 0 && at_random ? next_random(f) % ++seen == 0 : amount > most) {
			most = amount;
			chosen = v;
		}
	}
	return chosen;
}

/* Adds flow to the tree's path from one node to another. */
static void push(struct filchi_ufp_flow *f, uint32_t from, uint32_t to, double amount)
{
	for (; !below(f, to, from); from = f->parent[from])
		f->flow[from] += leads_up(f, from) ? amount : -amount;
	for (; to != from; to = f->parent[to])
		f->flow[to] += leads_up(f, to) ? -amount : amount;
}

/* Lists the links of one node that could take over flow: see list_candidates(). */
static size_t look_at(struct filchi_ufp_flow *f, uint32_t node, uint32_t v, int sign, size_t count)
{
	const struct filchi_ufp_network *n = f->n;

	for (uint32_t i = n->first[node]; i < n->first[node + 1]; i++) {
		uint32_t a = n->incident[i];
		bool from = below(f, n->tail[a], v);
		double reduced;

		if (f->capacity[a] <= 0 || from == below(f, n->head[a], v) || f->in_tree[a] ||
		    (from == (sign > 0)) == f->upper[a])
			continue;
		reduced = n->cost[a] + f->potential[n->tail[a]] - f->potential[n->head[a]];
		f->candidate[count] = a;
		f->ratio[count++] = reduced < 0 ? -reduced : reduced;
	}
	return count;
}

/*
 * Links that could take over flow: out of the subtree of v (sign 1), or into it (sign -1). Only the smaller one of the
 * two parts of the tree is looked at. Returns their number.
 */
static size_t list_candidates(struct filchi_ufp_flow *f, uint32_t v, int sign)
{
	uint32_t begin = f->place[v], end = begin + f->size[v], nodes = (uint32_t)f->n->nodes;
	size_t count = 0;

	if (2 * f->size[v] <= nodes) {
		for (uint32_t i = begin; i < end; i++)
			count = look_at(f, f->order[i], v, sign, count);
		return count;
	}
	for (uint32_t i = 0; i < begin; i++)
		count = look_at(f, f->order[i], v, sign, count);
	for (uint32_t i = end; i < nodes; i++)
		count = look_at(f, f->order[i], v, sign, count);
	return count;
}

/* Puts the candidate with the least ratio first. */
static void take_least(struct filchi_ufp_flow *f, size_t first, size_t count, bool at_random)
{
	size_t least = first;
	uint32_t seen = 1, link;
	double ratio;

	for (size_t i = first + 1; i < count; i++) {
		if (f->ratio[i] < f->ratio[least]) {
			least = i;
			seen = 1;
		} else if (at_random && f->ratio[i] == f->ratio[least] && next_random(f) % ++seen == 0) {
			least = i;
		}
	}
	link = f->candidate[least];
	ratio = f->ratio[least];
	f->candidate[least] = f->candidate[first];
	f->ratio[least] = f->ratio[first];
	f->candidate[first] = link;
	f->ratio[first] = ratio;
}

/* The block of v leaves its place and follows node u. */
static void move_block(struct filchi_ufp_flow *f, uint32_t old, uint32_t total, uint32_t u)
{
	uint32_t at = f->place[u], low, high;

	if (at < old) {
		memmove(f->order + at + 1 + total, f->order + at + 1, (old - at - 1) * sizeof(*f->order));
		memcpy(f->order + at + 1, f->spare, total * sizeof(*f->order));
		low = at + 1;
		high = old + total;
	} else {
		memmove(f->order + old, f->order + old + total, (at + 1 - old - total) * sizeof(*f->order));
		memcpy(f->order + at + 1 - total, f->spare, total * sizeof(*f->order));
		low = old;
		high = at + 1;
	}
	for (uint32_t i = low; i < high; i++)
		f->place[f->order[i]] = i;
}

/* The subtree of v gets the root w and hangs below u, by this link with this flow. */
static void join(struct filchi_ufp_flow *f, uint32_t v, uint32_t w, uint32_t u, uint32_t link, double flow)
{
	uint32_t total = f->size[v], old = f->place[v], used = 0, parent = u, last = 0, last_place = 0, last_size = 0;

	for (uint32_t a = f->parent[v];; a = f->parent[a]) {
		f->size[a] -= total;
		if (!a)
			break;
	}
	for (uint32_t a = w;;) { /* the path from w to v turns round */
		uint32_t above = f->parent[a], place = f->place[a], size = f->size[a], its_link = f->link[a];
		double its_flow = f->flow[a];
		uint32_t head = used ? last_place - place : size;

		memcpy(f->spare + used, f->order + place, head * sizeof(*f->spare));
		used += head;
		if (last_size) {
			uint32_t tail = place + size - last_place - last_size;

			memcpy(f->spare + used, f->order + last_place + last_size, tail * sizeof(*f->spare));
			used += tail;
		}
		f->size[a] = last_size ? total - last_size : total;
		f->parent[a] = parent;
		f->link[a] = link;
		f->flow[a] = flow;
		last_place = place;
		last_size = size;
		last = a;
		if (a == v)
			break;
		parent = a;
		link = its_link;
		flow = its_flow;
		a = above;
	}
	(void)last;
	move_block(f, old, total, u);
	for (uint32_t a = u;; a = f->parent[a]) {
		f->size[a] += total;
		if (!a)
			break;
	}
}

/* The link of v leaves the tree. 0; -EDOM: no link can take over. */
static int pivot(struct filchi_ufp_flow *f, uint32_t v, bool at_random)
{
	const struct filchi_ufp_network *n = f->n;
	double amount = violation(f, v), shift, flow;
	bool high = amount > 0;
	int sign = leads_up(f, v) == high ? 1 : -1;
	size_t count = list_candidates(f, v, sign), i = 0;
	uint32_t link, leaving = f->link[v], old = f->place[v], total = f->size[v];

	amount = high ? amount : -amount;
	for (;; i++) {
		if (i == count)
			return -EDOM;
		take_least(f, i, count, at_random);
		link = f->candidate[i];
		if (f->capacity[link] >= amount - f->tolerance / 2)
			break;
		push(f, n->head[link], n->tail[link], f->upper[link] ? -f->capacity[link] : f->capacity[link]);
		f->upper[link] = !f->upper[link];
		amount -= f->capacity[link];
	}
	push(f, n->head[link], n->tail[link], f->upper[link] ? -amount : amount);
	flow = f->upper[link] ? f->capacity[link] - amount : amount;
	shift = n->cost[link] + f->potential[n->tail[link]] - f->potential[n->head[link]];
	shift = below(f, n->tail[link], v) ? -shift : shift;
	for (uint32_t at = old; at < old + total; at++)
		f->potential[f->order[at]] += shift;
	f->in_tree[leaving] = 0;
	f->upper[leaving] = high;
	f->in_tree[link] = 1;
	if (below(f, n->tail[link], v))
		join(f, v, n->tail[link], n->head[link], link, flow);
	else
		join(f, v, n->head[link], n->tail[link], link, flow);
	f->pivots++;
	return 0;
}

/* Pivots until all flows are within their bounds. 0; -EDOM. */
static int solve(struct filchi_ufp_flow *f)
{
	size_t usual = 20 * (f->n->nodes + f->n->links) + 100;

	start(f);
	/* Ties could make it go round in circles. Chance ends this. */
	for (size_t i = 0; i < 100 * usual; i++) {
		uint32_t v = choose_leaving(f, i > usual);
		int err = v ? pivot(f, v, i > usual) : 0;

		if (!v || err)
			return err;
	}
	return -EDOM;
}

int filchi_ufp_flow_solve(struct filchi_ufp_flow *f, const double *capacity)
{
	int err;

	f->capacity = capacity;
	err = solve(f);
	if (err) { /* once more from the beginning */
		reset(f);
		err = solve(f);
	}
	return err;
}
