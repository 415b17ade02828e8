/* SPDX-License-Identifier: Apache-2.0 */
#include "mandelbrot.h"

#include <oneapi/tbb/parallel_for.h>

void filchi_mandelbrot(const struct filchi_mandelbrot *m)
{
	tbb::parallel_for(size_t{0}, m->side, [m](size_t row) { filchi_mandelbrot_row(m, row); });
}
