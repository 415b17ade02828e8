/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state has one field per variable: the gain of true over false from the clauses that the decisions so far leave to
 * this variable alone. The part that both values gain is in the value of the node already. Variables come from heavy to
 * light, and the fields are in this order, so that the undecided variables are the last fields; decided fields are 0.
 *
 * Variable k takes a value. It satisfies some clauses; the others become gains of l, for each later variable l: the field
 * s of l changes by d. The part that both values of l gain is min = (|s| + both - |s + d|) / 2, where both is the sum of
 * the two gains. So the cost of an arc needs the sums of |s| and |s + d| only, and the compiler can use vectors.
 */
#ifndef FILCHI_PROBLEMS_MAX2SAT_MODEL_H
#define FILCHI_PROBLEMS_MAX2SAT_MODEL_H

#include "../model.h"
#include "max2sat.h"

struct filchi_max2sat_model {
	const struct filchi_max2sat *m;
	size_t variables, fields; /* fields: rounded up to 8; the rest is 0 */
	bool fixed;    /* the first variable has label 0 */
	int *order;    /* the variable of each place */
	int64_t value; /* of the root */
	int64_t *root; /* the fields of the root */
	/*
	 * For each place k and label: the weight that the label satisfies, plus half of the gains of all later
	 * variables, times 2.
	 */
	int64_t *twice;
	int64_t *pairs;	 /* for each place: no assignment satisfies more weight between undecided variables */
	void *change[2]; /* row k: the changes of all fields, for each label; as wide as the fields */
};

/* The functions for fields of one width. */
void filchi_max2sat_fields_int16(struct filch_dd_problem *p);
void filchi_max2sat_fields_int64(struct filch_dd_problem *p);

#endif
