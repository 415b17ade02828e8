/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the solver share. */
#ifndef FILCHI_UFP_EXPLORE_H
#define FILCHI_UFP_EXPLORE_H

#include "evaluate.h"
#include "master.h"
#include "solver.h"

struct filchi_ufp_node {
	struct filch_node node;
	int64_t bound;
	uint64_t affinity; /* the answers on its path, from the first bit on */
	uint32_t depth;
	uint64_t allowed[]; /* pairs */
};

/* A cut that workers share. */
struct filchi_ufp_record {
	struct filch_search_record record;
	double constant;
	double gain[];
};

struct filchi_ufp_solver {
	struct filchi_ufp_network n;
	struct filchi_ufp_options opt;
	struct filch_search *search;
	size_t words; /* of the set of pairs */
	size_t width; /* of diagrams below the root; 0: none */
	uint64_t deadline_ns;
	int32_t *labels;
};

/* The environment of a search worker. */
struct filchi_ufp_worker {
	struct filchi_ufp_solver *s;
	struct filch_search_worker *worker; /* while it explores */
	struct filch_pool *pool;	    /* for scenarios in parallel, while others are idle; NULL */
	struct filchi_ufp_relax relax;
	struct filchi_ufp_evaluator evaluator;
	struct filchi_ufp_master master;
	struct filchi_ufp_cut cut, row[FILCHI_UFP_MASTER_CUTS];
	double *rounded, *mean, *point;
	uint32_t *order;
	unsigned char *taken;	      /* by arc */
	struct filchi_ufp_node *open; /* under exploration */
	struct filch_batch *children;
	int64_t best;
	bool warm; /* it has cuts */
	struct filchi_ufp_counts counts;
};

/* ---- explore.c ---- */

int filchi_ufp_explore(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children,
		       void *arg);
struct filchi_ufp_node *filchi_ufp_node_new(const struct filchi_ufp_solver *s);

/* ---- bound.c ---- */

/* Lowers the bound of the open node, and finds solutions and cuts. 1: it is closed; 0; or an error. */
int filchi_ufp_bound(struct filchi_ufp_worker *w);
/* Offers the matching that the weights lead to: pairs with the largest weights first. 0 or an error. */
int filchi_ufp_round(struct filchi_ufp_worker *w, const double *weight);
/* Offers a matching. *value: its value. 0 or an error. */
int filchi_ufp_offer(struct filchi_ufp_worker *w, const double *matched, int64_t *value);
/* Finds the cut of a point, keeps it and shares it. 0 or an error. */
int filchi_ufp_add_cut(struct filchi_ufp_worker *w, const double *point);
/* The largest whole number that a bound allows. */
int64_t filchi_ufp_floor(double bound);
/* Reads the best value. A nonzero result ends the exploration: -ECANCELED, -ETIME. */
int filchi_ufp_poll(struct filchi_ufp_worker *w);
/* Of a worker, while it explores: whether the run must end. */
bool filchi_ufp_must_end(void *worker);
/* Removes pairs of arcs between two nodes in Q that are dead at their other end: they carry nothing. */
void filchi_ufp_clean(const struct filchi_ufp_network *n, uint64_t *allowed);

#endif
