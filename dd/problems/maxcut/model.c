/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state has one field per vertex: the weight of its edges to side 0 less the weight of its edges to side 1, of the
 * vertices that are placed. The value of a node has, beside the edges cut, for each other vertex the smaller one of the
 * two weights, and for each pair of other vertices the edge if its weight is negative. So a vertex adds its field if it
 * goes to the better side, and a pair adds at most the absolute weight: that is the bound.
 *
 * States change as those of MAX-2-SAT do, so its functions serve both. The first vertex is on side 0.
 */
#include "../max2sat/model.h"
#include "maxcut.h"

#include <errno.h>
#include <stdlib.h>

struct model {
	struct filchi_max2sat_model fields; /* first: the functions on states know only this */
	const struct filchi_maxcut *m;
};

static int next_variable(const struct filch_dd_layer *layer, const void *states, size_t count, size_t stride)
{
	const struct filchi_max2sat_model *f = layer->arg;

	(void)states;
	(void)count;
	(void)stride;
	return (size_t)layer->depth < f->variables ? f->order[layer->depth] : -1;
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct model *m = arg;
	struct filchi_check_error error;

	return filchi_maxcut_check(m->m, labels, m->m->vertices, value, &error);
}

static int64_t edge(const struct model *m, size_t k, size_t l)
{
	return filchi_maxcut_weight(m->m, (size_t)m->fields.order[k], (size_t)m->fields.order[l]);
}

static void store(void *fields, bool narrow, size_t at, int64_t value)
{
	if (narrow)
		((int16_t *)fields)[at] = (int16_t)value;
	else
		((int64_t *)fields)[at] = value;
}

static void fill_in(struct model *m, bool narrow)
{
	struct filchi_max2sat_model *f = &m->fields;

	for (size_t k = f->variables; k-- > 0;) {
		f->pairs[k] = f->pairs[k + 1];
		for (size_t l = k + 1; l < f->variables; l++) {
			int64_t w = edge(m, k, l), size = w < 0 ? -w : w;

			f->value += w < 0 ? w : 0;
			f->pairs[k] += size;
			f->twice[2 * k] += size;
			f->twice[2 * k + 1] += size;
			store(f->change[0], narrow, k * f->fields + l, w);
			store(f->change[1], narrow, k * f->fields + l, -w);
		}
	}
}

/* No field can leave 16 bits: a field is at most the sum of the weights at its vertex. */
static bool is_narrow(const struct filchi_maxcut *m)
{
	for (size_t v = 0; v < m->vertices; v++) {
		int64_t sum = 0;

		for (size_t u = 0; u < m->vertices; u++) {
			int64_t w = filchi_maxcut_weight(m, v, u);

			sum += w < 0 ? -w : w;
		}
		if (sum > INT16_MAX)
			return false;
	}
	return true;
}

int filchi_maxcut_model_make(struct filch_dd_problem *p, const void *instance)
{
	const struct filchi_maxcut *g = instance;
	size_t n = g->vertices, size = is_narrow(g) ? sizeof(int16_t) : sizeof(int64_t);
	struct model *m = calloc(1, sizeof(*m));
	struct filchi_max2sat_model *f = &m->fields;

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .next_variable = next_variable,
				       .check = check,
				       .variables = (int)n,
				       .goal = FILCH_SEARCH_MAXIMISE,
				       .flags = FILCH_DD_LAYER_CUTSET};
	if (!m)
		return -ENOMEM;
	m->m = g;
	f->fixed = true;
	f->variables = n;
	f->fields = (n + 7) / 8 * 8;
	f->order = calloc(n + 1, sizeof(*f->order));
	f->root = calloc(n + 1, sizeof(*f->root));
	f->twice = calloc(2 * n + 1, sizeof(*f->twice));
	f->pairs = calloc(n + 1, sizeof(*f->pairs));
	f->change[0] = calloc(n * f->fields + 1, size);
	f->change[1] = calloc(n * f->fields + 1, size);
	if (!f->order || !f->root || !f->twice || !f->pairs || !f->change[0] || !f->change[1]) {
		filchi_maxcut_model_destroy(p);
		return -ENOMEM;
	}
	for (size_t k = 0; k < n; k++)
		f->order[k] = (int)k;
	fill_in(m, size == sizeof(int16_t));
	if (size == sizeof(int16_t))
		filchi_max2sat_fields_int16(p);
	else
		filchi_max2sat_fields_int64(p);
	p->fingerprint = filchi_model_fingerprint(0, g->weight, n * n * sizeof(*g->weight));
	return 0;
}

void filchi_maxcut_model_destroy(struct filch_dd_problem *p)
{
	struct model *m = p->arg;

	if (m) {
		free(m->fields.order);
		free(m->fields.root);
		free(m->fields.twice);
		free(m->fields.pairs);
		free(m->fields.change[0]);
		free(m->fields.change[1]);
	}
	free(m);
	p->arg = NULL;
}
