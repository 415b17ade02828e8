/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "bench_main.h"

#include "../../bench/harness/output.h"
#include "../../bench/harness/report.h"
#include "parse.h"
#include "say.h"
#include "terminal.h"

#include <errno.h>
#include <filch/deque.h>
#include <getopt.h>
#include <math.h>
#include <string.h>

/* What was asked for that all commands know. */
struct request {
	struct filchi_bench_options bench;
	const char *json;
	bool no_color;
};

enum { ARGUMENT = 1, QUICK = 256, RUNS, SECONDS, JSON, NO_COLOR, HELP, OWN, SWITCH = OWN + FILCHI_BENCH_MAX_FLAGS };

static const struct option common[] = {
	{"quick", no_argument, NULL, QUICK},
	{"runs", required_argument, NULL, RUNS},
	{"seconds", required_argument, NULL, SECONDS},
	{"duration", required_argument, NULL, SECONDS},
	{"json", required_argument, NULL, JSON},
	{"no-color", no_argument, NULL, NO_COLOR},
	{"help", no_argument, NULL, HELP},
};
#define COMMON (sizeof(common) / sizeof(common[0]))

static bool parse_option(const struct filchi_bench_command *c, const char *command, int option, struct request *r,
			 void *settings)
{
	switch (option) {
	case QUICK:
		r->bench.quick = true;
		return true;
	case RUNS:
		return filchi_parse_count(command, "--runs", optarg, 1, 10000, &r->bench.runs);
	case SECONDS:
		if (isnan(c->seconds)) {
			fprintf(stderr, "%s: a sample takes as long as the workload: no --seconds here\n", command);
			return false;
		}
		return filchi_parse_real(command, "--seconds", optarg, 0.001, 60, &r->bench.seconds);
	case JSON:
		r->json = optarg;
		return true;
	case NO_COLOR:
		r->no_color = true;
		return true;
	default: /* getopt has said what is wrong */
		if (option >= SWITCH)
			return c->switches[option - SWITCH].parse(command, NULL, settings);
		return option >= OWN && c->flags[option - OWN].parse(command, optarg, settings);
	}
}

static bool parse_argument(const struct filchi_bench_command *c, const char *command, const char *value, void *settings)
{
	char shown[FILCHI_SHORT];

	if (c->argument)
		return c->argument(command, value, settings);
	fprintf(stderr, "%s: unexpected argument '%s'\n", command, filchi_short(shown, value, strlen(value)));
	return false;
}

/* The common ones and the command's own, which are FILCHI_BENCH_MAX_FLAGS at most. */
static void list_options(const struct filchi_bench_command *c, struct option *options)
{
	memcpy(options, common, sizeof(common));
	options += COMMON;
	for (int i = 0; c->flags && c->flags[i].name; i++)
		*options++ = (struct option){c->flags[i].name, required_argument, NULL, OWN + i};
	for (int i = 0; c->switches && c->switches[i].name; i++)
		*options++ = (struct option){c->switches[i].name, no_argument, NULL, SWITCH + i};
}

/* -1 to go on, or the exit code. */
static int parse_options(const struct filchi_bench_command *c, int argc, char **argv, struct request *r, void *settings)
{
	struct option options[COMMON + FILCHI_BENCH_MAX_FLAGS + 1] = {{0}};
	int option;

	list_options(c, options);
	optind = 1;
	/* "-": what is no option comes in its turn, too. */
	while ((option = getopt_long(argc, argv, "-h", options, NULL)) != -1) {
		if (option == HELP || option == 'h') {
			fputs(c->help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (option == ARGUMENT ? !parse_argument(c, argv[0], optarg, settings)
				       : !parse_option(c, argv[0], option, r, settings))
			return FILCHI_EXIT_USAGE;
	}
	for (; optind < argc; optind++)
		if (!parse_argument(c, argv[0], argv[optind], settings))
			return FILCHI_EXIT_USAGE;
	return c->complete && !c->complete(argv[0], r->bench.quick, settings) ? FILCHI_EXIT_USAGE : -1;
}

static int failed(const char *command, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", command, what, why);
	return FILCHI_EXIT_FAILED;
}

/* The table first: it is there even if the file cannot be written. */
static int report(const char *command, const struct request *r, const struct filchi_bench_suite *suite,
		  struct filchi_output *out)
{
	FILE *f = out->file == stdout ? stderr : stdout;
	struct filchi_machine machine;
	int err;

	filchi_machine(&machine);
	err = suite->table(suite, &machine, f, filchi_terminal_color(f, r->no_color));
	if (!err && out->file)
		err = filchi_report_json(suite, &machine, out->file);
	if (err) {
		filchi_output_abandon(out);
		return failed(command, "cannot report", strerror(-err));
	}
	if (out->file) {
		err = filchi_output_commit(out);
		if (err)
			return filchi_say_cannot_write(command, r->json, err);
		if (f == stdout)
			printf("\nAll samples are in %s.\n", r->json);
	}
	return FILCHI_EXIT_OK;
}

static int measure(const char *command, const struct request *r, struct filchi_bench_suite *suite)
{
	struct filchi_output out = {0};
	struct filchi_bench_error error;
	int err = r->json ? filchi_output_open(&out, r->json) : 0;

	/* Before measuring: nobody wants to wait for a result that cannot be kept. */
	if (err)
		return filchi_say_cannot_write(command, r->json, err);
	if (filchi_bench_suite_run(suite, &error)) {
		filchi_output_abandon(&out);
		return failed(command, "the run failed", error.text);
	}
	return report(command, r, suite, &out);
}

int filchi_bench_main(const struct filchi_bench_command *c, int argc, char **argv, void *settings)
{
	struct request r = {0};
	struct filchi_bench_suite suite;
	int err, code = parse_options(c, argc, argv, &r, settings);

	if (code == FILCHI_EXIT_USAGE)
		fprintf(stderr, "Try '%s'.\n", c->help_usage);
	if (code >= 0)
		return code;
	if (!r.bench.runs)
		r.bench.runs = r.bench.quick ? c->quick_runs : c->runs;
	if (!r.bench.runs)
		r.bench.runs = r.bench.quick ? 10 : 15;
	if (!(r.bench.seconds > 0))
		r.bench.seconds = r.bench.quick ? c->quick_seconds : c->seconds;
	err = c->init(&suite, &r.bench, settings);
	if (err)
		return failed(argv[0], "cannot measure",
			      err == -ENOENT ? "a deque of the library has no benchmark" : strerror(-err));
	code = measure(argv[0], &r, &suite);
	filchi_bench_suite_free(&suite);
	return code;
}

static void add_kind(struct filchi_bench_kinds *k, const char *name)
{
	for (size_t i = 0; i < k->count; i++)
		if (!strcmp(k->names[i], name))
			return;
	if (k->count < FILCHI_BENCH_MAX_KINDS)
		k->names[k->count++] = name;
}

/* The library's own name of a kind called so, which lasts; NULL if there is none. */
static const char *find_kind(const char *name, size_t length)
{
	const char *kind;

	for (unsigned i = 0; (kind = filch_deque_kind_name(i)); i++)
		if (strlen(kind) == length && !memcmp(kind, name, length))
			return kind;
	return NULL;
}

static bool no_such_kind(const char *command, const char *option, const char *name, size_t length)
{
	char shown[FILCHI_SHORT];
	const char *kind;

	fprintf(stderr, "%s: %sthere is no deque '%s'; there are: all", command, option,
		filchi_short(shown, name, length));
	for (unsigned i = 0; (kind = filch_deque_kind_name(i)); i++)
		fprintf(stderr, ", %s", kind);
	fputc('\n', stderr);
	return false;
}

bool filchi_bench_kinds_add(struct filchi_bench_kinds *k, const char *command, const char *option, const char *list)
{
	const char *kind;

	for (;;) {
		size_t length = strcspn(list, ",");

		if (length == 3 && !memcmp(list, "all", length)) {
			for (unsigned i = 0; (kind = filch_deque_kind_name(i)); i++)
				add_kind(k, kind);
		} else {
			kind = find_kind(list, length);
			if (!kind)
				return no_such_kind(command, option, list, length);
			add_kind(k, kind);
		}
		if (!list[length])
			return true;
		list += length + 1;
	}
}
