/* SPDX-License-Identifier: Apache-2.0 */
/* filch compare: compares two runs of filch bench. bench/report/compare has the statistics. */
#define _GNU_SOURCE

#include "../../bench/report/compare/compare.h"
#include "command.h"
#include "options.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

#define EXIT_REFUSED 3
#define EXIT_WORSE 4

static const char help[] =
	"usage: filch compare [OPTION]... OLD.json NEW.json\n"
	"\n"
	"Compare two runs of filch bench --json: print for each common result the ratio of the medians, new to old, "
	"with\n"
	"its interval, and whether the new run is faster, slower, the same or unclear.\n"
	"\n"
	"  --metric LIST      compare these metrics, separated by commas, or all (default: the first metric of each\n"
	"                     result that is a time, a rate or a share of the CPU)\n"
	"  --across-machines  compare runs of different machines or builds as well\n"
	"  --gate             exit with 4 if filch is clearly worse in a result\n" FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  a file could not be read, or is not written by filch bench --json, or the files have no common "
	"result\n" FILCHI_HELP_EXIT_USAGE
	"  3  the runs are of different machines or builds (CPU, usable CPUs, kernel, governor, compiler, flags)\n"
	"  4  with --gate: filch is worse in a result\n";

struct request {
	struct filchi_compare compare;
	bool across, gate, no_color;
	size_t file_count;
	const char *files[2]; /* old, new */
};

/* Cuts the value, which is a word of the command line, at its commas. */
static bool parse_metric(const char *command, const char *text, void *settings)
{
	struct filchi_compare *c = &((struct request *)settings)->compare;
	char *value = (char *)text;

	c->all = !strcmp(value, "all");
	for (char *name = c->all ? NULL : value; name;) {
		char *comma = strchr(name, ',');

		if (comma)
			*comma = '\0';
		if (!*name || c->metric_count == FILCHI_COMPARE_MAX_METRICS) {
			fprintf(stderr, "%s: --metric must be 1 to %d names, separated by commas\n", command,
				FILCHI_COMPARE_MAX_METRICS);
			return false;
		}
		c->metrics[c->metric_count++] = name;
		name = comma ? comma + 1 : NULL;
	}
	return true;
}

static bool parse_file(const char *command, const char *value, void *settings)
{
	struct request *r = settings;

	if (r->file_count == 2)
		return filchi_unexpected_word(command, value);
	r->files[r->file_count++] = value;
	return true;
}

static bool complete(const char *command, void *settings)
{
	const struct request *r = settings;

	if (r->file_count < 2)
		fprintf(stderr, "%s: needs two files, OLD.json and NEW.json\n", command);
	return r->file_count == 2;
}

#define FIELD(name) offsetof(struct request, name)
static const struct filchi_option options[] = {
	FILCHI_PARSED("metric", parse_metric),
	FILCHI_SWITCH("across-machines", across),
	FILCHI_SWITCH("gate", gate),
	FILCHI_SWITCH("no-color", no_color),
	{0},
};

static int parse(int argc, char **argv, struct request *r)
{
	struct filchi_command_line line = {
		.help = help,
		.help_usage = "filch help compare",
		.tables = {{options, r}},
		.word = parse_file,
		.complete = complete,
		.settings = r,
	};

	return filchi_command_line_parse(&line, argc, argv);
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
	fprintf(stderr, "Use --across-machines to compare them.\n");
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

	if (code < 0 && filchi_compare_read(&r->compare, r->files[0], r->files[1])) {
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
