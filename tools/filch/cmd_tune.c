/* SPDX-License-Identifier: Apache-2.0 */
/* filch tune: finds the settings that suit a program. bench/tune has the search. */
#define _GNU_SOURCE

#include "../../bench/harness/output.h"
#include "../../bench/tune/tune.h"
#include "command.h"
#include "options.h"
#include "say.h"
#include "terminal.h"

#include <errno.h>
#include <filch/deque.h>
#include <filch/pool.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_RUNS 10
#define QUICK_RUNS 6 /* with fewer, no difference is ever clear */
#define EXIT_SOME_FAILED 3
#define EXIT_SIGNAL 128 /* and its number */

static const char help[] =
	"usage: filch tune [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	"\n"
	"Run a program that uses filch with different numbers of workers, deques, victim and wait policies, and print "
	"the\n"
	"best settings. The program is run 100 to 200 times, with --quick 60 to 130 times. It must write the same to\n"
	"standard output each time; its standard input is empty.\n"
	"\n"
	"  --runs N           run each setting N times in a race, 3 to 1000 (default 10)\n"
	"  --quick            run each setting 6 times, which shows only large differences\n"
	"  --workers LIST     try these numbers of workers, 0 to 1024 (default: 1, 2, 4, ... up to the program's own)\n"
	"  --deque LIST       try these kinds of deques, or all (the default)\n"
	"  --victim LIST      try these victim policies, or all (the default)\n"
	"  --wait LIST        try these wait policies, or all (the default)\n"
	"  --timeout SECONDS  end a run after SECONDS, 0.001 to 86400 (default: ten times the first run and 10 s; for "
	"the\n"
	"                     first run 10 minutes)\n"
	"  --output HOW       same: a run must write the same as the first run (the default); ignore: it need not\n"
	"  --force            accept a program that does not seem to use filch\n" FILCHI_HELP_JSON FILCHI_HELP_COMMON
		FILCHI_HELP_EXIT
	"  1  the program could not be run, failed with the default settings, or does not seem to use filch, or the\n"
	"     results could not be written\n" FILCHI_HELP_EXIT_USAGE
	"  3  the program failed, hung or wrote something else with a setting, which the table names\n"
	"  128 and the number of the signal, if interrupted\n";

struct request {
	struct filchi_tune_options tune;
	struct filchi_names names[FILCHI_TUNE_AXES];
	struct filchi_counts workers;
	char worker_texts[FILCHI_COUNTS_MAX][8];
	const char *json;
	bool no_color;
};

/* ---- the command line ---- */

static const char *output_name(unsigned n)
{
	static const char *const names[] = {"same", "ignore", NULL};

	return names[n];
}

static bool parse_output(const char *command, const char *value, void *settings)
{
	struct request *r = settings;

	r->tune.ignore_output = !strcmp(value, "ignore");
	return r->tune.ignore_output || !strcmp(value, "same") ||
	       filchi_names_unknown(command, "--output: ", "value", value, strlen(value), NULL, output_name);
}

static void complete(struct request *r, char **argv)
{
	r->tune.argv = argv;
	if (!r->tune.runs)
		r->tune.runs = r->tune.quick ? QUICK_RUNS : USUAL_RUNS;
	for (size_t axis = 0; axis < FILCHI_TUNE_AXES; axis++) {
		r->tune.counts[axis] = r->names[axis].count;
		memcpy(r->tune.values[axis], r->names[axis].names, sizeof(r->names[axis].names));
	}
	r->tune.counts[FILCHI_TUNE_WORKERS] = r->workers.count;
	for (size_t i = 0; i < r->workers.count; i++) {
		snprintf(r->worker_texts[i], sizeof(r->worker_texts[i]), "%u", r->workers.values[i]);
		r->tune.values[FILCHI_TUNE_WORKERS][i] = r->worker_texts[i];
	}
}
_Static_assert(FILCHI_NAMES_MAX == FILCHI_TUNE_MAX_VALUES && FILCHI_COUNTS_MAX == FILCHI_TUNE_MAX_VALUES,
	       "lists of values are as long as lists of names and numbers");

#define FIELD(name) offsetof(struct request, name)
static const struct filchi_option options[] = {
	FILCHI_COUNT("runs", tune.runs, 3, 1000),
	FILCHI_SWITCH("quick", tune.quick),
	FILCHI_COUNTS("workers", workers, 0, FILCHI_TUNE_MAX_WORKERS),
	FILCHI_NAMES("deque", names[FILCHI_TUNE_DEQUE], "deque", filch_deque_kind_name),
	FILCHI_NAMES("victim", names[FILCHI_TUNE_VICTIM], "policy", filch_victim_name),
	FILCHI_NAMES("wait", names[FILCHI_TUNE_WAIT], "policy", filch_wait_name),
	FILCHI_REAL("timeout", tune.seconds, 0.001, 86400),
	FILCHI_PARSED("output", parse_output),
	FILCHI_SWITCH("force", tune.force),
	FILCHI_TEXT("json", json),
	FILCHI_SWITCH("no-color", no_color),
	{0},
};

/* -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct request *r)
{
	/* The words after the program are its own. */
	struct filchi_command_line line = {
		.help = help,
		.help_usage = "filch help tune",
		.tables = {{options, r}},
		.stop_at_word = true,
	};
	int code = filchi_command_line_parse(&line, argc, argv);

	if (code >= 0)
		return code;
	if (optind == argc || !*argv[optind]) {
		fprintf(stderr, "%s: no program is named\nTry '%s'.\n", argv[0], line.help_usage);
		return FILCHI_EXIT_USAGE;
	}
	complete(r, argv + optind);
	return -1;
}

/* ---- the run ---- */

static int failed(const char *command, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s%s%s\n", command, what, *what ? ": " : "", why);
	return FILCHI_EXIT_FAILED;
}

/* Prints the table first, so that it appears even if the file cannot be written. An interrupted run has no file. */
static int report(const char *command, const struct request *r, const struct filchi_tune *t, struct filchi_output *out)
{
	FILE *f = out->file == stdout ? stderr : stdout;
	struct filchi_machine machine;
	int err;

	filchi_machine(&machine);
	err = filchi_tune_table(t, &machine, f, filchi_terminal_color(f, r->no_color));
	if (!err && out->file && !t->signal)
		err = filchi_tune_json(t, &machine, out->file);
	if (err || t->signal)
		filchi_output_abandon(out);
	if (err)
		return failed(command, "cannot report", strerror(-err));
	if (t->signal)
		return EXIT_SIGNAL + t->signal;
	if (out->file) {
		err = filchi_output_commit(out);
		if (err)
			return filchi_say_cannot_write(command, r->json, err);
		if (f == stdout)
			printf("\nAll samples are in %s.\n", r->json);
	}
	return filchi_tune_failures(t) ? EXIT_SOME_FAILED : FILCHI_EXIT_OK;
}

static int tune(const char *command, const struct request *r, struct filchi_tune *t)
{
	struct filchi_output out = {0};
	struct filchi_bench_error error = {""};
	int err = r->json ? filchi_output_open(&out, r->json) : 0;

	/* The file is opened before the runs, because a result that cannot be kept is not worth the wait. */
	if (err)
		return filchi_say_cannot_write(command, r->json, err);
	err = filchi_tune_run(t, &error);
	if (err && err != -EINTR) {
		filchi_output_abandon(&out);
		return failed(command, "", error.text);
	}
	return report(command, r, t, &out);
}

static int run(int argc, char **argv)
{
	struct request *r = calloc(1, sizeof(*r));
	struct filchi_tune *t = NULL;
	int code = r ? parse(argc, argv, r) : failed(argv[0], "", strerror(ENOMEM));

	if (code < 0) {
		t = filchi_tune_new(&r->tune);
		code = t ? tune(argv[0], r, t) : failed(argv[0], "", strerror(ENOMEM));
	}
	filchi_tune_free(t);
	free(r);
	return code;
}

const struct filchi_command filchi_cmd_tune = {
	.name = "tune",
	.summary = "find the deque, policies and workers that suit a program",
	.help = help,
	.run = run,
};
