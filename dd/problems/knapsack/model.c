/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State: the capacity left. Items come by falling profit per weight, so that the fractional relaxation of the rest is
 * one search in sums of weights. Merge: the larger capacity.
 */
#include "../model.h"
#include "knapsack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct item {
	int64_t profit, weight;
	int number; /* in the file */
};

struct model {
	const struct filchi_knapsack *k;
	struct item *items;	   /* in the order of the variables */
	int64_t *profits, *weights; /* sums of the items before each place */
};

/* By falling profit per weight; items without weight first. */
static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	__int128 left = (__int128)x->profit * y->weight, right = (__int128)y->profit * x->weight;

	if (!x->weight != !y->weight)
		return x->weight ? 1 : -1;
	if (left != right)
		return left > right ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->number - y->number;
}

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	*(int64_t *)state = ((const struct model *)layer->arg)->k->capacity;
	return 0;
}

static int next_variable(const struct filch_dd_layer *layer, const void *states, size_t count, size_t stride)
{
	const struct model *m = layer->arg;

	(void)states;
	(void)count;
	(void)stride;
	return (size_t)layer->depth < m->k->items ? m->items[layer->depth].number : -1;
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct item *item = &((const struct model *)layer->arg)->items[layer->depth];
	int64_t left = *(const int64_t *)state;

	if (item->weight <= left)
		*(int64_t *)filch_dd_child(children, 1, item->profit) = left - item->weight;
	*(int64_t *)filch_dd_child(children, 0, 0) = left;
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	(void)layer;
	if (*(int64_t *)into < *(const int64_t *)state)
		*(int64_t *)into = *(const int64_t *)state;
}

/* The rest of the items, of which the last one may be cut. */
static int64_t fill(const struct model *m, size_t from, int64_t left)
{
	size_t low = from, high = m->k->items;

	left += m->weights[from];
	while (low < high) { /* the first item that does not fit: weights[low + 1] > left */
		size_t middle = (low + high) / 2;

		if (m->weights[middle + 1] > left)
			high = middle;
		else
			low = middle + 1;
	}
	left -= m->weights[low];
	return m->profits[low] - m->profits[from] +
	       (low == m->k->items ? 0 : (int64_t)((__int128)m->items[low].profit * left / m->items[low].weight));
}

static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	(void)limit;
	return fill(layer->arg, (size_t)layer->depth, *(const int64_t *)state);
}

/* A diagram keeps the states with the best bounds. */
static int64_t rank(const struct filch_dd_layer *layer, const void *state, int64_t value)
{
	return value + fill(layer->arg, (size_t)layer->depth, *(const int64_t *)state);
}

static int dominance(const struct filch_dd_layer *layer, const void *state, void *key, int64_t *coordinates)
{
	(void)layer;
	(void)key;
	coordinates[0] = *(const int64_t *)state;
	return 1;
}

static size_t width(int depth, void *arg)
{
	(void)depth;
	(void)arg;
	return 200;
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct model *m = arg;
	struct filchi_check_error error;

	return filchi_knapsack_check(m->k, labels, m->k->items, value, &error);
}

static int describe(const void *state, char *text, size_t size, void *arg)
{
	(void)arg;
	return snprintf(text, size, "%" PRId64, *(const int64_t *)state);
}

static void fill_in(struct model *m)
{
	for (size_t i = 0; i < m->k->items; i++)
		m->items[i] = (struct item){m->k->profit[i], m->k->weight[i], (int)i};
	qsort(m->items, m->k->items, sizeof(*m->items), compare);
	for (size_t i = 0; i < m->k->items; i++) {
		m->profits[i + 1] = m->profits[i] + m->items[i].profit;
		m->weights[i + 1] = m->weights[i] + m->items[i].weight;
	}
}

int filchi_knapsack_model_make(struct filch_dd_problem *p, const void *instance)
{
	const struct filchi_knapsack *k = instance;
	struct model *m = calloc(1, sizeof(*m));

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .root = root,
				       .expand = expand,
				       .next_variable = next_variable,
				       .merge = merge,
				       .bound = bound,
				       .rank = rank,
				       .dominance = dominance,
				       .width = width,
				       .check = check,
				       .describe = describe,
				       .state_size = sizeof(int64_t),
				       .coordinates = 1,
				       .variables = (int)k->items,
				       .goal = FILCH_SEARCH_MAXIMISE,
				       .flags = FILCH_DD_WIDEN};
	if (!m)
		return -ENOMEM;
	m->k = k;
	m->items = calloc(k->items, sizeof(*m->items));
	m->profits = calloc(k->items + 1, sizeof(*m->profits));
	m->weights = calloc(k->items + 1, sizeof(*m->weights));
	if (!m->items || !m->profits || !m->weights) {
		filchi_knapsack_model_destroy(p);
		return -ENOMEM;
	}
	fill_in(m);
	p->fingerprint = filchi_model_fingerprint(0, &k->capacity, sizeof(k->capacity));
	p->fingerprint = filchi_model_fingerprint(p->fingerprint, k->profit, k->items * sizeof(*k->profit));
	p->fingerprint = filchi_model_fingerprint(p->fingerprint, k->weight, k->items * sizeof(*k->weight));
	return 0;
}

void filchi_knapsack_model_destroy(struct filch_dd_problem *p)
{
	struct model *m = p->arg;

	if (m) {
		free(m->items);
		free(m->profits);
		free(m->weights);
	}
	free(m);
	p->arg = NULL;
}
