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
	size_t knowledge;     /* bytes of thresholds, and as many of dominance */
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
	struct filchi_dd_array parts; /* of the log: one for each subproblem of the round */
	size_t part_count;
	uint64_t diagrams;
	unsigned polls, seldom;
	unsigned useless; /* subproblems since a restricted diagram has found a better solution */
};

/* The thresholds of one subproblem in the log of a worker. */
struct filchi_dd_part {
	uint64_t id;
	struct filchi_dd_work *work;
	size_t first, count;
};

/* ---- explore.c ---- */

int filchi_dd_explore(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children,
		      void *arg);
/* Deterministic mode: publishes the thresholds of a round. */
void filchi_dd_between(struct filch_search *search, void *arg);
uint64_t filchi_dd_clock(void);

static inline struct filchi_dd_subproblem *filchi_dd_subproblem_of(const struct filch_node *node)
{
	return FILCH_CONTAINER_OF(node, struct filchi_dd_subproblem, node);
}

#endif
