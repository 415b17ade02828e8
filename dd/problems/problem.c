/* SPDX-License-Identifier: Apache-2.0 */
#include "problem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks of solutions ---- */

int filchi_check_fail(struct filchi_check_error *error, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(error->text, sizeof(error->text), format, list);
	va_end(list);
	return -EINVAL;
}

int filchi_check_count(struct filchi_check_error *error, size_t count, size_t expected)
{
	if (count != expected)
		return filchi_check_fail(error, "the solution has %zu numbers, not %zu", count, expected);
	return 0;
}

int filchi_check_binary(struct filchi_check_error *error, const int32_t *solution, size_t count, size_t expected)
{
	int err = filchi_check_count(error, count, expected);

	for (size_t i = 0; !err && i < count; i++)
		if (solution[i] != 0 && solution[i] != 1)
			err = filchi_check_fail(error, "number %zu is %d, not 0 or 1", i, solution[i]);
	return err;
}

int filchi_check_order(struct filchi_check_error *error, const int32_t *solution, size_t count, size_t expected)
{
	int err = filchi_check_count(error, count, expected);
	bool *seen = err ? NULL : calloc(count + 1, sizeof(*seen));

	if (!err && !seen)
		err = filchi_check_fail(error, "no memory for the check");
	for (size_t i = 0; !err && i < count; i++) {
		if (solution[i] < 1 || (size_t)solution[i] > count)
			err = filchi_check_fail(error, "number %zu is %d, not 1 to %zu", i, solution[i], count);
		else if (seen[solution[i]])
			err = filchi_check_fail(error, "%d comes twice", solution[i]);
		else
			seen[solution[i]] = true;
	}
	free(seen);
	return err;
}

/* ---- random numbers: splitmix64 ---- */

static uint64_t next(struct filchi_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

struct filchi_random filchi_random_begin(const struct filchi_generate *g)
{
	struct filchi_random r = {g->seed * 0xd1342543de82ef95u + 1};

	next(&r);
	return r;
}

int64_t filchi_random_between(struct filchi_random *r, int64_t min, int64_t max)
{
	return min + (int64_t)(next(r) % ((uint64_t)(max - min) + 1));
}

bool filchi_random_chance(struct filchi_random *r, double probability)
{
	return (double)(next(r) >> 11) * 0x1p-53 < probability;
}

size_t *filchi_random_order(struct filchi_random *r, size_t n)
{
	size_t *order = malloc((n ? n : 1) * sizeof(*order));

	for (size_t i = 0; order && i < n; i++) {
		size_t at = (size_t)filchi_random_between(r, 0, (int64_t)i);

		order[i] = order[at];
		order[at] = i;
	}
	return order;
}

double filchi_generate_density(const struct filchi_generate *g, double usual)
{
	return g->density < 0 ? usual : g->density;
}
