/* SPDX-License-Identifier: Apache-2.0 */
#include "maxcut.h"

#include <inttypes.h>

/* A random graph with weights from -range to range, without 0. */
static bool edge(struct filchi_random *r, double density, int64_t range, int64_t *weight)
{
	bool there = filchi_random_chance(r, density);

	*weight = there ? filchi_random_between(r, 1, range) : 0;
	if (there && filchi_random_chance(r, 0.5))
		*weight = -*weight;
	return there;
}

void filchi_maxcut_generate(FILE *out, const struct filchi_generate *g)
{
	double density = filchi_generate_density(g, 0.4);
	struct filchi_random r = filchi_random_begin(g);
	size_t edges = 0;
	int64_t weight;

	for (size_t u = 1; u < g->size; u++)
		for (size_t v = 0; v < u; v++)
			edges += edge(&r, density, g->range, &weight);
	fprintf(out, "%zu %zu\n", g->size, edges);
	r = filchi_random_begin(g);
	for (size_t u = 1; u < g->size; u++)
		for (size_t v = 0; v < u; v++)
			if (edge(&r, density, g->range, &weight))
				fprintf(out, "%zu %zu %" PRId64 "\n", v + 1, u + 1, weight);
}
