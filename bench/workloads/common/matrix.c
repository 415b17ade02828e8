/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include "workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void filchi_matrices_end(void *argument)
{
	struct filchi_matrices *x = argument;

	if (x) {
		free(x->a);
		free(x->b);
		free(x->c);
		free(x->vectors);
	}
	free(x);
}

static double *numbers(size_t count, uint64_t *random)
{
	double *to = malloc(count * sizeof(*to));

	for (size_t i = 0; to && i < count; i++) {
		*random = *random * 6364136223846793005u + 1442695040888963407u;
		to[i] = (double)((int)(*random >> 61) - 4);
	}
	return to;
}

void *filchi_matrices_begin(const char *size)
{
	struct filchi_matrices *x = calloc(1, sizeof(*x));
	uint64_t random = 1;

	if (!x)
		return NULL;
	x->n = filchi_workload_count(size);
	if (x->n) {
		size_t squared = (size_t)x->n * x->n;

		x->a = numbers(squared, &random);
		x->b = numbers(squared, &random);
		x->c = numbers(squared, &random);
		x->vectors = numbers(3 * (size_t)x->n, &random);
	}
	if (!x->a || !x->b || !x->c || !x->vectors) {
		filchi_matrices_end(x);
		return NULL;
	}
	return x;
}

void filchi_matrices_fill(void *argument)
{
	struct filchi_matrices *x = argument;

	for (size_t i = 0; i < (size_t)x->n * x->n; i++)
		x->c[i] = NAN;
}

static void times_vector(const struct filchi_matrices *x, const double *matrix, const double *vector, double *out)
{
	for (size_t i = 0; i < x->n; i++) {
		double sum = 0;

		for (size_t j = 0; j < x->n; j++)
			sum += matrix[i * x->n + j] * vector[j];
		out[i] = sum;
	}
}

bool filchi_matrices_check(void *argument, char *answer, size_t size, double *items)
{
	struct filchi_matrices *x = argument;
	double *v = x->vectors, *half = v + x->n, *should = half + x->n;
	size_t wrong = 0;

	times_vector(x, x->b, v, half);
	times_vector(x, x->a, half, should);
	times_vector(x, x->c, v, half);
	for (size_t i = 0; i < x->n; i++)
		wrong += half[i] != should[i] || isnan(half[i]);
	*items = (double)x->n * x->n * x->n;
	snprintf(answer, size, "%zu-wrong-rows", wrong);
	return !wrong;
}
