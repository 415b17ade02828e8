/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of an instance, and its order of variables. The functions on states are in fields.h. */
#include "model.h"

#include <errno.h>
#include <stdlib.h>

static int next_variable(const struct filch_dd_layer *layer, const void *states, size_t count, size_t stride)
{
	const struct filchi_max2sat_model *m = layer->arg;

	(void)states;
	(void)count;
	(void)stride;
	return (size_t)layer->depth < m->variables ? m->order[layer->depth] : -1;
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct filchi_max2sat_model *m = arg;
	struct filchi_check_error error;

	return filchi_max2sat_check(m->m, labels, m->variables, value, &error);
}

/* The weight of a clause of two variables, given by their places, with their signs. */
static int64_t clause(const struct filchi_max2sat_model *m, size_t k, int k_true, size_t l, int l_true)
{
	return filchi_max2sat_weight(m->m, 2 * (size_t)m->order[k] + (size_t)k_true,
				     2 * (size_t)m->order[l] + (size_t)l_true);
}

static int64_t unit(const struct filchi_max2sat_model *m, size_t k, int k_true)
{
	return clause(m, k, k_true, k, k_true);
}

/* ---- order: the variables with the most weight first ---- */

struct heavy {
	int64_t weight;
	int variable;
};

static int compare(const void *a, const void *b)
{
	const struct heavy *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->variable - y->variable;
}

static int make_order(struct filchi_max2sat_model *m)
{
	size_t n = m->variables, literals = 2 * n;
	struct heavy *heavy = calloc(n, sizeof(*heavy));

	if (!heavy)
		return -ENOMEM;
	for (size_t i = 0; i < literals * literals; i++) {
		int64_t w = m->m->weight[i];

		heavy[i / literals / 2].weight += w < 0 ? -w : w;
	}
	for (size_t i = 0; i < n; i++)
		heavy[i].variable = (int)i;
	qsort(heavy, n, sizeof(*heavy), compare);
	for (size_t i = 0; i < n; i++)
		m->order[i] = heavy[i].variable;
	free(heavy);
	return 0;
}

/* ---- tables ---- */

/* The largest weight that the clauses of two variables can give: the sum without the smallest weight. */
static int64_t best_of_four(const struct filchi_max2sat_model *m, size_t k, size_t l)
{
	int64_t sum = 0, least = INT64_MAX;

	for (int i = 0; i < 4; i++) {
		int64_t w = clause(m, k, i / 2, l, i % 2);

		sum += w;
		least = w < least ? w : least;
	}
	return sum - least;
}

static void store(void *fields, bool narrow, size_t at, int64_t value)
{
	if (narrow)
		((int16_t *)fields)[at] = (int16_t)value;
	else
		((int64_t *)fields)[at] = value;
}

/* Row k. label 0: clauses with not k are satisfied, and those with k are left to the later variables. */
static void fill_row(struct filchi_max2sat_model *m, size_t k, bool narrow)
{
	size_t n = m->variables;

	m->pairs[k] = m->pairs[k + 1];
	for (size_t l = k + 1; l < n; l++) {
		m->pairs[k] += best_of_four(m, k, l);
		for (int label = 0; label < 2; label++) {
			int64_t if_true = clause(m, k, !label, l, 1), if_false = clause(m, k, !label, l, 0);

			m->twice[2 * k + (size_t)label] += 2 * (clause(m, k, label, l, 0) + clause(m, k, label, l, 1));
			m->twice[2 * k + (size_t)label] += if_true + if_false;
			store(m->change[label], narrow, k * m->fields + l, if_true - if_false);
		}
	}
}

static void fill_in(struct filchi_max2sat_model *m, bool narrow)
{
	m->value = m->m->always;
	for (size_t k = m->variables; k-- > 0;) {
		int64_t if_true = unit(m, k, 1), if_false = unit(m, k, 0);

		m->root[k] = if_true - if_false;
		m->value += if_true < if_false ? if_true : if_false;
		fill_row(m, k, narrow);
	}
}

/* No field can leave 16 bits: a field is at most the sum of the weights of its variable. */
static bool is_narrow(const struct filchi_max2sat *m)
{
	size_t literals = 2 * m->variables;

	for (size_t v = 0; v < m->variables; v++) {
		int64_t sum = 0;

		for (size_t i = 2 * v * literals; i < (2 * v + 2) * literals; i++)
			sum += m->weight[i] < 0 ? -m->weight[i] : m->weight[i];
		if (sum > INT16_MAX)
			return false;
	}
	return true;
}

int filchi_max2sat_model_make(struct filch_dd_problem *p, const void *instance)
{
	const struct filchi_max2sat *instance_ = instance;
	size_t n = instance_->variables, size = is_narrow(instance_) ? sizeof(int16_t) : sizeof(int64_t);
	struct filchi_max2sat_model *m = calloc(1, sizeof(*m));

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .next_variable = next_variable,
				       .check = check,
				       .variables = (int)n,
				       .goal = FILCH_SEARCH_MAXIMISE,
				       .flags = FILCH_DD_LAYER_CUTSET};
	if (!m)
		return -ENOMEM;
	m->m = instance_;
	m->variables = n;
	m->fields = (n + 7) / 8 * 8;
	m->order = calloc(n, sizeof(*m->order));
	m->root = calloc(n, sizeof(*m->root));
	m->twice = calloc(2 * n, sizeof(*m->twice));
	m->pairs = calloc(n + 1, sizeof(*m->pairs));
	m->change[0] = calloc(n * m->fields, size);
	m->change[1] = calloc(n * m->fields, size);
	if (!m->order || !m->root || !m->twice || !m->pairs || !m->change[0] || !m->change[1] || make_order(m)) {
		filchi_max2sat_model_destroy(p);
		return -ENOMEM;
	}
	fill_in(m, size == sizeof(int16_t));
	if (size == sizeof(int16_t))
		filchi_max2sat_fields_int16(p);
	else
		filchi_max2sat_fields_int64(p);
	p->fingerprint = filchi_model_fingerprint(0, &m->value, sizeof(m->value));
	p->fingerprint =
		filchi_model_fingerprint(p->fingerprint, instance_->weight, 4 * n * n * sizeof(*instance_->weight));
	return 0;
}

void filchi_max2sat_model_destroy(struct filch_dd_problem *p)
{
	struct filchi_max2sat_model *m = p->arg;

	if (m) {
		free(m->order);
		free(m->root);
		free(m->twice);
		free(m->pairs);
		free(m->change[0]);
		free(m->change[1]);
	}
	free(m);
	p->arg = NULL;
}
