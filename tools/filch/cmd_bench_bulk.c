/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench bulk: measures the bulk queues. bench/bulk/ has what is measured and how. */
#define _GNU_SOURCE

#include "../../bench/bulk/bulk.h"
#include "../../bench/harness/output.h"
#include "command.h"
#include "parse.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] = "usage: filch bench bulk [OPTION]...\n"
			   "\n"
			   "Measures the bulk queues of libfilch in one thread, as their paper does, next to the list "
			   "that the paper prints\n"
			   "and a deque that moves its items one by one: what it takes to push a batch of 1, 128, 512 "
			   "and 1,024 nodes, to pop\n"
			   "one, and to steal 10 to 90 % of 10,000. Contenders are interleaved; every sample checks "
			   "that what went in came\n"
			   "out. Prints a table and the ratios that are promised. Takes about 25 s.\n"
			   "\n"
			   "  --quick         shorter and fewer samples: a first impression in about 5 s\n"
			   "  --runs N        samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
			   "  --seconds S     what one sample takes, 0.001 to 60 (default 0.02, quick 0.005)\n"
			   "  --json FILE     also write all samples as JSON; - is standard output, and the table then "
			   "goes to standard error\n"
			   "  --no-color      no color on a terminal; NO_COLOR in the environment does the same\n"
			   "  --help, -h      this text\n"
			   "\n"
			   "exit codes: 0 all went well; 1 the run failed: nodes were lost, or it could not be "
			   "measured or written; 2 the\n"
			   "command line was wrong\n";

struct settings {
	struct filchi_bulk_bench_options bench;
	const char *json;
	bool no_color;
};

enum { QUICK = 256, RUNS, SECONDS, JSON, NO_COLOR };

static const struct option options[] = {
	{"quick", no_argument, NULL, QUICK},
	{"runs", required_argument, NULL, RUNS},
	{"seconds", required_argument, NULL, SECONDS},
	{"json", required_argument, NULL, JSON},
	{"no-color", no_argument, NULL, NO_COLOR},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static bool parse_option(const char *command, int option, struct settings *s)
{
	switch (option) {
	case QUICK:
		s->bench.quick = true;
		return true;
	case RUNS:
		return filchi_parse_count(command, "--runs", optarg, 1, 10000, &s->bench.runs);
	case SECONDS:
		return filchi_parse_real(command, "--seconds", optarg, 0.001, 60, &s->bench.seconds);
	case JSON:
		s->json = optarg;
		return true;
	case NO_COLOR:
		s->no_color = true;
		return true;
	default: /* getopt has said what is wrong */
		return false;
	}
}

/* -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct settings *s)
{
	int option;

	optind = 1;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (!parse_option(argv[0], option, s)) {
			fprintf(stderr, "Try 'filch bench bulk --help'.\n");
			return FILCHI_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected argument '%s'\nTry 'filch bench bulk --help'.\n", argv[0],
			argv[optind]);
		return FILCHI_EXIT_USAGE;
	}
	if (!s->bench.runs)
		s->bench.runs = s->bench.quick ? 10 : 15;
	if (!(s->bench.seconds > 0))
		s->bench.seconds = s->bench.quick ? 0.005 : 0.02;
	return -1;
}

static bool use_color(const struct settings *s, FILE *f)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (s->no_color || (no_color && *no_color))
		return false;
	return isatty(fileno(f)) && term && strcmp(term, "dumb") != 0;
}

static int failed(const char *command, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", command, what, why);
	return FILCHI_EXIT_FAILED;
}

/* The table first: it is there even if the file cannot be written. */
static int report(const char *command, const struct settings *s, const struct filchi_bulk_bench_suite *suite,
		  struct filchi_output *out)
{
	FILE *f = out->file == stdout ? stderr : stdout;
	struct filchi_machine machine;
	int err;

	filchi_machine(&machine);
	err = filchi_bulk_bench_report_table(suite, &machine, f, use_color(s, f));
	if (!err && out->file)
		err = filchi_bulk_bench_report_json(suite, &machine, out->file);
	if (err) {
		filchi_output_abandon(out);
		return failed(command, "cannot report", strerror(-err));
	}
	if (out->file) {
		err = filchi_output_commit(out);
		if (err)
			return failed(command, "cannot write the JSON", strerror(-err));
		if (f == stdout)
			printf("\nAll samples are in %s.\n", s->json);
	}
	return FILCHI_EXIT_OK;
}

static int measure(const char *command, const struct settings *s)
{
	struct filchi_output out = {0};
	struct filchi_bulk_bench_suite suite;
	struct filchi_bench_error error;
	int code, err = filchi_bulk_bench_init(&suite, &s->bench);

	if (err)
		return failed(command, "cannot measure", strerror(-err));
	/* Before measuring: nobody wants to wait for a result that cannot be kept. */
	err = s->json ? filchi_output_open(&out, s->json) : 0;
	if (err) {
		code = failed(command, s->json, strerror(-err));
	} else if (filchi_bulk_bench_run(&suite, &error)) {
		filchi_output_abandon(&out);
		code = failed(command, "the run failed", error.text);
	} else {
		code = report(command, s, &suite, &out);
	}
	filchi_bulk_bench_free(&suite);
	return code;
}

static int run(int argc, char **argv)
{
	struct settings s = {0};
	int code = parse(argc, argv, &s);

	return code < 0 ? measure(argv[0], &s) : code;
}

const struct filchi_command filchi_cmd_bench_bulk = {
	.name = "bench bulk",
	.summary = "measure the bulk queues on this machine",
	.help = help,
	.run = run,
};
