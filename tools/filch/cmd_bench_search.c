/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench search: measures the search library. */
#define _GNU_SOURCE

#include "../../bench/micro/search/search.h"
#include "bench_main.h"

#include <math.h>
#include <string.h>

#define MAX_WORKERS 1024
#define DEFAULT_WORKERS "1,2"
#define HUGE_CASE "dag/300000000" /* only if it is named */

static const char help[] =
	"usage: filch bench search [OPTION]...\n"
	"\n"
	"Measure the search library against hand-written serial programs, with one and more workers, and print "
	"tables.\n"
	"This takes about 5 minutes, with --quick one.\n"
	"\n"
	"  --cases LIST       measure these cases or groups of cases, separated by commas, or all (the default: all\n"
	"                     but dag/300000000):\n"
	"                     tree/2, tree/8, tree/irregular: nodes of about 100 ns with 2 or 8 children; by chance\n"
	"                     uts/T1, uts/T3: trees of the Unbalanced Tree Search benchmark\n"
	"                     few/2, few/8, many/2, many/8: best first, with few or many different bounds\n"
	"                     knapsack/28, knapsack/40: branch and bound, ten instances\n"
	"                     times/balanced, times/even, times/unbalanced, times/chains: nodes of 10 us (chains: "
	"100),\n"
	"                     log-normal (even: all equal)\n"
	"                     dag/2500000, dag/300000000: the graph of the bulk queue paper, with that many nodes\n"
	"                     batch/100, batch/1000, batch/10000, batch/100000: moving half of a queue\n"
	"  --ways LIST        compare these: serial, copies (of the serial program, at once), direct, master, best,\n"
	"                     mixture, round-16, round-64, round-256 (deterministic mode); all (the default)\n"
	"  --workers LIST     measure with these numbers of workers, 1 to 1024 (default " DEFAULT_WORKERS ")\n"
	"  --small            use small trees, to try the command\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 11, quick 3)\n" FILCHI_HELP_JSON
	"  --programs FOLDER  find the program bench-search in FOLDER\n" FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  an answer was wrong, or a program could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_search_options search;
	struct filchi_names ways;
	struct filchi_counts workers;
	const char *folder; /* of the program; NULL: beside this one */
};

static void choose(struct filchi_search_options *o, const struct filchi_search_case *c)
{
	for (size_t i = 0; i < o->case_count; i++)
		if (o->cases[i] == c)
			return;
	if (o->case_count < FILCHI_SEARCH_MAX_CASES)
		o->cases[o->case_count++] = c;
}

static bool parse_cases(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;
	const struct filchi_search_case *c;

	for (;;) {
		size_t length = strcspn(value, ",");
		bool all = length == 3 && !memcmp(value, "all", length), found = false;

		for (unsigned n = 0; (c = filchi_search_case(n)); n++)
			if (all || (length && filchi_search_case_is(c, value, length))) {
				choose(&s->search, c);
				found = true;
			}
		if (!found)
			return filchi_names_unknown(command, "--cases: ", "case", value, length, "all",
						    filchi_search_group);
		if (!value[length])
			return true;
		value += length + 1;
	}
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;
	const struct filchi_search_case *c;
	bool chosen = s->search.case_count;

	(void)quick;
	for (unsigned n = 0; !chosen && (c = filchi_search_case(n)); n++)
		if (strcmp(c->name, HUGE_CASE) != 0)
			choose(&s->search, c);
	if (!s->ways.count && !filchi_names_add(&s->ways, command, "", "", "all", filchi_search_way))
		return false;
	if (!s->workers.count && !filchi_counts_parse(&s->workers, command, "", DEFAULT_WORKERS, 1, MAX_WORKERS))
		return false;
	for (size_t i = 0; i < s->ways.count && i < FILCHI_SEARCH_MAX_WAYS; i++)
		s->search.ways[s->search.way_count++] = s->ways.names[i];
	s->search.workers_count = s->workers.count;
	memcpy(s->search.workers, s->workers.values, sizeof(s->workers.values));
	if (!filchi_bench_find_programs(command, s->folder, s->search.folder, sizeof(s->search.folder)))
		return false;
	if (!filchi_search_there(&s->search))
		fprintf(stderr, "%s: the program bench-search is not in %s\n", command, s->search.folder);
	else if (!filchi_search_count(&s->search))
		fprintf(stderr, "%s: --ways: the cases have none of these ways with these numbers of workers\n",
			command);
	else
		return true;
	return false;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_search_bench_init(suite, options, &((const struct settings *)settings)->search);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_PARSED("cases", parse_cases),
	FILCHI_NAMES("ways", ways, "way", filchi_search_way),
	FILCHI_COUNTS("workers", workers, 1, MAX_WORKERS),
	FILCHI_SWITCH("small", search.small),
	FILCHI_FOLDER("programs", folder),
	{0},
};

_Static_assert(FILCHI_COUNTS_MAX == FILCHI_SEARCH_MAX_WORKERS, "a list of numbers of workers fits");

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench search --help",
		.options = options,
		.complete = complete,
		.runs = 11,
		.quick_runs = 3,
		.seconds = NAN,
		.quick_seconds = NAN,
		.init = init,
	};
	struct settings s = {0};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_search = {
	.name = "bench search",
	.summary = "measure the search library",
	.help = help,
	.run = run,
};
