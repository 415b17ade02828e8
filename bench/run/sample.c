/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program and reads the line that it writes: bench/workloads/common/main.c. */
#define _GNU_SOURCE

#include "run.h"

#include "../harness/child.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT 4096
#define NO_SIZE 2 /* exit code of a program */

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
	{"leapfrogs", "tasks"},
	{"grows", "times"},
	{"shrinks", "times"},
	{"overlap", "share"},
};

extern char **environ;

/* The two outputs of the program. */
static int run_program(char **argv, char *text, size_t size, int *status)
{
	struct filchi_child_stream stream = {.text = text, .size = size};
	struct filchi_child child = {.argv = argv, .environment = environ, .out = &stream, .err = &stream};
	struct filchi_child_result result;
	int err = filchi_child_run(&child, &result);

	*status = result.status;
	return err;
}

/* Returns the number after the name, or NaN. */
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

/* Only this exit code means that there is no such size. Other failures are reported when the program is measured. */
static bool fits(const struct filchi_programs_options *o, const char *program, const char *workload, char *size,
		 struct filchi_bench_error *why)
{
	char path[4200], text[OUTPUT];
	char *argv[] = {path, "--fits", "--", (char *)workload, size, NULL};
	int status;

	snprintf(path, sizeof(path), "%s/bench-%s", o->folder, program);
	if (run_program(argv, text, sizeof(text), &status) || !WIFEXITED(status) || WEXITSTATUS(status) != NO_SIZE)
		return true;
	snprintf(why->text, sizeof(why->text), "%.*s", (int)strcspn(text, "\n"), text);
	return false;
}

bool filchi_programs_fit(const struct filchi_programs_options *o, const struct filchi_programs_choice *choice,
			 struct filchi_bench_error *why)
{
	const char *program = NULL, *list = choice->size;
	char size[FILCHI_PROGRAMS_MAX_SIZES];

	for (size_t i = 0; i < o->runtime_count && !program; i++)
		if (filchi_programs_there(o, o->runtimes[i].program))
			program = o->runtimes[i].program;
	while (program && *choice->size) {
		size_t length = strcspn(list, ",");

		snprintf(size, sizeof(size), "%.*s", (int)length, list);
		if (!fits(o, program, choice->workload->name, size, why))
			return false;
		if (!list[length])
			break;
		list += length + 1;
	}
	return true;
}

static void add_option(struct filchi_programs_line *line, const char *name, const char *value)
{
	if (!value)
		return;
	line->argv[line->argc++] = (char *)name;
	line->argv[line->argc++] = (char *)value;
}

void filchi_programs_line(const struct filchi_programs_case *own, struct filchi_programs_line *line)
{
	const struct filchi_programs_runtime *runtime = own->runtime;

	*line = (struct filchi_programs_line){
		.argv = {line->path, (char *)own->group->workload->name, (char *)own->size}, .argc = 3};
	snprintf(line->path, sizeof(line->path), "%s/bench-%s", own->options->folder, runtime->program);
	snprintf(line->workers, sizeof(line->workers), "%u", own->workers);
	add_option(line, runtime->copies ? "--copies" : "--workers", line->workers); /* a copy has one worker */
	snprintf(line->least, sizeof(line->least), "%u", own->options->least);
	add_option(line, "--least", own->options->least ? line->least : NULL);
	add_option(line, "--deque", runtime->deque);
	add_option(line, "--victim", runtime->victim);
	add_option(line, "--join", runtime->join);
}

int filchi_programs_sample(char **argv, const struct filchi_bench_case *c, double *values,
			   struct filchi_bench_error *error)
{
	char text[OUTPUT];
	const char *said;
	int status, err = run_program(argv, text, sizeof(text), &status);

	if (!err)
		err = judge(text, status, &said, error);
	if (err)
		return err;
	for (size_t i = 0; i < c->metric_count; i++)
		values[i] = value_of(said, c->metrics[i].name);
	return 0;
}

static int run(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	struct filchi_programs_line line;
	int err;

	filchi_programs_line(c->context, &line);
	err = filchi_programs_sample(line.argv, c, values, error);
	if (!err)
		filchi_bench_set(c, values, "ns_per_item",
				 values[filchi_bench_metric(c, "ns")] / values[filchi_bench_metric(c, "items")]);
	return err;
}

const struct filchi_bench_case filchi_programs_pattern = {
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(metrics[0]),
	.run = run,
};
