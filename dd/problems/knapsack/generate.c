/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

#include <inttypes.h>

/* Profits close to the weights make an instance harder than independent ones. The capacity is half of all weights. */
void filchi_knapsack_generate(FILE *out, const struct filchi_generate *g)
{
	struct filchi_random r = filchi_random_begin(g);
	int64_t weights = 0, tenth = g->range / 10 + 1;

	for (size_t i = 0; i < g->size; i++) {
		weights += filchi_random_between(&r, 1, g->range);
		filchi_random_between(&r, 0, tenth);
	}
	fprintf(out, "%zu %" PRId64 "\n", g->size, weights / 2);
	r = filchi_random_begin(g);
	for (size_t i = 0; i < g->size; i++) {
		int64_t weight = filchi_random_between(&r, 1, g->range);

		fprintf(out, "%" PRId64 " %" PRId64 "\n", weight + filchi_random_between(&r, 0, tenth), weight);
	}
}
