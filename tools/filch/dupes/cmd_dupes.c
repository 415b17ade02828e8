/* SPDX-License-Identifier: Apache-2.0 */
/* The command filch dupes: its options, and the main thread, which waits, shows progress and handles signals. */
#define _GNU_SOURCE
#include "../command.h"
#include "../options.h"
#include "../say.h"
#include "dupes.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define EXIT_PROBLEMS 3
#define TICK_NS 100000000u
#define READERS 32u /* fibers that read at a time, for each worker */

static const char help[] =
	"usage: filch dupes [OPTION]... DIR...\n"
	"\n"
	"Find files with the same content below the DIRs, and print them in groups. Nothing is changed.\n"
	"Files are the same only if all their bytes are. Hard links of one file are one file. Symbolic links are not\n"
	"followed, and special files are skipped.\n"
	"\n"
	"which files:\n"
	"  --min-size SIZE    skip smaller files; k, m, g or t after the number is KiB to TiB (default 1)\n"
	"  --max-size SIZE    skip larger files\n"
	"  --include GLOB     only files that match one of these; with a slash, GLOB is for the path below DIR\n"
	"  --exclude GLOB     skip files and directories that match\n"
	"  --no-hidden        skip names that begin with a dot\n"
	"  --depth N          go down N levels at most; 1: the files in DIR itself\n"
	"  --one-file-system  skip directories on other file systems than their DIR\n"
	"  --isolate          only groups with files in several DIRs; files in one DIR are no duplicates of each "
	"other\n"
	"\n"
	"output:\n"
	"  --json             print JSON\n"
	"  --csv              print CSV: group, file, size, path. Names of one file have the same number\n"
	"  --null, -0         print each path with a NUL byte after it, and another NUL after each group\n"
	"  --summary          print totals only\n"
	"\n"
	"how:\n"
	"  --workers N        threads (default: as many as processors)\n"
	"  --io WAY           uring, threads or auto (default): how to wait for the disk\n"
	"  --help, -h         print this help\n"
	"\n"
	"Ctrl-C stops, and prints what was found so far. A second Ctrl-C ends at once.\n" FILCHI_HELP_EXIT
	"  1  no DIR could be read, there was no memory, or the output could not be written\n" FILCHI_HELP_EXIT_USAGE
	"  3  some files could not be read, or changed meanwhile; the rest was compared and printed\n";

struct request {
	struct filchi_dupes_settings set;
	bool json, csv, null, summary;
	const char *io;
};

/* ---- options ---- */

static bool parse_size(const char *command, const char *option, const char *text, uint64_t *out)
{
	static const char units[] = "kmgt";
	char *end, shown[FILCHI_SHORT];
	unsigned long long value;
	const char *unit;
	unsigned shift = 0;

	errno = 0;
	value = strtoull(text, &end, 10);
	unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (!isdigit((unsigned char)*text) || *end || errno || value > UINT64_MAX >> shift) {
		fprintf(stderr, "%s: %s must be a number of bytes, perhaps with k, m, g or t, not '%s'\n", command,
			option, filchi_short(shown, text, strlen(text)));
		return false;
	}
	*out = (uint64_t)value << shift;
	return true;
}

static bool parse_min(const char *command, const char *value, void *settings)
{
	return parse_size(command, "--min-size", value, &((struct request *)settings)->set.min_size);
}

static bool parse_max(const char *command, const char *value, void *settings)
{
	return parse_size(command, "--max-size", value, &((struct request *)settings)->set.max_size);
}

static bool add_glob(const char *command, const char *option, const char *value, const char **globs, unsigned *count)
{
	if (*count == FILCHI_DUPES_GLOBS) {
		fprintf(stderr, "%s: at most %d times %s\n", command, FILCHI_DUPES_GLOBS, option);
		return false;
	}
	globs[(*count)++] = value;
	return true;
}

static bool parse_include(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;

	return add_glob(command, "--include", value, s->include, &s->includes);
}

static bool parse_exclude(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;

	return add_glob(command, "--exclude", value, s->exclude, &s->excludes);
}

static bool parse_io(const char *command, const char *value, void *settings)
{
	char shown[FILCHI_SHORT];

	if (strcmp(value, "uring") != 0 && strcmp(value, "threads") != 0 && strcmp(value, "auto") != 0) {
		fprintf(stderr, "%s: --io must be uring, threads or auto, not '%s'\n", command,
			filchi_short(shown, value, strlen(value)));
		return false;
	}
	((struct request *)settings)->io = value;
	return true;
}

static bool parse_dir(const char *command, const char *value, void *settings)
{
	struct filchi_dupes_settings *s = &((struct request *)settings)->set;

	if (!*value) {
		fprintf(stderr, "%s: a DIR must not be empty\n", command);
		return false;
	}
	s->dirs[s->dir_count++] = (char *)(uintptr_t)value; /* there is room for all arguments */
	return true;
}

static bool complete(const char *command, void *settings)
{
	struct request *r = settings;

	if (r->json + r->csv + r->null + r->summary > 1) {
		fprintf(stderr, "%s: only one of --json, --csv, --null and --summary\n", command);
		return false;
	}
	if (!r->set.dir_count) {
		fprintf(stderr, "%s: no DIR given\n", command);
		return false;
	}
	if (r->set.isolate && r->set.dir_count < 2) {
		fprintf(stderr, "%s: --isolate needs two DIRs or more\n", command);
		return false;
	}
	r->set.format = r->json	     ? FILCHI_DUPES_JSON
			: r->csv     ? FILCHI_DUPES_CSV
			: r->null    ? FILCHI_DUPES_NULL
			: r->summary ? FILCHI_DUPES_SUMMARY
				     : FILCHI_DUPES_TEXT;
	return true;
}

#define FIELD(at) offsetof(struct request, at)
static const struct filchi_option options[] = {
	FILCHI_PARSED("min-size", parse_min),
	FILCHI_PARSED("max-size", parse_max),
	FILCHI_PARSED("include", parse_include),
	FILCHI_PARSED("exclude", parse_exclude),
	FILCHI_SWITCH("no-hidden", set.no_hidden),
	FILCHI_COUNT("depth", set.depth, 1, 1000000),
	FILCHI_SWITCH("one-file-system", set.one_file_system),
	FILCHI_SWITCH("isolate", set.isolate),
	FILCHI_SWITCH("json", json),
	FILCHI_SWITCH("csv", csv),
	{.name = "null", .letter = '0', .type = FILCHI_OPTION_SWITCH, .field = FIELD(null)},
	FILCHI_SWITCH("summary", summary),
	FILCHI_COUNT("workers", set.workers, 1, 1024),
	FILCHI_PARSED("io", parse_io),
	{.name = NULL},
};

/* ---- the run ---- */

static int failed(const char *command, const char *what, int err)
{
	fprintf(stderr, "%s: %s: %s\n", command, what, strerror(-err));
	return FILCHI_EXIT_FAILED;
}

/* The fiber that leads through the steps. */
static int find(void *arg, void **result)
{
	struct filchi_dupes_run *run = arg;
	int err = filchi_dupes_walk(run);

	(void)result;
	if (!err && !filchi_dupes_stopped(run))
		err = filchi_dupes_group(run);
	return err ? err : run->error;
}

static void show_progress(struct filchi_dupes_run *run, uint64_t ns, bool end)
{
	struct filchi_dupes_totals t;
	uint64_t left;

	pthread_mutex_lock(&run->lock);
	t = run->totals;
	pthread_mutex_unlock(&run->lock);
	if (end) {
		fputs("\r\033[K", stderr);
		return;
	}
	if (!t.to_compare) {
		fprintf(stderr, "\r\033[K%" PRIu64 " files in %" PRIu64 " directories, %" PRIu64 " MiB", t.files,
			t.directories, t.bytes >> 20);
		return;
	}
	fprintf(stderr, "\r\033[K%" PRIu64 " of at most %" PRIu64 " MiB compared", t.compared >> 20,
		t.to_compare >> 20);
	left = t.to_compare > t.compared ? t.to_compare - t.compared : 0;
	if (t.compared)
		fprintf(stderr, ", at most %.0f s left", (double)left / (double)t.compared * (double)ns / 1e9);
}

/* Waits for the fiber, and takes signals in between. Returns the signal that has stopped the run, or 0. */
static int wait_for(struct filchi_dupes_run *run, struct filch_fiber *fiber, const sigset_t *signals, int *err)
{
	static const struct timespec no_time;
	bool show = isatty(STDERR_FILENO);
	uint64_t ticks = 0;
	int stopped_by = 0;

	while ((*err = filch_fiber_join_for(fiber, TICK_NS, NULL)) == -ETIMEDOUT) {
		int signal = sigtimedwait(signals, NULL, &no_time);

		if (show && ++ticks % 3 == 0)
			show_progress(run, ticks * TICK_NS, false);
		if (signal <= 0)
			continue;
		pthread_mutex_lock(&run->lock);
		run->stop = true;
		pthread_mutex_unlock(&run->lock);
		stopped_by = signal;
		pthread_sigmask(SIG_UNBLOCK, signals, NULL); /* a second one ends the process */
	}
	if (show && ticks >= 3)
		show_progress(run, 0, true);
	return stopped_by;
}

static int start_pool(struct filchi_dupes_run *run)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = (int)run->set->workers, .name = "dupes"};
	struct rlimit limit;
	int err = filch_pool_create(&run->pool, &o);

	if (err)
		return err;
	run->crew = READERS * filch_pool_workers(run->pool);
	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
		(void)getrlimit(RLIMIT_NOFILE, &limit);
		/* A quarter is for directories, and each fiber may have this many files open. */
		if (limit.rlim_cur / 2 / FILCHI_DUPES_TOGETHER < run->crew)
			run->crew = (unsigned)(limit.rlim_cur / 2 / FILCHI_DUPES_TOGETHER);
	}
	if (!run->crew)
		run->crew = 1;
	return 0;
}

/* Signals that are ignored, as by nohup, stay so. */
static void block_signals(sigset_t *signals)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action;

	sigemptyset(signals);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler == SIG_DFL)
			sigaddset(signals, numbers[i]);
	pthread_sigmask(SIG_BLOCK, signals, NULL);
}

static int exit_code(const char *command, struct filchi_dupes_run *run, int err)
{
	bool any = false;

	for (unsigned i = 0; i < run->set->dir_count; i++)
		any = any || (run->roots[i] && run->roots[i]->ino);
	if (err)
		return failed(command, "cannot go on", err);
	if (!any)
		return FILCHI_EXIT_FAILED;
	return run->problem_count ? EXIT_PROBLEMS : FILCHI_EXIT_OK;
}

static int print(const char *command, struct filchi_dupes_run *run, int err, int signal)
{
	int code;

	if (!err)
		err = filchi_dupes_sort(run);
	if (!err)
		err = filchi_dupes_print(run, !signal);
	filchi_dupes_print_problems(run, command);
	code = exit_code(command, run, err);
	if (signal && !fflush(stdout)) {
		raise(signal); /* not blocked any more: the caller sees how this ended */
		code = 128 + signal;
	}
	return code;
}

static int run_with(const char *command, const struct filchi_dupes_settings *set)
{
	struct filchi_dupes_run run = {.set = set, .lock = PTHREAD_MUTEX_INITIALIZER};
	struct filch_fiber *fiber;
	sigset_t signals;
	int err, signal, code;

	run.roots = calloc(set->dir_count, sizeof(struct filchi_dupes_dir *));
	if (!run.roots)
		return failed(command, "cannot start", -ENOMEM);
	block_signals(&signals);
	err = start_pool(&run);
	err = err ? err : filch_fiber_start(&fiber, run.pool, find, &run, NULL);
	if (err) {
		code = failed(command, "cannot start", err);
	} else {
		signal = wait_for(&run, fiber, &signals, &err);
		code = print(command, &run, err, signal);
	}
	filch_pool_destroy(run.pool);
	for (unsigned i = 0; i < set->dir_count; i++)
		if (run.roots[i] && run.roots[i]->fd >= 0)
			close(run.roots[i]->fd);
	filchi_dupes_free(&run);
	return code;
}

static int run_dupes(int argc, char **argv)
{
	struct request r = {.set = {.min_size = 1, .max_size = UINT64_MAX}};
	struct filchi_command_line line = {
		.help = help,
		.help_usage = "filch help dupes",
		.tables = {{options, &r}},
		.word = parse_dir,
		.complete = complete,
		.settings = &r,
	};
	int code;

	r.set.dirs = calloc((size_t)argc, sizeof(char *));
	if (!r.set.dirs)
		return failed(argv[0], "cannot start", -ENOMEM);
	code = filchi_command_line_parse(&line, argc, argv);
	if (code < 0 && !filchi_dupes_hash_exists()) {
		fprintf(stderr, "%s: built without xxHash; install libxxhash-dev and build filch again\n", argv[0]);
		code = FILCHI_EXIT_FAILED;
	}
	if (code < 0) {
		if (r.io)
			setenv("FILCH_IO", r.io, 1);
		code = run_with(argv[0], &r.set);
	}
	free(r.set.dirs);
	return code;
}

const struct filchi_command filchi_cmd_dupes = {
	.name = "dupes",
	.summary = "find files with the same content",
	.help = help,
	.run = run_dupes,
};
