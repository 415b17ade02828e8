/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program, and reads the line that it writes: bench/contender/main.c. */
#define _GNU_SOURCE

#include "programs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT 4096

static const struct filchi_bench_metric metrics[] = {
	{"ns", "ns"},
	{"ns_per_item", "ns"},
	{"items", "items"},
	{"cpu_ns", "ns"},
	{"voluntary", "switches"},
	{"involuntary", "switches"},
	{"peak_bytes", "bytes"},
	{"tasks", "tasks"},
	{"steals", "tasks"},
};

extern char **environ;

/* All that it writes, of which what does not fit is dropped. */
static void read_all(int fd, char *text, size_t size)
{
	char rest[OUTPUT];
	size_t length = 0;

	for (;;) {
		bool full = length + 1 >= size;
		ssize_t got = read(fd, full ? rest : text + length, full ? sizeof(rest) : size - 1 - length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		if (!full)
			length += (size_t)got;
	}
	text[length] = '\0';
}

/* Starts it with what it writes going to the pipe. 0 or -errno. */
static int start(char **argv, const int pipe[2], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	err = posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
	if (!err)
		err = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

static int run_program(char **argv, char *text, size_t size, int *status)
{
	int pipe[2], err;
	pid_t pid;

	if (pipe2(pipe, O_CLOEXEC))
		return -errno;
	err = start(argv, pipe, &pid);
	close(pipe[1]);
	if (!err) {
		read_all(pipe[0], text, size);
		while (waitpid(pid, status, 0) < 0 && errno == EINTR)
			;
	}
	close(pipe[0]);
	return err;
}

/* The number that follows the name, or NaN. */
static double value_of(const char *line, const char *name)
{
	char pattern[40];
	const char *at;

	snprintf(pattern, sizeof(pattern), " %s ", name);
	at = strstr(line, pattern);
	return at ? strtod(at + strlen(pattern), NULL) : NAN;
}

static int judge(const char *text, int status, const char **line, struct filchi_bench_error *error)
{
	int length = (int)strcspn(text, "\n");

	*line = strstr(text, "right ");
	if (WIFSIGNALED(status))
		snprintf(error->text, sizeof(error->text), "the program ended by signal %d: %s", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) || !*line)
		snprintf(error->text, sizeof(error->text), "%.*s", length ? length : 7, length ? text : "no word");
	else
		return 0;
	return -EPROTO;
}

static int run(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_programs_case *own = c->context;
	const struct filchi_programs_contender *contender = own->contender;
	char path[4200], workers[16], text[OUTPUT];
	char *argv[12] = {path, (char *)own->group->work->name, (char *)own->size, "--workers", workers};
	size_t argc = 5;
	const char *line;
	int status, err;

	snprintf(path, sizeof(path), "%s/bench-%s", own->options->folder, contender->program);
	snprintf(workers, sizeof(workers), "%u", own->workers);
	if (contender->deque) {
		argv[argc++] = "--deque";
		argv[argc++] = (char *)contender->deque;
	}
	if (contender->victim) {
		argv[argc++] = "--victim";
		argv[argc++] = (char *)contender->victim;
	}
	err = run_program(argv, text, sizeof(text), &status);
	if (!err)
		err = judge(text, status, &line, error);
	if (err)
		return err;
	for (size_t i = 0; i < c->metric_count; i++)
		values[i] = value_of(line, c->metrics[i].name);
	filchi_bench_set(c, values, "ns_per_item", value_of(line, "ns") / value_of(line, "items"));
	return 0;
}

const struct filchi_bench_case filchi_programs_pattern = {
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(metrics[0]),
	.run = run,
};
