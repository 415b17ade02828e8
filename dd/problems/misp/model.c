/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State: the set of free vertices. A vertex that is taken removes itself and its neighbours. Merge: the union.
 *
 * The next vertex is one that is free in the fewest states of the layer. Counters of all vertices are bit-sliced: bit v
 * of plane p is bit p of the counter of vertex v, so that a word of a state adds to 64 counters at once.
 *
 * The bound is a clique cover: an independent set has at most one vertex of each clique. Cliques grow greedily, by words.
 */
#include "../model.h"
#include "misp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLANES 32
#define NODES_MAX ((size_t)1 << 19)
#define WIDTH_MIN 100u

struct model {
	const struct filchi_misp *m;
	size_t words;
	uint64_t *keep; /* row v: the vertices that stay free when v is taken */
	int64_t sum;	/* of all weights */
	bool unit;	/* all weights are 1 */
	bool rank_by_size;
};

static inline int first_bit(uint64_t word)
{
	return __builtin_ctzll(word);
}

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	const struct model *m = layer->arg;
	uint64_t *set = state;

	for (size_t i = 0; i < m->words; i++)
		set[i] = UINT64_MAX;
	if (m->m->vertices % 64)
		set[m->words - 1] = ((uint64_t)1 << m->m->vertices % 64) - 1;
	return 0;
}

static inline void expand_words(const struct model *m, size_t v, const uint64_t *set,
				struct filch_dd_children *children, size_t words)
{
	const uint64_t *keep = m->keep + v * words;
	uint64_t bit = (uint64_t)1 << v % 64, *child;

	if (set[v / 64] & bit) {
		child = filch_dd_child(children, 1, m->m->weight[v]);
		for (size_t i = 0; i < words; i++)
			child[i] = set[i] & keep[i];
	}
	child = filch_dd_child(children, 0, 0);
	for (size_t i = 0; i < words; i++)
		child[i] = set[i];
	child[v / 64] &= ~bit;
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct model *m = layer->arg;

	if (m->words == 4)
		expand_words(m, (size_t)layer->variable, state, children, 4);
	else
		expand_words(m, (size_t)layer->variable, state, children, m->words);
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	const struct model *m = layer->arg;
	const uint64_t *from = state;
	uint64_t *to = into;

	for (size_t i = 0; i < m->words; i++)
		to[i] |= from[i];
}

/* Adds one word of each state to 64 counters. Returns the number of planes in use. */
static unsigned count_word(const unsigned char *state, size_t count, size_t stride, uint64_t *plane)
{
	unsigned used = 0;

	for (size_t n = 0; n < count; n++, state += stride) {
		uint64_t carry;
		unsigned p = 0;

		memcpy(&carry, state, sizeof(carry));
		for (; carry; p++) {
			uint64_t old = plane[p];

			plane[p] = old ^ carry;
			carry &= old;
		}
		used = p > used ? p : used;
	}
	return used;
}

/* Of the vertices in `set`, those whose counter is least stay. */
static int least(uint64_t *set, const uint64_t *planes, size_t words, unsigned used)
{
	for (unsigned p = used; p-- > 0;) {
		uint64_t any = 0;

		for (size_t i = 0; i < words; i++)
			any |= set[i] & ~planes[i * PLANES + p];
		for (size_t i = 0; any && i < words; i++)
			set[i] &= ~planes[i * PLANES + p];
	}
	for (size_t i = 0; i < words; i++)
		if (set[i])
			return (int)(64 * i) + first_bit(set[i]);
	return -1;
}

static int next_variable(const struct filch_dd_layer *layer, const void *states, size_t count, size_t stride)
{
	const struct model *m = layer->arg;
	uint64_t *planes = layer->local, *set = planes + m->words * PLANES;
	unsigned used = 0;

	memset(planes, 0, m->words * PLANES * sizeof(*planes));
	for (size_t i = 0; i < m->words; i++) {
		unsigned here = count_word((const unsigned char *)states + 8 * i, count, stride, planes + i * PLANES);

		used = here > used ? here : used;
		set[i] = 0;
		for (unsigned p = 0; p < here; p++)
			set[i] |= planes[i * PLANES + p];
	}
	return least(set, planes, m->words, used);
}

/* Processors without an instruction for this are the default of the compiler, and its function is slow. */
static inline int64_t count_bits(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (int64_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static int64_t size_of(const uint64_t *set, size_t words)
{
	int64_t size = 0;

	for (size_t i = 0; i < words; i++)
		size += count_bits(set[i]);
	return size;
}

static int64_t weight_of(const struct model *m, const uint64_t *set)
{
	int64_t sum = 0;

	if (m->unit)
		return size_of(set, m->words);
	for (size_t i = 0; i < m->words; i++)
		for (uint64_t word = set[i]; word; word &= word - 1)
			sum += m->m->weight[64 * i + (size_t)first_bit(word)];
	return sum;
}

/* Takes the clique of the first vertex out of the set. Returns its largest weight; *all is the sum of its weights. */
static inline __attribute__((always_inline)) int64_t take_clique(const struct model *m, uint64_t *set, size_t i, size_t words, int64_t *all)
{
	uint64_t later = set[i];
	size_t v = 64 * i + (size_t)first_bit(later);
	const uint64_t *row = filchi_misp_row(m->m, v);
	int64_t most = m->m->weight[v], weight;
	uint64_t candidates[FILCHI_MISP_VERTICES_MAX / 64];

	set[i] &= later - 1;
	*all = most;
	for (size_t j = i; j < words; j++)
		candidates[j] = set[j] & row[j];
	for (; i < words; i++) {
		while (candidates[i]) {
			v = 64 * i + (size_t)first_bit(candidates[i]);
			set[i] &= ~(candidates[i] & -candidates[i]);
			candidates[i] &= candidates[i] - 1;
			row = filchi_misp_row(m->m, v);
			for (size_t j = i; j < words; j++)
				candidates[j] &= row[j];
			weight = m->m->weight[v];
			*all += weight;
			most = weight > most ? weight : most;
		}
	}
	return most;
}

static inline __attribute__((always_inline)) int64_t cover(const struct model *m, uint64_t *set, int64_t rest,
							   int64_t limit, size_t words)
{
	int64_t bound = 0, all;

	for (size_t i = 0; i < words; i++) {
		while (set[i]) {
			if (bound > limit || bound + rest <= limit)
				return bound + rest;
			bound += take_clique(m, set, i, words, &all);
			rest -= all;
		}
	}
	return bound;
}

static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	const struct model *m = layer->arg;
	uint64_t *set = (uint64_t *)layer->local + m->words * PLANES;
	int64_t rest = weight_of(m, state);

	if (rest <= limit || limit < 0)
		return rest;
	memcpy(set, state, m->words * sizeof(*set));
	switch (m->words) { /* the compiler unrolls the loops over words */
	case 3:
		return cover(m, set, rest, limit, 3);
	case 4:
		return cover(m, set, rest, limit, 4);
	default:
		return cover(m, set, rest, limit, m->words);
	}
}

/* A diagram keeps large states rather than small ones of the same value. */
static int64_t rank(const struct filch_dd_layer *layer, const void *state, int64_t value)
{
	const struct model *m = layer->arg;

	return m->rank_by_size ? value * (int64_t)(m->m->vertices + 1) + size_of(state, m->words) : value;
}

/* One node per undecided vertex. Diagrams of large graphs stay below half a million nodes: bounds are costly there. */
static size_t width(int depth, void *arg)
{
	size_t n = ((const struct model *)arg)->m->vertices, width = n - (size_t)depth, most = NODES_MAX / n;

	most = most < WIDTH_MIN ? WIDTH_MIN : most;
	return width < most ? width : most;
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct model *m = arg;
	struct filchi_check_error error;

	return filchi_misp_check(m->m, labels, m->m->vertices, value, &error);
}

/* The free vertices, from 1, as in the file. */
static int describe(const void *state, char *text, size_t size, void *arg)
{
	const struct model *m = arg;
	const uint64_t *set = state;
	size_t used = 0;

	if (size)
		text[0] = 0;
	for (size_t v = 0; v < m->m->vertices; v++) {
		if (!(set[v / 64] >> v % 64 & 1))
			continue;
		used += (size_t)snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "%s%zu",
					 used ? " " : "", v + 1);
	}
	return (int)used;
}

static void fill_in(struct model *m)
{
	const struct filchi_misp *g = m->m;

	m->unit = true;
	for (size_t v = 0; v < g->vertices; v++) {
		for (size_t i = 0; i < m->words; i++)
			m->keep[v * m->words + i] = ~filchi_misp_row(g, v)[i];
		m->keep[v * m->words + v / 64] &= ~((uint64_t)1 << v % 64);
		m->unit = m->unit && g->weight[v] == 1;
		m->sum += g->weight[v];
	}
	m->rank_by_size = m->sum < FILCH_DD_VALUE_MAX / (int64_t)(g->vertices + 1);
}

int filchi_misp_model_make(struct filch_dd_problem *p, const void *instance)
{
	const struct filchi_misp *g = instance;
	struct model *m = calloc(1, sizeof(*m));

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .root = root,
				       .expand = expand,
				       .next_variable = next_variable,
				       .merge = merge,
				       .bound = bound,
				       .rank = rank,
				       .width = width,
				       .check = check,
				       .describe = describe,
				       .local_size = (g->words * (PLANES + 1)) * sizeof(uint64_t),
				       .state_size = g->words * sizeof(uint64_t),
				       .variables = (int)g->vertices,
				       .goal = FILCH_SEARCH_MAXIMISE,
				       .flags = FILCH_DD_STATE_ONLY | FILCH_DD_NO_THRESHOLDS};
	if (!m)
		return -ENOMEM;
	m->m = g;
	m->words = g->words;
	m->keep = calloc(g->vertices * g->words + 1, sizeof(*m->keep));
	if (!m->keep) {
		filchi_misp_model_destroy(p);
		return -ENOMEM;
	}
	fill_in(m);
	p->fingerprint = filchi_model_fingerprint(0, g->adjacent, g->vertices * g->words * sizeof(*g->adjacent));
	p->fingerprint = filchi_model_fingerprint(p->fingerprint, g->weight, g->vertices * sizeof(*g->weight));
	return 0;
}

void filchi_misp_model_destroy(struct filch_dd_problem *p)
{
	struct model *m = p->arg;

	if (m)
		free(m->keep);
	free(m);
	p->arg = NULL;
}
