/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State: the time, and three sets: the places that must still be visited, those that may be visited, and the possible
 * places of the salesman. Without merges the second is empty and the third has one place. Variable k is place k of the
 * tour. The value of a node is its time; a merged node has the earliest time, and merge_cost keeps value and time equal.
 *
 * The depot is the start, place 0, and the end, place n of the bounds. Windows are tightened by the shortest ways from
 * and to the depot.
 */
#include "../arcs.h"
#include "../model.h"
#include "../sets.h"
#include "tsptw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct model {
	const struct filchi_tsptw *t;
	size_t n, words;
	int64_t *earliest, *latest; /* tightened */
	int64_t *way;		    /* shortest ways, row from, column to */
	struct filchi_arcs arcs;
};

struct state {
	int64_t time;
	uint64_t sets[]; /* must, may, here */
};

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	const struct model *m = layer->arg;
	struct state *s = state;

	memset(s->sets, 0, 3 * m->words * sizeof(uint64_t));
	s->time = m->t->earliest[0];
	for (size_t i = 1; i < m->n; i++)
		filchi_set_add(s->sets, i);
	filchi_set_add(s->sets + 2 * m->words, 0);
	return s->time;
}

/* The time at a place, or -1: too late. */
static int64_t arrive(const struct model *m, const struct state *s, size_t place)
{
	int64_t time = INT64_MAX;

	FILCHI_SET_EACH(i, s->sets + 2 * m->words, m->words)
	{
		int64_t then = s->time + filchi_tsptw_distance(m->t, i, place);

		if (i != place && then < time)
			time = then;
	}
	if (time > m->latest[place])
		return -1;
	return time < m->earliest[place] ? m->earliest[place] : time;
}

/* All places that must be visited can be reached in time. */
static bool reaches(const struct model *m, const uint64_t *must, size_t place, int64_t time)
{
	const int64_t *way = m->way + place * m->n;

	FILCHI_SET_EACH(j, must, m->words)
	if (j != place && time + way[j] > m->latest[j])
		return false;
	return true;
}

static void visit(const struct filch_dd_layer *layer, const struct state *s, size_t place,
		  struct filch_dd_children *children)
{
	const struct model *m = layer->arg;
	int64_t time = arrive(m, s, place);
	struct state *child;

	if (time < 0 || !reaches(m, s->sets, place, time))
		return;
	if ((size_t)layer->depth + 2 == m->n) { /* the last place: return to the depot; all ends are equal */
		time += filchi_tsptw_distance(m->t, place, 0);
		if (time > m->t->latest[0])
			return;
		child = filch_dd_child(children, (int32_t)place, time - s->time);
		memset(child, 0, sizeof(*child) + 3 * m->words * sizeof(uint64_t));
		return;
	}
	child = filch_dd_child(children, (int32_t)place, time - s->time);
	child->time = time;
	memcpy(child->sets, s->sets, 2 * m->words * sizeof(uint64_t));
	memset(child->sets + 2 * m->words, 0, m->words * sizeof(uint64_t));
	filchi_set_remove(child->sets, place);
	filchi_set_remove(child->sets + m->words, place);
	filchi_set_add(child->sets + 2 * m->words, place);
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct model *m = layer->arg;
	const struct state *s = state;

	FILCHI_SET_EACH(j, s->sets, m->words)
	visit(layer, s, j, children);
	if (filchi_set_count(s->sets, m->words) + (size_t)layer->depth + 1 < m->n)
		FILCHI_SET_EACH(j, s->sets + m->words, m->words)
	visit(layer, s, j, children);
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	const struct model *m = layer->arg;
	const struct state *from = state;
	struct state *s = into;

	s->time = from->time < s->time ? from->time : s->time;
	filchi_sets_merge(s->sets, from->sets, m->words);
}

static int64_t merge_cost(const struct filch_dd_layer *layer, const void *state, const void *merged)
{
	(void)layer;
	return ((const struct state *)merged)->time - ((const struct state *)state)->time;
}

/* The ways that are left, and the windows of the places that must be visited. */
static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	const struct model *m = layer->arg;
	const struct state *s = state;
	int64_t ways;

	(void)limit;
	if ((size_t)layer->depth + 1 == m->n)
		return 0;
	ways = filchi_arcs_bound(&m->arcs, s->sets, s->sets + m->words, s->sets + 2 * m->words, m->words,
				 m->n - 1 - (size_t)layer->depth);
	if (ways == FILCHI_ARCS_NONE || s->time + ways > m->t->latest[0])
		return INT64_MAX;
	FILCHI_SET_EACH(j, s->sets, m->words)
	{
		int64_t wait = m->earliest[j] + m->way[j * m->n] - s->time;

		ways = wait > ways ? wait : ways;
	}
	return ways;
}

static int dominance(const struct filch_dd_layer *layer, const void *state, void *key, int64_t *coordinates)
{
	const struct model *m = layer->arg;
	const struct state *s = state;

	coordinates[0] = -s->time;
	memcpy(key, s->sets, 3 * m->words * sizeof(uint64_t));
	return 1;
}

static size_t width(int depth, void *arg)
{
	return ((const struct model *)arg)->n * ((size_t)depth + 1);
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct model *m = arg;
	struct filchi_check_error error;

	return filchi_tsptw_check(m->t, labels, m->n - 1, value, &error);
}

static int describe(const void *state, char *text, size_t size, void *arg)
{
	const struct model *m = arg;
	const struct state *s = state;
	int used = snprintf(text, size, "%" PRId64 " at", s->time / 10000);

	FILCHI_SET_EACH(i, s->sets + 2 * m->words, m->words)
	if ((size_t)used < size)
		used += snprintf(text + used, size - (size_t)used, " %zu", (size_t)i);
	return used;
}

/* ---- tables ---- */

static void shorten_ways(struct model *m)
{
	for (size_t k = 0; k < m->n; k++)
		for (size_t i = 0; i < m->n; i++)
			for (size_t j = 0; j < m->n; j++)
				if (m->way[i * m->n + k] + m->way[k * m->n + j] < m->way[i * m->n + j])
					m->way[i * m->n + j] = m->way[i * m->n + k] + m->way[k * m->n + j];
}

static void tighten(struct model *m)
{
	const struct filchi_tsptw *t = m->t;

	memcpy(m->way, t->distance, m->n * m->n * sizeof(*m->way));
	for (size_t i = 0; i < m->n; i++)
		m->way[i * m->n + i] = 0;
	shorten_ways(m);
	for (size_t i = 0; i < m->n; i++) {
		int64_t first = t->earliest[0] + m->way[i], last = t->latest[0] - m->way[i * m->n];

		m->earliest[i] = t->earliest[i] > first ? t->earliest[i] : first;
		m->latest[i] = t->latest[i] < last ? t->latest[i] : last;
	}
}

/* Arcs that the windows allow. The depot as the end is place n. */
static int make_arcs(struct model *m)
{
	size_t n = m->n + 1;
	int64_t *cost = malloc(n * n * sizeof(*cost));
	int err;

	for (size_t i = 0; cost && i < n; i++)
		for (size_t j = 0; j < n; j++) {
			size_t to = j == m->n ? 0 : j;
			bool open = i < m->n && i != j && j > 0 && !(i == 0 && to == 0);

			cost[i * n + j] = open ? filchi_tsptw_distance(m->t, i, to) : FILCHI_ARCS_NONE;
			if (open && m->earliest[i] + cost[i * n + j] > (to ? m->latest[to] : m->t->latest[0]))
				cost[i * n + j] = FILCHI_ARCS_NONE;
		}
	err = cost ? filchi_arcs_make(&m->arcs, n, m->n, cost) : -ENOMEM;
	free(cost);
	return err;
}

int filchi_tsptw_model_make(struct filch_dd_problem *p, const void *instance)
{
	const struct filchi_tsptw *t = instance;
	struct model *m = calloc(1, sizeof(*m));

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .root = root,
				       .expand = expand,
				       .merge = merge,
				       .merge_cost = merge_cost,
				       .bound = bound,
				       .dominance = dominance,
				       .width = width,
				       .check = check,
				       .describe = describe,
				       .coordinates = 1,
				       .children_max = (unsigned)t->places,
				       .variables = (int)t->places - 1,
				       .goal = FILCH_SEARCH_MINIMISE,
				       .flags = FILCH_DD_WIDEN};
	if (!m)
		return -ENOMEM;
	m->t = t;
	m->n = t->places;
	m->words = filchi_set_words(m->n);
	p->state_size = sizeof(struct state) + 3 * m->words * sizeof(uint64_t);
	p->key_size = 3 * m->words * sizeof(uint64_t);
	m->earliest = calloc(m->n, sizeof(*m->earliest));
	m->latest = calloc(m->n, sizeof(*m->latest));
	m->way = calloc(m->n * m->n, sizeof(*m->way));
	if (m->earliest && m->latest && m->way)
		tighten(m);
	if (!m->earliest || !m->latest || !m->way || make_arcs(m)) {
		filchi_tsptw_model_destroy(p);
		return -ENOMEM;
	}
	p->fingerprint = filchi_model_fingerprint(0, t->distance, m->n * m->n * sizeof(*t->distance));
	p->fingerprint = filchi_model_fingerprint(p->fingerprint, t->earliest, m->n * sizeof(*t->earliest));
	p->fingerprint = filchi_model_fingerprint(p->fingerprint, t->latest, m->n * sizeof(*t->latest));
	return 0;
}

void filchi_tsptw_model_destroy(struct filch_dd_problem *p)
{
	struct model *m = p->arg;

	if (m) {
		free(m->earliest);
		free(m->latest);
		free(m->way);
		filchi_arcs_free(&m->arcs);
	}
	free(m);
	p->arg = NULL;
}
