/* SPDX-License-Identifier: Apache-2.0 */
/* A subcommand of filch: one file cmd_NAME.c, one line in main.c. */
#ifndef FILCHI_TOOL_COMMAND_H
#define FILCHI_TOOL_COMMAND_H

#include <stdio.h>

enum {
	FILCHI_EXIT_OK = 0,
	FILCHI_EXIT_FAILED = 1, /* wrong results, or nothing could be measured or written */
	FILCHI_EXIT_USAGE = 2
};

/* Lines that most help texts have. */
#define FILCHI_HELP_JSON                                                                                               \
	"  --json FILE        write all samples to FILE as JSON; - is standard output, and tables then go to "         \
	"standard\n"                                                                                                   \
	"                     error\n"
#define FILCHI_HELP_COMMON                                                                                             \
	"  --no-color         print no colour on a terminal; NO_COLOR in the environment does the same\n"              \
	"  --help, -h         print this help\n"
#define FILCHI_HELP_EXIT                                                                                               \
	"\n"                                                                                                           \
	"exit codes:\n"                                                                                                \
	"  0  success\n"
#define FILCHI_HELP_EXIT_USAGE "  2  wrong command line\n"

struct filchi_command {
	const char *name;
	const char *summary;
	const char *help;		   /* the whole text, for filch help NAME */
	int (*run)(int argc, char **argv); /* argv[0] is "filch NAME"; returns the exit code */
};

extern const struct filchi_command filchi_cmd_bench, filchi_cmd_compare, filchi_cmd_dupes, filchi_cmd_figures,
	filchi_cmd_gen, filchi_cmd_simulate, filchi_cmd_solve, filchi_cmd_tune;
/* Subcommands of bench. */
extern const struct filchi_command filchi_cmd_bench_dd, filchi_cmd_bench_dupes, filchi_cmd_bench_fiber,
	filchi_cmd_bench_ufp, filchi_cmd_bench_ranks;
extern const struct filchi_command filchi_cmd_bench_bulk, filchi_cmd_bench_queue, filchi_cmd_bench_wake,
	filchi_cmd_bench_search, filchi_cmd_bench_spawn, filchi_cmd_bench_workload;

#endif
