/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The master problem of an open node as a decision diagram: the best matching under the cuts.
 *
 * A layer is an incoming arc of a node in Q that still has a choice. Its label is an outgoing arc, or none. All arcs of
 * one node in Q follow each other. The state has the outgoing arcs that are used there, and one sum per cut. Its bound
 * is the least over the cuts of the sum and of what this cut alone can gain below. States are merged only if they use
 * the same arcs: sums become their maximum, so that each cut still knows which arcs are free.
 *
 * Equal sums do not mean equal flows. So the state has its path, and no two paths meet except by a merge.
 */
#ifndef FILCHI_UFP_MASTER_H
#define FILCHI_UFP_MASTER_H

#include "relax.h"

#include <filch/dd.h>

#define FILCHI_UFP_MASTER_CUTS 16u

struct filchi_ufp_master_layer {
	uint32_t q, in;	   /* node in Q, and place of the arc there */
	uint64_t outs;	   /* places of the outgoing arcs that are allowed */
	uint64_t later;	   /* those that later layers of the same node may still use */
	uint32_t left;	   /* later layers of the same node */
	bool last;	   /* of its node */
	uint64_t span;	   /* the outgoing arcs that count for the table; 0: no table, one entry */
	size_t rest;	   /* where the table begins: what each cut can gain from this layer on, by used arcs */
};

struct filchi_ufp_master {
	const struct filchi_ufp_network *n;
	size_t cuts, layers;
	const struct filchi_ufp_cut *cut[FILCHI_UFP_MASTER_CUTS];
	struct filchi_ufp_master_layer *layer; /* and one more: the end */
	uint64_t *allowed;		       /* after arcs without a choice were matched */
	double start[FILCHI_UFP_MASTER_CUTS];  /* constants, and gains of pairs without a choice */
	double *rest;
	size_t rest_room;
	int64_t best;
	uint64_t compiled, diagrams;
	int32_t *labels;
	double *weight; /* by node in Q: how much its arcs are split */
	uint32_t *order;
};

/* A node of the cutset: the pairs that it allows, and its bound. Return nonzero to stop with this error. */
typedef int filchi_ufp_child_fn(void *arg, const uint64_t *allowed, int64_t bound);

int filchi_ufp_master_init(struct filchi_ufp_master *m, const struct filchi_ufp_network *n);
void filchi_ufp_master_end(struct filchi_ufp_master *m);

/*
 * Compiles a diagram of at most width states in a layer, for solutions better than best, under the first m->cuts cuts.
 * matched: how much each pair is matched in the relaxation; nodes in Q that are split most come first.
 *
 * *value: the bound, or best if no matching can be better. chosen: a matching, by pair, which has this bound unless
 * the diagram is relaxed. *exact: it has all matchings that may be better.
 *
 * If it is not exact and child is not NULL, calls child for each node of the cutset that may have a better matching.
 */
int filchi_ufp_master_compile(struct filchi_ufp_master *m, const uint64_t *allowed, const double *matched, int kind,
			      size_t width, const char *cutset, int64_t best, int64_t *value, double *chosen,
			      bool *exact, filchi_ufp_child_fn *child, void *arg);

#endif
