/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State: three sets: the jobs that must still be done, those that may be done, and the possible last jobs. Without merges
 * the second is empty and the third has one job. Variable k is job k of the order, after the first job. A job may come
 * next if no job that must still be done precedes it.
 *
 * An arc costs its rest above the prices of its two jobs (arcs.h), and the root has the value of all prices. All orders
 * keep their costs, because they pay each price once. A path of a relaxed diagram that leaves jobs out saves nothing.
 */
#include "../arcs.h"
#include "../model.h"
#include "../sets.h"
#include "sop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_MAX 4096u

struct model {
	const struct filchi_sop *s;
	size_t n, words;
	uint64_t *before; /* row j: the jobs that precede j, also through other jobs */
	int64_t *cost;	  /* rests: row from, column to; FILCHI_ARCS_NONE: there is no such arc */
	int64_t prices;	  /* their sum */
	struct filchi_arcs arcs;
};

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	const struct model *m = layer->arg;
	uint64_t *sets = state;

	memset(sets, 0, 3 * m->words * sizeof(*sets));
	for (size_t i = 1; i < m->n; i++)
		filchi_set_add(sets, i);
	filchi_set_add(sets + 2 * m->words, 0);
	return m->prices;
}

static void visit(const struct model *m, const uint64_t *sets, size_t job, struct filch_dd_children *children)
{
	int64_t cost = FILCHI_ARCS_NONE;
	uint64_t *child;

	if (filchi_set_meets(m->before + job * m->words, sets, m->words))
		return;
	FILCHI_SET_EACH(i, sets + 2 * m->words, m->words)
	if (m->cost[i * m->n + job] < cost)
		cost = m->cost[i * m->n + job];
	if (cost == FILCHI_ARCS_NONE)
		return;
	child = filch_dd_child(children, (int32_t)job, cost);
	memcpy(child, sets, 2 * m->words * sizeof(*sets));
	memset(child + 2 * m->words, 0, m->words * sizeof(*sets));
	filchi_set_remove(child, job);
	filchi_set_remove(child + m->words, job);
	filchi_set_add(child + 2 * m->words, job);
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct model *m = layer->arg;
	const uint64_t *sets = state;

	FILCHI_SET_EACH(j, sets, m->words)
	visit(m, sets, j, children);
	if (filchi_set_count(sets, m->words) + (size_t)layer->depth + 1 < m->n)
		FILCHI_SET_EACH(j, sets + m->words, m->words)
	visit(m, sets, j, children);
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	filchi_sets_merge(into, state, ((const struct model *)layer->arg)->words);
}

static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	const struct model *m = layer->arg;
	const uint64_t *sets = state;

	(void)limit;
	if ((size_t)layer->depth + 1 == m->n)
		return 0;
	return filchi_arcs_bound_rests(&m->arcs, sets, sets + m->words, sets + 2 * m->words, m->words,
				       m->n - 1 - (size_t)layer->depth);
}

/* Diagrams of about a million nodes at most. */
static size_t width(int depth, void *arg)
{
	size_t n = ((const struct model *)arg)->n, width = ((size_t)1 << 23) / (n * n);

	(void)depth;
	return width < n ? n : width > WIDTH_MAX ? WIDTH_MAX : width;
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct model *m = arg;
	struct filchi_check_error error;

	return filchi_sop_check(m->s, labels, m->n - 1, value, &error);
}

static int describe(const void *state, char *text, size_t size, void *arg)
{
	const struct model *m = arg;
	const uint64_t *sets = state;
	int used = snprintf(text, size, "at");

	FILCHI_SET_EACH(i, sets + 2 * m->words, m->words)
	if ((size_t)used < size)
		used += snprintf(text + used, size - (size_t)used, " %zu", (size_t)i);
	return used;
}

/* ---- tables ---- */

static void close_precedences(struct model *m)
{
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++)
			if (i != j && (filchi_sop_cost(m->s, i, j) == FILCHI_SOP_BEFORE || j == 0 || i == m->n - 1))
				filchi_set_add(m->before + i * m->words, j);
	for (size_t k = 0; k < m->n; k++)
		for (size_t i = 0; i < m->n; i++)
			for (size_t w = 0; filchi_set_has(m->before + i * m->words, k) && w < m->words; w++)
				m->before[i * m->words + w] |= m->before[k * m->words + w];
}

/* No arc leads from i to j if j precedes i, or if a third job comes after i and before j. */
static bool is_arc(const struct model *m, size_t i, size_t j)
{
	int64_t cost = filchi_sop_cost(m->s, i, j);

	if (i == j || cost == FILCHI_SOP_BEFORE || cost == FILCHI_SOP_NEVER ||
	    filchi_set_has(m->before + i * m->words, j))
		return false;
	FILCHI_SET_EACH(k, m->before + j * m->words, m->words)
	if (filchi_set_has(m->before + k * m->words, i))
		return false;
	return true;
}

static int fill_in(struct model *m)
{
	close_precedences(m);
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++)
			m->cost[i * m->n + j] = is_arc(m, i, j) ? filchi_sop_cost(m->s, i, j) : FILCHI_ARCS_NONE;
	if (filchi_arcs_make(&m->arcs, m->n, m->n - 1, m->cost))
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++)
			if (m->cost[i * m->n + j] != FILCHI_ARCS_NONE)
				m->cost[i * m->n + j] -= m->arcs.u[i] + m->arcs.v[j];
	for (size_t i = 0; i < m->n; i++)
		m->prices += (i + 1 < m->n ? m->arcs.u[i] : 0) + (i ? m->arcs.v[i] : 0);
	return 0;
}

int filchi_sop_model_make(struct filch_dd_problem *p, const void *instance)
{
	const struct filchi_sop *s = instance;
	struct model *m = calloc(1, sizeof(*m));

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .root = root,
				       .expand = expand,
				       .merge = merge,
				       .bound = bound,
				       .width = width,
				       .check = check,
				       .describe = describe,
				       .children_max = (unsigned)s->jobs,
				       .variables = (int)s->jobs - 1,
				       .goal = FILCH_SEARCH_MINIMISE,
				       .flags = FILCH_DD_WIDEN};
	if (!m)
		return -ENOMEM;
	m->s = s;
	m->n = s->jobs;
	m->words = filchi_set_words(m->n);
	p->state_size = 3 * m->words * sizeof(uint64_t);
	m->before = calloc(m->n * m->words, sizeof(*m->before));
	m->cost = calloc(m->n * m->n, sizeof(*m->cost));
	if (!m->before || !m->cost || fill_in(m)) {
		filchi_sop_model_destroy(p);
		return -ENOMEM;
	}
	p->fingerprint = filchi_model_fingerprint(0, s->cost, m->n * m->n * sizeof(*s->cost));
	return 0;
}

void filchi_sop_model_destroy(struct filch_dd_problem *p)
{
	struct model *m = p->arg;

	if (m) {
		free(m->before);
		free(m->cost);
		filchi_arcs_free(&m->arcs);
	}
	free(m);
	p->arg = NULL;
}
