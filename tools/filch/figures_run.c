/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "figures_run.h"

#include "../../bench/harness/child.h"
#include "../../bench/harness/output.h"
#include "../../bench/harness/pin.h"
#include "../../bench/run/run.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_ARGUMENTS 64
#define MAX_JSON ((size_t)256 << 20) /* address space; only written pages take memory */
#define MAX_SAID 65536

extern char **environ;

static bool line_shown; /* of progress, on standard error */

static void clear_line(void)
{
	if (line_shown)
		fputs("\r\033[K", stderr);
	line_shown = false;
}

/* ---- what to run ---- */

static unsigned cpus(void)
{
	unsigned count = filchi_pin_cpus();

	return count ? count : 1;
}

/* Writes 1, 2, 4, ..., the number of CPUs, and twice that number. A list stays far below the limit of filch bench. */
static void write_sweep(FILE *f, unsigned count)
{
	for (unsigned n = 1, steps = 0; n < count && steps < 13; n *= 2, steps++)
		fprintf(f, "%u,", n);
	fprintf(f, "%u,%u", count, 2 * count);
}

static void write_variable(FILE *f, char name)
{
	unsigned count = cpus();

	if (name == 'N')
		fprintf(f, "%u", count);
	else if (name == 'M')
		fprintf(f, count > 1 ? "1,%u" : "%u", count);
	else
		write_sweep(f, count);
}

const char *filchi_figures_command(struct filchi_arena *arena, const struct filchi_figures_run *run,
				   const struct filchi_measurement *m)
{
	char *text = NULL, *copy = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs("filch bench ", f);
	for (const char *c = m->of[run->scale].arguments; *c; c++) {
		if (*c == '@' && c[1])
			write_variable(f, *++c);
		else
			fputc(*c, f);
	}
	if (run->scale == FILCHI_QUICK)
		fputs(" --quick", f);
	if (run->runs)
		fprintf(f, " --runs %u", run->runs); /* the last one counts */
	if (!fclose(f))
		copy = filchi_arena_copy(arena, text, size);
	free(text);
	return copy;
}

bool filchi_figures_possible(const struct filchi_measurement *m)
{
	return !m->workload || filchi_programs_find(m->workload, strlen(m->workload));
}

double filchi_figures_seconds(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count)
{
	double seconds = 0;

	for (size_t i = 0; i < count; i++)
		if (filchi_figures_possible(sources[i].measurement))
			seconds += sources[i].measurement->of[run->scale].seconds;
	return seconds;
}

/* ---- folders ---- */

static bool cannot(const struct filchi_figures_run *run, const char *what, const char *name, int err)
{
	fprintf(stderr, "%s: cannot %s %s: %s\n", run->command, what, name, strerror(err));
	return false;
}

static bool make_folder(const struct filchi_figures_run *run, const char *path)
{
	struct stat stat_of;

	if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &stat_of) && S_ISDIR(stat_of.st_mode)))
		return true;
	return cannot(run, "make", path, errno);
}

static bool can_write(const struct filchi_figures_run *run, const char *folder, const char *name, const char *end)
{
	struct filchi_output *out = calloc(1, sizeof(*out));
	char path[PATH_MAX];
	int err = out ? 0 : -ENOMEM;

	snprintf(path, sizeof(path), "%s/%s%s", folder, name, end);
	if (!err)
		err = filchi_output_open(out, path);
	if (!err)
		filchi_output_abandon(out);
	free(out);
	return !err || cannot(run, "write", path, -err);
}

bool filchi_figures_prepare(const struct filchi_figures_run *run, const char *out, const struct filchi_source *sources,
			    size_t count)
{
	if (!make_folder(run, out) || (run->folder && !make_folder(run, run->folder)))
		return false;
	for (size_t i = 0; run->folder && i < count; i++)
		if (!can_write(run, run->folder, sources[i].measurement->id, ".json"))
			return false;
	return can_write(run, out, "index", ".html");
}

/* Copies the object with one more member at its start: the command, which has no quotes in it. */
static int write_json(FILE *f, const char *command, const struct filchi_child_stream *json)
{
	if (!json->length || json->text[0] != '{')
		return -EPROTO;
	fprintf(f, "{\n\t\"command\": \"%s\",", command);
	return fwrite(json->text + 1, 1, json->length - 1, f) == json->length - 1 ? 0 : -errno;
}

static bool keep(const struct filchi_figures_run *run, const struct filchi_source *source,
		 const struct filchi_child_stream *json)
{
	struct filchi_output *out = calloc(1, sizeof(*out));
	char path[PATH_MAX];
	int err = out ? 0 : -ENOMEM;

	snprintf(path, sizeof(path), "%s/%s.json", run->folder, source->measurement->id);
	if (!err)
		err = filchi_output_open(out, path);
	if (!err) {
		err = write_json(out->file, source->command, json);
		if (err)
			filchi_output_abandon(out);
		else
			err = filchi_output_commit(out);
	}
	free(out);
	return !err || cannot(run, "write", path, -err);
}

/* ---- one run ---- */

/* Ends as the signal would end this program. */
static void end_by(int signal_number)
{
	filchi_child_signals();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static bool judge(const struct filchi_figures_run *run, const char *command, const struct filchi_child_result *r,
		  const struct filchi_child_stream *json, const struct filchi_child_stream *said)
{
	char why[128];

	if (r->signal) {
		fprintf(stderr, "interrupted\n");
		end_by(r->signal);
		return false;
	}
	if (!r->status && json->total == json->length)
		return true;
	filchi_child_why(r->status, why, sizeof(why));
	fprintf(stderr, "%s: %s: %s\n%s", run->command, command, r->status ? why : "too many samples",
		r->status ? said->text : "");
	return false;
}

/* Splits the command, which has no quotes, and replaces "filch" by this program. */
static bool split(char *command, char *self, size_t size, char **argv)
{
	ssize_t length = readlink("/proc/self/exe", self, size - 1);
	char *rest = NULL;
	size_t argc = 0;

	self[length > 0 ? length : 0] = '\0';
	for (char *word = strtok_r(command, " ", &rest); word && argc < MAX_ARGUMENTS - 3;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	argv[0] = self;
	argv[argc++] = "--json";
	argv[argc++] = "-";
	argv[argc] = NULL;
	return length > 0;
}

static bool run_one(const struct filchi_figures_run *run, const struct filchi_source *source)
{
	struct filchi_child_stream json = {.text = malloc(MAX_JSON), .size = MAX_JSON};
	struct filchi_child_stream said = {.text = malloc(MAX_SAID), .size = MAX_SAID};
	char *command = strdup(source->command), self[PATH_MAX], *argv[MAX_ARGUMENTS];
	struct filchi_child child = {.argv = argv, .environment = environ, .out = &json, .err = &said, .apart = true};
	struct filchi_child_result result;
	bool fine = json.text && said.text && command && split(command, self, sizeof(self), argv);
	int err;

	if (!fine) {
		cannot(run, "run", source->command, ENOMEM);
	} else {
		err = filchi_child_run(&child, &result);
		clear_line();
		fine = err ? cannot(run, "run", source->command, -err)
			   : judge(run, source->command, &result, &json, &said) && keep(run, source, &json);
	}
	free(json.text);
	free(said.text);
	free(command);
	return fine;
}

/* ---- all runs ---- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Estimates the remaining time from the catalogue, scaled by the duration of the runs so far. */
static double left(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count, size_t done,
		   double start)
{
	double past = filchi_figures_seconds(run, sources, done);
	double rest = filchi_figures_seconds(run, sources + done, count - done);

	return past > 0 ? rest * (now() - start) / past : rest;
}

bool filchi_figures_measure(const struct filchi_figures_run *run, const struct filchi_source *sources, size_t count)
{
	const char *term = getenv("TERM");
	bool shown = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0, fine = true;
	double start = now();

	for (size_t i = 0; i < count && fine; i++) {
		if (!filchi_figures_possible(sources[i].measurement))
			continue;
		line_shown = shown;
		if (shown)
			fprintf(stderr, "\r\033[K%zu of %zu: %.60s; about %.0f s left", i + 1, count,
				sources[i].command, left(run, sources, count, i, start));
		fflush(stderr);
		fine = run_one(run, &sources[i]);
	}
	filchi_child_signals();
	return fine;
}
