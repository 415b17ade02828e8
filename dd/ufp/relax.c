/* SPDX-License-Identifier: Apache-2.0 */
#include "relax.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool in_q(const struct filchi_ufp_network *n, uint32_t node)
{
	return n->u->in_q[node];
}

/* ---- the rows ---- */

static int add_row(struct filchi_ufp_relax *r, uint32_t *number, double low, double high)
{
	*number = (uint32_t)r->lp.rows;
	return filchi_ufp_lp_add_row(&r->lp, r->coefficients, low, high);
}

static void clear(struct filchi_ufp_relax *r)
{
	memset(r->coefficients, 0, (r->lp.columns + 1) * sizeof(*r->coefficients));
}

/* At most one pair at each port. */
static int add_ports(struct filchi_ufp_relax *r)
{
	const struct filchi_ufp_network *n = r->n;
	int err = 0;

	for (size_t i = 0; !err && i < n->qs; i++) {
		const struct filchi_ufp_q *q = &n->q[i];

		for (uint32_t a = 0; !err && a < q->ins; a++) {
			clear(r);
			for (uint32_t b = 0; b < q->outs; b++)
				r->coefficients[q->pair + a * q->outs + b] = 1;
			err = add_row(r, &r->row_in[q->in[a]], 0, 1);
		}
		for (uint32_t b = 0; !err && b < q->outs; b++) {
			clear(r);
			for (uint32_t a = 0; a < q->ins; a++)
				r->coefficients[q->pair + a * q->outs + b] = 1;
			err = add_row(r, &r->row_out[q->out[b]], 0, 1);
		}
	}
	return err;
}

/*
 * The whole flow. The column of a pair is its share of the flow that it can carry at most, and it carries the rewards of
 * its arcs. An arc between two nodes in Q is in two pairs: its reward counts where it leaves a node.
 */
static void set_profits(struct filchi_ufp_relax *r)
{
	const struct filchi_ufp_network *n = r->n;
	const double *capacity = filchi_ufp_capacity(n, 0);

	for (size_t p = 0; p < n->pairs; p++) {
		const struct filchi_ufp_arc *in = &n->u->arc[n->pair[p].in], *out = &n->u->arc[n->pair[p].out];

		r->lp.profit[p] = capacity[n->arcs + p] *
				  (double)((in_q(n, in->tail) ? 0 : in->reward) + out->reward);
	}
	for (size_t a = 0; a < n->arcs; a++)
		if (r->column[a] != FILCHI_UFP_NONE) {
			r->lp.profit[r->column[a]] = capacity[a] * (double)n->u->arc[a].reward;
			r->lp.high[r->column[a]] = 1;
		}
}

/* What goes into an arc between two nodes in Q comes out of it. */
static int add_inner_arcs(struct filchi_ufp_relax *r)
{
	const struct filchi_ufp_network *n = r->n;
	const double *capacity = filchi_ufp_capacity(n, 0) + n->arcs;
	int err = 0;

	for (uint32_t a = 0; !err && a < n->arcs; a++) {
		const struct filchi_ufp_arc *arc = &n->u->arc[a];

		if (!in_q(n, arc->tail) || !in_q(n, arc->head))
			continue;
		clear(r);
		for (size_t p = 0; p < n->pairs; p++)
			r->coefficients[p] = (n->pair[p].out == a ? capacity[p] : 0) - (n->pair[p].in == a ? capacity[p] : 0);
		err = add_row(r, &r->row_arc[a], 0, 0);
	}
	return err;
}

/* Flow out of a node less flow into it is between minus its demand and its supply. */
static int add_nodes(struct filchi_ufp_relax *r)
{
	const struct filchi_ufp_network *n = r->n;
	const double *capacity = filchi_ufp_capacity(n, 0);
	int err = 0;

	for (uint32_t v = 0; !err && v < n->u->nodes; v++) {
		if (in_q(n, v))
			continue;
		clear(r);
		for (size_t p = 0; p < n->pairs; p++)
			r->coefficients[p] = (n->u->arc[n->pair[p].in].tail == v ? capacity[n->arcs + p] : 0) -
					     (n->u->arc[n->pair[p].out].head == v ? capacity[n->arcs + p] : 0);
		for (size_t a = 0; a < n->arcs; a++)
			if (r->column[a] != FILCHI_UFP_NONE)
				r->coefficients[r->column[a]] = (n->u->arc[a].tail == v ? capacity[a] : 0) -
								(n->u->arc[a].head == v ? capacity[a] : 0);
		err = add_row(r, &r->row_node[v], -(double)filchi_ufp_demand(n->u, 0, v), (double)n->u->supply[v]);
	}
	return err;
}

/* No sum of all scenarios is larger. */
static double top_of(const struct filchi_ufp_network *n)
{
	double sum = 1;

	for (size_t k = 0; k < n->scenarios; k++)
		for (size_t a = 0; a < n->arcs; a++)
			sum += n->u->arc[a].reward > 0 ? filchi_ufp_capacity(n, k)[a] * (double)n->u->arc[a].reward : 0;
	return sum;
}

/* ---- create ---- */

static int allocate(struct filchi_ufp_relax *r, size_t columns)
{
	const struct filchi_ufp_network *n = r->n;

	r->row_in = calloc(n->arcs + 1, sizeof(uint32_t));
	r->row_out = calloc(n->arcs + 1, sizeof(uint32_t));
	r->row_arc = calloc(n->arcs + 1, sizeof(uint32_t));
	r->row_node = calloc(n->u->nodes + 1, sizeof(uint32_t));
	r->coefficients = calloc(columns + 1, sizeof(double));
	r->values = calloc(columns + 1, sizeof(double));
	r->cut.gain = calloc(n->pairs + 1, sizeof(double));
	r->matched = calloc(n->pairs + 1, sizeof(double));
	r->price_in = calloc(n->arcs + 1, sizeof(double));
	r->price_out = calloc(n->arcs + 1, sizeof(double));
	if (!r->row_in || !r->row_out || !r->row_arc || !r->row_node || !r->coefficients || !r->values ||
	    !r->cut.gain || !r->matched || !r->price_in || !r->price_out)
		return -ENOMEM;
	return filchi_ufp_lp_init(&r->lp, columns);
}

int filchi_ufp_relax_init(struct filchi_ufp_relax *r, const struct filchi_ufp_network *n)
{
	size_t columns = n->pairs;
	int err;

	*r = (struct filchi_ufp_relax){.n = n, .whole = n->scenarios == 1, .top = top_of(n)};
	r->column = calloc(n->arcs + 1, sizeof(*r->column));
	if (!r->column)
		return -ENOMEM;
	for (size_t a = 0; a < n->arcs; a++) {
		bool outside = !in_q(n, n->u->arc[a].tail) && !in_q(n, n->u->arc[a].head);

		r->column[a] = r->whole && outside ? (uint32_t)columns++ : FILCHI_UFP_NONE;
	}
	err = allocate(r, r->whole ? columns : columns + 1);
	if (!err && r->whole)
		set_profits(r);
	if (!err && !r->whole) {
		r->lp.profit[n->pairs] = 1; /* in units of top */
		r->lp.high[n->pairs] = 1;
	}
	if (!err)
		err = add_ports(r);
	if (!err && r->whole)
		err = add_inner_arcs(r);
	if (!err && r->whole)
		err = add_nodes(r);
	r->fixed_rows = r->lp.rows;
	if (err)
		filchi_ufp_relax_end(r);
	return err;
}

void filchi_ufp_relax_end(struct filchi_ufp_relax *r)
{
	filchi_ufp_lp_end(&r->lp);
	free(r->row_in);
	free(r->row_out);
	free(r->row_arc);
	free(r->row_node);
	free(r->column);
	free(r->coefficients);
	free(r->values);
	free(r->duals);
	free(r->idle);
	free(r->cut.gain);
	free(r->matched);
	free(r->price_in);
	free(r->price_out);
	*r = (struct filchi_ufp_relax){0};
}

size_t filchi_ufp_relax_cuts(const struct filchi_ufp_relax *r)
{
	return r->lp.rows - r->fixed_rows;
}

int filchi_ufp_relax_add(struct filchi_ufp_relax *r, const struct filchi_ufp_cut *cut)
{
	size_t pairs = r->n->pairs;
	double sum = 0;

	for (size_t p = 0; p < pairs; p++) {
		r->coefficients[p] = -cut->gain[p] / r->top;
		sum += cut->gain[p] / r->top;
	}
	r->coefficients[pairs] = 1;
	if (r->lp.rows + 1 > r->rooms) {
		uint32_t *more = realloc(r->idle, 2 * (r->lp.rows + 1) * sizeof(*more));

		if (!more)
			return -ENOMEM;
		r->idle = more;
		r->rooms = 2 * (r->lp.rows + 1);
	}
	r->idle[r->lp.rows] = 0;
	return filchi_ufp_lp_add_row(&r->lp, r->coefficients, -sum - 1, cut->constant / r->top);
}

void filchi_ufp_relax_forget(struct filchi_ufp_relax *r, size_t most)
{
	uint32_t age = 0;

	if (filchi_ufp_relax_cuts(r) <= most)
		return;
	for (size_t i = r->fixed_rows; i < r->lp.rows; i++)
		age += r->idle[i] / (uint32_t)filchi_ufp_relax_cuts(r);
	for (size_t i = r->lp.rows; i-- > r->fixed_rows;)
		if (r->idle[i] > 0 && r->idle[i] >= age && filchi_ufp_lp_remove_row(&r->lp, i))
			r->idle[i] = r->idle[r->lp.rows];
}

double filchi_ufp_relax_weight(const struct filchi_ufp_relax *r, size_t number)
{
	return r->fixed_rows + number < r->solved ? r->duals[r->fixed_rows + number] : 0;
}

void filchi_ufp_relax_row(const struct filchi_ufp_relax *r, size_t number, struct filchi_ufp_cut *cut)
{
	size_t i = r->fixed_rows + number;
	double factor = r->top / r->lp.scale[i];
	const double *row = r->lp.matrix + i * r->lp.columns;

	cut->constant = factor * r->lp.high[r->lp.columns + i];
	for (size_t p = 0; p < r->n->pairs; p++)
		cut->gain[p] = -factor * row[p];
}

/* ---- duals to cut ---- */

/* Potentials from the duals. Arcs at nodes in Q get reduced cost 0, so that only pairs have a price there. */
static void cut_of_flow(struct filchi_ufp_relax *r)
{
	const struct filchi_ufp_network *n = r->n;
	const double *capacity = filchi_ufp_capacity(n, 0), *dual = r->duals;

	r->cut.constant = 0;
	for (uint32_t v = 0; v < n->u->nodes; v++) {
		double price = in_q(n, v) ? 0 : dual[r->row_node[v]];

		r->cut.constant += price > 0 ? price * (double)n->u->supply[v]
					     : -price * (double)filchi_ufp_demand(n->u, 0, v);
	}
	for (uint32_t a = 0; a < n->arcs; a++) {
		const struct filchi_ufp_arc *arc = &n->u->arc[a];
		double reward = (double)arc->reward, from, to;

		if (in_q(n, arc->tail) && in_q(n, arc->head)) {
			r->price_in[a] = -dual[r->row_arc[a]];
			r->price_out[a] = r->price_in[a] + reward;
			continue;
		}
		from = in_q(n, arc->tail) ? 0 : dual[r->row_node[arc->tail]];
		to = in_q(n, arc->head) ? 0 : dual[r->row_node[arc->head]];
		if (in_q(n, arc->head))
			r->price_in[a] = from - reward;
		else if (in_q(n, arc->tail))
			r->price_out[a] = to + reward;
		else
			r->cut.constant += capacity[a] * fmax(0, reward - from + to);
	}
	for (size_t p = 0; p < n->pairs; p++)
		r->cut.gain[p] = capacity[n->arcs + p] *
				 fmax(0, r->price_out[n->pair[p].out] - r->price_in[n->pair[p].in]);
}

/* The mean of the cuts, weighted by their duals. */
static void cut_of_cuts(struct filchi_ufp_relax *r)
{
	const struct filchi_ufp_network *n = r->n;
	size_t columns = r->lp.columns;
	double sum = 0;

	r->cut.constant = 0;
	memset(r->cut.gain, 0, n->pairs * sizeof(double));
	for (size_t i = r->fixed_rows; i < r->lp.rows; i++) {
		sum += fmax(0, r->duals[i]);
		r->idle[i] = r->duals[i] > 0 ? 0 : r->idle[i] + 1;
	}
	for (size_t i = r->fixed_rows; sum > 0 && i < r->lp.rows; i++) {
		double weight = fmax(0, r->duals[i]) / sum * r->top / r->lp.scale[i];
		const double *row = r->lp.matrix + i * columns;

		if (weight <= 0)
			continue;
		r->cut.constant += weight * r->lp.high[columns + i];
		for (size_t p = 0; p < n->pairs; p++)
			r->cut.gain[p] -= weight * row[p];
	}
	if (sum <= 0)
		r->cut.constant = r->top;
}

/* Prices of the ports, so that no pair gains more than the two: their sum bounds each matching. */
static void bound_by_prices(struct filchi_ufp_relax *r, const uint64_t *allowed)
{
	const struct filchi_ufp_network *n = r->n;
	double unit = r->whole ? 1 : r->top;

	r->bound = r->cut.constant;
	for (size_t i = 0; i < n->qs; i++) {
		const struct filchi_ufp_q *q = &n->q[i];

		for (uint32_t b = 0; b < q->outs; b++) {
			r->price_out[q->out[b]] = fmax(0, r->duals[r->row_out[q->out[b]]]) * unit;
			r->bound += r->price_out[q->out[b]];
		}
		for (uint32_t a = 0; a < q->ins; a++) {
			double price = 0;

			for (uint32_t b = 0; b < q->outs; b++) {
				size_t p = q->pair + (size_t)a * q->outs + b;

				if (filchi_bit_test(allowed, p))
					price = fmax(price, r->cut.gain[p] - r->price_out[q->out[b]]);
			}
			r->price_in[q->in[a]] = price;
			r->bound += price;
		}
	}
}

int filchi_ufp_relax_solve(struct filchi_ufp_relax *r, const uint64_t *allowed, double cutoff)
{
	const struct filchi_ufp_network *n = r->n;
	double *duals = realloc(r->duals, (r->lp.rows + 1) * sizeof(*duals));
	int err;

	if (!duals)
		return -ENOMEM;
	r->duals = duals;
	r->solved = r->lp.rows;
	for (size_t p = 0; p < n->pairs; p++)
		r->lp.high[p] = filchi_bit_test(allowed, p) ? 1 : 0;
	err = filchi_ufp_lp_solve(&r->lp, r->whole ? cutoff : cutoff / r->top);
	if (err == -ENOMEM)
		return err;
	filchi_ufp_lp_duals(&r->lp, r->duals);
	filchi_ufp_lp_values(&r->lp, r->values);
	for (size_t p = 0; p < n->pairs; p++)
		r->matched[p] = fmin(1, fmax(0, r->values[p]));
	if (r->whole)
		cut_of_flow(r);
	else
		cut_of_cuts(r);
	bound_by_prices(r, allowed);
	return 0;
}
