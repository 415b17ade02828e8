/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench spawn: measures the cost of a spawn in the variants that users write. */
#define _GNU_SOURCE

#include "../../bench/micro/spawn/spawn.h"
#include "bench_main.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORKERS 1024 /* limit of the library */

static const char help[] =
	"usage: filch bench spawn [OPTION]...\n"
	"\n"
	"Measure the cost of a spawn with one worker and the gain of the second worker, with filch, with other "
	"runtimes\n"
	"and serially, and print tables. This takes about 25 minutes, with --quick 2.\n"
	"\n"
	"  --cases LIST       measure these cases or groups of cases, separated by commas, or all (the default):\n"
	"                     fib/int, long, float, bool, void, struct: the result of the task\n"
	"                     params/1 to params/8: the number of parameters\n"
	"                     tree/2, tree/4, tree/16: trees with that many children, and empty leaves\n"
	"                     loop/N/NS, spawn_n/N/NS: N spawns, then N syncs; N is 64 or 1000; a task takes NS ns:\n"
	"                     0, 16, 30, 45, 90, 170, 300, 450, 1000 or 10000\n"
	"                     runs/1000: many jobs of 1,000 empty spawns\n"
	"  --runtimes LIST    compare these: serial, filch, tbb, libgomp (OpenMP of gcc), libomp (OpenMP of clang); "
	"all\n"
	"                     (the default)\n"
	"  --flags LIST       compile with these: O2, O3 (gcc), clang (clang -O2); all (the default, quick O2). Cases\n"
	"                     with a body of 16 ns or more use only the first flags of each runtime\n"
	"  --workers N        compare one worker with N workers, 2 to 1024 (default 2)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 10, quick 3)\n"
	"  --seconds S        let a sample take S seconds, 0.001 to 60 (default 0.1, quick 0.02); same as "
	"--duration\n" FILCHI_HELP_JSON
	"  --programs FOLDER  find the programs of the runtimes in FOLDER\n" FILCHI_HELP_COMMON "\n"
	"The programs read the variables of their runtime, such as FILCH_WAIT.\n" FILCHI_HELP_EXIT
	"  1  an answer was wrong, or a program could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_spawn_options spawn;
	struct filchi_names runtimes, flags;
	const char *folder; /* of the programs; NULL: beside this one */
};

static void choose(struct filchi_spawn_options *o, const struct filchi_spawn_case *c)
{
	for (size_t i = 0; i < o->case_count; i++)
		if (o->cases[i] == c)
			return;
	if (o->case_count < FILCHI_SPAWN_MAX_CASES)
		o->cases[o->case_count++] = c;
}

static bool parse_cases(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;
	const struct filchi_spawn_case *c;

	for (;;) {
		size_t length = strcspn(value, ",");
		bool all = length == 3 && !memcmp(value, "all", length), found = false;

		for (unsigned n = 0; (c = filchi_spawn_case(n)); n++)
			if (all || filchi_spawn_case_is(c, value, length)) {
				choose(&s->spawn, c);
				found = true;
			}
		if (!found)
			return filchi_names_unknown(command, "--cases: ", "case", value, length, "all",
						    filchi_spawn_group);
		if (!value[length])
			return true;
		value += length + 1;
	}
}

static void copy_names(const struct filchi_names *from, const char **to, size_t *count)
{
	for (size_t i = 0; i < from->count && i < FILCHI_SPAWN_MAX_SUBJECTS; i++)
		to[(*count)++] = from->names[i];
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	if (!s->spawn.case_count && !parse_cases(command, "all", s))
		return false;
	if (!s->runtimes.count && !filchi_names_add(&s->runtimes, command, "", "", "all", filchi_spawn_runtime))
		return false;
	if (!s->flags.count && !filchi_names_add(&s->flags, command, "", "", quick ? "O2" : "all", filchi_spawn_flags))
		return false;
	copy_names(&s->runtimes, s->spawn.runtimes, &s->spawn.runtime_count);
	copy_names(&s->flags, s->spawn.flags, &s->spawn.flags_count);
	if (!filchi_bench_find_programs(command, s->folder, s->spawn.folder, sizeof(s->spawn.folder)))
		return false;
	if (!filchi_spawn_there(&s->spawn)) {
		fprintf(stderr, "%s: --runtimes: none of their programs is in %s\n", command, s->spawn.folder);
		return false;
	}
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_spawn_bench_init(suite, options, &((const struct settings *)settings)->spawn);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_PARSED("cases", parse_cases),
	FILCHI_NAMES("runtimes", runtimes, "runtime", filchi_spawn_runtime),
	FILCHI_NAMES("flags", flags, "flags", filchi_spawn_flags),
	FILCHI_COUNT("workers", spawn.workers, 2, MAX_WORKERS),
	FILCHI_FOLDER("programs", folder),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench spawn --help",
		.options = options,
		.complete = complete,
		.runs = 10,
		.quick_runs = 3,
		.seconds = 0.1,
		.quick_seconds = 0.02,
		.init = init,
	};
	struct settings s = {.spawn = {.workers = 2}};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_spawn = {
	.name = "bench spawn",
	.summary = "measure the cost of a spawn in its variants",
	.help = help,
	.run = run,
};
