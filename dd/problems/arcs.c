/* SPDX-License-Identifier: Apache-2.0 */
#include "arcs.h"

#include "sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PRICES_MAX ((int64_t)1 << 60)

/* ---- the prices: the Hungarian method with shortest augmenting paths ---- */

/* Rows and columns count from 1; 0 stands for none. A row is a place with an arc out, a column one with an arc in. */
struct assignment {
	size_t n;
	const int64_t *cost;
	int64_t large; /* the cost of an arc that is not there */
	int64_t *u, *v, *least;
	size_t *row_of, *way;
	bool *used;
};

static int64_t cost_of(const struct assignment *s, size_t row, size_t column)
{
	int64_t cost = s->cost[(row - 1) * s->n + column - 1];

	return cost == FILCHI_ARCS_NONE ? s->large : cost;
}

/* One step of the search for a shortest path: from a column to the next one. */
static size_t step(struct assignment *s, size_t column)
{
	size_t row = s->row_of[column], next = 0;
	int64_t delta = INT64_MAX;

	s->used[column] = true;
	for (size_t j = 1; j <= s->n; j++) {
		int64_t reduced;

		if (s->used[j])
			continue;
		reduced = cost_of(s, row, j) - s->u[row] - s->v[j];
		if (reduced < s->least[j]) {
			s->least[j] = reduced;
			s->way[j] = column;
		}
		if (s->least[j] < delta) {
			delta = s->least[j];
			next = j;
		}
	}
	for (size_t j = 0; j <= s->n; j++)
		if (s->used[j]) {
			s->u[s->row_of[j]] += delta;
			s->v[j] -= delta;
		} else {
			s->least[j] -= delta;
		}
	return next;
}

static void assign_row(struct assignment *s, size_t row)
{
	size_t column = 0;

	s->row_of[0] = row;
	for (size_t j = 0; j <= s->n; j++) {
		s->least[j] = INT64_MAX / 2;
		s->used[j] = false;
	}
	do
		column = step(s, column);
	while (s->row_of[column]);
	for (; column; column = s->way[column])
		s->row_of[column] = s->row_of[s->way[column]];
}

static int assign(struct filchi_arcs *a, size_t n, const int64_t *cost)
{
	struct assignment s = {.n = n, .cost = cost, .large = 1};
	int err = 0;

	for (size_t i = 0; i < n * n; i++)
		if (cost[i] != FILCHI_ARCS_NONE && cost[i] > s.large)
			s.large = cost[i];
	s.large *= (int64_t)n + 1;
	if (s.large > PRICES_MAX / ((int64_t)n * (int64_t)n))
		return 0; /* sums of prices might overflow: no prices */
	s.u = calloc(4 * (n + 1), sizeof(*s.u));
	s.row_of = calloc(2 * (n + 1), sizeof(*s.row_of));
	s.used = calloc(n + 1, sizeof(*s.used));
	if (s.u && s.row_of && s.used) {
		s.v = s.u + n + 1;
		s.least = s.v + n + 1;
		s.way = s.row_of + n + 1;
		for (size_t row = 1; row <= n; row++)
			assign_row(&s, row);
		memcpy(a->u, s.u + 1, n * sizeof(*a->u));
		memcpy(a->v, s.v + 1, n * sizeof(*a->v));
	} else {
		err = -ENOMEM;
	}
	free(s.u);
	free(s.row_of);
	free(s.used);
	return err;
}

/* ---- arcs ---- */

static int compare(const void *a, const void *b)
{
	const struct filchi_arc *x = a, *y = b;

	if (x->rest != y->rest)
		return x->rest < y->rest ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static void sort_arcs(struct filchi_arcs *a, const int64_t *cost)
{
	size_t n = a->places;

	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < n; i++)
			if (i != j && i != a->end && j != 0 && cost[i * n + j] != FILCHI_ARCS_NONE)
				a->in[j * n + a->in_count[j]++] =
					(struct filchi_arc){cost[i * n + j] - a->u[i] - a->v[j], i};
		qsort(a->in + j * n, a->in_count[j], sizeof(*a->in), compare);
	}
}

/* The end has an arc to the start for free, so that each place has an arc out and an arc in. */
static int64_t *closed(size_t n, size_t end, const int64_t *cost)
{
	int64_t *tour = malloc(n * n * sizeof(*tour));

	for (size_t i = 0; tour && i < n; i++)
		for (size_t j = 0; j < n; j++)
			tour[i * n + j] = i == j || i == end || j == 0 ? FILCHI_ARCS_NONE : cost[i * n + j];
	if (tour)
		tour[end * n] = 0;
	return tour;
}

/* Large prices come from arcs that are not there. Without them, sums of prices and rests stay in range. */
static void drop_large_prices(struct filchi_arcs *a)
{
	int64_t most = PRICES_MAX / 16 / ((int64_t)a->places + 1);

	for (size_t i = 0; i < a->places; i++)
		if (a->u[i] > most || a->u[i] < -most || a->v[i] > most || a->v[i] < -most) {
			memset(a->u, 0, a->places * sizeof(*a->u));
			memset(a->v, 0, a->places * sizeof(*a->v));
			return;
		}
}

int filchi_arcs_make(struct filchi_arcs *a, size_t places, size_t end, const int64_t *cost)
{
	int64_t *tour = closed(places, end, cost);
	int err = -ENOMEM;

	*a = (struct filchi_arcs){.places = places, .end = end};
	a->u = calloc(places, sizeof(*a->u));
	a->v = calloc(places, sizeof(*a->v));
	a->in = calloc(places * places, sizeof(*a->in));
	a->in_count = calloc(places, sizeof(*a->in_count));
	if (tour && a->u && a->v && a->in && a->in_count)
		err = assign(a, places, tour);
	if (err) {
		filchi_arcs_free(a);
	} else {
		drop_large_prices(a);
		sort_arcs(a, tour);
	}
	free(tour);
	return err;
}

void filchi_arcs_free(struct filchi_arcs *a)
{
	free(a->u);
	free(a->v);
	free(a->in);
	free(a->in_count);
	*a = (struct filchi_arcs){0};
}

/* ---- the bound ---- */

/* The smallest rest of an arc into a place, from a place of the set. */
static inline int64_t rest_into(const struct filchi_arcs *a, size_t place, const uint64_t *from)
{
	const struct filchi_arc *arc = a->in + place * a->places, *stop = arc + a->in_count[place];

	for (; arc < stop; arc++)
		if (filchi_set_has(from, arc->from))
			return arc->rest;
	return FILCHI_ARCS_NONE;
}

/* The cheapest places of may, missing of them: each costs at least the cheapest one. */
static int64_t add_may(const struct filchi_arcs *a, const uint64_t *may, const uint64_t *from, size_t words,
		       size_t missing)
{
	int64_t least = FILCHI_ARCS_NONE;

	FILCHI_SET_EACH(j, may, words)
	{
		int64_t rest = rest_into(a, j, from);

		if (rest != FILCHI_ARCS_NONE && rest + a->u[j] + a->v[j] < least)
			least = rest + a->u[j] + a->v[j];
	}
	return least == FILCHI_ARCS_NONE ? least : least * (int64_t)missing;
}

int64_t filchi_arcs_bound(const struct filchi_arcs *a, const uint64_t *must, const uint64_t *may, const uint64_t *here,
			  size_t words, size_t count)
{
	uint64_t from[(1024 + 64) / 64]; /* the places with an arc out */
	int64_t sum = FILCHI_ARCS_NONE, rest;
	size_t visits = 0;

	for (size_t w = 0; w < words; w++)
		from[w] = must[w] | may[w] | here[w];
	FILCHI_SET_EACH(i, here, words)
	sum = a->u[i] < sum ? a->u[i] : sum;
	rest = rest_into(a, a->end, from);
	if (rest == FILCHI_ARCS_NONE)
		return FILCHI_ARCS_NONE;
	sum += rest + a->v[a->end];
	FILCHI_SET_EACH(j, must, words)
	{
		visits++;
		if (j == a->end)
			continue;
		rest = rest_into(a, j, from);
		if (rest == FILCHI_ARCS_NONE)
			return FILCHI_ARCS_NONE;
		sum += rest + a->v[j] + a->u[j];
	}
	if (visits < count) {
		rest = add_may(a, may, from, words, count - visits);
		return rest == FILCHI_ARCS_NONE ? rest : sum + rest;
	}
	return sum;
}

int64_t filchi_arcs_bound_rests(const struct filchi_arcs *a, const uint64_t *must, const uint64_t *may,
				const uint64_t *here, size_t words, size_t count)
{
	uint64_t from[(1024 + 64) / 64];
	int64_t sum = 0, least = FILCHI_ARCS_NONE;
	size_t visits = 0;

	for (size_t w = 0; w < words; w++)
		from[w] = must[w] | may[w] | here[w];
	FILCHI_SET_EACH(j, must, words)
	{
		int64_t rest = rest_into(a, j, from);

		if (rest == FILCHI_ARCS_NONE)
			return FILCHI_ARCS_NONE;
		sum += rest;
		visits++;
	}
	if (visits >= count)
		return sum;
	FILCHI_SET_EACH(j, may, words)
	{
		int64_t rest = rest_into(a, j, from);

		least = rest < least ? rest : least;
	}
	return least == FILCHI_ARCS_NONE ? least : sum + least * (int64_t)(count - visits);
}
