/* SPDX-License-Identifier: Apache-2.0 */
#include "strassen.h"

#include "../common/matrix.h"

#include <stdio.h>
#include <stdlib.h>

/* A quarter of a square; down and right are 0 or 1. */
static struct filchi_square quarter(struct filchi_square x, size_t half, size_t down, size_t right)
{
	return (struct filchi_square){x.at + down * half * x.row + right * half, x.row};
}

/* to = a + sign * b */
static void add(struct filchi_square to, struct filchi_square a, double sign, struct filchi_square b, size_t side)
{
	for (size_t i = 0; i < side; i++)
		for (size_t j = 0; j < side; j++)
			to.at[i * to.row + j] = a.at[i * a.row + j] + sign * b.at[i * b.row + j];
}

void filchi_strassen_block(const struct filchi_strassen *s)
{
	for (size_t i = 0; i < s->side; i++) {
		double *c = s->c.at + i * s->c.row;

		memset(c, 0, s->side * sizeof(*c));
		for (size_t k = 0; k < s->side; k++) {
			const double *b = s->b.at + k * s->b.row;
			double a = s->a.at[i * s->a.row + k];

			for (size_t j = 0; j < s->side; j++)
				c[j] += a * b[j];
		}
	}
}

/* A factor: the sum of two quarters, in room; with sign 0, the first quarter itself. */
struct factor {
	unsigned char down, right;
	signed char sign;
	unsigned char other_down, other_right;
};

static const struct {
	struct factor a, b;
} products[FILCHI_STRASSEN_PRODUCTS] = {
	{{0, 0, +1, 1, 1}, {0, 0, +1, 1, 1}}, /* m1 = (a11 + a22) (b11 + b22) */
	{{1, 0, +1, 1, 1}, {0, 0, 0, 0, 0}},  /* m2 = (a21 + a22) b11 */
	{{0, 0, 0, 0, 0}, {0, 1, -1, 1, 1}},  /* m3 = a11 (b12 - b22) */
	{{1, 1, 0, 0, 0}, {1, 0, -1, 0, 0}},  /* m4 = a22 (b21 - b11) */
	{{0, 0, +1, 0, 1}, {1, 1, 0, 0, 0}},  /* m5 = (a11 + a12) b22 */
	{{1, 0, -1, 0, 0}, {0, 0, +1, 0, 1}}, /* m6 = (a21 - a11) (b11 + b12) */
	{{0, 1, -1, 1, 1}, {1, 0, +1, 1, 1}}, /* m7 = (a12 - a22) (b21 + b22) */
};

static struct filchi_square factor(struct factor f, struct filchi_square x, size_t half, double *room)
{
	struct filchi_square first = quarter(x, half, f.down, f.right), sum = {room, half};

	if (!f.sign)
		return first;
	add(sum, first, f.sign, quarter(x, half, f.other_down, f.other_right), half);
	return sum;
}

void filchi_strassen_split(const struct filchi_strassen *s, double *room,
			   struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS])
{
	size_t half = s->side / 2, area = half * half;

	for (int i = 0; i < FILCHI_STRASSEN_PRODUCTS; i++) {
		parts[i].side = half;
		parts[i].c = (struct filchi_square){room, half};
		parts[i].a = factor(products[i].a, s->a, half, room + area);
		parts[i].b = factor(products[i].b, s->b, half, room + 2 * area);
		room += 3 * area;
	}
}

void filchi_strassen_join(const struct filchi_strassen *s, const struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS])
{
	size_t half = s->side / 2;

	for (size_t i = 0; i < half; i++)
		for (size_t j = 0; j < half; j++) {
			double m[FILCHI_STRASSEN_PRODUCTS], *c = s->c.at + i * s->c.row + j;

			for (int p = 0; p < FILCHI_STRASSEN_PRODUCTS; p++)
				m[p] = parts[p].c.at[i * half + j];
			c[0] = m[0] + m[3] - m[4] + m[6];
			c[half] = m[2] + m[4];
			c[half * s->c.row] = m[1] + m[3];
			c[half * s->c.row + half] = m[0] - m[1] + m[2] + m[5];
		}
}

double *filchi_strassen_alloc(size_t side)
{
	double *room = malloc(filchi_strassen_room(side) * sizeof(*room));

	if (!room) {
		fputs("no memory\n", stderr);
		exit(3);
	}
	return room;
}

static void run(void *argument)
{
	struct filchi_matrices *x = argument;
	struct filchi_strassen all = {{x->c, x->n}, {x->a, x->n}, {x->b, x->n}, x->n};

	filchi_strassen(&all);
}

const struct filchi_workload filchi_workload_strassen = {
	.name = "strassen",
	.warm_up = "128",
	.least = 2,
	.most = FILCHI_MATRIX_MOST,
	.doubling = true,
	.begin = filchi_matrices_begin,
	.end = filchi_matrices_end,
	.fill = filchi_matrices_fill,
	.run = run,
	.check = filchi_matrices_check,
};
