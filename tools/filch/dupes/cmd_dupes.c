/* SPDX-License-Identifier: Apache-2.0 */
/* The command filch dupes: the main thread, which waits, shows progress and handles signals. */
#define _GNU_SOURCE
#include "../command.h"
#include "act.h"
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXIT_PROBLEMS 3
#define TICK_NS 100000000u
#define READERS 32u	    /* fibers that read at a time, for each worker */
#define DESCRIPTORS 16384   /* that a usual run needs at most: directories, and files of all readers */
#define READERS_ROTATING 1u /* in all, if a disk rotates */

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
	filchi_dupes_walk_end(run);
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

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits for the fiber, and looks for signals and the time in between. */
static int wait_for(struct filchi_dupes_run *run, struct filch_fiber *fiber)
{
	double begin = now(), limit = run->set->stop_after;
	bool show = isatty(STDERR_FILENO);
	uint64_t ticks = 0, tick = limit > 0 && limit * 1e9 < TICK_NS ? (uint64_t)(limit * 1e9) : TICK_NS;
	int err;

	while ((err = filch_fiber_join_for(fiber, tick, NULL)) == -ETIMEDOUT) {
		if (show && ++ticks % 3 == 0)
			show_progress(run, ticks * TICK_NS, false);
		if (!filchi_dupes_interrupted(run) && limit > 0 && now() - begin >= limit)
			filchi_dupes_stop(run);
	}
	if (show && ticks >= 3)
		show_progress(run, 0, true);
	return err;
}

static unsigned readers(const struct filchi_dupes_run *run)
{
	const struct filchi_dupes_settings *set = run->set;

	if (set->readers)
		return set->readers;
	for (unsigned i = 0; i < set->dir_count; i++)
		if (filchi_dupes_rotates(set->dirs[i]))
			return READERS_ROTATING;
	return READERS * filch_pool_workers(run->pool);
}

/* As many as the process may have. Returns 0 if that is unknown. */
static rlim_t allow_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	return getrlimit(RLIMIT_NOFILE, &limit) ? 0 : limit.rlim_cur;
}

/*
 * When the table of descriptors grows in a process with threads, Linux waits until no processor reads the old one: some
 * milliseconds each time it doubles. So the table grows before there are threads.
 */
static void grow_descriptors(rlim_t most)
{
	int last = most && most < DESCRIPTORS ? (int)most - 1 : DESCRIPTORS - 1;
	int root = open("/", O_PATH | O_CLOEXEC), high = root < 0 ? -1 : fcntl(root, F_DUPFD_CLOEXEC, last);

	if (high >= 0)
		close(high);
	if (root >= 0)
		close(root);
}

static int start_pool(struct filchi_dupes_run *run)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = (int)run->set->workers, .name = "dupes"};
	rlim_t most = allow_descriptors();
	int err;

	grow_descriptors(most);
	err = filch_pool_create(&run->pool, &o);
	if (err)
		return err;
	run->crew = readers(run);
	/* A quarter is for directories, and each fiber may have this many files open. */
	if (most && most / 2 / FILCHI_DUPES_TOGETHER < run->crew)
		run->crew = (unsigned)(most / 2 / FILCHI_DUPES_TOGETHER);
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

/* The actions, and the result. */
static int finish(const char *command, struct filchi_dupes_run *run, int err)
{
	bool found_all = !run->stop;
	int code, signal;

	if (!err)
		err = filchi_dupes_sort(run);
	if (!err && run->set->action && !run->signal)
		err = filchi_dupes_act_all(run);
	if (err && run->set->action)
		filchi_dupes_print(run, false); /* the user must learn what was done */
	else if (!err)
		err = filchi_dupes_print(run, found_all && !run->stop);
	signal = run->signal;
	filchi_dupes_print_problems(run, command);
	code = exit_code(command, run, err);
	if (signal && !fflush(stdout)) {
		raise(signal); /* not blocked any more: the caller sees how this ended */
		code = 128 + signal;
	}
	return code;
}

/* Without its cache the result is the same. */
static void close_cache(const char *command, struct filchi_dupes_run *run)
{
	int err = filchi_dupes_cache_close(run);

	if (err)
		fprintf(stderr, "%s: the cache %s is not complete: %s\n", command, run->set->cache, strerror(-err));
}

static int run_with(const char *command, const struct filchi_dupes_settings *set)
{
	struct filchi_dupes_run run = {.set = set, .lock = PTHREAD_MUTEX_INITIALIZER};
	struct filch_fiber *fiber;
	int err, code;

	run.roots = calloc(set->dir_count, sizeof(struct filchi_dupes_dir *));
	if (!run.roots)
		return failed(command, "cannot start", -ENOMEM);
	err = set->cache ? filchi_dupes_cache_open(&run) : 0;
	if (err) {
		free(run.roots);
		fprintf(stderr, "%s: cannot use the cache %s: %s\n", command, set->cache,
			err == -EPROTO ? "it is another kind of file, or of another kind of machine" : strerror(-err));
		return FILCHI_EXIT_FAILED;
	}
	block_signals(&run.signals);
	err = start_pool(&run);
	err = err ? err : filch_fiber_start(&fiber, run.pool, find, &run, NULL);
	if (err) {
		code = failed(command, "cannot start", err);
		(void)filchi_dupes_cache_close(&run);
	} else {
		err = wait_for(&run, fiber);
		close_cache(command, &run);
		code = finish(command, &run, err);
	}
	filch_pool_destroy(run.pool);
	for (unsigned i = 0; i < set->dir_count; i++)
		if (run.roots[i] && run.roots[i]->fd >= 0)
			close(run.roots[i]->fd);
	filchi_dupes_free(&run);
	return code;
}

/* Before a long search: a log that exists is never overwritten, and its folder must be there. */
static bool can_log(const char *command, const struct filchi_dupes_settings *set)
{
	char *copy = set->log ? strdup(set->log) : NULL;
	struct stat at;
	int err = 0;

	if (!set->log)
		return true;
	if (!lstat(set->log, &at))
		err = EEXIST;
	else if (copy && access(dirname(copy), W_OK | X_OK))
		err = errno;
	free(copy);
	if (err)
		fprintf(stderr, "%s: cannot write the log %s: %s\n", command, set->log, strerror(err));
	return !err;
}

static int run_dupes(int argc, char **argv)
{
	struct filchi_dupes_settings set;
	int code = filchi_dupes_settings_read(&set, argc, argv);

	if (code < 0 && set.undo) {
		code = filchi_dupes_undo(argv[0], &set);
	} else if (code < 0 && !filchi_dupes_hash_exists()) {
		fprintf(stderr, "%s: built without xxHash; install libxxhash-dev and build filch again\n", argv[0]);
		code = FILCHI_EXIT_FAILED;
	} else if (code < 0 && !can_log(argv[0], &set)) {
		code = FILCHI_EXIT_FAILED;
	} else if (code < 0) {
		if (set.io)
			setenv("FILCH_IO", set.io, 1);
		code = run_with(argv[0], &set);
	}
	free(set.dirs);
	return code;
}

const struct filchi_command filchi_cmd_dupes = {
	.name = "dupes",
	.summary = "find files with the same content",
	.help = filchi_dupes_help,
	.run = run_dupes,
};
