/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench wake: measures what workers that wait cost, and how fast they start. */
#include "../../bench/micro/wake/wake.h"
#include "bench_main.h"
#include "parse.h"
#include "say.h"

#include <string.h>

#define MAX_WORKERS 1024

static const char help[] =
	"usage: filch bench wake [OPTION]...\n"
	"\n"
	"Measures how workers wait, for each wait policy, and for warm, which is the default policy between\n"
	"filch_pool_keep_awake_begin and filch_pool_keep_awake_end. What they cost while idle: CPU time of the process "
	"and context\n"
	"switches. How fast they start: from FILCH_RUN or filch_pool_submit in a thread outside to the start of the "
	"task,\n"
	"and to the return, with pauses of 2 ms between calls, in which workers park, and without, when they are "
	"warm.\n"
	"Runtimes are interleaved. Prints two tables. It takes about 6 minutes, with --quick 35 s.\n"
	"\n"
	"  --wait LIST     policies to measure, separated by commas, or all (the default)\n"
	"  --workers N     workers of the pool, 1 to 1024 (default: what FILCH_WORKERS says, else as many as there "
	"are\n"
	"                  CPUs to use)\n"
	"  --idle S        seconds for which the idle pool is watched, 0.001 to 600 (default 10, quick 1)\n"
	"  --quick         shorter and fewer samples: a first impression\n"
	"  --runs N        samples of each measurement, 1 to 10000 (default 5, quick 3)\n"
	"  --seconds S     what one sample of calls takes, 0.001 to 60 (default 1, quick 0.25); --duration is the "
	"same\n"
	"  --json FILE     also write all samples as JSON; - is standard output, and the tables then go to standard\n"
	"                  error\n"
	"  --no-color      no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h      this text\n"
	"\n"
	"exit codes: 0 all went well; 1 the run failed: a task did not run in a worker, or it could not be measured "
	"or\n"
	"written; 2 the command line was wrong\n";

static bool no_such_wait(const char *command, const char *name, size_t length)
{
	char shown[FILCHI_SHORT];
	const char *wait;

	fprintf(stderr, "%s: --wait: there is no policy '%s'; there are: all", command,
		filchi_short(shown, name, length));
	for (unsigned n = 0; (wait = filchi_wake_wait(n)); n++)
		fprintf(stderr, ", %s", wait);
	fputc('\n', stderr);
	return false;
}

/* Once each. */
static void add_wait(struct filchi_wake_options *o, const char *wait)
{
	for (size_t i = 0; i < o->wait_count; i++)
		if (!strcmp(o->waits[i], wait))
			return;
	if (o->wait_count < FILCHI_WAKE_MAX_WAITS)
		o->waits[o->wait_count++] = wait;
}

static bool parse_wait(const char *command, const char *value, void *settings)
{
	struct filchi_wake_options *o = settings;

	o->wait_count = 0;
	for (;;) {
		size_t length = strcspn(value, ",");
		bool all = length == 3 && !memcmp(value, "all", length), found = all;
		const char *wait;

		for (unsigned n = 0; (wait = filchi_wake_wait(n)); n++)
			if (all || (strlen(wait) == length && !memcmp(wait, value, length))) {
				add_wait(o, wait);
				found = true;
			}
		if (!found)
			return no_such_wait(command, value, length);
		if (!value[length])
			return true;
		value += length + 1;
	}
}

static bool parse_workers(const char *command, const char *value, void *settings)
{
	struct filchi_wake_options *o = settings;

	return filchi_parse_count(command, "--workers", value, 1, MAX_WORKERS, &o->workers);
}

static bool parse_idle(const char *command, const char *value, void *settings)
{
	struct filchi_wake_options *o = settings;

	return filchi_parse_real(command, "--idle", value, 0.001, 600, &o->idle_seconds);
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_wake_bench_init(suite, options, settings);
}

static const struct filchi_bench_flag flags[] = {
	{"wait", parse_wait},
	{"workers", parse_workers},
	{"idle", parse_idle},
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench wake --help",
		.flags = flags,
		.runs = 5,
		.quick_runs = 3,
		.seconds = 1,
		.quick_seconds = 0.25,
		.init = init,
	};
	struct filchi_wake_options o = {0};

	return filchi_bench_main(&command, argc, argv, &o);
}

const struct filchi_command filchi_cmd_bench_wake = {
	.name = "bench wake",
	.summary = "measure what waiting workers cost and how fast they start",
	.help = help,
	.run = run,
};
