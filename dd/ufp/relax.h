/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linear relaxation of an open node: its bound, one cut that has this bound, and a matching with fractions.
 *
 * With one scenario it is the relaxation of the whole flow. With several scenarios it is the relaxation of the master
 * problem: the matching and the cuts found so far.
 *
 * The bound never depends on the accuracy of the linear program: from its duals a cut is computed, which is valid for any
 * duals, and the best matching for this cut is bounded by prices of the ports.
 */
#ifndef FILCHI_UFP_RELAX_H
#define FILCHI_UFP_RELAX_H

#include "lp.h"
#include "network.h"

/* The sum of all scenarios is at most the constant plus the gains of the pairs that are matched. Holds everywhere. */
struct filchi_ufp_cut {
	double constant;
	double *gain; /* by pair, none is negative */
};

struct filchi_ufp_relax {
	const struct filchi_ufp_network *n;
	struct filchi_ufp_lp lp;
	bool whole;		/* one scenario: the relaxation of the whole flow */
	size_t fixed_rows;	/* rows above those of the cuts */
	uint32_t *row_in, *row_out, *row_arc, *row_node; /* row of a port, of an arc between nodes in Q, of a node */
	uint32_t *column;	/* of an arc outside of Q; NONE */
	double top;		/* no solution is better: unit of the column of the bound */
	double *coefficients, *values, *duals;
	size_t solved; /* rows at the last solve: cuts that came later have no duals */
	uint32_t *idle; /* by row of a cut: solves since it was of use */
	size_t rooms;	/* of idle */
	/* Of the last solve. */
	double bound;
	struct filchi_ufp_cut cut;
	double *matched;	 /* by pair, from 0 to 1 */
	double *price_in, *price_out; /* by arc: prices of its ports at the head and at the tail */
};

int filchi_ufp_relax_init(struct filchi_ufp_relax *r, const struct filchi_ufp_network *n);
void filchi_ufp_relax_end(struct filchi_ufp_relax *r);

/* Adds a cut to the master problem. 0; -ENOMEM. */
int filchi_ufp_relax_add(struct filchi_ufp_relax *r, const struct filchi_ufp_cut *cut);
/* Drops cuts that were of no use for longer than the mean, if there are more than most. */
void filchi_ufp_relax_forget(struct filchi_ufp_relax *r, size_t most);
/* Reads a cut of the master problem. */
void filchi_ufp_relax_row(const struct filchi_ufp_relax *r, size_t number, struct filchi_ufp_cut *cut);
size_t filchi_ufp_relax_cuts(const struct filchi_ufp_relax *r);
/* How much the last solve needed a cut; 0 if the cut is newer. A hint only: cuts may have changed their numbers since. */
double filchi_ufp_relax_weight(const struct filchi_ufp_relax *r, size_t number);

/*
 * Solves for the pairs that are allowed. A bound of at most cutoff may be weaker than the best one. 0; -ENOMEM.
 */
int filchi_ufp_relax_solve(struct filchi_ufp_relax *r, const uint64_t *allowed, double cutoff);

/* No solution with this pair is better. */
static inline double filchi_ufp_relax_with(const struct filchi_ufp_relax *r, size_t pair)
{
	const struct filchi_ufp_pair *p = &r->n->pair[pair];

	return r->bound - (r->price_in[p->in] + r->price_out[p->out] - r->cut.gain[pair]);
}

#endif
