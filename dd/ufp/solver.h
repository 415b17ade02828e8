/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Solves unsplittable flow: a search (filch/search.h) whose open nodes are sets of pairs that are still allowed.
 *
 * More pairs never make a matching worse. So a node stands for all matchings within its pairs, and two questions split
 * it: "this pair?" Yes: its rivals go. No: it goes. A node is closed when its bound does not beat the best solution. The
 * bound is the least of the linear relaxation (relax.h) and of the relaxed diagram under the cuts (master.h).
 */
#ifndef FILCHI_UFP_SOLVER_H
#define FILCHI_UFP_SOLVER_H

#include "../problems/ufp/ufp.h"

#include <filch/dd.h>

/* A zero means the default. Strings must stay valid. */
struct filchi_ufp_options {
	struct filch_pool *pool;
	unsigned workers;
	const char *order, *move, *victim; /* as in struct filch_search_options; order: "best" */
	const char *cutset; /* branch on the cutset of the relaxed diagram; NULL: on a pair, which is faster */
	size_t width;	    /* of diagrams; 0: 16, and with one scenario no diagrams below the root */
	bool no_share;	    /* workers keep their cuts to themselves */
	bool weak_cuts;	    /* cuts at the matching itself, not between it and a core point: to compare */
	uint64_t node_limit, time_limit_ns, checkpoint_ns, progress_ns;
	size_t memory_limit;
	double gap_limit;
	const char *checkpoint;
	void (*progress)(const struct filch_search_progress *progress, void *arg);
	void *progress_arg;
};

struct filchi_ufp_counts {
	uint64_t cuts;	  /* found */
	uint64_t learned; /* from other workers */
	uint64_t flows, relaxations, diagrams, dd_nodes;
	uint64_t parallel; /* evaluations whose scenarios ran in parallel */
};

struct filchi_ufp_solver;

/* The instance must stay valid. 0; -ENOMEM; -ERANGE: too large; -ENOENT: there is no such order, move or victim. */
int filchi_ufp_solver_create(struct filchi_ufp_solver **out, const struct filchi_ufp *u,
			     const struct filchi_ufp_options *opt);
void filchi_ufp_solver_destroy(struct filchi_ufp_solver *s);

/*
 * As filch_dd_run(). Values are sums of all scenarios. labels: see ufp.h. -EPROTO: the check of the instance refuses the
 * solution, or has found another value.
 */
int filchi_ufp_solver_run(struct filchi_ufp_solver *s, struct filch_dd_result *result);
void filchi_ufp_solver_cancel(struct filchi_ufp_solver *s);
/* Goes on with a checkpoint, as filch_dd_load(). */
int filchi_ufp_solver_load(struct filchi_ufp_solver *s, const char *path);
/* The search, for a library that joins it with those of other machines. Cuts stay on their machine. */
struct filch_search *filchi_ufp_solver_search(struct filchi_ufp_solver *s);
void filchi_ufp_solver_counts(const struct filchi_ufp_solver *s, struct filchi_ufp_counts *counts);

#endif
