/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extensive form: all scenarios in one mixed integer program, in the LP format that MIP solvers read. Each pair has
 * its own flow in each scenario, which is stronger than a big M. Its objective is the sum of all scenarios.
 */
#ifndef FILCHI_UFP_EXTENSIVE_H
#define FILCHI_UFP_EXTENSIVE_H

#include "../problems/ufp/ufp.h"

/* 0; -ENOMEM; -ERANGE; or the error of the file. */
int filchi_ufp_write_extensive(FILE *f, const struct filchi_ufp *u);

#endif
