/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench ranks: a search on several ranks, real and simulated. */
#define _GNU_SOURCE

#include "../../bench/micro/ranks/ranks.h"
#include "bench_main.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"usage: filch bench ranks [OPTION]...\n"
	"\n"
	"Solve a Golomb ruler on 1, 2 and 4 ranks of this machine, and simulate the same jobs with the costs that were "
	"measured.\n"
	"Then simulate searches on up to 100,000 ranks, with one coordinator and with a tree (as filch simulate "
	"search).\n"
	"Without MPI only the second part runs. It takes minutes; with a tree of 100,000 ranks it may take an hour; "
	"with "
	"--quick\n"
	"half a minute.\n"
	"\n"
	"  --most N           simulate 1, 10, 100, ... up to N ranks (default 100000, quick 1000)\n"
	"  --work SECONDS     of the simulated search (default 1000000, quick 10000)\n"
	"  --marks N          of the ruler, 8 to 13 (default 12, quick 11)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 1)\n" FILCHI_HELP_JSON
		FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  a job or a simulation failed, or the results could not be written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_ranks_bench_options ranks;
	unsigned most, marks;
};

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;
	ssize_t size = readlink("/proc/self/exe", s->ranks.program, sizeof(s->ranks.program) - 1);

	if (size <= 0) {
		fprintf(stderr, "%s: cannot find this program: /proc/self/exe cannot be read\n", command);
		return false;
	}
	if (!filchi_ranks_bench_launcher())
		fprintf(stderr, "%s: no MPI can be started here: only simulations\n", command);
	s->ranks.most = (int)(s->most ? s->most : quick ? 1000 : 100000);
	if (!(s->ranks.work > 0))
		s->ranks.work = quick ? 1e4 : 1e6;
	snprintf(s->ranks.marks, sizeof(s->ranks.marks), "%u", s->marks ? s->marks : quick ? 11 : 12);
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_ranks_bench_init(suite, options, &((const struct settings *)settings)->ranks);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_COUNT("most", most, 1, 1000000),
	FILCHI_COUNT("marks", marks, 8, 13),
	FILCHI_REAL("work", ranks.work, 1, 1e9),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench ranks --help",
		.options = options,
		.complete = complete,
		.runs = 1,
		.quick_runs = 1,
		.seconds = NAN,
		.quick_seconds = NAN,
		.init = init,
	};
	struct settings s = {0};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_ranks = {
	.name = "bench ranks",
	.summary = "a search on several ranks, real and simulated",
	.help = help,
	.run = run,
};
