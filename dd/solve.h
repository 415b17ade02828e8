/* SPDX-License-Identifier: Apache-2.0 */
/* The solver: branch and bound over cutsets, on the search library. */
#ifndef FILCHI_DD_SOLVE_H
#define FILCHI_DD_SOLVE_H

#include "subproblem.h"

struct filch_dd {
	struct filchi_dd_model model;
	struct filch_dd_options opt;
	struct filchi_dd_memory memory;
	struct filchi_dd_cache *cache;
	struct filchi_dd_front *fronts;
	struct filch_search *search;
	uint64_t deadline_ns; /* of the run; 0: none */
	FILCHI_ATOMIC(bool) stop;
	bool use_layer;
	int32_t *labels; /* of the best solution, for the caller */
};

/* The storage of a search worker. */
struct filchi_dd_worker {
	struct filchi_dd_work work;
	struct filch_dd *dd;
	struct filch_search_worker *worker; /* while it explores */
	struct filchi_dd_array path;	    /* labels, and entries for the children */
	uint64_t diagrams;
	unsigned polls, seldom;
};

/* ---- explore.c ---- */

int filchi_dd_explore(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children,
		      void *arg);
uint64_t filchi_dd_clock(void);

static inline struct filchi_dd_subproblem *filchi_dd_subproblem_of(const struct filch_node *node)
{
	return FILCH_CONTAINER_OF(node, struct filchi_dd_subproblem, node);
}

#endif
