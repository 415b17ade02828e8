/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench wake: measures what waiting workers cost and how fast they start. */
#include "../../bench/micro/wake/wake.h"
#include "bench_main.h"

#define MAX_WORKERS 1024 /* as in the library */

static const char help[] =
	"usage: filch bench wake [OPTION]...\n"
	"\n"
	"Measure the CPU time of idle workers and the time until a worker starts a task, for each wait policy, and "
	"print\n"
	"two tables. This takes about 6 minutes, with --quick 35 s.\n"
	"\n"
	"  --wait LIST        measure these wait policies, separated by commas, or all (the default); warm is the\n"
	"                     default policy between filch_pool_keep_awake_begin and filch_pool_keep_awake_end\n"
	"  --workers N        make a pool of N workers, 1 to 1024 (default: FILCH_WORKERS, else the usable CPUs)\n"
	"  --idle S           watch the idle pool for S seconds, 0.001 to 600 (default 10, quick 1)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 5, quick 3)\n"
	"  --seconds S        let a sample of calls take S seconds, 0.001 to 60 (default 1, quick 0.25); same as\n"
	"                     --duration\n" FILCHI_HELP_JSON FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  a task did not run in a worker, or the pool could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_wake_options wake;
	struct filchi_names waits;
};

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	(void)command, (void)quick;
	for (size_t i = 0; i < s->waits.count && i < FILCHI_WAKE_MAX_WAITS; i++)
		s->wake.waits[s->wake.wait_count++] = s->waits.names[i];
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_wake_bench_init(suite, options, &((const struct settings *)settings)->wake);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("wait", waits, "policy", filchi_wake_wait),
	FILCHI_COUNT("workers", wake.workers, 1, MAX_WORKERS),
	FILCHI_REAL("idle", wake.idle_seconds, 0.001, 600),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench wake --help",
		.options = options,
		.complete = complete,
		.runs = 5,
		.quick_runs = 3,
		.seconds = 1,
		.quick_seconds = 0.25,
		.init = init,
	};
	struct settings s = {0};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_wake = {
	.name = "bench wake",
	.summary = "measure what waiting workers cost and how fast they start",
	.help = help,
	.run = run,
};
