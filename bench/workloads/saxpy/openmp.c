/* SPDX-License-Identifier: Apache-2.0 */
#include "saxpy.h"

void filchi_saxpy(const struct filchi_saxpy *s, size_t count)
{
#pragma omp parallel for
	for (size_t i = 0; i < count; i++)
		s->y[i] += s->a * s->x[i];
}
