/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What N workers bring, next to what the machine gives. Two cores at once are often slower each than one alone: they
 * share caches, memory, a power budget, and on a virtual machine perhaps one real core. So N programs that have nothing
 * to do with each other get less than N times of what one alone gets, and no program with N workers can be expected to
 * get more.
 */
#ifndef FILCHI_BENCH_SCALING_H
#define FILCHI_BENCH_SCALING_H

#include "ratio.h"

struct filchi_scaling {
	struct filchi_ratio speedup; /* time with one worker, by that with N */
	struct filchi_ratio gives;   /* N times the time of a program alone, by that of N of them at once */
	struct filchi_ratio share;   /* speedup by gives */
};

/*
 * Samples of the same round have the same number. one, many: the time of a program with 1 and with N workers. alone,
 * copies: the time of a program alone, and that of each of N copies of it at once; it may be another program than the
 * one above. 0 or -ENOMEM.
 */
int filchi_scaling(struct filchi_scaling *out, const double *one, const double *many, const double *alone,
		   const double *copies, size_t count, unsigned n);

#endif
