/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench fiber: measures fibers. */
#include "../../bench/micro/fiber/fiber.h"
#include "bench_main.h"

#include <filch/deque.h>

static const char help[] =
	"usage: filch bench fiber [OPTION]...\n"
	"\n"
	"Measure fibers in a pool of one worker, for each kind of deque: the switch, a spawn with its join, a round "
	"trip\n"
	"over channels, and the memory of fibers that sleep; beside them boost.fiber, if filch was built with it. "
	"Measure\n"
	"operations of I/O beside system calls, and an echo server beside one with epoll. Print tables. This takes "
	"about\n"
	"3 minutes, with --quick 15 s.\n"
	"\n"
	"  --kinds LIST       measure these kinds of deques, separated by commas, or all (the default)\n"
	"  --programs FOLDER  run the program for boost.fiber from this folder (default: beside this program)\n"
	"  --fibers N         let N fibers sleep, 1 to 10000000 (default 100000, quick 10000)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 5, quick 3)\n"
	"  --seconds S        let a sample take S seconds, 0.001 to 60 (default 0.5, quick 0.1); same as\n"
	"                     --duration\n" FILCHI_HELP_JSON FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  fibers could not be measured, or the results not written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_fiber_options fiber;
	struct filchi_names kinds;
	const char *folder; /* of the program for boost.fiber; NULL: beside this one */
};

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)quick;
	if (!filchi_bench_find_programs(command, s->folder, s->fiber.folder, sizeof(s->fiber.folder)))
		return false;
	for (size_t i = 0; i < s->kinds.count && i < FILCHI_FIBER_MAX_KINDS; i++)
		s->fiber.kinds[s->fiber.kind_count++] = s->kinds.names[i];
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_fiber_bench_init(suite, options, &((const struct settings *)settings)->fiber);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("kinds", kinds, "deque", filch_deque_kind_name),
	FILCHI_FOLDER("programs", folder),
	FILCHI_COUNT("fibers", fiber.fibers, 1, 10000000),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench fiber --help",
		.options = options,
		.complete = complete,
		.runs = 5,
		.quick_runs = 3,
		.seconds = 0.5,
		.quick_seconds = 0.1,
		.init = init,
	};
	struct settings s = {0};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_fiber = {
	.name = "bench fiber",
	.summary = "measure fibers: switch, spawn, channel, memory, I/O",
	.help = help,
	.run = run,
};
