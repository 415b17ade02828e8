/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench: measures the deques. bench/ has what is measured and how; here are the options and where it all goes. */
#define _GNU_SOURCE

#include "../../bench/deque/deque.h"
#include "../../bench/harness/output.h"
#include "command.h"
#include "parse.h"

#include <errno.h>
#include <filch/deque.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_KINDS 64

static const char help[] =
	"usage: filch bench [OPTION]...\n"
	"       filch bench bulk [OPTION]...    the bulk queues; see filch bench bulk --help\n"
	"\n"
	"Measures the deques of libfilch on this machine, next to a plain array stack: what a push and a pop cost the\n"
	"owner without thieves, what is left of its speed while thieves steal, and what a steal costs. Contenders are\n"
	"interleaved; every sample checks that pushes = pops + steals + items left. Prints a table. It takes about 25 "
	"s\n"
	"for each kind, with --quick 4 s.\n"
	"\n"
	"  --quick         shorter and fewer samples: a first impression\n"
	"  --deque LIST    kinds to measure, separated by commas, or all (the default); the plain stack always is\n"
	"  --runs N        samples of each measurement, 1 to 10000 (default 15, quick 10)\n"
	"  --seconds S     what one sample takes, 0.001 to 60 (default 0.5, quick 0.1)\n"
	"  --thieves N     threads that steal, 1 to 64 (default 1)\n"
	"  --json FILE     also write all samples as JSON; - is standard output, and the table then goes to standard\n"
	"                  error\n"
	"  --no-color      no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h      this text\n"
	"\n"
	"exit codes: 0 all went well; 1 the run failed: items were lost, or it could not be measured or written; 2 "
	"the\n"
	"command line was wrong\n";

struct settings {
	struct filchi_bench_options bench;
	const char *kinds[MAX_KINDS];
	size_t kind_count;
	char *list; /* what kinds points into */
	const char *json;
	bool no_color;
};

enum { QUICK = 256, DEQUE, RUNS, SECONDS, THIEVES, JSON, NO_COLOR, HELP };

static const struct option options[] = {
	{"quick", no_argument, NULL, QUICK},
	{"deque", required_argument, NULL, DEQUE},
	{"runs", required_argument, NULL, RUNS},
	{"seconds", required_argument, NULL, SECONDS},
	{"thieves", required_argument, NULL, THIEVES},
	{"json", required_argument, NULL, JSON},
	{"no-color", no_argument, NULL, NO_COLOR},
	{"help", no_argument, NULL, HELP},
	{0},
};

static void add_kind(struct settings *s, const char *name)
{
	for (size_t i = 0; i < s->kind_count; i++)
		if (!strcmp(s->kinds[i], name))
			return;
	if (s->kind_count < MAX_KINDS)
		s->kinds[s->kind_count++] = name;
}

static bool is_kind(const char *name)
{
	for (unsigned i = 0; i < filch_deque_kind_count(); i++)
		if (!strcmp(name, filch_deque_kind_name(i)))
			return true;
	return false;
}

static bool parse_kinds(const char *command, struct settings *s, const char *text)
{
	char *rest, *name;

	free(s->list);
	s->kind_count = 0;
	s->list = rest = strdup(text);
	while (rest && (name = strsep(&rest, ","))) {
		if (!strcmp(name, "all")) {
			for (unsigned i = 0; i < filch_deque_kind_count(); i++)
				add_kind(s, filch_deque_kind_name(i));
		} else if (is_kind(name)) {
			add_kind(s, name);
		} else {
			fprintf(stderr, "%s: --deque: there is no deque '%s'; there are: all", command, name);
			for (unsigned i = 0; i < filch_deque_kind_count(); i++)
				fprintf(stderr, ", %s", filch_deque_kind_name(i));
			fputc('\n', stderr);
			return false;
		}
	}
	return s->list;
}

static bool parse_option(const char *command, int option, struct settings *s)
{
	switch (option) {
	case QUICK:
		s->bench.quick = true;
		return true;
	case DEQUE:
		return parse_kinds(command, s, optarg);
	case RUNS:
		return filchi_parse_count(command, "--runs", optarg, 1, 10000, &s->bench.runs);
	case SECONDS:
		return filchi_parse_real(command, "--seconds", optarg, 0.001, 60, &s->bench.seconds);
	case THIEVES:
		return filchi_parse_count(command, "--thieves", optarg, 1, FILCHI_BENCH_MAX_THIEVES, &s->bench.thieves);
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
		if (option == HELP || option == 'h') {
			fputs(help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (!parse_option(argv[0], option, s)) {
			fprintf(stderr, "Try 'filch help bench'.\n");
			return FILCHI_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected argument '%s'\nTry 'filch help bench'.\n", argv[0], argv[optind]);
		return FILCHI_EXIT_USAGE;
	}
	if (!s->list && !parse_kinds(argv[0], s, "all"))
		return FILCHI_EXIT_FAILED;
	if (!s->bench.runs)
		s->bench.runs = s->bench.quick ? 10 : 15;
	if (!(s->bench.seconds > 0))
		s->bench.seconds = s->bench.quick ? 0.1 : 0.5;
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

static int cannot_write(const char *command, const char *path, int err)
{
	fprintf(stderr, "%s: cannot write %s: %s\n", command, path, strerror(-err));
	return FILCHI_EXIT_FAILED;
}

static int failed(const char *command, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", command, what, why);
	return FILCHI_EXIT_FAILED;
}

/* The table first: it is there even if the file cannot be written. */
static int report(const char *command, const struct settings *s, const struct filchi_bench_suite *suite,
		  struct filchi_output *out)
{
	FILE *f = out->file == stdout ? stderr : stdout;
	struct filchi_machine machine;
	int err;

	filchi_machine(&machine);
	err = filchi_bench_report_table(suite, &machine, f, use_color(s, f));
	if (!err && out->file)
		err = filchi_bench_report_json(suite, &machine, out->file);
	if (err) {
		filchi_output_abandon(out);
		return failed(command, "cannot report", strerror(-err));
	}
	if (out->file) {
		err = filchi_output_commit(out);
		if (err)
			return cannot_write(command, s->json, err);
		if (f == stdout)
			printf("\nAll samples are in %s.\n", s->json);
	}
	return FILCHI_EXIT_OK;
}

static int measure(const char *command, const struct settings *s)
{
	struct filchi_output out = {0};
	struct filchi_bench_suite suite;
	struct filchi_bench_error error;
	int code, err;

	err = filchi_bench_suite_init(&suite, &s->bench, s->kinds, s->kind_count);
	if (err == -ENOENT)
		return failed(command, "cannot measure", "a deque of the library has no benchmark");
	if (err)
		return failed(command, "cannot measure", strerror(-err));
	/* Before measuring: nobody wants to wait for a result that cannot be kept. */
	err = s->json ? filchi_output_open(&out, s->json) : 0;
	if (err) {
		code = cannot_write(command, s->json, err);
	} else if (filchi_bench_suite_run(&suite, &error)) {
		filchi_output_abandon(&out);
		code = failed(command, "the run failed", error.text);
	} else {
		code = report(command, s, &suite, &out);
	}
	filchi_bench_suite_free(&suite);
	return code;
}

static int run(int argc, char **argv)
{
	static char bulk[] = "filch bench bulk";
	struct settings s = {.bench.thieves = 1};
	int code;

	if (argc > 1 && !strcmp(argv[1], "bulk")) {
		argv[1] = bulk;
		return filchi_cmd_bench_bulk.run(argc - 1, argv + 1);
	}
	code = parse(argc, argv, &s);
	if (code < 0)
		code = measure(argv[0], &s);
	free(s.list);
	return code;
}

const struct filchi_command filchi_cmd_bench = {
	.name = "bench",
	.summary = "measure the deques on this machine",
	.help = help,
	.run = run,
};
