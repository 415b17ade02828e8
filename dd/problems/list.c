/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all problems. */
#include "golomb/golomb.h"
#include "knapsack/knapsack.h"
#include "max2sat/max2sat.h"
#include "maxcut/maxcut.h"
#include "misp/misp.h"
#include "problem.h"
#include "sop/sop.h"
#include "tsptw/tsptw.h"
#include "ufp/ufp.h"

#include <string.h>

#define FUNCTIONS(name)                                                                                                \
	.read = filchi_##name##_read, .destroy = filchi_##name##_destroy, .generate = filchi_##name##_generate,        \
	.check = filchi_##name##_check

static const struct filchi_problem all[] = {
	{
		.name = "knapsack",
		.title = "choose items of the largest profit within a capacity",
		.size_of = "items",
		.size_usual = 100,
		.size_max = FILCHI_KNAPSACK_ITEMS_MAX,
		.range_usual = 1000,
		.maximise = true,
		FUNCTIONS(knapsack),
	},
	{
		.name = "misp",
		.title = "maximum independent set of a graph (DIMACS)",
		.size_of = "vertices",
		.size_usual = 120,
		.size_max = FILCHI_MISP_VERTICES_MAX,
		.range_usual = 1,
		.maximise = true,
		.no_cache = true,
		FUNCTIONS(misp),
	},
	{
		.name = "max2sat",
		.title = "satisfy clauses of one or two literals with the largest weight (DIMACS wcnf)",
		.size_of = "variables",
		.size_usual = 30,
		.size_max = FILCHI_MAX2SAT_VARIABLES_MAX,
		.range_usual = 10,
		.maximise = true,
		.cutset = "layer",
		.no_cache = true,
		FUNCTIONS(max2sat),
	},
	{
		.name = "maxcut",
		.title = "cut a graph into two sides, with the largest weight between them",
		.size_of = "vertices",
		.size_usual = 26,
		.size_max = FILCHI_MAXCUT_VERTICES_MAX,
		.range_usual = 1,
		.maximise = true,
		.cutset = "layer",
		FUNCTIONS(maxcut),
	},
	{
		.name = "tsptw",
		.title = "visit places within their time windows and return as early as possible",
		.size_of = "places",
		.size_usual = 20,
		.size_max = FILCHI_TSPTW_PLACES_MAX,
		.range_usual = 100,
		.decimals = FILCHI_TSPTW_DECIMALS,
		.cutset = "layer",
		FUNCTIONS(tsptw),
	},
	{
		.name = "golomb",
		.title = "shortest ruler whose marks have different distances",
		.size_of = "marks",
		.size_usual = 8,
		.size_max = FILCHI_GOLOMB_MARKS_MAX,
		.range_usual = 1,
		.cutset = "layer",
		.no_cache = true,
		FUNCTIONS(golomb),
	},
	{
		.name = "sop",
		.title = "cheapest order of jobs with precedences (TSPLIB)",
		.size_of = "jobs",
		.size_usual = 16,
		.size_max = FILCHI_SOP_JOBS_MAX,
		.range_usual = 100,
		FUNCTIONS(sop),
	},
	{
		.name = "ufp",
		.title = "flow of the largest reward that is neither split nor merged at some nodes, for demand scenarios",
		.size_of = "nodes",
		.size_usual = 16,
		.size_max = FILCHI_UFP_NODES_MAX,
		.range_usual = 40,
		.maximise = true,
		.network = true,
		FUNCTIONS(ufp),
	},
};

const struct filchi_problem *filchi_problem_at(unsigned n)
{
	return n < sizeof(all) / sizeof(all[0]) ? &all[n] : NULL;
}

const struct filchi_problem *filchi_problem_find(const char *name)
{
	const struct filchi_problem *p;

	for (unsigned i = 0; (p = filchi_problem_at(i)); i++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}
