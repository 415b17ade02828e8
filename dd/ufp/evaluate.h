/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flows of all scenarios for a matching: their value, and a cut.
 *
 * Scenarios are cut into parts. Each part has a network simplex of its own, whose tree is the start for the next
 * scenario of the part. Parts run in parallel if the pool has idle workers.
 */
#ifndef FILCHI_UFP_EVALUATE_H
#define FILCHI_UFP_EVALUATE_H

#include "flow.h"
#include "relax.h"

#include <filch/pool.h>

struct filchi_ufp_part {
	size_t first, last; /* scenarios */
	struct filchi_ufp_flow flow;
	double *capacity;
	struct filchi_ufp_cut cut;
	int err;
};

struct filchi_ufp_evaluator {
	const struct filchi_ufp_network *n;
	size_t parts;
	struct filchi_ufp_part *part;
	const double *matched; /* in an evaluation */
	double *core;	       /* by pair: a point inside of all matchings */
	double *point;	       /* by pair */
	uint64_t flows, parallel;
};

int filchi_ufp_evaluator_init(struct filchi_ufp_evaluator *e, const struct filchi_ufp_network *n);
void filchi_ufp_evaluator_end(struct filchi_ufp_evaluator *e);

/*
 * The cut of potentials that are best for this matching, which may have fractions. It is tight there: what the cut says
 * of the matching is the value of the matching. pool: for the parts; NULL: this thread does all. 0; -EDOM:
 * rounding errors, so that the cut is valid, but not tight.
 */
int filchi_ufp_evaluate(struct filchi_ufp_evaluator *e, const double *matched, struct filch_pool *pool,
			struct filchi_ufp_cut *cut);

/* The same for a point between the matching and the core. The cut is stronger elsewhere. share: of the core. */
int filchi_ufp_evaluate_inside(struct filchi_ufp_evaluator *e, const double *matched, double share,
			       struct filch_pool *pool, struct filchi_ufp_cut *cut);

/* What the cut says of a matching. */
double filchi_ufp_cut_at(const struct filchi_ufp_cut *cut, const double *matched, size_t pairs);

#endif
