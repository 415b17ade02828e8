/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points of one coordinate and a value, none of which dominates another: coordinates fall and values rise. They are in
 * blocks, so that a new point moves few others.
 */
#ifndef FILCHI_DD_POINTS_H
#define FILCHI_DD_POINTS_H

#include "dd.h"

struct filchi_dd_point {
	int64_t coordinate, value;
};

struct filchi_dd_block {
	struct filchi_dd_point *points;
	uint32_t count, room;
};

/* All zero: no points. A block is never empty. */
struct filchi_dd_points {
	struct filchi_dd_block one;	/* the only block, if there are no others */
	struct filchi_dd_block *blocks; /* NULL: there is only one */
	uint32_t count, room;		/* blocks */
};

/* Memory that counts for the front. */
void *filchi_dd_front_take(struct filchi_dd_front *f, size_t bytes);
void filchi_dd_front_give(struct filchi_dd_front *f, void *block, size_t bytes);

/*
 * True: a point dominates this one, and *theta is the largest value with which it would still be dominated. False: the
 * point is added, if there is memory.
 */
bool filchi_dd_points_dominate(struct filchi_dd_front *f, struct filchi_dd_points *p, struct filchi_dd_point point,
			       int64_t *theta);
void filchi_dd_points_free(struct filchi_dd_front *f, struct filchi_dd_points *p);

#endif
