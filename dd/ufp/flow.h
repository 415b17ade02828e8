/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cheapest circulation of a network: a dual network simplex.
 *
 * Capacities never change which potentials are feasible for the dual. So the best tree for one scenario and matching is
 * a start for each other one, and few pivots are left.
 */
#ifndef FILCHI_UFP_FLOW_H
#define FILCHI_UFP_FLOW_H

#include "network.h"

struct filchi_ufp_flow {
	const struct filchi_ufp_network *n;
	const double *capacity; /* of the links, in a solve */
	double *potential;	/* by node: any potentials give a valid cut, those of a solve give a tight one */
	double *excess, *flow;	/* by node; flow of the link to its parent */
	uint32_t *parent, *link; /* by node; links from n->links on are artificial and have no capacity */
	uint32_t *order, *place, *size; /* preorder of the tree; place in it; nodes of the subtree */
	uint32_t *spare;
	unsigned char *upper, *in_tree; /* by link: it carries its capacity; it is in the tree */
	uint32_t *candidate;
	double *ratio;
	double tolerance; /* of flows, in a solve */
	uint64_t random, pivots;
};

/* Starts with a tree of artificial links. 0; -ENOMEM. */
int filchi_ufp_flow_init(struct filchi_ufp_flow *f, const struct filchi_ufp_network *n);
void filchi_ufp_flow_end(struct filchi_ufp_flow *f);

/* Finds potentials that are best for these capacities. 0; -EDOM: rounding errors led nowhere. */
int filchi_ufp_flow_solve(struct filchi_ufp_flow *f, const double *capacity);

#endif
