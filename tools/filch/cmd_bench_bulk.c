/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench bulk: measures the bulk queues. */
#include "../../bench/micro/bulk/bulk.h"
#include "bench_main.h"

static const char help[] =
	"usage: filch bench bulk [OPTION]...\n"
	"\n"
	"Measure the bulk queues of libfilch in one thread and print a table. This takes about 25 s, with --quick 5 "
	"s.\n"
	"\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S        let a sample take S seconds, 0.001 to 60 (default 0.02, quick 0.005); same as "
	"--duration\n" FILCHI_HELP_JSON FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  nodes were lost, or the queues could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	(void)settings;
	return filchi_bulk_bench_init(suite, options);
}

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench bulk --help",
		.seconds = 0.02,
		.quick_seconds = 0.005,
		.init = init,
	};

	return filchi_bench_main(&command, argc, argv, NULL);
}

const struct filchi_command filchi_cmd_bench_bulk = {
	.name = "bench bulk",
	.summary = "measure the bulk queues on this machine",
	.help = help,
	.run = run,
};
