/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What filch bench and its subcommands have in common: options that all of them take, where the reports go, what is
 * said when something fails. bench/ has what is measured and how.
 */
#ifndef FILCHI_TOOL_BENCH_MAIN_H
#define FILCHI_TOOL_BENCH_MAIN_H

#include "../../bench/harness/suite.h"
#include "command.h"

#include <stdbool.h>

#define FILCHI_BENCH_MAX_KINDS 64
#define FILCHI_BENCH_MAX_FLAGS 16

/* An option of the command's own. */
struct filchi_bench_flag {
	const char *name; /* without the dashes; NULL: that was the last */
	bool (*parse)(const char *command, const char *value, void *settings); /* false: has said what is wrong */
};

struct filchi_bench_command {
	const char *help;	/* printed by --help */
	const char *help_usage; /* what to try after a mistake */
	const struct filchi_bench_flag *flags;
	const struct filchi_bench_flag *switches; /* options without a value; NULL if there are none */
	/* What is no option; NULL if that is a mistake. */
	bool (*argument)(const char *command, const char *value, void *settings);
	/* Settings that only make sense together; NULL if there are none. */
	bool (*complete)(const char *command, bool quick, void *settings);
	unsigned runs, quick_runs;     /* samples, unless told; 0: 15 and 10 */
	double seconds, quick_seconds; /* of a sample, unless told; NaN: what it takes, and --seconds is a mistake */
	/* 0 or -errno; -ENOENT for a deque that has no benchmark. */
	int (*init)(struct filchi_bench_suite *s, const struct filchi_bench_options *options, const void *settings);
};

/* The whole of a command: reads the options, measures, reports. The exit code. */
int filchi_bench_main(const struct filchi_bench_command *c, int argc, char **argv, void *settings);

/* Is this a workload of filch bench WORKLOAD? */
bool filchi_bench_is_workload(const char *word);
/* From 0; NULL beyond the last. */
const char *filchi_bench_workload_name(unsigned n);

/* The kinds of deques to measure. */
struct filchi_bench_kinds {
	const char *names[FILCHI_BENCH_MAX_KINDS];
	size_t count;
};

/* Adds those in a list separated by commas, each once; all of them for "all". */
bool filchi_bench_kinds_add(struct filchi_bench_kinds *k, const char *command, const char *option, const char *list);

#endif
