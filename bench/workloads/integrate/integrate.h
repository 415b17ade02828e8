/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The area below a curve from 0 to x. It is the area of a trapezium, or, if two trapeziums of half the width have
 * another area, the sum of the areas of the halves. Tasks are fine, as in fib, and their tree is uneven.
 */
#ifndef FILCHI_BENCH_INTEGRATE_H
#define FILCHI_BENCH_INTEGRATE_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_INTEGRATE_EPSILON 1e-9

static inline double filchi_curve(double x)
{
	return (x * x + 1) * x;
}

/* A trapezium from x1 to x2, with the heights there and its area. */
struct filchi_trapezium {
	double x1, y1, x2, y2, area;
};

static inline struct filchi_trapezium filchi_trapezium(double x1, double y1, double x2, double y2)
{
	struct filchi_trapezium t = {x1, y1, x2, y2, (y1 + y2) * (x2 - x1) / 2};

	return t;
}

/* True if the halves together have almost the same area. Then *area is their sum. */
static inline bool filchi_integrate_halve(struct filchi_trapezium t, struct filchi_trapezium *first,
					  struct filchi_trapezium *second, double *area)
{
	double x = t.x1 + (t.x2 - t.x1) / 2, y = filchi_curve(x), off;

	*first = filchi_trapezium(t.x1, t.y1, x, y);
	*second = filchi_trapezium(x, y, t.x2, t.y2);
	*area = first->area + second->area;
	off = *area - t.area;
	return off < FILCHI_INTEGRATE_EPSILON && off > -FILCHI_INTEGRATE_EPSILON;
}

double filchi_integrate(struct filchi_trapezium t);

FILCH_END_DECLS

#endif
