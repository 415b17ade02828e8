/* SPDX-License-Identifier: Apache-2.0 */
#include "mandelbrot.h"

void filchi_mandelbrot(const struct filchi_mandelbrot *m)
{
	for (size_t row = 0; row < m->side; row++)
		filchi_mandelbrot_row(m, row);
}
