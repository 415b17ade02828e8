/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A linear program with bounds on all variables and rows: maximise a sum over the columns. Dual simplex on a dense
 * table, for programs of some hundred rows and columns that are solved again and again after small changes.
 *
 * Each row is a variable as well: its activity. A basis expresses the basic variables by the others, which are at one of
 * their bounds. All bounds are finite, so each basis can be made feasible for the dual, and the start is always warm.
 */
#ifndef FILCHI_UFP_LP_H
#define FILCHI_UFP_LP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filchi_ufp_lp {
	size_t columns, rows, room; /* room: for rows */
	double *profit;		    /* by column */
	double *matrix;		    /* rows as given, but scaled */
	double *scale;		    /* by row: factor of the row in the matrix */
	double *low, *high;	    /* by variable: first the columns, then the rows */
	bool *at_high;		    /* by variable */
	double *table;		    /* row: basic variable, column: variable that is not basic */
	double *reduced;	    /* profit of the variables that are not basic */
	double *value;		    /* of the basic variables */
	uint32_t *basic, *other;    /* variables by row and by column of the table */
	uint32_t *candidate;
	double *ratio;
	double objective; /* of the last solve */
	uint64_t pivots, since_refresh;
	bool (*stop)(void *arg); /* asked every few pivots, which may be long ones; NULL: never */
	void *stop_arg;
};

/* All columns have bounds 0 and 0, and profit 0. 0; -ENOMEM. */
int filchi_ufp_lp_init(struct filchi_ufp_lp *lp, size_t columns);
void filchi_ufp_lp_end(struct filchi_ufp_lp *lp);

/* Adds a row with columns coefficients. 0; -ENOMEM. */
int filchi_ufp_lp_add_row(struct filchi_ufp_lp *lp, const double *coefficients, double low, double high);
/* Removes a row if its activity is basic: then it does not bind. The last row gets its number. False: it stays. */
bool filchi_ufp_lp_remove_row(struct filchi_ufp_lp *lp, size_t row);
bool filchi_ufp_lp_row_binds(const struct filchi_ufp_lp *lp, size_t row);

/*
 * Solves. It may stop early with an objective that is at most cutoff. Also after a failure the duals give a valid bound,
 * if the caller computes the bound from them. 0; -EDOM: too many pivots; -ECANCELED: stop() was true; -ENOMEM.
 */
int filchi_ufp_lp_solve(struct filchi_ufp_lp *lp, double cutoff);

/* The value of each column; the dual value of each row. */
void filchi_ufp_lp_values(const struct filchi_ufp_lp *lp, double *values);
void filchi_ufp_lp_duals(const struct filchi_ufp_lp *lp, double *duals);

#endif
