/* SPDX-License-Identifier: Apache-2.0 */
/* The Mandelbrot set: a loop over rows, of which some take a hundred times as long as others. */
#ifndef FILCHI_BENCH_MANDELBROT_H
#define FILCHI_BENCH_MANDELBROT_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_MANDELBROT_LIMIT 1000

/* A square picture, from -2 - 1.25i to 0.5 + 1.25i: the number of steps until each point escapes. */
struct filchi_mandelbrot {
	size_t side;
	uint16_t *steps;
};

static inline uint16_t filchi_mandelbrot_point(double x, double y)
{
	double re = 0, im = 0;
	uint16_t steps = 0;

	while (steps < FILCHI_MANDELBROT_LIMIT && re * re + im * im <= 4) {
		double next = re * re - im * im + x;

		im = 2 * re * im + y;
		re = next;
		steps++;
	}
	return steps;
}

static inline uint16_t filchi_mandelbrot_at(const struct filchi_mandelbrot *m, size_t row, size_t column)
{
	double step = 2.5 / (double)m->side;

	return filchi_mandelbrot_point(-2 + step * ((double)column + 0.5), -1.25 + step * ((double)row + 0.5));
}

static inline void filchi_mandelbrot_row(const struct filchi_mandelbrot *m, size_t row)
{
	for (size_t i = 0; i < m->side; i++)
		m->steps[row * m->side + i] = filchi_mandelbrot_at(m, row, i);
}

void filchi_mandelbrot(const struct filchi_mandelbrot *m);

FILCH_END_DECLS

#endif
