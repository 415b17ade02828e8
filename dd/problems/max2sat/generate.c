/* SPDX-License-Identifier: Apache-2.0 */
#include "max2sat.h"

#include <inttypes.h>

/* Each possible clause of two variables with the same probability, and of one variable with a quarter of it. */
static size_t clauses(FILE *out, const struct filchi_generate *g)
{
	double density = filchi_generate_density(g, g->size > 1 ? 6.0 / (double)(g->size - 1) : 1);
	struct filchi_random r = filchi_random_begin(g);
	size_t count = 0;

	for (size_t a = 0; a < 2 * g->size; a++)
		for (size_t b = 0; b <= a; b++) {
			int64_t weight = filchi_random_between(&r, 1, g->range);

			if ((a / 2 == b / 2 && a != b) || !filchi_random_chance(&r, a == b ? density / 4 : density))
				continue;
			count++;
			if (out)
				fprintf(out, "%" PRId64 " %s%zu", weight, a % 2 ? "" : "-", a / 2 + 1);
			if (out && a != b)
				fprintf(out, " %s%zu", b % 2 ? "" : "-", b / 2 + 1);
			if (out)
				fputs(" 0\n", out);
		}
	return count;
}

void filchi_max2sat_generate(FILE *out, const struct filchi_generate *g)
{
	fprintf(out, "p wcnf %zu %zu\n", g->size, clauses(NULL, g));
	clauses(out, g);
}
