/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Travelling salesman with time windows; minimise the time of return (makespan). File: comments "#...", the number n of
 * places, n rows of n distances, n lines "EARLIEST LATEST". Place 0 is the depot. A distance includes the time of
 * service. The diagonal has no meaning. Numbers may have fractions, of which four digits count.
 *
 * Solution: the places 1 .. n-1 in the order of the visit.
 */
#ifndef FILCHI_PROBLEMS_TSPTW_H
#define FILCHI_PROBLEMS_TSPTW_H

#include "../problem.h"

#define FILCHI_TSPTW_PLACES_MAX 1024
#define FILCHI_TSPTW_DECIMALS 4
#define FILCHI_TSPTW_TIME_MAX ((int64_t)1 << 42) /* of a distance or a window: the sum of 1,024 has 53 bits */

/* Times are in units of 1/10,000. */
struct filchi_tsptw {
	size_t places;
	int64_t *distance; /* row: from, column: to */
	int64_t *earliest, *latest;
};

static inline int64_t filchi_tsptw_distance(const struct filchi_tsptw *m, size_t from, size_t to)
{
	return m->distance[from * m->places + to];
}

FILCHI_PROBLEM_FUNCTIONS(tsptw);

#endif
