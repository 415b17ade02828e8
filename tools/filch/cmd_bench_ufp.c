/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench ufp: compares filch solve ufp with MIP solvers, and its own ways with each other. */
#define _GNU_SOURCE

#include "../../bench/micro/ufp/ufp.h"
#include "bench_main.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define USUAL "filch-1,filch-2,no-share,master,glpsol,cbc"

static const char help[] =
	"usage: filch bench ufp [OPTION]... [FILE]...\n"
	"\n"
	"Solve instances of unsplittable flow with filch and with MIP solvers, and print tables. Without FILE the "
	"instances\n"
	"are generated. cbc and glpsol are compared if they are installed (coinor-cbc, glpk-utils). This takes about "
	"five\n"
	"minutes, with --quick one.\n"
	"\n"
	"  --cases LIST       generate these: one-28, one-36 (one scenario), fifty-14, fifty-16, hundred-16, many-12 "
	"(200);\n"
	"                     all (the default)\n"
	"  --ways LIST        compare these: filch-1, filch-2 (workers), no-share (of cuts), master, cutset, "
	"weak-cuts,\n"
	"                     glpsol, cbc; all (default: all but cutset and weak-cuts)\n"
	"  --limit SECONDS    end a run after SECONDS (default 60)\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 5, quick 1)\n" FILCHI_HELP_JSON
		FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  an optimum was wrong, or a program could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_ufp_bench_options ufp;
	struct filchi_names cases, ways;
};

static bool parse_file(const char *command, const char *value, void *settings)
{
	struct settings *s = settings;

	if (access(value, R_OK)) {
		fprintf(stderr, "%s: cannot read %s\n", command, value);
		return false;
	}
	if (s->ufp.case_count < FILCHI_UFP_BENCH_CASES)
		s->ufp.cases[s->ufp.case_count++] = value;
	return true;
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;
	ssize_t size = readlink("/proc/self/exe", s->ufp.program, sizeof(s->ufp.program) - 1);

	(void)quick;
	if (size <= 0) {
		fprintf(stderr, "%s: cannot find this program: /proc/self/exe cannot be read\n", command);
		return false;
	}
	if (!s->cases.count && !s->ufp.case_count &&
	    !filchi_names_add(&s->cases, command, "", "", "all", filchi_ufp_bench_case))
		return false;
	if (!s->ways.count && !filchi_names_add(&s->ways, command, "", "", USUAL, filchi_ufp_bench_way))
		return false;
	for (size_t i = 0; i < s->cases.count && s->ufp.case_count < FILCHI_UFP_BENCH_CASES; i++)
		s->ufp.cases[s->ufp.case_count++] = s->cases.names[i];
	for (size_t i = 0; i < s->ways.count && i < FILCHI_UFP_BENCH_WAYS; i++) {
		if (filchi_ufp_bench_there(s->ways.names[i]))
			s->ufp.ways[s->ufp.way_count++] = s->ways.names[i];
		else
			fprintf(stderr, "%s: %s is not installed, and left out\n", command, s->ways.names[i]);
	}
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_ufp_bench_init(suite, options, &((const struct settings *)settings)->ufp);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_NAMES("cases", cases, "case", filchi_ufp_bench_case),
	FILCHI_NAMES("ways", ways, "way", filchi_ufp_bench_way),
	FILCHI_REAL("limit", ufp.limit, 0.001, 1e6),
	{0},
};

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench ufp --help",
		.options = options,
		.word = parse_file,
		.complete = complete,
		.runs = 5,
		.quick_runs = 1,
		.seconds = NAN,
		.quick_seconds = NAN,
		.init = init,
	};
	struct settings s = {.ufp.limit = 60};

	return filchi_bench_main(&command, argc, argv, &s);
}

const struct filchi_command filchi_cmd_bench_ufp = {
	.name = "bench ufp",
	.summary = "compare filch solve ufp with MIP solvers",
	.help = help,
	.run = run,
};
