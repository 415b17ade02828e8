/* SPDX-License-Identifier: Apache-2.0 */
/* filch tune: finds the settings that suit a program. bench/tune has how. */
#define _GNU_SOURCE

#include "../../bench/harness/output.h"
#include "../../bench/tune/tune.h"
#include "command.h"
#include "names.h"
#include "parse.h"
#include "say.h"
#include "terminal.h"

#include <errno.h>
#include <filch/deque.h>
#include <filch/pool.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_RUNS 10
#define QUICK_RUNS 6 /* with fewer, nothing is ever clear */
#define EXIT_SOME_FAILED 3
#define EXIT_SIGNAL 128 /* and its number */

static const char help[] =
	"usage: filch tune [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	"\n"
	"Runs a program that uses filch under different numbers of workers, deques, victim and wait policies, which "
	"it\n"
	"sets by FILCH_WORKERS, FILCH_DEQUE, FILCH_VICTIM and FILCH_WAIT, and says which suits it best, how sure that\n"
	"is, and what to set. Settings that are clearly slower drop out early. What the program writes to its "
	"standard\n"
	"output must be the same each time. It reads nothing. It is run 100 to 200 times; with --quick 60 to 130.\n"
	"\n"
	"  --runs N           runs of each setting in a race, 3 to 1000 (default 10)\n"
	"  --quick            6 runs: large differences only\n"
	"  --workers LIST     numbers of workers to try, 0 to 1024, separated by commas (default: 1, 2, 4, ... up to "
	"the\n"
	"                     number that the program would have)\n"
	"  --deque LIST       kinds of deques to try, separated by commas, or all (the default)\n"
	"  --victim LIST      victim policies to try, likewise\n"
	"  --wait LIST        wait policies to try, likewise\n"
	"  --timeout SECONDS  what a run may take, 0.001 to 86400 (default: ten times the first run and 10 s\n"
	"                     more; the first run itself: 10 minutes)\n"
	"  --output HOW       same: what it writes must be the same each time (the default); ignore: is not looked at\n"
	"  --force            also a program that does not seem to use filch\n"
	"  --json FILE        also write all samples as JSON; - is standard output, and the table then goes to "
	"standard\n"
	"                     error\n"
	"  --no-color         no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h         this text\n"
	"\n"
	"exit codes: 0 all went well, whether there is a winner or not; 1 the program could not be run, fails with "
	"the\n"
	"default settings, or does not seem to use filch, or the results could not be written; 2 the command line was\n"
	"wrong; 3 the program failed, hung or wrote something else with some setting: the table says which; 128 and "
	"the\n"
	"signal's number if interrupted\n";

struct request {
	struct filchi_tune_options tune;
	struct filchi_names names[FILCHI_TUNE_AXES];
	char workers[FILCHI_TUNE_MAX_VALUES][8];
	size_t workers_count;
	const char *json;
	bool no_color;
};

enum { RUNS = 256, QUICK, WORKERS, DEQUE, VICTIM, WAIT, TIMEOUT, OUTPUT, FORCE, JSON, NO_COLOR, HELP };

static const struct option options[] = {
	{"runs", required_argument, NULL, RUNS},
	{"quick", no_argument, NULL, QUICK},
	{"workers", required_argument, NULL, WORKERS},
	{"deque", required_argument, NULL, DEQUE},
	{"victim", required_argument, NULL, VICTIM},
	{"wait", required_argument, NULL, WAIT},
	{"timeout", required_argument, NULL, TIMEOUT},
	{"output", required_argument, NULL, OUTPUT},
	{"force", no_argument, NULL, FORCE},
	{"json", required_argument, NULL, JSON},
	{"no-color", no_argument, NULL, NO_COLOR},
	{"help", no_argument, NULL, HELP},
	{0},
};

/* ---- the command line ---- */

static bool parse_workers(const char *command, const char *value, struct request *r)
{
	char text[64];
	unsigned workers;

	for (r->workers_count = 0;;) {
		size_t length = strcspn(value, ",");

		if (r->workers_count == FILCHI_TUNE_MAX_VALUES) {
			fprintf(stderr, "%s: --workers takes at most %d numbers\n", command, FILCHI_TUNE_MAX_VALUES);
			return false;
		}
		snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : sizeof(text) - 1), value);
		if (!filchi_parse_count(command, "--workers", text, 0, FILCHI_TUNE_MAX_WORKERS, &workers))
			return false;
		snprintf(r->workers[r->workers_count++], sizeof(r->workers[0]), "%u", workers);
		if (!value[length])
			return true;
		value += length + 1;
	}
}

static bool parse_output(const char *command, const char *value, struct request *r)
{
	char shown[FILCHI_SHORT];

	r->tune.ignore_output = !strcmp(value, "ignore");
	if (r->tune.ignore_output || !strcmp(value, "same"))
		return true;
	fprintf(stderr, "%s: --output: there is no '%s'; there are: same, ignore\n", command,
		filchi_short(shown, value, strlen(value)));
	return false;
}

static bool parse_option(const char *command, int option, struct request *r)
{
	switch (option) {
	case RUNS:
		return filchi_parse_count(command, "--runs", optarg, 3, 1000, &r->tune.runs);
	case QUICK:
		return r->tune.quick = true;
	case WORKERS:
		return parse_workers(command, optarg, r);
	case DEQUE:
		return filchi_names_add(&r->names[FILCHI_TUNE_DEQUE], command, "--deque", optarg,
					filch_deque_kind_name);
	case VICTIM:
		return filchi_names_add(&r->names[FILCHI_TUNE_VICTIM], command, "--victim", optarg, filch_victim_name);
	case WAIT:
		return filchi_names_add(&r->names[FILCHI_TUNE_WAIT], command, "--wait", optarg, filch_wait_name);
	case TIMEOUT:
		return filchi_parse_real(command, "--timeout", optarg, 0.001, 86400, &r->tune.seconds);
	case OUTPUT:
		return parse_output(command, optarg, r);
	case FORCE:
		return r->tune.force = true;
	case JSON:
		r->json = optarg;
		return true;
	case NO_COLOR:
		return r->no_color = true;
	default: /* getopt has said what is wrong */
		return false;
	}
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
	r->tune.counts[FILCHI_TUNE_WORKERS] = r->workers_count;
	for (size_t i = 0; i < r->workers_count; i++)
		r->tune.values[FILCHI_TUNE_WORKERS][i] = r->workers[i];
}
_Static_assert(FILCHI_NAMES_MAX == FILCHI_TUNE_MAX_VALUES, "lists of values are as long as lists of names");

/* -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct request *r)
{
	int option;

	optind = 1;
	/* "+": what comes after the program is its own. */
	while ((option = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
		if (option == HELP || option == 'h') {
			fputs(help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (!parse_option(argv[0], option, r))
			return FILCHI_EXIT_USAGE;
	}
	if (optind == argc || !*argv[optind]) {
		fprintf(stderr, "%s: no program is named\n", argv[0]);
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

/* The table first: it is there even if the file cannot be written. Of a run that was interrupted there is no file. */
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

	/* Before the runs: nobody wants to wait for a result that cannot be kept. */
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

	if (code == FILCHI_EXIT_USAGE)
		fprintf(stderr, "Try 'filch help tune'.\n");
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
