/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench WORKLOAD...: compares programs with filch and with other runtimes. */
#define _GNU_SOURCE

#include "../../bench/run/run.h"
#include "bench_main.h"

#include <filch/deque.h>
#include <filch/pool.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WORKERS "1,2"
#define MAX_WORKERS 1024 /* limit of the library */

static const char help[] =
	"usage: filch bench WORKLOAD[:SIZE,...]... [OPTION]...\n"
	"       filch bench all [OPTION]...\n"
	"\n"
	"Compare programs that compute the same with filch, with other runtimes and serially, and print a table for "
	"each\n"
	"workload. With the default sizes this takes a minute or two for each workload.\n"
	"\n"
	"workloads: fib, queens, uts (sizes T1, T2, T3, T2L, T3L), matmul, quicksort, cilksort, sort, integrate,\n"
	"knapsack, dag, strassen, saxpy, histogram, mandelbrot\n"
	"\n"
	"  --runtimes LIST    compare these: serial, filch, filch-clang (the workload compiled by clang), libgomp\n"
	"                     (OpenMP of gcc), libomp (OpenMP of clang), tbb, or all (the default)\n"
	"  --workers LIST     measure with these numbers of workers, 1 to 1024 (default 1,2)\n"
	"  --no-copies        do not measure copies: N programs of filch at once, each with one worker. They show the\n"
	"                     speed-up that the machine allows\n"
	"  --deque LIST       measure filch with each of these deques, or all\n"
	"  --victim LIST      measure filch with each of these victim policies, or all\n"
	"  --join LIST        measure filch with each of these join policies, or all\n"
	"  --quick            use small sizes, for a first impression in some seconds\n"
	"  --full             use the published sizes, which take long\n"
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 10)\n"
	"  --profile          run filch once more under perf where it is slower than another runtime, and print the\n"
	"                     functions that take most of its time\n"
	"  --least MS         repeat a workload in the same process until MS milliseconds have passed, 1 to 10000, "
	"and\n"
	"                     take the mean\n" FILCHI_HELP_JSON
	"  --programs FOLDER  find the programs of the runtimes in FOLDER\n" FILCHI_HELP_COMMON "\n"
	"The programs read the variables of their runtime, such as FILCH_WAIT.\n" FILCHI_HELP_EXIT
	"  1  an answer was wrong, or a program could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_programs_options programs;
	struct filchi_names runtimes, deques, victims, joins;
	struct filchi_counts workers;
	const char *folder; /* of the programs; NULL: beside this one */
};

/* ---- workloads ---- */

static void choose(struct settings *s, const struct filchi_programs_workload *workload, const char *size)
{
	struct filchi_programs_choice *c = &s->programs.choices[s->programs.choice_count];

	if (s->programs.choice_count == FILCHI_PROGRAMS_MAX_WORKLOADS)
		return;
	s->programs.choice_count++;
	c->workload = workload;
	snprintf(c->size, sizeof(c->size), "%s", size);
}

static bool parse_workload(const char *command, const char *value, void *settings)
{
	size_t length = strcspn(value, ":");
	const struct filchi_programs_workload *workload = filchi_programs_find(value, length);
	bool all = !strcmp(value, "all");

	if (workload && !strcmp(value + length, ":")) {
		fprintf(stderr, "%s: a size is missing after '%s'\n", command, value);
		return false;
	}
	if ((!workload && !all) || strlen(value + length) > FILCHI_PROGRAMS_MAX_SIZES)
		return filchi_names_unknown(command, "", "workload", value, strlen(value), "all",
					    filchi_bench_workload_name);
	for (unsigned i = 0; all && (workload = filchi_programs_workload(i)); i++)
		choose(settings, workload, "");
	if (!all)
		choose(settings, workload, value[length] ? value + length + 1 : "");
	return true;
}

/* ---- runtimes ---- */

static void add_runtime(struct filchi_programs_options *o, const char *program, const char *deque, const char *victim,
			const char *join)
{
	struct filchi_programs_runtime *c = &o->runtimes[o->runtime_count];

	if (o->runtime_count == FILCHI_PROGRAMS_MAX_RUNTIMES)
		return;
	o->runtime_count++;
	*c = (struct filchi_programs_runtime){program, deque, victim, join, "", false};
	snprintf(c->name, sizeof(c->name), "%s%s%s%s%s%s%s", program, deque ? "-" : "", deque ? deque : "",
		 victim ? "-" : "", victim ? victim : "", join ? "-" : "", join ? join : "");
}

/* A name of the list, or NULL if the list is empty. */
static const char *name_or_none(const struct filchi_names *list, size_t i)
{
	return list->count ? list->names[i] : NULL;
}

/* Adds all combinations of the deques and policies. */
static void add_filch(struct settings *s)
{
	for (size_t d = 0; d < (s->deques.count ? s->deques.count : 1); d++)
		for (size_t v = 0; v < (s->victims.count ? s->victims.count : 1); v++)
			for (size_t j = 0; j < (s->joins.count ? s->joins.count : 1); j++)
				add_runtime(&s->programs, "filch", name_or_none(&s->deques, d),
					    name_or_none(&s->victims, v), name_or_none(&s->joins, j));
}

static bool some_there(const char *command, const struct filchi_programs_options *o)
{
	for (size_t i = 0; i < o->runtime_count; i++)
		if (filchi_programs_there(o, o->runtimes[i].program))
			return true;
	fprintf(stderr, "%s: --runtimes: none of their programs is in %s\n", command, o->folder);
	return false;
}

/* This check comes before all runs, so that no wrong size ends a long measurement. */
static bool all_fit(const char *command, const struct filchi_programs_options *o)
{
	struct filchi_bench_error why;

	for (size_t i = 0; i < o->choice_count; i++)
		if (!filchi_programs_fit(o, &o->choices[i], &why)) {
			fprintf(stderr, "%s: %s\n", command, why.text);
			return false;
		}
	return true;
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	if (quick && s->programs.full) {
		fprintf(stderr, "%s: --quick and --full exclude each other\n", command);
		return false;
	}
	if (!s->programs.choice_count) {
		fprintf(stderr, "%s: no workload is named\n", command);
		return false;
	}
	if (!s->workers.count && !filchi_counts_parse(&s->workers, command, "", DEFAULT_WORKERS, 1, MAX_WORKERS))
		return false;
	if (!s->runtimes.count && !filchi_names_add(&s->runtimes, command, "", "", "all", filchi_programs_name))
		return false;
	s->programs.workers_count = s->workers.count;
	memcpy(s->programs.workers, s->workers.values, sizeof(s->workers.values));
	for (size_t i = 0; i < s->runtimes.count; i++) {
		if (!strcmp(s->runtimes.names[i], "filch"))
			add_filch(s);
		else
			add_runtime(&s->programs, s->runtimes.names[i], NULL, NULL, NULL);
	}
	return filchi_bench_find_programs(command, s->folder, s->programs.folder, sizeof(s->programs.folder)) &&
	       some_there(command, &s->programs) && all_fit(command, &s->programs);
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	const struct settings *s = settings;

	return filchi_programs_init(suite, options, &s->programs);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("runtimes", runtimes, "runtime", filchi_programs_name),
	FILCHI_COUNTS("workers", workers, 1, MAX_WORKERS),
	FILCHI_NAMES("deque", deques, "deque", filch_deque_kind_name),
	FILCHI_NAMES("victim", victims, "policy", filch_victim_name),
	FILCHI_NAMES("join", joins, "policy", filch_join_name),
	FILCHI_FOLDER("programs", folder),
	FILCHI_COUNT("least", programs.least, 1, 10000),
	FILCHI_SWITCH("full", programs.full),
	FILCHI_SWITCH("no-copies", programs.no_copies),
	FILCHI_SWITCH("profile", programs.profile),
	{0},
};
_Static_assert(FILCHI_COUNTS_MAX == FILCHI_PROGRAMS_MAX_WORKERS, "a list of numbers of workers fits");

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench all --help",
		.options = options,
		.word = parse_workload,
		.complete = complete,
		.runs = 10,
		.quick_runs = 10,
		.seconds = NAN,
		.quick_seconds = NAN,
		.init = init,
	};
	struct settings *s = calloc(1, sizeof(*s));
	int code = s ? filchi_bench_main(&command, argc, argv, s) : FILCHI_EXIT_FAILED;

	free(s);
	return code;
}

bool filchi_bench_is_workload(const char *word)
{
	return !strcmp(word, "all") || filchi_programs_find(word, strcspn(word, ":"));
}

const char *filchi_bench_workload_name(unsigned n)
{
	const struct filchi_programs_workload *workload = filchi_programs_workload(n);

	return workload ? workload->name : NULL;
}

const struct filchi_command filchi_cmd_bench_workload = {
	.name = "bench WORKLOAD",
	.summary = "compare programs with filch and with other runtimes",
	.help = help,
	.run = run,
};
