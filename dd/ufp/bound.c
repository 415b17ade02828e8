/* SPDX-License-Identifier: Apache-2.0 */
/* The bound of an open node by linear relaxation and cuts, and solutions by rounding. */
#define _POSIX_C_SOURCE 200809L
#include "explore.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CUTS_MOST 250u	/* of a worker; then those without use go */
#define CORE 1e-3	/* share of the core point in the point of a cut */
#define ROUNDS_FIRST 150u /* of cuts, for a worker without cuts */
#define ROUNDS 1u
#define STALL_FIRST 8u	/* rounds that gain less than GAIN_FIRST of the gap */
#define GAIN_FIRST 0.01
#define MEMORY 0.7	/* of the moving mean of points */

int64_t filchi_ufp_floor(double bound)
{
	return (int64_t)floor(fmin(bound + 1e-6 + 1e-13 * fabs(bound), 0x1p60));
}

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool late(const struct filchi_ufp_worker *w)
{
	return w->s->deadline_ns && clock_ns() >= w->s->deadline_ns;
}

bool filchi_ufp_must_end(void *worker)
{
	const struct filchi_ufp_worker *w = worker;

	return filch_search_poll(w->worker) || late(w);
}

int filchi_ufp_poll(struct filchi_ufp_worker *w)
{
	union filch_search_value value;

	if (filch_search_poll(w->worker))
		return -ECANCELED;
	if (late(w))
		return -ETIME;
	w->best = filch_search_best(w->s->search, w->worker, &value) ? value.i : -1;
	return 0;
}

void filchi_ufp_clean(const struct filchi_ufp_network *n, uint64_t *allowed)
{
	const struct filchi_ufp_arc *arc = n->u->arc;
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t a = 0; a < n->arcs; a++) {
			uint32_t from = n->q_of[arc[a].tail], to = n->q_of[arc[a].head];
			const struct filchi_ufp_q *at_tail = &n->q[from], *at_head = &n->q[to];
			bool in = false, out = false;

			if (from == FILCHI_UFP_NONE || to == FILCHI_UFP_NONE)
				continue;
			for (uint32_t i = 0; i < at_tail->ins; i++)
				in |= filchi_bit_test(allowed, at_tail->pair + (size_t)i * at_tail->outs + n->place_out[a]);
			for (uint32_t j = 0; j < at_head->outs; j++)
				out |= filchi_bit_test(allowed, at_head->pair + (size_t)n->place_in[a] * at_head->outs + j);
			if (in == out)
				continue;
			changed = true;
			for (uint32_t i = 0; in && i < at_tail->ins; i++)
				filchi_bit_clear(allowed, at_tail->pair + (size_t)i * at_tail->outs + n->place_out[a]);
			for (uint32_t j = 0; out && j < at_head->outs; j++)
				filchi_bit_clear(allowed, at_head->pair + (size_t)n->place_in[a] * at_head->outs + j);
		}
	}
}

/* ---- solutions ---- */

static int offer_value(struct filchi_ufp_worker *w, const double *matched, int64_t value)
{
	const struct filchi_ufp_network *n = &w->s->n;
	int32_t *solution = malloc((n->arcs + 1) * sizeof(*solution));
	int taken;

	if (!solution)
		return -ENOMEM;
	for (size_t a = 0; a < n->arcs; a++)
		solution[a] = -1;
	for (size_t p = 0; p < n->pairs; p++)
		if (matched[p] > 0)
			solution[n->pair[p].in] = (int32_t)n->pair[p].out;
	taken = filch_search_improve(w->s->search, w->worker, (union filch_search_value){.i = value}, solution);
	if (taken != 1)
		free(solution);
	if (taken == 1)
		w->best = value;
	return taken < 0 ? taken : 0;
}

int filchi_ufp_offer(struct filchi_ufp_worker *w, const double *matched, int64_t *value)
{
	int err = filchi_ufp_evaluate(&w->evaluator, matched, w->pool, &w->cut);

	*value = err ? -1 : llround(filchi_ufp_cut_at(&w->cut, matched, w->s->n.pairs));
	if (err || *value <= w->best)
		return err;
	return offer_value(w, matched, *value);
}

int filchi_ufp_round(struct filchi_ufp_worker *w, const double *weight)
{
	const struct filchi_ufp_network *n = &w->s->n;
	size_t count = 0;
	int64_t value;

	for (uint32_t p = 0; p < n->pairs; p++) {
		size_t at = count;

		w->rounded[p] = 0;
		if (!filchi_bit_test(w->open->allowed, p))
			continue;
		for (; at && weight[w->order[at - 1]] < weight[p]; at--)
			w->order[at] = w->order[at - 1];
		w->order[at] = p;
		count++;
	}
	memset(w->taken, 0, n->arcs);
	for (size_t i = 0; i < count; i++) {
		const struct filchi_ufp_pair *pair = &n->pair[w->order[i]];

		if (w->taken[pair->in] & 1 || w->taken[pair->out] & 2)
			continue;
		w->taken[pair->in] |= 1;
		w->taken[pair->out] |= 2;
		w->rounded[w->order[i]] = 1;
	}
	return filchi_ufp_offer(w, w->rounded, &value);
}

/* ---- cuts ---- */

static int share(struct filchi_ufp_worker *w)
{
	size_t pairs = w->s->n.pairs;
	struct filchi_ufp_record *r;
	int err;

	if (w->s->opt.no_share || filch_search_workers(w->s->search) == 1)
		return 0;
	r = malloc(sizeof(*r) + pairs * sizeof(double));
	if (!r)
		return -ENOMEM;
	r->record = (struct filch_search_record){.affinity = w->open->affinity};
	r->constant = w->cut.constant;
	memcpy(r->gain, w->cut.gain, pairs * sizeof(double));
	err = filch_search_publish(w->s->search, w->worker, &r->record);
	if (err)
		free(r);
	return err;
}

int filchi_ufp_add_cut(struct filchi_ufp_worker *w, const double *point)
{
	int err;

	if (w->s->opt.weak_cuts)
		err = filchi_ufp_evaluate(&w->evaluator, point, w->pool, &w->cut);
	else
		err = filchi_ufp_evaluate_inside(&w->evaluator, point, CORE, w->pool, &w->cut);
	filchi_ufp_relax_forget(&w->relax, CUTS_MOST);
	if (err == -EDOM) /* the cut is valid all the same */
		err = 0;
	if (!err)
		err = filchi_ufp_relax_add(&w->relax, &w->cut);
	if (!err)
		err = share(w);
	w->counts.cuts += !err;
	return err;
}

/* Whether the last cut lowers the bound. */
static bool cuts_off(const struct filchi_ufp_worker *w)
{
	const struct filchi_ufp_relax *r = &w->relax;

	return filchi_ufp_cut_at(&w->cut, r->matched, w->s->n.pairs) < r->bound - 1e-6 * fabs(r->bound);
}

/*
 * One more cut. A worker without cuts cuts between the point and the mean of the points so far, which leads to fewer
 * rounds, as long as this cuts off the point itself. *more: the relaxation changes.
 */
static int cut_once(struct filchi_ufp_worker *w, bool first, bool *more)
{
	size_t pairs = w->s->n.pairs;
	int err = 0;

	*more = true;
	if (first) {
		for (size_t p = 0; p < pairs; p++) {
			w->point[p] = (w->relax.matched[p] + w->mean[p]) / 2;
			w->mean[p] = MEMORY * w->mean[p] + (1 - MEMORY) * w->relax.matched[p];
		}
		err = filchi_ufp_add_cut(w, w->point);
		if (err || cuts_off(w))
			return err;
	}
	err = filchi_ufp_add_cut(w, w->relax.matched);
	*more = !err && cuts_off(w);
	return err;
}

static bool is_whole(const struct filchi_ufp_worker *w)
{
	for (size_t p = 0; p < w->s->n.pairs; p++)
		if (w->relax.matched[p] > 1e-6 && w->relax.matched[p] < 1 - 1e-6)
			return false;
	return true;
}

/* Solves the relaxation. 1: the node is closed. */
static int solve(struct filchi_ufp_worker *w, bool round)
{
	int64_t bound;
	int err = filchi_ufp_poll(w);

	if (!err)
		err = filchi_ufp_relax_solve(&w->relax, w->open->allowed, (double)w->best + 0.99);
	w->counts.relaxations++;
	if (err)
		return err;
	bound = filchi_ufp_floor(w->relax.bound);
	w->open->bound = bound < w->open->bound ? bound : w->open->bound;
	if (w->open->bound > w->best && round)
		err = filchi_ufp_round(w, w->relax.matched);
	return err ? err : w->open->bound <= w->best;
}

int filchi_ufp_bound(struct filchi_ufp_worker *w)
{
	bool first = !w->warm && !w->relax.whole, more = true;
	unsigned rounds = first ? ROUNDS_FIRST : ROUNDS, stalled = 0;
	double last = INFINITY;
	int err = 0;

	w->warm = true;
	for (unsigned i = 0; more; i++) {
		bool whole;

		err = solve(w, i == 0 || first);
		if (err || w->relax.whole)
			return err;
		whole = is_whole(w);
		if (whole && !first && i) {
			err = filchi_ufp_round(w, w->relax.matched);
			if (err || w->open->bound <= w->best)
				return err ? err : 1;
		}
		stalled = last - w->relax.bound < GAIN_FIRST * (w->relax.bound - (double)w->best) ? stalled + 1 : 0;
		last = w->relax.bound;
		if (i >= rounds || (stalled > STALL_FIRST && !whole))
			return 0;
		err = cut_once(w, first, &more);
		if (err)
			return err;
	}
	return 0;
}
