/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program, and reads the line that it writes: bench/contender/main.c. */
#define _GNU_SOURCE

#include "programs.h"

#include "../harness/child.h"

#include <errno.h>
#include <math.h>
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
	{"leaps", "tasks"},
	{"grows", "times"},
	{"shrinks", "times"},
};

extern char **environ;

/* What it writes, to both of its outputs. */
static int run_program(char **argv, char *text, size_t size, int *status)
{
	struct filchi_child_stream stream = {.text = text, .size = size};
	struct filchi_child child = {.argv = argv, .environment = environ, .out = &stream, .err = &stream};
	struct filchi_child_result result;
	int err = filchi_child_run(&child, &result);

	*status = result.status;
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
	if (contender->join) {
		argv[argc++] = "--join";
		argv[argc++] = (char *)contender->join;
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
