/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A problem of this folder for the solver of filch/dd.h. The label of a variable is the number of the solution that has
 * the same place: see NAME.h.
 */
#ifndef FILCHI_PROBLEMS_MODEL_H
#define FILCHI_PROBLEMS_MODEL_H

#include "problem.h"

#include <filch/dd.h>

/*
 * Makes the problem of an instance, which must stay valid. p->arg belongs to the model. 0 or -ENOMEM; -ERANGE: the
 * instance is too large for the solver. destroy frees what make has allocated.
 */
#define FILCHI_MODEL_FUNCTIONS(name)                                                                                   \
	int filchi_##name##_model_make(struct filch_dd_problem *p, const void *instance);                              \
	void filchi_##name##_model_destroy(struct filch_dd_problem *p)

FILCHI_MODEL_FUNCTIONS(golomb);
FILCHI_MODEL_FUNCTIONS(knapsack);
FILCHI_MODEL_FUNCTIONS(max2sat);
FILCHI_MODEL_FUNCTIONS(maxcut);
FILCHI_MODEL_FUNCTIONS(misp);
FILCHI_MODEL_FUNCTIONS(sop);
FILCHI_MODEL_FUNCTIONS(tsptw);

/* The model of the problem with this name. */
int filchi_model_make(struct filch_dd_problem *p, const char *name, const void *instance);
void filchi_model_destroy(struct filch_dd_problem *p, const char *name);

/* A 64-bit hash of bytes, to tell instances apart. Start with 0. */
uint64_t filchi_model_fingerprint(uint64_t hash, const void *bytes, size_t size);

#endif
