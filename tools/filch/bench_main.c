/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "bench_main.h"

#include "../../bench/harness/output.h"
#include "../../bench/harness/report.h"
#include "say.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The values of the common options. */
struct request {
	struct filchi_bench_options bench;
	const char *json;
	bool no_color;
	const struct filchi_bench_command *command;
	void *settings; /* of the command */
};

#define FIELD(name) offsetof(struct request, name)
static const struct filchi_option common[] = {
	FILCHI_SWITCH("quick", bench.quick),
	FILCHI_COUNT("runs", bench.runs, 1, 10000),
	FILCHI_TEXT("json", json),
	FILCHI_SWITCH("no-color", no_color),
	/* Not for commands whose samples take their time. */
	FILCHI_REAL("seconds", bench.seconds, 0.001, 60),
	FILCHI_REAL("duration", bench.seconds, 0.001, 60),
	{0},
};
enum { SECONDS = sizeof(common) / sizeof(common[0]) - 3 }; /* index of the first of these */

static bool word(const char *command, const char *value, void *argument)
{
	const struct request *r = argument;

	return r->command->word ? r->command->word(command, value, r->settings)
				: filchi_unexpected_word(command, value);
}

static bool complete(const char *command, void *argument)
{
	const struct request *r = argument;

	return !r->command->complete || r->command->complete(command, r->bench.quick, r->settings);
}

static int failed(const char *command, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", command, what, why);
	return FILCHI_EXIT_FAILED;
}

/* Prints the table first, so that it appears even if the file cannot be written. */
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

	/* The file is opened before the run, because a result that cannot be kept is not worth the wait. */
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
	struct request r = {.command = c, .settings = settings};
	struct filchi_option options[sizeof(common) / sizeof(common[0])];
	struct filchi_command_line line = {
		.help = c->help,
		.help_usage = c->help_usage,
		.tables = {{options, &r}, {c->options, settings}},
		.word = word,
		.complete = complete,
		.settings = &r,
	};
	struct filchi_bench_suite suite;
	int err, code;

	memcpy(options, common, sizeof(common));
	if (isnan(c->seconds))
		options[SECONDS] = (struct filchi_option){0};
	code = filchi_command_line_parse(&line, argc, argv);
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

/* The installed tree and the build tree have the programs beside the folder of this program. */
bool filchi_bench_find_programs(const char *command, const char *given, char *folder, size_t size)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (given) {
		snprintf(folder, size, "%.3900s", given);
		return true;
	}
	path[length > 0 ? length : 0] = '\0';
	for (int i = 0; i < 2 && (slash = strrchr(path, '/')); i++)
		*slash = '\0';
	if (length <= 0 || strlen(path) + sizeof(FILCHI_LIBEXEC) + 64 > size) {
		fprintf(stderr, "%s: cannot find the programs of the runtimes; give their folder with --programs\n",
			command);
		return false;
	}
	snprintf(folder, size, "%.*s/%s", (int)(size - sizeof(FILCHI_LIBEXEC) - 1), path, FILCHI_LIBEXEC);
	return true;
}
