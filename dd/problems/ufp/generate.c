/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first quarter of the nodes has supply, the last quarter has demand, and most of the others are in Q. Arcs lead
 * from one of the first three quarters to one of the last three. Most of them lead on, some back.
 */
#include "ufp.h"

#include <inttypes.h>

#define BACK 0.1     /* share of arcs that lead back */
#define NEGATIVE 0.2 /* share of arcs with a negative reward, of those that do not reach demand */
#define REWARD 20
#define IN_Q 0.75    /* share of the nodes in the middle */

static void write_arc(FILE *out, const struct filchi_generate *g, struct filchi_random *r, size_t ends, size_t last)
{
	int64_t n = (int64_t)g->size, tail, head, reward = filchi_random_between(r, 0, REWARD / 2);
	bool back = filchi_random_chance(r, BACK);

	do {
		tail = filchi_random_between(r, 0, (int64_t)last - 1);
		head = filchi_random_between(r, (int64_t)ends, n - 1);
	} while (tail == head || (tail > head && !back));
	if (head >= (int64_t)last)
		reward = filchi_random_between(r, REWARD / 4, REWARD);
	else if (filchi_random_chance(r, NEGATIVE))
		reward = -reward / 2;
	fprintf(out, "a %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", tail, head,
		filchi_random_between(r, g->range / 4 + 1, g->range), reward);
}

void filchi_ufp_generate(FILE *out, const struct filchi_generate *g)
{
	struct filchi_random r = filchi_random_begin(g), again = r;
	size_t ends = g->size / 4 ? g->size / 4 : 1, last = g->size - ends, in_q = 0;
	size_t arcs = g->arcs ? g->arcs : 5 * g->size / 2, scenarios = g->scenarios ? g->scenarios : 10;
	double share = filchi_generate_density(g, IN_Q);

	for (size_t v = ends; v < last; v++)
		in_q += filchi_random_chance(&r, share);
	fprintf(out, "c seed %" PRIu64 "\np ufp %zu %zu %zu %zu\n", g->seed, g->size, arcs, in_q, scenarios);
	for (size_t v = ends; v < last; v++)
		if (filchi_random_chance(&again, share))
			fprintf(out, "q %zu\n", v);
	for (size_t v = 0; v < ends; v++)
		fprintf(out, "s %zu %" PRId64 "\n", v, filchi_random_between(&r, g->range / 2, 2 * g->range));
	for (size_t k = 0; k < scenarios; k++)
		for (size_t v = last; v < g->size; v++)
			fprintf(out, "d %zu %zu %" PRId64 "\n", k, v, filchi_random_between(&r, 0, 2 * g->range));
	for (size_t i = 0; i < arcs; i++)
		write_arc(out, g, &r, ends, last);
}
