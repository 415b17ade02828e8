/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of filch bench and its subcommands: common options, output of the reports, messages. A command adds
 * a table of its own options and an init function; bench/ does the measuring.
 */
#ifndef FILCHI_TOOL_BENCH_MAIN_H
#define FILCHI_TOOL_BENCH_MAIN_H

#include "../../bench/harness/suite.h"
#include "command.h"
#include "options.h"

struct filchi_bench_command {
	const char *help;		     /* for --help */
	const char *help_usage;		     /* the command to try after a mistake */
	const struct filchi_option *options; /* NULL: only the common ones */
	/* A word that is no option; NULL: such words are a mistake. */
	bool (*word)(const char *command, const char *value, void *settings);
	/* Checks settings that depend on each other, and fills in defaults. NULL: nothing to check. */
	bool (*complete)(const char *command, bool quick, void *settings);
	unsigned runs, quick_runs; /* default number of samples; 0: 15 and 10 */
	double seconds,
		quick_seconds; /* default duration of a sample; NaN: a sample takes its time, without --seconds */
	/* 0 or -errno; -ENOENT: a deque has no benchmark. */
	int (*init)(struct filchi_bench_suite *s, const struct filchi_bench_options *options, const void *settings);
};

/* A whole command: reads the options, measures, reports. Returns the exit code. */
int filchi_bench_main(const struct filchi_bench_command *c, int argc, char **argv, void *settings);

/*
 * Finds the folder of the programs of the runtimes: the given one, or the one beside the folder of this program. False
 * after a message.
 */
bool filchi_bench_find_programs(const char *command, const char *given, char *folder, size_t size);

/* True for "fib", "fib:42" or "all": a word of filch bench WORKLOAD. */
bool filchi_bench_is_workload(const char *word);
/* From 0; NULL beyond the last. */
const char *filchi_bench_workload_name(unsigned n);

#define FILCHI_HELP_QUICK "  --quick            take shorter and fewer samples, for a first impression\n"

#endif
