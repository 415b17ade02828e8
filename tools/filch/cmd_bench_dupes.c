/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench dupes: measures the search for duplicate files of the BWoS thesis. */
#include "../../bench/micro/dupes/dupes.h"
#include "bench_main.h"

#include <filch/deque.h>
#include <math.h>

static const char help[] =
	"usage: filch bench dupes [OPTION]...\n"
	"\n"
	"Measure a search for duplicate files on fibers, for each kind of deque, on a tree of 600 directories and "
	"2,500\n"
	"files that is made in TMPDIR, or else in /tmp, and removed afterwards. Each file is read in blocks of 4,096\n"
	"bytes. Print a table. This takes about 2 minutes, with --quick 10 s.\n"
	"\n"
	"  --kinds LIST       measure these kinds of deques, separated by commas, or all (the default)\n"
	"  --workers N        threads (default: as many as processors)\n"
	"  --megabytes N      MiB in the tree, 1 to 100000 (default 256, quick 16)\n"
	"  --load N           rounds of artificial computation for each block, about 1 ns each (default "
	"0)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 10, quick 3)\n" FILCHI_HELP_JSON
		FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  the tree could not be made or searched, or the results not written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_dupes_options dupes;
	struct filchi_names kinds;
};

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)command;
	if (!s->dupes.megabytes)
		s->dupes.megabytes = quick ? 16 : 256;
	for (size_t i = 0; i < s->kinds.count && i < FILCHI_DUPES_MAX_KINDS; i++)
		s->dupes.kinds[s->dupes.kind_count++] = s->kinds.names[i];
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_dupes_bench_init(suite, options, &((const struct settings *)settings)->dupes);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("kinds", kinds, "deque", filch_deque_kind_name),
	FILCHI_COUNT("workers", dupes.workers, 1, 1024),
	FILCHI_COUNT("megabytes", dupes.megabytes, 1, 100000),
	FILCHI_COUNT("load", dupes.load, 0, 1000000000),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench dupes --help",
		.options = options,
		.complete = complete,
		.runs = 10,
		.quick_runs = 3,
		.seconds = NAN,
		.quick_seconds = NAN,
		.init = init,
	};
	struct settings s = {0};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_dupes = {
	.name = "bench dupes",
	.summary = "measure a search for duplicate files on fibers",
	.help = help,
	.run = run,
};
