/* SPDX-License-Identifier: Apache-2.0 */
#include "network.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_MAX ((size_t)1 << 27) /* capacities: one gigabyte */
#define EXACT_MAX 0x1p52	    /* sums of capacities: flows in doubles are whole numbers */

/* ---- pairs ---- */

static int list_arcs(struct filchi_ufp_network *n)
{
	const struct filchi_ufp *u = n->u;

	for (size_t a = 0; a < n->arcs; a++) {
		uint32_t at_head = n->q_of[u->arc[a].head], at_tail = n->q_of[u->arc[a].tail];

		if (at_head != FILCHI_UFP_NONE)
			n->place_in[a] = n->q[at_head].ins++;
		if (at_tail != FILCHI_UFP_NONE)
			n->place_out[a] = n->q[at_tail].outs++;
	}
	for (size_t i = 0; i < n->qs; i++) {
		struct filchi_ufp_q *q = &n->q[i];

		q->in = calloc(q->ins + (size_t)1, sizeof(*q->in));
		q->out = calloc(q->outs + (size_t)1, sizeof(*q->out));
		if (!q->in || !q->out)
			return -ENOMEM;
		q->pair = (uint32_t)n->pairs;
		n->pairs += (size_t)q->ins * q->outs;
		if (q->outs > 64 || n->pairs > TABLE_MAX / 64)
			return -ERANGE;
	}
	for (size_t a = 0; a < n->arcs; a++) {
		uint32_t at_head = n->q_of[u->arc[a].head], at_tail = n->q_of[u->arc[a].tail];

		if (at_head != FILCHI_UFP_NONE)
			n->q[at_head].in[n->place_in[a]] = (uint32_t)a;
		if (at_tail != FILCHI_UFP_NONE)
			n->q[at_tail].out[n->place_out[a]] = (uint32_t)a;
	}
	return 0;
}

static int list_pairs(struct filchi_ufp_network *n)
{
	size_t p = 0;

	n->pair = calloc(n->pairs + 1, sizeof(*n->pair));
	if (!n->pair)
		return -ENOMEM;
	for (uint32_t i = 0; i < n->qs; i++)
		for (uint32_t a = 0; a < n->q[i].ins; a++)
			for (uint32_t b = 0; b < n->q[i].outs; b++)
				n->pair[p++] = (struct filchi_ufp_pair){n->q[i].in[a], n->q[i].out[b], i};
	return 0;
}

/* ---- links ---- */

/* Numbers of the nodes of the network: of the ports, and of the nodes outside of Q. */
struct numbers {
	uint32_t *plain, *in_port, *out_port;
};

static void number_nodes(struct filchi_ufp_network *n, struct numbers *m)
{
	const struct filchi_ufp *u = n->u;
	uint32_t next = 1;

	for (size_t v = 0; v < u->nodes; v++)
		if (!u->in_q[v])
			m->plain[v] = next++;
	for (size_t a = 0; a < n->arcs; a++) {
		if (u->in_q[u->arc[a].head])
			m->in_port[a] = next++;
		if (u->in_q[u->arc[a].tail])
			m->out_port[a] = next++;
	}
	n->nodes = next;
}

static void add_link(struct filchi_ufp_network *n, uint32_t tail, uint32_t head, double cost)
{
	n->tail[n->links] = tail;
	n->head[n->links] = head;
	n->cost[n->links++] = cost;
}

static void make_links(struct filchi_ufp_network *n, const struct numbers *m)
{
	const struct filchi_ufp *u = n->u;

	for (size_t a = 0; a < n->arcs; a++) {
		const struct filchi_ufp_arc *arc = &u->arc[a];

		add_link(n, u->in_q[arc->tail] ? m->out_port[a] : m->plain[arc->tail],
			 u->in_q[arc->head] ? m->in_port[a] : m->plain[arc->head], -(double)arc->reward);
	}
	for (size_t p = 0; p < n->pairs; p++)
		add_link(n, m->in_port[n->pair[p].in], m->out_port[n->pair[p].out], 0);
	for (size_t v = 0; v < u->nodes; v++)
		if (!u->in_q[v]) {
			add_link(n, 0, m->plain[v], 0);
			add_link(n, m->plain[v], 0, 0);
		}
}

static int list_incident(struct filchi_ufp_network *n)
{
	n->first = calloc(n->nodes + 2, sizeof(*n->first));
	n->incident = calloc(2 * n->links + 1, sizeof(*n->incident));
	if (!n->first || !n->incident)
		return -ENOMEM;
	for (size_t a = 0; a < n->links; a++) {
		n->first[n->tail[a] + 2]++;
		n->first[n->head[a] + 2]++;
	}
	for (size_t v = 2; v < n->nodes + 2; v++)
		n->first[v] += n->first[v - 1];
	for (uint32_t a = 0; a < n->links; a++) {
		n->incident[n->first[n->tail[a] + 1]++] = a;
		n->incident[n->first[n->head[a] + 1]++] = a;
	}
	return 0;
}

static int number_and_link(struct filchi_ufp_network *n)
{
	size_t room = n->arcs + n->pairs + 2 * n->u->nodes + 1;
	struct numbers m = {calloc(n->u->nodes + 1, sizeof(uint32_t)), calloc(n->arcs + 1, sizeof(uint32_t)),
			    calloc(n->arcs + 1, sizeof(uint32_t))};
	bool good;

	n->tail = calloc(room, sizeof(*n->tail));
	n->head = calloc(room, sizeof(*n->head));
	n->cost = calloc(room, sizeof(*n->cost));
	good = n->tail && n->head && n->cost && m.plain && m.in_port && m.out_port;
	if (good) {
		number_nodes(n, &m);
		make_links(n, &m);
	}
	free(m.plain);
	free(m.in_port);
	free(m.out_port);
	return good ? list_incident(n) : -ENOMEM;
}

/* ---- capacities ---- */

/* The sum, or at a node in Q the largest, of the capacities of arcs into and out of each node. */
static void sum_up(const struct filchi_ufp_network *n, const double *capacity, double *into, double *out_of)
{
	const struct filchi_ufp *u = n->u;

	memset(into, 0, u->nodes * sizeof(*into));
	memset(out_of, 0, u->nodes * sizeof(*out_of));
	for (size_t a = 0; a < n->arcs; a++) {
		double *to = &into[u->arc[a].head], *from = &out_of[u->arc[a].tail];

		*to = u->in_q[u->arc[a].head] ? (capacity[a] > *to ? capacity[a] : *to) : *to + capacity[a];
		*from = u->in_q[u->arc[a].tail] ? (capacity[a] > *from ? capacity[a] : *from) : *from + capacity[a];
	}
}

/*
 * Lowers capacities that no flow can use: what leaves a node has come into it or is its supply, what comes into it
 * leaves it or is its demand. An arc at a node in Q carries at most what one arc of the other side can carry.
 */
static void tighten(const struct filchi_ufp_network *n, size_t scenario, double *capacity, double *into, double *out_of)
{
	const struct filchi_ufp *u = n->u;
	bool changed = true;

	/* Each round costs one pass. A long chain may need as many as it has arcs, and cycles converge slowly. */
	for (size_t round = 0; changed && round < 2 * u->nodes + 8; round++) {
		changed = false;
		sum_up(n, capacity, into, out_of);
		for (size_t a = 0; a < n->arcs; a++) {
			uint32_t tail = u->arc[a].tail, head = u->arc[a].head;
			double from = into[tail] + (double)u->supply[tail];
			double to = out_of[head] + (double)filchi_ufp_demand(u, scenario, head);
			double most = from < to ? from : to;

			changed |= most < capacity[a];
			capacity[a] = most < capacity[a] ? most : capacity[a];
		}
	}
}

/* Returns the sum of the capacities of arcs, supply and demand. */
static double fill_in(struct filchi_ufp_network *n, size_t k, double *into, double *out_of)
{
	const struct filchi_ufp *u = n->u;
	double *capacity = n->capacity + k * n->links, *rest = capacity + n->arcs + n->pairs, sum = 0;

	for (size_t a = 0; a < n->arcs; a++)
		capacity[a] = (double)u->arc[a].capacity;
	tighten(n, k, capacity, into, out_of);
	for (size_t a = 0; a < n->arcs; a++)
		sum += capacity[a];
	for (size_t p = 0; p < n->pairs; p++) {
		double a = capacity[n->pair[p].in], b = capacity[n->pair[p].out], least = a < b ? a : b;

		capacity[n->arcs + p] = least;
		n->limit[p] = least > n->limit[p] ? least : n->limit[p];
	}
	for (size_t v = 0; v < u->nodes; v++)
		if (!u->in_q[v]) {
			*rest++ = (double)u->supply[v];
			*rest++ = (double)filchi_ufp_demand(u, k, v);
			sum += rest[-1] + rest[-2];
		}
	return sum;
}

static int make_capacities(struct filchi_ufp_network *n)
{
	double *into = calloc(n->u->nodes, sizeof(*into)), *out_of = calloc(n->u->nodes, sizeof(*out_of));
	double most = 0;
	bool good;

	if (n->links * n->scenarios > TABLE_MAX) {
		free(into);
		free(out_of);
		return -ERANGE;
	}
	n->capacity = calloc(n->links * n->scenarios + 1, sizeof(*n->capacity));
	n->limit = calloc(n->pairs + 1, sizeof(*n->limit));
	good = into && out_of && n->capacity && n->limit;
	for (size_t k = 0; good && k < n->scenarios; k++)
		most = fmax(most, fill_in(n, k, into, out_of));
	free(into);
	free(out_of);
	return !good ? -ENOMEM : most > EXACT_MAX ? -ERANGE : 0;
}

int filchi_ufp_network_make(struct filchi_ufp_network *n, const struct filchi_ufp *u)
{
	int err = 0;

	*n = (struct filchi_ufp_network){.u = u, .arcs = u->arcs, .scenarios = u->scenarios};
	n->q = calloc(u->in_q_count + 1, sizeof(*n->q));
	n->q_of = calloc(u->nodes, sizeof(*n->q_of));
	n->place_in = calloc(u->arcs + 1, sizeof(*n->place_in));
	n->place_out = calloc(u->arcs + 1, sizeof(*n->place_out));
	if (!n->q || !n->q_of || !n->place_in || !n->place_out)
		err = -ENOMEM;
	for (size_t v = 0; !err && v < u->nodes; v++) {
		n->q_of[v] = u->in_q[v] ? (uint32_t)n->qs : FILCHI_UFP_NONE;
		if (u->in_q[v])
			n->q[n->qs++].node = (uint32_t)v;
	}
	if (!err)
		err = list_arcs(n);
	if (!err)
		err = list_pairs(n);
	if (!err)
		err = number_and_link(n);
	if (!err)
		err = make_capacities(n);
	if (err)
		filchi_ufp_network_destroy(n);
	return err;
}

void filchi_ufp_network_destroy(struct filchi_ufp_network *n)
{
	for (size_t i = 0; n->q && i < n->qs; i++) {
		free(n->q[i].in);
		free(n->q[i].out);
	}
	free(n->q);
	free(n->q_of);
	free(n->place_in);
	free(n->place_out);
	free(n->pair);
	free(n->tail);
	free(n->head);
	free(n->cost);
	free(n->first);
	free(n->incident);
	free(n->capacity);
	free(n->limit);
	*n = (struct filchi_ufp_network){0};
}
