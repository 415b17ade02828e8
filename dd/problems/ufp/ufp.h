/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unsplittable flow with demand scenarios. A directed network carries flow from supply to demand. At the nodes of a set
 * Q each incoming arc is matched with at most one outgoing arc, which carries the same flow. The matching is chosen
 * once, the flow for each scenario. Maximise the mean reward of all scenarios.
 *
 * File: comments "c ...", then records in any order, except that the first is the line p. Nodes, scenarios and arcs
 * count from 0.
 *
 *	p ufp NODES ARCS NODES_IN_Q SCENARIOS
 *	q V                 node V is in Q
 *	s V B               supply of node V; without a line it is 0
 *	d K V B             demand of node V in scenario K; without a line it is 0
 *	a U V CAPACITY R    arc from U to V, with the reward R for one unit of flow
 *
 * Refused: loops, a second line for the same node, supply or demand; supply or demand at a node in Q; other numbers of
 * records than announced.
 *
 * Solution: for each arc the arc with which it is matched at its head; -1: none, or its head is not in Q. The value is
 * the sum of all scenarios, so that it is a whole number.
 */
#ifndef FILCHI_PROBLEMS_UFP_H
#define FILCHI_PROBLEMS_UFP_H

#include "../problem.h"

#define FILCHI_UFP_NODES_MAX 4096
#define FILCHI_UFP_ARCS_MAX 16384
#define FILCHI_UFP_SCENARIOS_MAX 65536
#define FILCHI_UFP_DEMANDS_MAX ((size_t)1 << 24) /* scenarios times nodes */
#define FILCHI_UFP_REWARD_MAX 1000000000
#define FILCHI_UFP_AMOUNT_MAX 1000000000000 /* of a supply, a demand or a capacity */

struct filchi_ufp_arc {
	uint32_t tail, head;
	int64_t capacity, reward;
};

struct filchi_ufp {
	size_t nodes, arcs, scenarios, in_q_count;
	bool *in_q;	 /* by node */
	int64_t *supply; /* by node */
	int64_t *demand; /* row scenario, column node */
	struct filchi_ufp_arc *arc;
};

static inline int64_t filchi_ufp_demand(const struct filchi_ufp *u, size_t scenario, size_t node)
{
	return u->demand[scenario * u->nodes + node];
}

FILCHI_PROBLEM_FUNCTIONS(ufp);

#endif
