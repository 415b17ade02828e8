/* SPDX-License-Identifier: Apache-2.0 */
/* filch figures: repeats published measurements and writes a report. */
#define _GNU_SOURCE

#include "command.h"
#include "figures_run.h"
#include "options.h"
#include "say.h"
#include "terminal.h"

#include <errno.h>
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
	"Repeat the published measurements of the algorithms on this machine, compare filch with other runtimes, and "
	"write\n"
	"a report. This takes about 40 minutes, with --quick two minutes, with --full a day.\n"
	"\n"
	"  --only LIST        make these figures, separated by commas (default all)\n"
	"  --list             print the figures and their commands, and do nothing else\n"
	"  --quick            use small sizes and few samples, for a first impression\n"
	"  --full             use the published sizes, which take long\n"
	"  --runs N           take N samples of each measurement, 1 to 10000 (default: as many as suit each)\n"
	"  --out DIR          write the report to DIR (default report) and the measurements to DIR/data\n"
	"  --from DIR         measure nothing: make the report from the measurements in DIR/data or "
	"DIR\n" FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  something could not be measured, read or written; there is no new report\n" FILCHI_HELP_EXIT_USAGE
	"  3  the report has data of different machines or builds\n";

struct request {
	struct filchi_figures_run run;
	const char *out, *from;
	bool list, quick, full, no_color;
	bool some; /* --only was given */
	size_t entry_count, source_count;
	const struct filchi_entry *entries[MAX_FIGURES];
	struct filchi_source sources[MAX_FIGURES];
	struct filchi_data *data; /* of each source */
	struct filchi_arena arena;
	char folder[PATH_MAX]; /* of the data */
};

/* ---- options ---- */

static const char *figure_name(unsigned n)
{
	const struct filchi_entry *e = filchi_entry(n);

	return e ? e->id : NULL;
}

/* Adds a figure that is not in the list yet. */
static void add_entry(struct request *r, const struct filchi_entry *e)
{
	for (size_t i = 0; i < r->entry_count; i++)
		if (r->entries[i] == e)
			return;
	if (r->entry_count < MAX_FIGURES)
		r->entries[r->entry_count++] = e;
}

static bool parse_only(const char *command, const char *list, void *settings)
{
	struct request *r = settings;

	for (r->some = true;;) {
		size_t length = strcspn(list, ",");
		const struct filchi_entry *e = filchi_entry_find(list, length);

		if (!e)
			return filchi_names_unknown(command, "--only: ", "figure", list, length, NULL, figure_name);
		add_entry(r, e);
		if (!list[length])
			return true;
		list += length + 1;
	}
}

static bool complete(const char *command, void *settings)
{
	struct request *r = settings;
	const struct filchi_entry *e;

	if (r->quick && r->full) {
		fprintf(stderr, "%s: --quick and --full exclude each other\n", command);
		return false;
	}
	if (r->from && (r->quick || r->full || r->run.runs)) {
		fprintf(stderr, "%s: --from measures nothing and excludes --quick, --full and --runs\n", command);
		return false;
	}
	r->run.scale = r->quick ? FILCHI_QUICK : r->full ? FILCHI_FULL : FILCHI_USUAL;
	for (unsigned n = 0; !r->some && (e = filchi_entry(n)); n++)
		add_entry(r, e);
	return true;
}

#define FIELD(name) offsetof(struct request, name)
static const struct filchi_option options[] = {
	FILCHI_PARSED("only", parse_only),
	FILCHI_SWITCH("list", list),
	FILCHI_SWITCH("quick", quick),
	FILCHI_SWITCH("full", full),
	FILCHI_COUNT("runs", run.runs, 1, 10000),
	FILCHI_FOLDER("out", out),
	FILCHI_FOLDER("from", from),
	FILCHI_SWITCH("no-color", no_color),
	{0},
};

/* -1 to go on, or the exit code. */
static int parse_options(struct request *r, int argc, char **argv)
{
	struct filchi_command_line line = {
		.help = help,
		.help_usage = "filch help figures",
		.tables = {{options, r}},
		.complete = complete,
		.settings = r,
	};

	return filchi_command_line_parse(&line, argc, argv);
}

/* ---- measurements ---- */

/* Adds a measurement that is not in the list yet. False: no memory. */
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

/* Reads the measurements. A missing file is an error only if --only named its figure, or if no file is there. */
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
		r->out = "report";
		code = parse_options(r, argc, argv);
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
	.summary = "repeat the published measurements and write a report",
	.help = help,
	.run = run,
};
