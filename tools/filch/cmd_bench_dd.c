/* SPDX-License-Identifier: Apache-2.0 */
/* filch bench dd: measures the solver on decision diagrams. */
#define _GNU_SOURCE

#include "../../bench/micro/dd/dd.h"
#include "bench_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORKERS 1024
#define DEFAULT_WORKERS "1,2"

static const char help[] =
	"usage: filch bench dd [OPTION]...\n"
	"\n"
	"Measure the solver on decision diagrams and print tables: the time to proof of random instances of each "
	"problem,\n"
	"with one and more workers beside as many programs at once, and the nodes that one worker compiles per "
	"second.\n"
	"This takes about 4 minutes, with --quick 30 s.\n"
	"\n"
	"  --cases LIST       measure these instances or problems, separated by commas, such as misp/200,sop; or all\n"
	"                     (the default)\n"
	"  --instances DIR    measure the instances in DIR as well. DIR/optima.csv names them and their optima, one "
	"line\n"
	"                     each: misp/keller4.clq,11 (default: the environment variable FILCH_INSTANCES)\n"
	"  --workers LIST     measure with these numbers of workers, 1 to 1024 (default " DEFAULT_WORKERS ")\n"
	"  --limit S          end a run after S seconds, without proof, 0.01 to 3600 (default 60, quick 20)\n"
	"  --no-nodes         count no nodes per second\n" FILCHI_HELP_QUICK
	"  --runs N           take N samples of each measurement, 1 to 10000 (default 5, quick 3)\n" FILCHI_HELP_JSON
	"  --programs FOLDER  find the program bench-dd in FOLDER\n" FILCHI_HELP_COMMON FILCHI_HELP_EXIT
	"  1  an answer was wrong, or a program could not be measured, or the results not "
	"written\n" FILCHI_HELP_EXIT_USAGE;

struct settings {
	struct filchi_dd_options dd;
	struct filchi_counts workers;
	const char *cases, *instances, *folder; /* folder: of the program; NULL: beside this one */
};

static void add_generated(struct filchi_dd_options *o, bool quick)
{
	const struct filchi_dd_case *c;

	for (unsigned n = 0; (c = filchi_dd_case(n)); n++) {
		struct filchi_dd_instance *i = &o->instances[o->instance_count];

		if (quick && !c->quick)
			continue;
		snprintf(i->name, sizeof(i->name), "%s", c->name);
		snprintf(i->source, sizeof(i->source), "%s", c->name);
		i->optimum = NAN; /* the program knows it */
		o->instance_count++;
	}
}

/* True if the text is the name of the instance, or its problem. */
static bool is_named(const struct filchi_dd_instance *i, const char *text, size_t length)
{
	return !strncmp(i->name, text, length) && (!i->name[length] || i->name[length] == '/');
}

static const struct filchi_dd_options *known; /* for messages */

static const char *instance_name(unsigned n)
{
	return n < known->instance_count ? known->instances[n].name : NULL;
}

/* Keeps the instances that the list names. Each name must stand for one at least. */
static bool select_cases(const char *command, struct filchi_dd_options *o, const char *list)
{
	bool keep[FILCHI_DD_MAX_INSTANCES] = {false};
	size_t count = 0;

	for (;;) {
		size_t length = strcspn(list, ",");
		bool found = false, all = length == 3 && !memcmp(list, "all", 3);

		for (size_t i = 0; i < o->instance_count; i++)
			if (all || (length && is_named(&o->instances[i], list, length)))
				keep[i] = found = true;
		known = o;
		if (!found)
			return filchi_names_unknown(command, "--cases: ", "instance", list, length, "all",
						    instance_name);
		if (!list[length])
			break;
		list += length + 1;
	}
	for (size_t i = 0; i < o->instance_count; i++)
		if (keep[i])
			o->instances[count++] = o->instances[i];
	o->instance_count = count;
	return true;
}

static bool add_folder(const char *command, struct settings *s)
{
	const char *folder = s->instances ? s->instances : getenv("FILCH_INSTANCES");
	int err = folder && *folder ? filchi_dd_add_folder(&s->dd, folder) : 0;

	if (err)
		fprintf(stderr, "%s: cannot read %s/optima.csv: %s\n", command, folder, strerror(-err));
	return !err;
}

static bool complete(const char *command, bool quick, void *settings)
{
	struct settings *s = settings;

	s->dd.instances = calloc(FILCHI_DD_MAX_INSTANCES, sizeof(*s->dd.instances));
	if (!s->dd.instances) {
		fprintf(stderr, "%s: no memory\n", command);
		return false;
	}
	if (!(s->dd.limit > 0))
		s->dd.limit = quick ? 20 : 60;
	s->dd.seconds = quick ? 0.2 : 0.5;
	add_generated(&s->dd, quick && !s->cases);
	if (!add_folder(command, s) || (s->cases && !select_cases(command, &s->dd, s->cases)))
		return false;
	if (!s->workers.count && !filchi_counts_parse(&s->workers, command, "", DEFAULT_WORKERS, 1, MAX_WORKERS))
		return false;
	s->dd.workers_count = s->workers.count;
	memcpy(s->dd.workers, s->workers.values, sizeof(s->workers.values));
	if (!filchi_bench_find_programs(command, s->folder, s->dd.folder, sizeof(s->dd.folder)))
		return false;
	if (!filchi_dd_there(&s->dd)) {
		fprintf(stderr, "%s: the program bench-dd is not in %s\n", command, s->dd.folder);
		return false;
	}
	return true;
}

static int init(struct filchi_bench_suite *suite, const struct filchi_bench_options *options, const void *settings)
{
	return filchi_dd_bench_init(suite, options, &((const struct settings *)settings)->dd);
}

#define FIELD(name) offsetof(struct settings, name)
static const struct filchi_option options[] = {
	FILCHI_TEXT("cases", cases),
	FILCHI_FOLDER("instances", instances),
	FILCHI_COUNTS("workers", workers, 1, MAX_WORKERS),
	FILCHI_REAL("limit", dd.limit, 0.01, 3600),
	FILCHI_SWITCH("no-nodes", dd.no_nodes),
	FILCHI_FOLDER("programs", folder),
	{0},
};

_Static_assert(FILCHI_COUNTS_MAX == FILCHI_DD_MAX_WORKERS, "a list of numbers of workers fits");

static int run(int argc, char **argv)
{
	static const struct filchi_bench_command command = {
		.help = help,
		.help_usage = "filch bench dd --help",
		.options = options,
		.complete = complete,
		.runs = 5,
		.quick_runs = 3,
		.seconds = NAN,
		.quick_seconds = NAN,
		.init = init,
	};
	struct settings s = {0};
	int code = filchi_bench_main(&command, argc, argv, &s);

	free(s.dd.instances);
	return code;
}

const struct filchi_command filchi_cmd_bench_dd = {
	.name = "bench dd",
	.summary = "measure the solver on decision diagrams",
	.help = help,
	.run = run,
};
