/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate.h"

#include <errno.h>
#include <filch/algo.h>
#include <stdlib.h>
#include <string.h>

#define PART_LEAST 48u /* scenarios of a part: about 100 microseconds */
#define PARTS_MOST 16u

static int make_parts(struct filchi_ufp_evaluator *e)
{
	const struct filchi_ufp_network *n = e->n;
	size_t parts = n->scenarios / PART_LEAST;
	int err = 0;

	parts = parts < 1 ? 1 : parts > PARTS_MOST ? PARTS_MOST : parts;
	e->part = calloc(parts, sizeof(*e->part));
	if (!e->part)
		return -ENOMEM;
	for (size_t i = 0; !err && i < parts; i++) {
		struct filchi_ufp_part *p = &e->part[i];

		p->first = n->scenarios * i / parts;
		p->last = n->scenarios * (i + 1) / parts;
		p->capacity = calloc(n->links + 1, sizeof(double));
		p->cut.gain = calloc(n->pairs + 1, sizeof(double));
		err = filchi_ufp_flow_init(&p->flow, n);
		e->parts++;
		if (!p->capacity || !p->cut.gain)
			err = -ENOMEM;
	}
	return err;
}

int filchi_ufp_evaluator_init(struct filchi_ufp_evaluator *e, const struct filchi_ufp_network *n)
{
	int err;

	*e = (struct filchi_ufp_evaluator){.n = n};
	e->core = calloc(n->pairs + 1, sizeof(double));
	e->point = calloc(n->pairs + 1, sizeof(double));
	err = e->core && e->point ? make_parts(e) : -ENOMEM;
	if (err) {
		filchi_ufp_evaluator_end(e);
		return err;
	}
	for (size_t p = 0; p < n->pairs; p++) {
		const struct filchi_ufp_q *q = &n->q[n->pair[p].q];

		e->core[p] = 1.0 / (q->ins > q->outs ? q->ins : q->outs);
	}
	return 0;
}

void filchi_ufp_evaluator_end(struct filchi_ufp_evaluator *e)
{
	for (size_t i = 0; i < e->parts; i++) {
		filchi_ufp_flow_end(&e->part[i].flow);
		free(e->part[i].capacity);
		free(e->part[i].cut.gain);
	}
	free(e->part);
	free(e->core);
	free(e->point);
	*e = (struct filchi_ufp_evaluator){0};
}

/* Adds one scenario to the cut of its part, whose flow has the potentials. */
static void add_scenario(const struct filchi_ufp_network *n, struct filchi_ufp_part *part, const double *capacity)
{
	const double *potential = part->flow.potential;
	double sum = 0;

	for (size_t a = 0; a < n->links; a++) {
		double reduced = n->cost[a] + potential[n->tail[a]] - potential[n->head[a]];

		if (reduced >= 0)
			continue;
		if (a >= n->arcs && a < n->arcs + n->pairs)
			part->cut.gain[a - n->arcs] -= reduced * capacity[a];
		else
			sum -= reduced * capacity[a];
	}
	part->cut.constant += sum;
}

static void evaluate_part(const struct filchi_ufp_evaluator *e, struct filchi_ufp_part *part)
{
	const struct filchi_ufp_network *n = e->n;

	part->err = 0;
	part->cut.constant = 0;
	memset(part->cut.gain, 0, n->pairs * sizeof(double));
	for (size_t k = part->first; k < part->last; k++) {
		const double *capacity = filchi_ufp_capacity(n, k);
		int err;

		memcpy(part->capacity, capacity, n->links * sizeof(*capacity));
		for (size_t p = 0; p < n->pairs; p++)
			part->capacity[n->arcs + p] *= e->matched[p];
		err = filchi_ufp_flow_solve(&part->flow, part->capacity);
		part->err = part->err ? part->err : err;
		add_scenario(n, part, capacity); /* any potentials give a valid cut */
	}
}

static void evaluate_range(size_t from, size_t to, void *arg)
{
	const struct filchi_ufp_evaluator *e = arg;

	for (size_t i = from; i < to; i++)
		evaluate_part(e, &e->part[i]);
}

int filchi_ufp_evaluate(struct filchi_ufp_evaluator *e, const double *matched, struct filch_pool *pool,
			struct filchi_ufp_cut *cut)
{
	const struct filchi_ufp_network *n = e->n;
	int err = 0;

	e->matched = matched;
	e->flows += n->scenarios;
	if (!pool || e->parts == 1 || filch_for(pool, 0, e->parts, 1, evaluate_range, e))
		evaluate_range(0, e->parts, e);
	else
		e->parallel++;
	cut->constant = 0;
	memset(cut->gain, 0, n->pairs * sizeof(*cut->gain));
	for (size_t i = 0; i < e->parts; i++) {
		err = err ? err : e->part[i].err;
		cut->constant += e->part[i].cut.constant;
		for (size_t p = 0; p < n->pairs; p++)
			cut->gain[p] += e->part[i].cut.gain[p];
	}
	return err;
}

int filchi_ufp_evaluate_inside(struct filchi_ufp_evaluator *e, const double *matched, double share,
			       struct filch_pool *pool, struct filchi_ufp_cut *cut)
{
	for (size_t p = 0; p < e->n->pairs; p++)
		e->point[p] = (1 - share) * matched[p] + share * e->core[p];
	return filchi_ufp_evaluate(e, e->point, pool, cut);
}

double filchi_ufp_cut_at(const struct filchi_ufp_cut *cut, const double *matched, size_t pairs)
{
	double sum = cut->constant;

	for (size_t p = 0; p < pairs; p++)
		sum += cut->gain[p] * matched[p];
	return sum;
}
