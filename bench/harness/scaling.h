/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speed-up of N workers, compared with the speed-up that the machine allows. Two cores at once are often slower
 * than one alone: they share caches, memory, a power budget, and on a virtual machine perhaps one real core. So N
 * independent programs do less than N times the work of one program, and a program with N workers cannot do more.
 */
#ifndef FILCHI_BENCH_SCALING_H
#define FILCHI_BENCH_SCALING_H

#include "ratio.h"

struct filchi_scaling {
	struct filchi_ratio speedup; /* time with one worker, divided by the time with N */
	struct filchi_ratio
		gives; /* N times the time of one program alone, divided by the time of N programs at once */
	struct filchi_ratio share; /* speedup by gives */
};

/*
 * Samples with the same index are of the same round. one, many: times of a program with 1 and with N workers.
 * alone, copies: times of a program alone, and of each of its N copies at once; this may be another program. 0 or
 * -ENOMEM.
 */
int filchi_scaling(struct filchi_scaling *out, const double *one, const double *many, const double *alone,
		   const double *copies, size_t count, unsigned n);

#endif
