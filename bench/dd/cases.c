/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <string.h>

/* The optima are those of a run with other widths, orders and cutsets. */
static const struct filchi_dd_case cases[] = {
	{"knapsack/2000", "knapsack", 2000, 1, -1, 100000, 58136449, 1},
	{"misp/120", "misp", 120, 1, 0.2, 0, 21, 1},
	{"misp/200", "misp", 200, 1, 0.25, 0, 21, 0},
	{"max2sat/45", "max2sat", 45, 1, 0.3, 0, 5437, 0},
	{"maxcut/36", "maxcut", 36, 1, 0.5, 0, 51, 1},
	{"tsptw/40", "tsptw", 40, 1, 0.3, 0, 2111, 1},
	{"golomb/11", "golomb", 11, 1, -1, 0, 72, 0},
	{"sop/40", "sop", 40, 1, -1, 0, 475, 1},
};

const double filchi_dd_gaps[FILCHI_DD_GAPS] = {100, 50, 20, 10, 5, 2, 1, 0.5, 0};

const struct filchi_dd_case *filchi_dd_case(unsigned n)
{
	return n < sizeof(cases) / sizeof(cases[0]) ? &cases[n] : NULL;
}

const struct filchi_dd_case *filchi_dd_case_find(const char *name, size_t length)
{
	const struct filchi_dd_case *c;

	for (unsigned n = 0; (c = filchi_dd_case(n)); n++)
		if (strlen(c->name) == length && !memcmp(c->name, name, length))
			return c;
	return NULL;
}
