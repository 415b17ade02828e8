/* SPDX-License-Identifier: Apache-2.0 */
#include "mandelbrot.h"

#include <filch.h>

static void rows(size_t from, size_t to, void *m)
{
	for (size_t row = from; row < to; row++)
		filchi_mandelbrot_row(m, row);
}

void filchi_mandelbrot(const struct filchi_mandelbrot *m)
{
	filch_for(NULL, 0, m->side, 1, rows, (void *)(uintptr_t)m);
}
