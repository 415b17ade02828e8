/* SPDX-License-Identifier: Apache-2.0 */
/* filch compare: is the new run faster than the old one? bench/report/compare has how. */
#define _GNU_SOURCE

#include "../../bench/report/compare/compare.h"
#include "command.h"
#include "terminal.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_REFUSED 3
#define EXIT_WORSE 4

static const char help[] =
	"usage: filch compare [OPTION]... OLD.json NEW.json\n"
	"\n"
	"Compares two runs of filch bench --json: for each result that both have, the ratio of the medians, new to "
	"old,\n"
	"with its interval, and whether the new one is clearly faster or slower. If not, it is the same where the\n"
	"interval is within 0.9 and 1.1, and else unclear: there are too few samples, or they vary too much, to tell.\n"
	"Runs of different machines or builds (CPU, CPUs to use, kernel, governor, compiler, flags) are not compared,\n"
	"unless told to.\n"
	"\n"
	"  --metric LIST      metrics to compare, separated by commas, or all; default: of each result the first that "
	"is a\n"
	"                     time, a rate or a share of the CPU\n"
	"  --across-machines  also runs of different machines or builds; the report says so\n"
	"  --gate             exit code 4 if something of filch is clearly worse; what has no filch in it does not "
	"count\n"
	"  --no-color         no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h         this text\n"
	"\n"
	"exit codes: 0 compared; 1 a file could not be read, or is not of filch bench --json, or they have nothing in\n"
	"common; 2 the command line was wrong; 3 refused: different machines or builds; 4 with --gate: something of\n"
	"filch is worse\n";

struct request {
	struct filchi_compare compare;
	bool across, gate, no_color;
};

enum { METRIC = 256, ACROSS, GATE, NO_COLOR, HELP };

static const struct option options[] = {
	{"metric", required_argument, NULL, METRIC}, {"across-machines", no_argument, NULL, ACROSS},
	{"gate", no_argument, NULL, GATE},	     {"no-color", no_argument, NULL, NO_COLOR},
	{"help", no_argument, NULL, HELP},	     {0},
};

static bool parse_metric(const char *command, char *value, struct filchi_compare *c)
{
	c->all = !strcmp(value, "all");
	for (char *name = c->all ? NULL : value; name;) {
		char *comma = strchr(name, ',');

		if (comma)
			*comma = '\0';
		if (!*name || c->metric_count == FILCHI_COMPARE_MAX_METRICS) {
			fprintf(stderr, "%s: --metric wants up to %d names, separated by commas\n", command,
				FILCHI_COMPARE_MAX_METRICS);
			return false;
		}
		c->metrics[c->metric_count++] = name;
		name = comma ? comma + 1 : NULL;
	}
	return true;
}

static bool parse_option(const char *command, int option, struct request *r)
{
	switch (option) {
	case METRIC:
		return parse_metric(command, optarg, &r->compare);
	case ACROSS:
		return r->across = true;
	case GATE:
		return r->gate = true;
	case NO_COLOR:
		return r->no_color = true;
	default: /* getopt has said what is wrong */
		return false;
	}
}

/* -1 to go on, or the exit code. */
static int parse(int argc, char **argv, struct request *r)
{
	int option;

	optind = 1;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == HELP || option == 'h') {
			fputs(help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (!parse_option(argv[0], option, r))
			return FILCHI_EXIT_USAGE;
	}
	if (argc - optind == 2)
		return -1;
	fprintf(stderr, "%s: wants two files, the old and the new one\n", argv[0]);
	return FILCHI_EXIT_USAGE;
}

static int failed(const char *command, const char *why)
{
	fprintf(stderr, "%s: %s\n", command, why);
	return FILCHI_EXIT_FAILED;
}

static int refused(const char *command, const struct filchi_compare *c)
{
	fprintf(stderr, "%s: not compared: the runs are of different machines or builds:\n", command);
	filchi_compare_differences(c, stderr);
	fprintf(stderr, "With --across-machines they are compared nevertheless.\n");
	return EXIT_REFUSED;
}

/* The files are read. */
static int compare(const char *command, struct request *r)
{
	struct filchi_compare *c = &r->compare;

	if (c->difference_count && !r->across)
		return refused(command, c);
	if (filchi_compare_match(c))
		return failed(command, c->error);
	if (filchi_compare_table(c, stdout, filchi_terminal_color(stdout, r->no_color)))
		return failed(command, "no memory for the table");
	return r->gate && filchi_compare_count_filch(c, FILCHI_COMPARE_WORSE) ? EXIT_WORSE : FILCHI_EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct request *r = calloc(1, sizeof(*r));
	int code = r ? parse(argc, argv, r) : failed(argv[0], "no memory");

	if (code == FILCHI_EXIT_USAGE)
		fprintf(stderr, "Try 'filch help compare'.\n");
	if (code < 0 && filchi_compare_read(&r->compare, argv[optind], argv[optind + 1])) {
		code = failed(argv[0], r->compare.error);
	} else if (code < 0) {
		code = compare(argv[0], r);
		filchi_compare_free(&r->compare);
	}
	free(r);
	return code;
}

const struct filchi_command filchi_cmd_compare = {
	.name = "compare",
	.summary = "compare two runs of filch bench",
	.help = help,
	.run = run,
};
