/* SPDX-License-Identifier: Apache-2.0 */
/* filch figures: measures what the documents have measured, and makes a report of it. */
#define _GNU_SOURCE

#include "command.h"
#include "figures_run.h"
#include "parse.h"
#include "say.h"
#include "terminal.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FIGURES 64
#define EXIT_MIXED 3

static const char help[] =
	"usage: filch figures [OPTION]...\n"
	"\n"
	"Measures on this machine what the documents that the algorithms are from have measured, each figure and table "
	"of\n"
	"their evaluations, and filch next to other runtimes. Makes a report of it: a page that needs no network, "
	"pictures,\n"
	"and the data, with the published numbers beside ours, and for each statement whether it agrees. Runs filch "
	"bench\n"
	"for each measurement: about forty minutes in all, two minutes with --quick, a day with --full.\n"
	"\n"
	"  --only LIST   figures, separated by commas; default all\n"
	"  --list        print the figures there are, and what is run for them, and do nothing\n"
	"  --quick       smaller sizes and fewer samples: a first impression\n"
	"  --full        sizes as published, which take long\n"
	"  --runs N      samples of each measurement, 1 to 10000, in place of what suits each\n"
	"  --out DIR     the folder for the report (default report); measurements go to DIR/data\n"
	"  --from DIR    measure nothing: make the report of measurements that are there, in DIR/data or DIR. Figures\n"
	"                without one are not measured, and say so\n"
	"  --no-color    no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h    this text\n"
	"\n"
	"exit codes: 0 all went well; 1 it failed: something could not be measured, read or written, and then there is "
	"no\n"
	"new report; 2 the command line was wrong; 3 there is a report, but not all of its data are of the same "
	"machine and\n"
	"build\n";

struct request {
	struct filchi_figures_run run;
	const char *out, *from;
	bool list, no_color, some; /* some: --only was given */
	size_t entry_count, source_count;
	const struct filchi_entry *entries[MAX_FIGURES];
	struct filchi_source sources[MAX_FIGURES];
	struct filchi_data *data; /* of each source */
	struct filchi_arena arena;
	char folder[PATH_MAX]; /* of the data */
};

/* ---- options ---- */

static bool unknown_figure(const char *command, const char *id, size_t length)
{
	const struct filchi_entry *e;
	char shown[FILCHI_SHORT];

	fprintf(stderr, "%s: --only: there is no figure '%s'; there are:", command, filchi_short(shown, id, length));
	for (unsigned n = 0; (e = filchi_entry(n)); n++)
		fprintf(stderr, "%s %s", n ? "," : "", e->id);
	fputc('\n', stderr);
	return false;
}

/* Each once, in the order asked for. */
static void add_entry(struct request *r, const struct filchi_entry *e)
{
	for (size_t i = 0; i < r->entry_count; i++)
		if (r->entries[i] == e)
			return;
	if (r->entry_count < MAX_FIGURES)
		r->entries[r->entry_count++] = e;
}

static bool parse_only(struct request *r, const char *list)
{
	for (r->some = true;;) {
		size_t length = strcspn(list, ",");
		const struct filchi_entry *e = filchi_entry_find(list, length);

		if (!e)
			return unknown_figure(r->run.command, list, length);
		add_entry(r, e);
		if (!list[length])
			return true;
		list += length + 1;
	}
}

static bool parse_folder(const char *command, const char *option, const char *value, const char **out)
{
	if (!*value || strlen(value) > PATH_MAX - 256) {
		fprintf(stderr, "%s: %s wants a folder\n", command, option);
		return false;
	}
	*out = value;
	return true;
}

enum { ONLY = 256, LIST, QUICK, FULL, RUNS, OUT, FROM, NO_COLOR };

static bool parse_option(struct request *r, int option)
{
	const char *command = r->run.command;

	switch (option) {
	case ONLY:
		return parse_only(r, optarg);
	case LIST:
		return r->list = true;
	case QUICK:
	case FULL:
		if (r->run.scale != FILCHI_USUAL) {
			fprintf(stderr, "%s: --quick or --full, and that once\n", command);
			return false;
		}
		r->run.scale = option == QUICK ? FILCHI_QUICK : FILCHI_FULL;
		return true;
	case RUNS:
		return filchi_parse_count(command, "--runs", optarg, 1, 10000, &r->run.runs);
	case OUT:
		return parse_folder(command, "--out", optarg, &r->out);
	case FROM:
		return parse_folder(command, "--from", optarg, &r->from);
	case NO_COLOR:
		return r->no_color = true;
	default: /* getopt has said what is wrong */
		return false;
	}
}

/* -1 to go on, or the exit code. */
static int parse_options(struct request *r, int argc, char **argv)
{
	static const struct option options[] = {
		{"only", required_argument, NULL, ONLY}, {"list", no_argument, NULL, LIST},
		{"quick", no_argument, NULL, QUICK},	 {"full", no_argument, NULL, FULL},
		{"runs", required_argument, NULL, RUNS}, {"out", required_argument, NULL, OUT},
		{"from", required_argument, NULL, FROM}, {"no-color", no_argument, NULL, NO_COLOR},
		{"help", no_argument, NULL, 'h'},	 {0},
	};
	const struct filchi_entry *e;
	char shown[FILCHI_SHORT];
	int option;

	optind = 1;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return FILCHI_EXIT_OK;
		}
		if (!parse_option(r, option))
			return FILCHI_EXIT_USAGE;
	}
	if (optind < argc) {
		fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0],
			filchi_short(shown, argv[optind], strlen(argv[optind])));
		return FILCHI_EXIT_USAGE;
	}
	if (r->from && (r->run.scale != FILCHI_USUAL || r->run.runs)) {
		fprintf(stderr, "%s: --from measures nothing: no --quick, --full or --runs with it\n", argv[0]);
		return FILCHI_EXIT_USAGE;
	}
	for (unsigned n = 0; !r->some && (e = filchi_entry(n)); n++)
		add_entry(r, e);
	return -1;
}

/* ---- measurements ---- */

/* Those that the figures need, each once. */
static bool add_source(struct request *r, const struct filchi_measurement *m)
{
	for (size_t i = 0; i < r->source_count; i++)
		if (r->sources[i].measurement == m)
			return true;
	r->sources[r->source_count].measurement = m;
	r->sources[r->source_count].command = filchi_figures_command(&r->arena, &r->run, m);
	return r->sources[r->source_count++].command;
}

static bool find_sources(struct request *r)
{
	bool fine = true;

	for (size_t i = 0; i < r->entry_count; i++)
		for (size_t n = 0;
		     n < FILCHI_FIGURE_MAX_DATA && r->entries[i]->needs[n] && r->source_count < MAX_FIGURES; n++)
			fine = fine && add_source(r, r->entries[i]->needs[n]);
	r->data = calloc(r->source_count + 1, sizeof(*r->data));
	if (!fine || !r->data)
		fprintf(stderr, "%s: no memory\n", r->run.command);
	return fine && r->data;
}

static int list(const struct request *r)
{
	for (size_t i = 0; i < r->entry_count; i++) {
		const struct filchi_entry *e = r->entries[i];

		printf("%-12s %s (%s)\n", e->id, e->title, e->source);
		for (size_t s = 0; s < r->source_count; s++)
			for (size_t n = 0; n < FILCHI_FIGURE_MAX_DATA; n++)
				if (e->needs[n] == r->sources[s].measurement)
					printf("%-12s   %s\n", "", r->sources[s].command);
	}
	return FILCHI_EXIT_OK;
}

/* false: has said why. What is not there is left out, unless it was asked for or all is missing. */
static bool read_sources(struct request *r)
{
	char path[PATH_MAX + 64];
	size_t there = 0;

	for (size_t i = 0; i < r->source_count; i++) {
		const struct filchi_measurement *m = r->sources[i].measurement;
		int err;

		snprintf(path, sizeof(path), "%s/%s.json", r->folder, m->id);
		err = r->from || filchi_figures_possible(m) ? filchi_data_read(&r->data[i], path, m->suite) : -ENOENT;
		if (!err) {
			r->sources[i].data = &r->data[i];
			there++;
		} else if (err != -ENOENT || (r->some && r->from)) {
			fprintf(stderr, "%s: %s\n", r->run.command, r->data[i].json.error);
			return false;
		}
	}
	if (r->from && r->source_count && !there)
		fprintf(stderr, "%s: --from: no measurements in %s\n", r->run.command, r->folder);
	return there || !r->from || !r->source_count;
}

static bool find_folder(struct request *r)
{
	struct stat stat_of;

	snprintf(r->folder, sizeof(r->folder), "%s/data", r->from ? r->from : r->out);
	if (r->from && (stat(r->folder, &stat_of) || !S_ISDIR(stat_of.st_mode)))
		snprintf(r->folder, sizeof(r->folder), "%s", r->from);
	r->run.folder = r->from ? NULL : r->folder;
	if (!r->from || (!stat(r->folder, &stat_of) && S_ISDIR(stat_of.st_mode) && !access(r->folder, R_OK | X_OK)))
		return true;
	if (!stat(r->folder, &stat_of) && !S_ISDIR(stat_of.st_mode))
		errno = ENOTDIR;
	fprintf(stderr, "%s: --from: cannot read %s: %s\n", r->run.command, r->from, strerror(errno));
	return false;
}

/* ---- the report ---- */

static int make_report(struct request *r)
{
	struct filchi_selection selection = {r->entry_count, r->source_count, r->entries, r->sources};
	struct filchi_report report;
	bool mixed, pictures = false;
	char where[PATH_MAX] = "";
	int err;

	filchi_figures_report(&r->arena, &selection, &report, &mixed);
	err = filchi_page_write(&report, r->out, &pictures, where);
	if (err)
		filchi_say_cannot_write(r->run.command, *where ? where : r->out, err);
	else if ((err = filchi_figures_print(&report, r->out, pictures, filchi_terminal_color(stdout, r->no_color))))
		fprintf(stderr, "%s: no memory\n", r->run.command);
	return err ? FILCHI_EXIT_FAILED : mixed ? EXIT_MIXED : FILCHI_EXIT_OK;
}

static int measure_and_report(struct request *r)
{
	if (!find_sources(r))
		return FILCHI_EXIT_FAILED;
	if (r->list)
		return list(r);
	if (!find_folder(r) || (r->from && !read_sources(r)) ||
	    !filchi_figures_prepare(&r->run, r->out, r->sources, r->source_count))
		return FILCHI_EXIT_FAILED;
	if (!r->from) {
		printf("%zu measurement%s, about %.0f s\n", r->source_count, r->source_count == 1 ? "" : "s",
		       filchi_figures_seconds(&r->run, r->sources, r->source_count));
		fflush(stdout);
		if (!filchi_figures_measure(&r->run, r->sources, r->source_count) || !read_sources(r))
			return FILCHI_EXIT_FAILED;
	}
	return make_report(r);
}

static int run(int argc, char **argv)
{
	struct request *r = calloc(1, sizeof(*r));
	int code = r ? -1 : FILCHI_EXIT_FAILED;

	if (r) {
		r->run.command = argv[0];
		r->run.scale = FILCHI_USUAL;
		r->out = "report";
		code = parse_options(r, argc, argv);
		if (code == FILCHI_EXIT_USAGE)
			fprintf(stderr, "Try 'filch help figures'.\n");
		if (code < 0)
			code = measure_and_report(r);
		for (size_t i = 0; r->data && i < r->source_count; i++)
			filchi_data_free(&r->data[i]);
		free(r->data);
		filchi_arena_free(&r->arena);
	}
	free(r);
	return code;
}

const struct filchi_command filchi_cmd_figures = {
	.name = "figures",
	.summary = "measure what the documents have measured, and make a report",
	.help = help,
	.run = run,
};
