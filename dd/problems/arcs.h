/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bound for problems that visit places in some order, from a start to an end. Each place but the end has one arc out,
 * each place but the start has one arc in. The assignment problem of the root gives prices u of arcs out and v of arcs
 * in, with cost(i, j) = u(i) + v(j) + rest(i, j) and no rest below 0. The rest of a tour costs at least the prices of its
 * places. For each place it also costs the smallest rest of an arc that can still lead into the place.
 */
#ifndef FILCHI_PROBLEMS_ARCS_H
#define FILCHI_PROBLEMS_ARCS_H

#include <stddef.h>
#include <stdint.h>

#define FILCHI_ARCS_NONE INT64_MAX /* there is no such arc, or no such tour */

struct filchi_arc {
	int64_t rest;
	size_t from;
};

struct filchi_arcs {
	size_t places; /* 0 is the start */
	size_t end;
	int64_t *u, *v;
	struct filchi_arc *in; /* row j: the arcs into j, by rising rest */
	size_t *in_count;
};

/* cost: row from, column to; NONE: there is no such arc. 0 or -ENOMEM. */
int filchi_arcs_make(struct filchi_arcs *a, size_t places, size_t end, const int64_t *cost);
void filchi_arcs_free(struct filchi_arcs *a);

/*
 * Tours that go on from a place of here, visit each place of must, more places of may, and then the end. All in all
 * they visit count places before the end, or with the end if must has it.
 */
int64_t filchi_arcs_bound(const struct filchi_arcs *a, const uint64_t *must, const uint64_t *may, const uint64_t *here,
			  size_t words, size_t count);

/* The same tours, without the prices: the rests of their arcs only. Here must has the end. */
int64_t filchi_arcs_bound_rests(const struct filchi_arcs *a, const uint64_t *must, const uint64_t *may,
				const uint64_t *here, size_t words, size_t count);

#endif
