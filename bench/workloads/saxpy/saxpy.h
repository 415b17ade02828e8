/* SPDX-License-Identifier: Apache-2.0 */
/* y = a * x + y, several times: a loop with equal iterations, limited by memory. */
#ifndef FILCHI_BENCH_SAXPY_H
#define FILCHI_BENCH_SAXPY_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_SAXPY_ROUNDS 10

struct filchi_saxpy {
	float a;
	const float *x;
	float *y;
};

static inline void filchi_saxpy_part(const struct filchi_saxpy *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		s->y[i] += s->a * s->x[i];
}

/* Once over all. */
void filchi_saxpy(const struct filchi_saxpy *s, size_t count);

FILCH_END_DECLS

#endif
