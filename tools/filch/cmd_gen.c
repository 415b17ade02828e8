/* SPDX-License-Identifier: Apache-2.0 */
/* filch gen: writes a random instance of a problem in its public format. */
#include "../../dd/problems/problem.h"
#include "../../dd/problems/ufp/ufp.h"
#include "command.h"
#include "names.h"
#include "options.h"

#include <string.h>

static const char help[] =
	"usage: filch gen [OPTION]... PROBLEM\n"
	"\n"
	"Write a random instance for filch solve to standard output, in the public format of the problem. The same "
	"options\n"
	"give the same instance on each machine. PROBLEM is knapsack, misp, max2sat, maxcut, tsptw, golomb, sop or "
	"ufp.\n"
	"\n"
	"  --seed S           the number that chooses the instance, 0 to 4294967295 (default 1)\n"
	"  --size N           items, vertices, variables, places, marks, jobs or nodes (default: solved within "
	"seconds)\n"
	"  --density D        the share of possible edges, clauses or precedences, 0 to 1; tsptw: narrow windows at "
	"1;\n"
	"                     ufp: of nodes in the middle that neither split nor merge\n"
	"  --range N          the largest weight, profit, distance, cost or capacity, 1 to 1000000\n"
	"  --arcs N           ufp: arcs, 1 to 16384 (default: 2.5 for each node)\n"
	"  --scenarios N      ufp: demand scenarios, 1 to 65536 (default 10)\n"
	"  --help, -h         print this help\n"
	"\n"
	"exit codes:\n"
	"  0  success\n"
	"  1  standard output could not be written\n"
	"  2  wrong command line\n";

struct request {
	unsigned seed, size, range, arcs, scenarios;
	double density;
	const struct filchi_problem *problem;
};

static const char *problem_name(unsigned n)
{
	const struct filchi_problem *p = filchi_problem_at(n);

	return p ? p->name : NULL;
}

static bool parse_problem(const char *command, const char *value, void *settings)
{
	struct request *r = settings;

	if (r->problem)
		return filchi_unexpected_word(command, value);
	r->problem = filchi_problem_find(value);
	return r->problem || filchi_names_unknown(command, "", "problem", value, strlen(value), NULL, problem_name);
}

static bool complete(const char *command, void *settings)
{
	const struct request *r = settings;

	if (!r->problem)
		fprintf(stderr, "%s: needs a problem\n", command);
	else if (r->size > r->problem->size_max)
		fprintf(stderr, "%s: --size must be a whole number from 2 to %zu for %s, not '%u'\n", command,
			r->problem->size_max, r->problem->name, r->size);
	else if ((r->arcs || r->scenarios) && !r->problem->network)
		fprintf(stderr, "%s: --arcs and --scenarios are for ufp only, not for %s\n", command, r->problem->name);
	else if ((size_t)r->size * r->scenarios > FILCHI_UFP_DEMANDS_MAX)
		fprintf(stderr, "%s: --size times --scenarios must be at most %zu\n", command, FILCHI_UFP_DEMANDS_MAX);
	else
		return true;
	return false;
}

#define FIELD(name) offsetof(struct request, name)
static const struct filchi_option options[] = {
	FILCHI_COUNT("seed", seed, 0, 4294967295u),
	FILCHI_COUNT("size", size, 2, 1000000),
	FILCHI_REAL("density", density, 0, 1),
	FILCHI_COUNT("range", range, 1, 1000000),
	FILCHI_COUNT("arcs", arcs, 1, 16384),
	FILCHI_COUNT("scenarios", scenarios, 1, 65536),
	{0},
};

static int run(int argc, char **argv)
{
	struct request r = {.seed = 1, .density = -1};
	struct filchi_command_line line = {
		.help = help,
		.help_usage = "filch help gen",
		.tables = {{options, &r}},
		.word = parse_problem,
		.complete = complete,
		.settings = &r,
	};
	int code = filchi_command_line_parse(&line, argc, argv);
	struct filchi_generate g;

	if (code >= 0)
		return code;
	g = (struct filchi_generate){.seed = r.seed,
				     .size = r.size ? r.size : r.problem->size_usual,
				     .density = r.density,
				     .arcs = r.arcs,
				     .scenarios = r.scenarios,
				     .range = r.range ? r.range : r.problem->range_usual};
	r.problem->generate(stdout, &g);
	return FILCHI_EXIT_OK;
}

const struct filchi_command filchi_cmd_gen = {
	.name = "gen",
	.summary = "write a random instance for filch solve",
	.help = help,
	.run = run,
};
