/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the functions that take most of the time in a program of filch that is slower than another. It runs the
 * program once more under perf, which samples by the clock and needs no counters of the processor. The data of perf
 * stay in memory. Without perf there is no profile, and no error.
 */
#define _GNU_SOURCE

#include "run.h"

#include "../harness/child.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OUTPUT 16384
#define ENOUGH_NS 5e8 /* to look at */
#define MOST_RUNS 50
#define SERIAL_LIMIT 1.1 /* the serial program must be this much faster to count */
#define LEAST 0.5	 /* percent; smaller shares are not reported */

extern char **environ;

static const struct filchi_programs_case *own_of(const struct filchi_bench_case *c)
{
	return c->context;
}

static double median(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, const char *metric)
{
	return filchi_bench_suite_median(s, c->subject, c->measure, metric);
}

/*
 * True if the other case of the group is faster. A program compiled by clang is compared with filch compiled by
 * clang.
 */
static bool loses_to(const struct filchi_bench_suite *s, const struct filchi_bench_case *filch,
		     const struct filchi_bench_case *c)
{
	const struct filchi_programs_case *mine = own_of(filch), *own = own_of(c);
	const char *program = own->runtime->program;
	bool serial = !strcmp(program, "serial"), by_clang = !strcmp(mine->runtime->program, "filch-clang");
	double time = median(s, filch, "ns_per_item") / median(s, c, "ns_per_item");

	if (own->group != mine->group || own->workers != mine->workers || !strncmp(program, "filch", 5) ||
	    (by_clang && strcmp(program, "libomp") != 0))
		return false;
	return time > (serial ? SERIAL_LIMIT : 1);
}

static bool wanted(const struct filchi_bench_suite *s, const struct filchi_bench_case *c)
{
	const struct filchi_programs_runtime *runtime = own_of(c)->runtime;

	if (strncmp(runtime->program, "filch", 5) != 0 || runtime->copies)
		return false;
	for (size_t i = 0; i < s->case_count; i++)
		if (loses_to(s, c, &s->cases[i]))
			return true;
	return false;
}

/* ---- perf ---- */

/* Runs a command. Its output goes to text, or nothing if it fails. */
static void run_quietly(char **argv, char *text, size_t size)
{
	struct filchi_child_stream stream = {.text = text, .size = size};
	struct filchi_child child = {.argv = argv, .environment = environ, .out = &stream};
	struct filchi_child_result result;

	if (filchi_child_run(&child, &result) || result.status)
		*text = '\0';
}

static void record(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, char *file)
{
	double runs = ceil(ENOUGH_NS / median(s, c, "ns"));
	char *argv[32] = {"perf", "record", "-q", "-e", "cpu-clock", "-F", "4999", "-o", file, "--"};
	char text[64], count[16];
	struct filchi_programs_line line;

	filchi_programs_line(own_of(c), &line);
	memcpy(argv + 10, line.argv, line.argc * sizeof(*line.argv));
	snprintf(count, sizeof(count), "%.0f", runs < MOST_RUNS ? runs : MOST_RUNS);
	argv[10 + line.argc] = "--runs";
	argv[11 + line.argc] = count;
	run_quietly(argv, text, sizeof(text));
}

/* Reads a line of perf report: " 50.00% |[.] name". */
static bool parse_symbol(const char *line, struct filchi_programs_symbol *out)
{
	const char *end = line + strcspn(line, "\n"), *name = strstr(line, "] ");
	double percent = strtod(line, NULL);

	if (!name || name >= end || !(percent >= LEAST))
		return false;
	name += 2;
	while (end > name && end[-1] == ' ')
		end--;
	snprintf(out->name, sizeof(out->name), "%.*s", (int)(end - name), name);
	out->share = percent / 100;
	return true;
}

static void look(char *file, struct filchi_programs_case *own)
{
	char *argv[] = {"perf", "report",	   "-i", file, "--stdio", "--no-children", "-q",
			"-F",	"overhead,symbol", "-t", "|",  NULL};
	char *text = malloc(OUTPUT), *line = text;

	if (!text)
		return;
	run_quietly(argv, text, OUTPUT);
	while (*line && own->symbol_count < FILCHI_PROGRAMS_SYMBOLS) {
		own->symbol_count += parse_symbol(line, &own->symbols[own->symbol_count]);
		line += strcspn(line, "\n");
		line += *line != '\0';
	}
	free(text);
}

void filchi_programs_profile(struct filchi_bench_suite *s)
{
	struct filchi_programs_bench *own = s->own;
	char file[64];

	for (size_t i = 0; i < s->case_count; i++) {
		int fd = wanted(s, &s->cases[i]) ? memfd_create("filch", MFD_CLOEXEC) : -1;

		if (fd < 0)
			continue;
		snprintf(file, sizeof(file), "/proc/%ld/fd/%d", (long)getpid(), fd);
		record(s, &s->cases[i], file);
		look(file, &own->cases[i]);
		close(fd);
	}
}

/* ---- report ---- */

void filchi_programs_json_case(const struct filchi_bench_case *c, struct filchi_json *j)
{
	const struct filchi_programs_case *own = own_of(c);

	if (!own->symbol_count)
		return;
	filchi_json_open(j, "profile", '[');
	for (size_t i = 0; i < own->symbol_count; i++) {
		filchi_json_open(j, NULL, '{');
		filchi_json_string(j, "symbol", own->symbols[i].name);
		filchi_json_number(j, "share", own->symbols[i].share);
		filchi_json_close(j, '}');
	}
	filchi_json_close(j, ']');
}

void filchi_programs_print_profiles(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f)
{
	bool any = false;

	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_programs_case *own = own_of(&s->cases[i]);

		if (own->group != g || !own->symbol_count)
			continue;
		fprintf(f, "%s with %u worker%s is in", own->runtime->name, own->workers, own->workers == 1 ? "" : "s");
		for (size_t n = 0; n < own->symbol_count; n++)
			fprintf(f, "%s %s %.0f %%", n ? "," : "", own->symbols[n].name, 100 * own->symbols[n].share);
		fputs(" of its time\n", f);
		any = true;
	}
	if (any)
		fputc('\n', f);
}
