/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench bulk: measures the bulk queues. */
#include "../../bench/micro/bulk/bulk.h"
#include "bench_main.h"

static const char help[] =
	"usage: filch bench bulk [OPTION]...\n"
	"\n"
	"Measures the bulk queues of libfilch in one thread, as their paper does, next to the list that the paper\n"
	"prints and a deque that moves its items one by one: what it takes to push a batch of 1, 128, 512 and 1,024\n"
	"nodes, to pop one, and to steal 10 to 90 % of 10,000. Runtimes are interleaved; every sample checks that\n"
	"what went in came out. Prints a table and the ratios that are promised. Takes about 25 s.\n"
	"\n"
	"  --quick         shorter and fewer samples: a first impression in about 5 s\n"
	"  --runs N        samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S     what one sample takes, 0.001 to 60 (default 0.02, quick 0.005); --duration is the same\n"
	"  --json FILE     also write all samples as JSON; - is standard output, and the table then goes to standard\n"
	"                  error\n"
	"  --no-color      no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h      this text\n"
	"\n"
	"exit codes: 0 all went well; 1 the run failed: nodes were lost, or it could not be measured or written;\n"
	"2 the command line was wrong\n";

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
