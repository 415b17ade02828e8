/* SPDX-License-Identifier: Apache-2.0 */
#include "misp.h"

#include <inttypes.h>

/* A random graph: each edge with the same probability. With a range above 1 the vertices have weights. */
void filchi_misp_generate(FILE *out, const struct filchi_generate *g)
{
	double density = filchi_generate_density(g, 0.5);
	struct filchi_random r = filchi_random_begin(g);
	size_t edges = 0;

	for (size_t u = 1; u < g->size; u++)
		for (size_t v = 0; v < u; v++)
			edges += filchi_random_chance(&r, density);
	fprintf(out, "p edge %zu %zu\n", g->size, edges);
	r = filchi_random_begin(g);
	for (size_t u = 1; u < g->size; u++)
		for (size_t v = 0; v < u; v++)
			if (filchi_random_chance(&r, density))
				fprintf(out, "e %zu %zu\n", v + 1, u + 1);
	for (size_t v = 0; g->range > 1 && v < g->size; v++)
		fprintf(out, "n %zu %" PRId64 "\n", v + 1, filchi_random_between(&r, 1, g->range));
}
