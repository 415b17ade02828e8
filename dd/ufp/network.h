/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network of an instance, in the form in which a matching only changes capacities.
 *
 * Each arc has a *port* at each end that lies in Q. A *pair* is an incoming and an outgoing arc of a node in Q. It is a
 * link from the port of the one to the port of the other, and its capacity is 0 unless the pair is matched. One root
 * has a link to each node with supply, and one from each node with demand. So each scenario is a circulation, also for
 * a matching with fractions, and all scenarios and matchings have the same links and costs.
 *
 * Links: first the arcs, then the pairs, then supply and demand.
 */
#ifndef FILCHI_UFP_NETWORK_H
#define FILCHI_UFP_NETWORK_H

#include "../problems/ufp/ufp.h"

#define FILCHI_UFP_NONE UINT32_MAX

struct filchi_ufp_pair {
	uint32_t in, out; /* arcs */
	uint32_t q;	  /* number of its node in Q */
};

/* A node in Q. Lists of arcs and of pairs; pairs are sorted by incoming arc, then by outgoing arc. */
struct filchi_ufp_q {
	uint32_t node;
	uint32_t ins, outs;	 /* how many */
	uint32_t *in, *out;	 /* arcs */
	uint32_t pair;		 /* the first one; pair number pair + i * outs + j joins in[i] and out[j] */
};

struct filchi_ufp_network {
	const struct filchi_ufp *u;
	size_t arcs, pairs, qs, scenarios;
	struct filchi_ufp_pair *pair;
	struct filchi_ufp_q *q;
	uint32_t *q_of; /* by node of the instance; NONE: not in Q */
	uint32_t *place_in, *place_out; /* of an arc, in the lists of the node in Q at its head or tail */
	size_t nodes, links;		/* node 0 is the root */
	uint32_t *tail, *head;
	double *cost;
	uint32_t *first, *incident; /* links of node v: incident[first[v]] up to incident[first[v + 1]] */
	/* Row scenario, column link: no flow of any matching exceeds it. Of a pair: if it is matched. */
	double *capacity;
	double *limit; /* by pair: largest capacity of all scenarios; 0: it never carries flow */
};

/* 0; -ENOMEM; -ERANGE: too large. */
int filchi_ufp_network_make(struct filchi_ufp_network *n, const struct filchi_ufp *u);
void filchi_ufp_network_destroy(struct filchi_ufp_network *n);

static inline const double *filchi_ufp_capacity(const struct filchi_ufp_network *n, size_t scenario)
{
	return n->capacity + scenario * n->links;
}

#endif
