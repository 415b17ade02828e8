/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench WORKLOAD...: compares whole programs, with filch and with other runtimes. */
#define _GNU_SOURCE

#include "../../bench/run/run.h"
#include "bench_main.h"
#include "names.h"
#include "parse.h"
#include "say.h"

#include <filch/pool.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_WORKERS "1,2"
#define MAX_WORKERS 1024 /* what the library takes */

static const char help[] =
	"usage: filch bench WORKLOAD[:SIZE,...]... [OPTION]...\n"
	"       filch bench all [OPTION]...\n"
	"\n"
	"Compares programs that do the same with filch, with other runtimes, and serially. Each sample is a run of "
	"its\n"
	"own process; contenders are interleaved; every answer is checked, and a wrong one ends the run. Prints a "
	"table\n"
	"for each workload: time, ratios, CPU time, memory, context switches, steals; and speed-ups beside what the\n"
	"machine gives. Samples take what the workload takes: with the default sizes a minute or two for each.\n"
	"\n"
	"workloads: fib, queens, uts (trees T1, T2, T3, T2L, T3L), matmul, quicksort, cilksort, sort, integrate, "
	"knapsack,\n"
	"dag, strassen; and as loops saxpy, histogram, mandelbrot. fib is smaller for other runtimes, unless a SIZE is "
	"given.\n"
	"\n"
	"  --contenders LIST  serial, filch, filch-clang (the workload compiled by clang), libgomp (OpenMP of gcc),\n"
	"                     libomp (OpenMP of clang), tbb; default all that\n"
	"                     are there\n"
	"  --workers LIST     numbers of workers, 1 to 1024, separated by commas (default 1,2)\n"
	"  --no-copies        leave out copies: N programs of filch with one worker each that run at once, for each N\n"
	"                     above 1. They say what the machine gives, which speed-ups are printed beside\n"
	"  --deque LIST       filch with each of these deques, or all\n"
	"  --victim LIST      filch with each of these victim policies, or all\n"
	"  --join LIST        filch with each of these join policies, or all\n"
	"  --quick            smaller sizes: a first impression in some seconds\n"
	"  --full             sizes as published, which take long\n"
	"  --runs N           samples of each measurement, 1 to 10000 (default 10)\n"
	"  --profile          where filch is slower than another, run it once more under perf, if that is there, and\n"
	"                     print the functions that it is in most of its time\n"
	"  --least MS         let a sample take MS milliseconds or more, 1 to 10000: what is shorter is repeated in "
	"the\n"
	"                     same process, and the mean is taken\n"
	"  --json FILE        also write all samples as JSON; - is standard output, and the tables then go to "
	"standard\n"
	"                     error\n"
	"  --programs FOLDER  where the programs of the contenders are\n"
	"  --no-color         no color on a terminal; NO_COLOR in the environment does the same\n"
	"  --help, -h         this text\n"
	"\n"
	"FILCH_WAIT and other variables of filch hold for its program, those of OpenMP for theirs.\n"
	"\n"
	"exit codes: 0 all went well; 1 the run failed: an answer was wrong, or it could not be measured or written;\n"
	"2 the command line was wrong\n";

struct settings {
	struct filchi_programs_options programs;
	struct filchi_bench_kinds deques;
	struct filchi_names contenders, victims, joins;
};

/* ---- lists ---- */

static bool parse_contenders(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_names_add(&s->contenders, command, "--contenders", value, filchi_programs_name);
}

static bool parse_victim(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_names_add(&s->victims, command, "--victim", value, filch_victim_name);
}

static bool parse_join(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_names_add(&s->joins, command, "--join", value, filch_join_name);
}

static bool parse_deque(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	return filchi_bench_kinds_add(&s->deques, command, "--deque: ", value);
}

/* Each once, in the order asked for. */
static void add_workers(struct filchi_programs_options *o, unsigned workers)
{
	for (size_t i = 0; i < o->workers_count; i++)
		if (o->workers[i] == workers)
			return;
	o->workers[o->workers_count++] = workers;
}

static bool parse_workers(const char *command, const char *value, void *settings)
{
	struct filchi_programs_options *o = &((struct settings *)settings)->programs;
	unsigned workers;
	char text[64];

	for (o->workers_count = 0;;) {
		size_t length = strcspn(value, ",");

		if (o->workers_count == FILCHI_PROGRAMS_MAX_WORKERS) {
			fprintf(stderr, "%s: --workers takes at most %u numbers\n", command,
				FILCHI_PROGRAMS_MAX_WORKERS);
			return false;
		}
		snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : sizeof(text) - 1), value);
		if (!filchi_parse_count(command, "--workers", text, 1, MAX_WORKERS, &workers))
			return false;
		add_workers(o, workers);
		if (!value[length])
			return true;
		value += length + 1;
	}
}

static bool parse_least(const char *command, const char *value, void *settings)
{
	return filchi_parse_count(command, "--least", value, 1, 10000, &((struct settings *)settings)->programs.least);
}

static bool parse_programs(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;
	size_t length = (size_t)snprintf(s->programs.folder, sizeof(s->programs.folder), "%s", value);

	if (!length || length >= sizeof(s->programs.folder) - 64) {
		fprintf(stderr, "%s: --programs wants a folder\n", command);
		return false;
	}
	return true;
}

static bool parse_no_copies(const char *command, const char *value, void *settings)
{
	(void)command, (void)value;
	return ((struct settings *)settings)->programs.no_copies = true;
}

static bool parse_profile(const char *command, const char *value, void *settings)
{
	(void)command, (void)value;
	return ((struct settings *)settings)->programs.profile = true;
}

static bool parse_full(const char *command, const char *value, void *settings)
{
	(void)command, (void)value;
	return ((struct settings *)settings)->programs.full = true;
}

/* ---- workloads ---- */

static void choose(struct settings *s, const struct filchi_programs_work *work, const char *size)
{
	struct filchi_programs_choice *c = &s->programs.choices[s->programs.choice_count];

	if (s->programs.choice_count == FILCHI_PROGRAMS_MAX_WORKS)
		return;
	s->programs.choice_count++;
	c->work = work;
	snprintf(c->size, sizeof(c->size), "%s", size);
}

static bool parse_work(const char *command, const char *value, void *settings)
{
	size_t length = strcspn(value, ":");
	const struct filchi_programs_work *work = filchi_programs_find(value, length);
	bool all = !strcmp(value, "all");
	char shown[FILCHI_SHORT];

	if (work && !strcmp(value + length, ":")) {
		fprintf(stderr, "%s: a size is missing after '%s'\n", command, value);
		return false;
	}
	if ((!work && !all) || strlen(value + length) > FILCHI_PROGRAMS_MAX_SIZES) {
		fprintf(stderr, "%s: there is no workload '%s'; there are: all", command,
			filchi_short(shown, value, strlen(value)));
		for (unsigned i = 0; (work = filchi_programs_work(i)); i++)
			fprintf(stderr, ", %s", work->name);
		fputc('\n', stderr);
		return false;
	}
	for (unsigned i = 0; all && (work = filchi_programs_work(i)); i++)
		choose(settings, work, "");
	if (!all)
		choose(settings, work, value[length] ? value + length + 1 : "");
	return true;
}

/* ---- contenders ---- */

static void add_contender(struct filchi_programs_options *o, const char *program, const char *deque, const char *victim,
			  const char *join)
{
	struct filchi_programs_contender *c = &o->contenders[o->contender_count];

	if (o->contender_count == FILCHI_PROGRAMS_MAX_CONTENDERS)
		return;
	o->contender_count++;
	*c = (struct filchi_programs_contender){program, deque, victim, join, "", false};
	snprintf(c->name, sizeof(c->name), "%s%s%s%s%s%s%s", program, deque ? "-" : "", deque ? deque : "",
		 victim ? "-" : "", victim ? victim : "", join ? "-" : "", join ? join : "");
}

/* The one of that number, or NULL if nothing was asked for. */
static const char *name_or_none(const struct filchi_names *list, size_t i)
{
	return list->count ? list->names[i] : NULL;
}

/* All combinations of what was asked for. */
static void add_filch(struct settings *s)
{
	for (size_t d = 0; d < (s->deques.count ? s->deques.count : 1); d++)
		for (size_t v = 0; v < (s->victims.count ? s->victims.count : 1); v++)
			for (size_t j = 0; j < (s->joins.count ? s->joins.count : 1); j++)
				add_contender(&s->programs, "filch", s->deques.count ? s->deques.names[d] : NULL,
					      name_or_none(&s->victims, v), name_or_none(&s->joins, j));
}

/* They are installed beside the folder of this program, and built so, too. */
static bool find_folder(const char *command, struct filchi_programs_options *o)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (*o->folder)
		return true;
	path[length > 0 ? length : 0] = '\0';
	for (int i = 0; i < 2 && (slash = strrchr(path, '/')); i++)
		*slash = '\0';
	if (length <= 0 || strlen(path) + sizeof(FILCHI_LIBEXEC) + 64 > sizeof(o->folder)) {
		fprintf(stderr, "%s: cannot find the programs of the contenders; --programs says where they are\n",
			command);
		return false;
	}
	snprintf(o->folder, sizeof(o->folder), "%.*s/%s", (int)(sizeof(o->folder) - sizeof(FILCHI_LIBEXEC) - 1), path,
		 FILCHI_LIBEXEC);
	return true;
}

static bool some_there(const char *command, const struct filchi_programs_options *o)
{
	for (size_t i = 0; i < o->contender_count; i++)
		if (filchi_programs_there(o, o->contenders[i].program))
			return true;
	fprintf(stderr, "%s: none of the programs that are asked for is in %s\n", command, o->folder);
	return false;
}

/* Before anything is run: nobody wants to wait for that. */
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
		fprintf(stderr, "%s: --quick or --full, and that once\n", command);
		return false;
	}
	if (!s->programs.choice_count) {
		fprintf(stderr, "%s: no workload is named\n", command);
		return false;
	}
	if (!s->programs.workers_count && !parse_workers(command, DEFAULT_WORKERS, s))
		return false;
	if (!s->contenders.count && !parse_contenders(command, "all", s))
		return false;
	for (size_t i = 0; i < s->contenders.count; i++) {
		if (!strcmp(s->contenders.names[i], "filch"))
			add_filch(s);
		else
			add_contender(&s->programs, s->contenders.names[i], NULL, NULL, NULL);
	}
	return find_folder(command, &s->programs) && some_there(command, &s->programs) &&
	       all_fit(command, &s->programs);
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	const struct settings *s = settings;

	return filchi_programs_init(suite, options, &s->programs);
}

static const struct filchi_bench_flag flags[] = {
	{"contenders", parse_contenders},
	{"workers", parse_workers},
	{"deque", parse_deque},
	{"victim", parse_victim},
	{"join", parse_join},
	{"programs", parse_programs},
	{"least", parse_least},
	{0},
};

static const struct filchi_bench_flag switches[] = {
	{"full", parse_full}, {"no-copies", parse_no_copies}, {"profile", parse_profile}, {0}};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench all --help",
		.flags = flags,
		.switches = switches,
		.argument = parse_work,
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

bool filchi_bench_is_work(const char *word)
{
	return !strcmp(word, "all") || filchi_programs_find(word, strcspn(word, ":"));
}

const char *filchi_bench_work_name(unsigned n)
{
	const struct filchi_programs_work *work = filchi_programs_work(n);

	return work ? work->name : NULL;
}

const struct filchi_command filchi_cmd_bench_work = {
	.name = "bench WORKLOAD",
	.summary = "compare programs with filch and with other runtimes",
	.help = help,
	.run = run,
};
