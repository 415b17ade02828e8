/* SPDX-License-Identifier: Apache-2.0 */
#include "sop.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Precedences agree with one random order, so that there is a solution; they are transitive, as in the public files.
 * before[i * n + j]: the job at place j of the order comes before the job at place i.
 */
static bool *make_precedences(const struct filchi_generate *g, struct filchi_random *r)
{
	double density = filchi_generate_density(g, 0.1);
	size_t n = g->size;
	bool *before = calloc(n * n, sizeof(*before));

	for (size_t i = 1; before && i < n; i++)
		for (size_t j = 0; j < i; j++) {
			if (j > 0 && i + 1 < n && !filchi_random_chance(r, density))
				continue;
			before[i * n + j] = true;
			for (size_t k = 0; k < j; k++)
				before[i * n + k] |= before[j * n + k];
		}
	return before;
}

/* The place of each job in the order: the first and the last job stay where they are. */
static size_t *make_places(size_t n, struct filchi_random *r)
{
	size_t *order = filchi_random_order(r, n > 2 ? n - 2 : 0), *place = calloc(n, sizeof(*place));

	for (size_t i = 0; order && place && i + 2 < n; i++)
		place[i + 1] = order[i] + 1;
	if (place)
		place[n - 1] = n - 1;
	if (!order) {
		free(place);
		place = NULL;
	}
	free(order);
	return place;
}

static void write_costs(FILE *out, const struct filchi_generate *g, struct filchi_random *r, const bool *before,
			const size_t *place)
{
	size_t n = g->size;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int64_t cost = filchi_random_between(r, 1, g->range);

			if (i == j)
				cost = 0;
			else if (before[place[i] * n + place[j]])
				cost = FILCHI_SOP_BEFORE;
			else if (i == 0 && j == n - 1 && n > 2)
				cost = FILCHI_SOP_NEVER;
			fprintf(out, "%" PRId64 "%c", cost, j + 1 < n ? ' ' : '\n');
		}
}

void filchi_sop_generate(FILE *out, const struct filchi_generate *g)
{
	struct filchi_random r = filchi_random_begin(g);
	bool *before = make_precedences(g, &r);
	size_t *place = make_places(g->size, &r);

	if (before && place) {
		fprintf(out, "NAME: random_%" PRIu64 "\nTYPE: SOP\nCOMMENT: random\nDIMENSION: %zu\n", g->seed, g->size);
		fprintf(out, "EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n%zu\n",
			g->size);
		write_costs(out, g, &r, before, place);
		fputs("EOF\n", out);
	}
	free(before);
	free(place);
}
