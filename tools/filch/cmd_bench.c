/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench: measures the deques, or hands over to a subcommand. */
#include "../../bench/micro/deque/crew.h"
#include "../../bench/micro/deque/deque.h"
#include "bench_main.h"
#include "parse.h"
#include "say.h"

#include <string.h>

static const char help[] =
	"usage: filch bench [OPTION]...\n"
	"       filch bench WORKLOAD... [OPTION]...        whole programs, compared; see filch bench all --help\n"
	"       filch bench queue [KIND]... [OPTION]...    thieves at a pace; see filch bench queue --help\n"
	"       filch bench bulk [OPTION]...               the bulk queues; see filch bench bulk --help\n"
	"       filch bench wake [OPTION]...               workers that wait; see filch bench wake --help\n"
	"\n"
	"workloads: fib, queens, uts, matmul, quicksort, cilksort, sort, integrate, knapsack, dag, strassen, saxpy, "
	"histogram,\n"
	"mandelbrot; or all.\n"
	"\n"
	"Measures the deques of libfilch on this machine, next to a plain array stack: what a push and a pop cost the\n"
	"owner without thieves, what is left of its speed while thieves steal, and what a steal costs. Contenders are\n"
	"interleaved; every sample checks that pushes = pops + steals + items left. Prints a table. It takes about\n"
	"25 s for each kind, with --quick 4 s.\n"
	"\n"
	"  --quick         shorter and fewer samples: a first impression\n"
	"  --deque LIST    kinds to measure, separated by commas, or all (the default); the plain stack always is\n"
	"  --runs N        samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S     what one sample takes, 0.001 to 60 (default 0.5, quick 0.1); --duration is the same\n"
	"  --thieves N     threads that steal, 1 to 64 (default 1)\n"
	"  --json FILE     also write all samples as JSON; - is standard output, and the table then goes to standard\n"
	"                  error\n"
	"  --no-color      no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h      this text\n"
	"\n"
	"exit codes: 0 all went well; 1 the run failed: items were lost, or it could not be measured or written;\n"
	"2 the command line was wrong\n";

struct settings {
	unsigned thieves;
	struct filchi_bench_kinds kinds;
};

static bool parse_deque(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	s->kinds.count = 0;
	return filchi_bench_kinds_add(&s->kinds, command, "--deque: ", value);
}

static bool parse_thieves(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_parse_count(command, "--thieves", value, 1, FILCHI_BENCH_MAX_THIEVES, &s->thieves);
}

/* Words that name something have been looked for before. */
static bool parse_argument(const char *command, const char *value, void *settings)
{
	char shown[FILCHI_SHORT];
	const char *name;

	(void)settings;
	fprintf(stderr, "%s: there is no workload '%s'; there are: all", command,
		filchi_short(shown, value, strlen(value)));
	for (unsigned i = 0; (name = filchi_bench_work_name(i)); i++)
		fprintf(stderr, ", %s", name);
	fputs("; and as a first word queue, bulk, wake\n", stderr);
	return false;
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)quick;
	return s->kinds.count || filchi_bench_kinds_add(&s->kinds, command, "", "all");
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	const struct settings *s = settings;

	return filchi_deque_bench_init(suite, options, s->thieves, s->kinds.names, s->kinds.count);
}

static const struct filchi_bench_flag flags[] = {{"deque", parse_deque}, {"thieves", parse_thieves}, {0}};

static const struct filchi_bench_command command = {
	.help = help,
	.help_usage = "filch help bench",
	.flags = flags,
	.argument = parse_argument,
	.complete = complete,
	.seconds = 0.5,
	.quick_seconds = 0.1,
	.init = init,
};

/* Is a workload named? Words that follow an option are taken for its value, unless it has none. */
static bool names_work(int argc, char **argv)
{
	static const char *const bare[] = {"--quick", "--full", "--no-color", "--help", "-h"};

	for (int i = 1; i < argc; i++) {
		bool value = argv[i][0] == '-' && !strchr(argv[i], '=');

		for (size_t b = 0; b < sizeof(bare) / sizeof(bare[0]); b++)
			value = value && strcmp(argv[i], bare[b]) != 0;
		if (value)
			i++;
		else if (filchi_bench_is_work(argv[i]))
			return true;
	}
	return false;
}

static int run(int argc, char **argv)
{
	static const struct filchi_command *const subcommands[] = {&filchi_cmd_bench_queue, &filchi_cmd_bench_bulk,
								   &filchi_cmd_bench_wake};
	struct settings s = {.thieves = 1};
	char name[64];

	for (size_t i = 0; argc > 1 && i < sizeof(subcommands) / sizeof(subcommands[0]); i++) {
		/* What follows "bench ". */
		if (strcmp(strchr(subcommands[i]->name, ' ') + 1, argv[1]) != 0)
			continue;
		snprintf(name, sizeof(name), "filch %s", subcommands[i]->name);
		argv[1] = name;
		return subcommands[i]->run(argc - 1, argv + 1);
	}
	if (names_work(argc, argv))
		return filchi_cmd_bench_work.run(argc, argv);
	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench = {
	.name = "bench",
	.summary = "measure the deques, or whole programs next to other runtimes",
	.help = help,
	.run = run,
};
