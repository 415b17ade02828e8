/* SPDX-License-Identifier: Apache-2.0 */
#include "mandelbrot.h"

void filchi_mandelbrot(const struct filchi_mandelbrot *m)
{
#pragma omp parallel for schedule(dynamic)
	for (size_t row = 0; row < m->side; row++)
		filchi_mandelbrot_row(m, row);
}
