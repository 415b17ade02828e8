/* SPDX-License-Identifier: Apache-2.0 */
#include "tsptw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct point {
	int64_t x, y;
};

/* Rounded up, so that the triangle inequality holds. */
static int64_t distance(const struct point *a, const struct point *b)
{
	double x = (double)(a->x - b->x), y = (double)(a->y - b->y);

	return (int64_t)ceil(sqrt(x * x + y * y));
}

static void write_distances(FILE *out, const struct point *points, size_t n)
{
	fprintf(out, "%zu\n", n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			fprintf(out, "%" PRId64 "%c", distance(&points[i], &points[j]), j + 1 < n ? ' ' : '\n');
}

/* Windows around the times of a random tour, so that there is a solution. A larger density makes narrower windows. */
static void write_windows(FILE *out, const struct filchi_generate *g, struct filchi_random *r,
			  const struct point *points, const size_t *order, int64_t *time)
{
	int64_t now = 0, wide = g->range + (int64_t)((double)g->range * 4 * (1 - filchi_generate_density(g, 0.5)));
	size_t here = 0;

	for (size_t k = 0; k < g->size; k++) {
		if (order[k] == 0)
			continue;
		now += distance(&points[here], &points[order[k]]);
		here = order[k];
		time[here] = now;
	}
	fprintf(out, "0 %" PRId64 "\n", now + distance(&points[here], &points[0]) + wide);
	for (size_t i = 1; i < g->size; i++) {
		int64_t early = time[i] - filchi_random_between(r, 0, wide / 2);
		int64_t late = time[i] + filchi_random_between(r, 0, wide / 2);

		fprintf(out, "%" PRId64 " %" PRId64 "\n", early < 0 ? 0 : early, late);
	}
}

void filchi_tsptw_generate(FILE *out, const struct filchi_generate *g)
{
	struct filchi_random r = filchi_random_begin(g);
	struct point *points = calloc(g->size, sizeof(*points));
	int64_t *time = calloc(g->size, sizeof(*time));
	size_t *order = filchi_random_order(&r, g->size);

	for (size_t i = 0; points && i < g->size; i++) {
		points[i].x = filchi_random_between(&r, 0, g->range);
		points[i].y = filchi_random_between(&r, 0, g->range);
	}
	if (points && time && order) {
		write_distances(out, points, g->size);
		write_windows(out, g, &r, points, order, time);
	}
	free(points);
	free(time);
	free(order);
}
