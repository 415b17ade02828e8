/* SPDX-License-Identifier: Apache-2.0 */
/* Explores an open node: bound, filter, diagram, children. */
#include "explore.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WIDTH 8 /* of the diagram of the root that gives a first solution, if there are no others */

struct filchi_ufp_node *filchi_ufp_node_new(const struct filchi_ufp_solver *s)
{
	return calloc(1, sizeof(struct filchi_ufp_node) + s->words * sizeof(uint64_t));
}

static struct filchi_ufp_node *node_of(struct filch_node *node)
{
	return FILCH_CONTAINER_OF(node, struct filchi_ufp_node, node);
}

/* ---- children ---- */

/* Adds a child with these pairs. number: which of the answers; bits: how many bits it takes. */
static int add_child(struct filchi_ufp_worker *w, const uint64_t *allowed, int64_t bound, uint64_t number, unsigned bits)
{
	const struct filchi_ufp_node *parent = w->open;
	struct filchi_ufp_node *child = filchi_ufp_node_new(w->s);

	if (!child)
		return -ENOMEM;
	memcpy(child->allowed, allowed, w->s->words * sizeof(*allowed));
	filchi_ufp_clean(&w->s->n, child->allowed);
	child->bound = bound < parent->bound ? bound : parent->bound;
	child->affinity = parent->affinity;
	child->depth = parent->depth + bits;
	if (child->depth <= 64)
		child->affinity |= (number & (((uint64_t)1 << bits) - 1)) << (64 - child->depth);
	filch_batch_add(w->children, &child->node);
	return 0;
}

static int add_cutset_node(void *arg, const uint64_t *allowed, int64_t bound)
{
	struct filchi_ufp_worker *w = arg;

	return add_child(w, allowed, bound, w->children->count, 4);
}

/* Allowed pairs that share an arc with this pair. Removes them from a set, if it is not NULL. Returns their number. */
static size_t rivals(const struct filchi_ufp_network *n, const uint64_t *allowed, size_t pair, uint64_t *remove)
{
	const struct filchi_ufp_q *q = &n->q[n->pair[pair].q];
	uint32_t in = n->place_in[n->pair[pair].in], out = n->place_out[n->pair[pair].out];
	size_t count = 0;

	for (uint32_t i = 0; i < q->ins + q->outs; i++) {
		size_t p = i < q->ins ? q->pair + (size_t)i * q->outs + out
				      : q->pair + (size_t)in * q->outs + (i - q->ins);

		if (p == pair || !filchi_bit_test(allowed, p))
			continue;
		count++;
		if (remove)
			filchi_bit_clear(remove, p);
	}
	return count;
}

/* The pair that is split most. pairs: none has a rival. */
static size_t choose_pair(const struct filchi_ufp_worker *w)
{
	const struct filchi_ufp_network *n = &w->s->n;
	size_t chosen = n->pairs;
	double most = -1;

	for (size_t p = 0; p < n->pairs; p++) {
		double score = fmin(w->relax.matched[p], 1 - w->relax.matched[p]) +
			       1e-9 * w->relax.cut.gain[p] / w->relax.top;

		if (score > most && filchi_bit_test(w->open->allowed, p) && rivals(n, w->open->allowed, p, NULL)) {
			most = score;
			chosen = p;
		}
	}
	return chosen;
}

/* Two children: with the pair, and without it. A node without a choice has one matching, the best of all below it. */
static int branch(struct filchi_ufp_worker *w)
{
	size_t pair = choose_pair(w), size = w->s->words * sizeof(uint64_t);
	uint64_t *allowed;
	int64_t bound;
	int err;

	if (pair == w->s->n.pairs)
		return filchi_ufp_round(w, w->relax.matched);
	allowed = malloc(size);
	if (!allowed)
		return -ENOMEM;
	memcpy(allowed, w->open->allowed, size);
	(void)rivals(&w->s->n, w->open->allowed, pair, allowed);
	bound = filchi_ufp_floor(filchi_ufp_relax_with(&w->relax, pair));
	err = add_child(w, allowed, bound, 1, 1);
	memcpy(allowed, w->open->allowed, size);
	filchi_bit_clear(allowed, pair);
	if (!err)
		err = add_child(w, allowed, w->open->bound, 0, 1);
	free(allowed);
	return err;
}

/* ---- diagrams ---- */

/* The cut of the relaxation, and the cuts that it needs most; then the newest ones. */
static void choose_cuts(struct filchi_ufp_worker *w)
{
	struct filchi_ufp_master *m = &w->master;
	const struct filchi_ufp_relax *r = &w->relax;
	size_t cuts = r->whole ? 0 : filchi_ufp_relax_cuts(r), chosen[FILCHI_UFP_MASTER_CUTS];
	double weight[FILCHI_UFP_MASTER_CUTS];

	m->cuts = 1;
	m->cut[0] = &r->cut;
	for (size_t i = 0; i < cuts; i++) {
		double mine = filchi_ufp_relax_weight(r, i) + 1e-12 * (double)i;
		size_t at = FILCHI_UFP_MASTER_CUTS - 1;

		if (m->cuts == FILCHI_UFP_MASTER_CUTS && weight[at] >= mine)
			continue;
		if (m->cuts < FILCHI_UFP_MASTER_CUTS)
			at = m->cuts++;
		for (; at > 1 && weight[at - 1] < mine; at--) {
			weight[at] = weight[at - 1];
			chosen[at] = chosen[at - 1];
		}
		weight[at] = mine;
		chosen[at] = i;
	}
	for (size_t k = 1; k < m->cuts; k++) {
		filchi_ufp_relax_row(r, chosen[k], &w->row[k]);
		m->cut[k] = &w->row[k];
	}
}

/*
 * The bound of the diagram, and its best path as a solution. 1: the node is closed. With a cutset the children come from
 * the diagram, if it is relaxed.
 */
static int compile(struct filchi_ufp_worker *w, int kind, size_t width)
{
	bool by_cutset = w->s->opt.cutset && kind == FILCH_DD_RELAXED, exact;
	int64_t bound, value;
	int err;

	choose_cuts(w);
	err = filchi_ufp_master_compile(&w->master, w->open->allowed, w->relax.matched, kind, width, w->s->opt.cutset,
					w->best, &bound, w->rounded, &exact, by_cutset ? add_cutset_node : NULL, w);
	if (err)
		return err;
	if (bound <= w->best) /* no path: a restricted diagram may have dropped it */
		return exact || kind == FILCH_DD_RELAXED;
	err = filchi_ufp_offer(w, w->rounded, &value);
	if (err)
		return err;
	if (kind == FILCH_DD_RELAXED || exact)
		w->open->bound = bound < w->open->bound ? bound : w->open->bound;
	return w->open->bound <= w->best;
}

/* Pairs that no better solution has go. */
static void filter(struct filchi_ufp_worker *w)
{
	for (size_t p = 0; p < w->s->n.pairs; p++)
		if (filchi_bit_test(w->open->allowed, p) &&
		    filchi_ufp_floor(filchi_ufp_relax_with(&w->relax, p)) <= w->best)
			filchi_bit_clear(w->open->allowed, p);
	filchi_ufp_clean(&w->s->n, w->open->allowed);
}

int filchi_ufp_explore(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children,
		       void *arg)
{
	struct filchi_ufp_solver *s = arg;
	struct filchi_ufp_worker *w = filch_search_local(worker);
	bool root = !node_of(node)->depth;
	int closed;

	w->worker = worker;
	w->open = node_of(node);
	w->children = children;
	/* Nodes in parallel are better. But as long as others have none, they may have scenarios. */
	w->pool = filch_search_idle(s->search) ? s->opt.pool : NULL;
	closed = filchi_ufp_bound(w);
	if (!closed)
		filter(w);
	if (!closed && root)
		closed = compile(w, FILCH_DD_RESTRICTED, s->width ? 4 * s->width : FIRST_WIDTH);
	if (!closed && s->width)
		closed = compile(w, FILCH_DD_RELAXED, s->width);
	if (!closed && !children->count)
		closed = branch(w);
	if (closed < 0)
		return closed;
	free(w->open);
	return 0;
}
