/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench: measures the deques, or hands over to a subcommand. */
#include "../../bench/micro/deque/deque.h"
#include "../../bench/micro/deque/threads.h"
#include "bench_main.h"

#include <filch/deque.h>
#include <string.h>

static const char help[] =
	"usage: filch bench [OPTION]...\n"
	"       filch bench WORKLOAD... [OPTION]...       compare programs: see filch bench all --help\n"
	"       filch bench queue [KIND]... [OPTION]...   deques with thieves at a rate: see filch bench queue --help\n"
	"       filch bench bulk [OPTION]...              bulk queues: see filch bench bulk --help\n"
	"       filch bench wake [OPTION]...              waiting workers: see filch bench wake --help\n"
	"       filch bench spawn [OPTION]...             the cost of a spawn: see filch bench spawn --help\n"
	"       filch bench search [OPTION]...            the search library: see filch bench search --help\n"
	"       filch bench ufp [OPTION]... [FILE]...     unsplittable flow: see filch bench ufp --help\n"
	"       filch bench ranks [OPTION]...             a search on many ranks: see filch bench ranks --help\n"
	"       filch bench fiber [OPTION]...             fibers: see filch bench fiber --help\n"
	"       filch bench dupes [OPTION]...             fibers that read files: see filch bench dupes --help\n"
	"       filch bench dd [OPTION]...                decision diagrams: see filch bench dd --help\n"
	"\n"
	"Measure the deques of libfilch and print a table. This takes about 25 s for each kind, with --quick 4 s.\n"
	"\n"
	"workloads: fib, queens, uts, matmul, quicksort, cilksort, sort, integrate, knapsack, dag, strassen,\n"
	"saxpy, histogram, mandelbrot, all\n"
	"\n" FILCHI_HELP_QUICK "  --kinds LIST       measure these kinds, separated by commas, or all (the default)\n"
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S        let a sample take S seconds, 0.001 to 60 (default 0.5, quick 0.1); same as --duration\n"
	"  --thieves N        let N threads steal, 1 to 64 (default 1)\n" FILCHI_HELP_JSON FILCHI_HELP_COMMON
		FILCHI_HELP_EXIT "  1  items were lost, or the deques could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	unsigned thieves;
	struct filchi_names kinds;
};

/* Subcommands and workloads are not parsed here. */
static bool parse_word(const char *command, const char *value, void *settings)
{
	(void)settings;
	return filchi_names_unknown(command, "", "workload", value, strlen(value),
				    "queue, bulk, wake, spawn, search, fiber, dupes, dd, ufp, ranks, all",
				    filchi_bench_workload_name);
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)quick;
	return s->kinds.count || filchi_names_add(&s->kinds, command, "", "deque", "all", filch_deque_kind_name);
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	const struct settings *s = settings;

	return filchi_deque_bench_init(suite, options, s->thieves, s->kinds.names, s->kinds.count);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("kinds", kinds, "deque", filch_deque_kind_name),
	FILCHI_COUNT("thieves", thieves, 1, FILCHI_BENCH_MAX_THIEVES),
	{0},
};

static const struct filchi_bench_command command = {
	.help = help,
	.help_usage = "filch help bench",
	.options = options,
	.word = parse_word,
	.complete = complete,
	.seconds = 0.5,
	.quick_seconds = 0.1,
	.init = init,
};

/* True if a word is a workload. A word after an option is its value; options in the list below have no value. */
static bool names_workload(int argc, char **argv)
{
	static const char *const bare[] = {"--quick", "--full", "--no-color", "--help", "-h"};

	for (int i = 1; i < argc; i++) {
		bool value = argv[i][0] == '-' && !strchr(argv[i], '=');

		for (size_t b = 0; b < sizeof(bare) / sizeof(bare[0]); b++)
			value = value && strcmp(argv[i], bare[b]) != 0;
		if (value)
			i++;
		else if (filchi_bench_is_workload(argv[i]))
			return true;
	}
	return false;
}

static int run(int argc, char **argv)
{
	static const struct filchi_command *const subcommands[] = {
		&filchi_cmd_bench_queue,  &filchi_cmd_bench_bulk,  &filchi_cmd_bench_wake,  &filchi_cmd_bench_spawn,
		&filchi_cmd_bench_search, &filchi_cmd_bench_fiber, &filchi_cmd_bench_dupes, &filchi_cmd_bench_dd,
		&filchi_cmd_bench_ufp,	  &filchi_cmd_bench_ranks};
	struct settings s = {.thieves = 1};
	char name[64];

	for (size_t i = 0; argc > 1 && i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
		/* The part after "bench ". */
		if (strcmp(strchr(subcommands[i]->name, ' ') + 1, argv[1]) != 0)
			continue;
		snprintf(name, sizeof(name), "filch %s", subcommands[i]->name);
		argv[1] = name;
		return subcommands[i]->run(argc - 1, argv + 1);
	}
	if (names_workload(argc, argv))
		return filchi_cmd_bench_workload.run(argc, argv);
	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench = {
	.name = "bench",
	.summary = "measure the deques, or compare programs with other runtimes",
	.help = help,
	.run = run,
};
