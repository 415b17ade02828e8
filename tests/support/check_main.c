/* SPDX-License-Identifier: Apache-2.0 */
#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WALKS = 3000, WALKS_DEEP = 200000, WALKS_MUTANT = 1000 };

/* ---- running them ---- */

struct totals {
	const struct check_program *program;
	struct chk_config config;
	const char *only;
	bool deep;
	unsigned ran, systematic, walked, failed, capped;
	uint64_t executions, histories; /* of what was explored in full */
	double seconds;
};

static bool each(const struct check_program *p, bool deep, check_call *call, void *context)
{
	for (unsigned i = 0; i < p->count; i++)
		if (!call(&p->scenarios[i], context))
			return false;
	return !p->each || p->each(p->of, deep, call, context);
}

static struct chk_result run(const struct check_program *p, const struct check_scenario *s, struct chk_config config,
			     uint64_t walks)
{
	config.name = s->name;
	config.spec = p->spec;
	config.fail_alloc = s->fail_alloc;
	if (!config.max_events)
		config.max_events = p->max_events;
	if (s->walks && !p->full && config.mode == CHK_DPOR && !config.replay) {
		config.mode = CHK_RANDOM;
		if (!config.seed)
			config.seed = s->seed;
		if (!config.max_executions)
			config.max_executions = walks;
	}
	return chk_run(&config, s->play, (void *)(uintptr_t)s->arg);
}

static bool is_called(const struct check_scenario *s, const char *name)
{
	return !strcmp(name, s->name) || (s->script && !strcmp(name, s->script));
}

static void report(const struct check_scenario *s, const struct chk_result *r, struct totals *t)
{
	bool failed = r->verdict != CHK_OK;

	if (!s->systematic || failed || t->only) {
		printf("%-24s %9llu executions %9llu blocked ", s->name, (unsigned long long)r->executions,
		       (unsigned long long)r->blocked);
		if (t->program->spec)
			printf("%7llu histories ", (unsigned long long)r->histories);
		printf("%7.2f s  %s%s%s\n", r->seconds, chk_verdict_name(r->verdict),
		       t->program->full ? ""
		       : s->walks	? ", walks"
					: "",
		       r->capped && (!s->walks || t->program->full) ? ", capped" : "");
	}
	if (failed)
		printf("%s\nreplay: --scenario '%s' --replay %s\n", r->trace ? r->trace : r->message, s->name,
		       r->token ? r->token : "");
	fflush(stdout);
}

static bool run_one(const struct check_scenario *s, void *context)
{
	struct totals *t = context;
	const struct check_program *p = t->program;
	uint64_t walks = t->deep ? p->walks_deep ? p->walks_deep : WALKS_DEEP : p->walks ? p->walks : WALKS;
	struct chk_result r;

	if (t->only ? !is_called(s, t->only) : s->deep && !t->deep)
		return true;
	r = run(p, s, t->config, walks);
	t->failed += r.verdict != CHK_OK;
	t->seconds += r.seconds;
	if (s->walks && !p->full) {
		t->walked++;
	} else {
		t->ran++;
		t->systematic += s->systematic;
		t->executions += r.executions;
		t->histories += r.histories;
		t->capped += r.capped;
	}
	report(s, &r, t);
	chk_result_clear(&r);
	return !t->failed;
}

static bool name_one(const struct check_scenario *s, void *unused)
{
	(void)unused;
	if (!s->systematic)
		fprintf(stderr, " %s", s->name);
	return true;
}

static int no_scenario(const struct totals *t)
{
	fprintf(stderr, "no such scenario: %s; there are:", t->only);
	each(t->program, t->deep, name_one, NULL);
	fprintf(stderr, "%s\n", t->program->each ? ", and those that are made up (with FILCH_DEEP=1 more)" : "");
	return 2;
}

static int run_all(struct totals *t)
{
	const struct check_program *p = t->program;
	const char *fault = NULL;

	each(p, t->deep, run_one, t);
	if (!t->ran && !t->walked)
		return no_scenario(t);
	printf("%s: %u scenarios, %u of them systematic: %llu executions, ", p->mutants.name, t->ran, t->systematic,
	       (unsigned long long)t->executions);
	if (p->spec)
		printf("%llu histories, ", (unsigned long long)t->histories);
	printf("%.2f s, %u capped, %u failed; %u more walked through\n", t->seconds, t->capped, t->failed, t->walked);
	if (p->fault && !t->only)
		fault = p->fault();
	if (fault)
		printf("%s: %s\n", p->mutants.name, fault);
	return t->failed || t->capped || fault;
}

/* ---- mutants of them ---- */

struct trial {
	const struct check_program *program;
	struct mutants_kill *kill;
};

/* One that is stopped by its limit of time has not passed. */
static bool try_one(const struct check_scenario *s, void *context)
{
	const struct trial *t = context;
	struct chk_config config = {.max_seconds = 600};
	struct chk_result r;

	if (t->program->only ? !is_called(s, t->program->only) : s->deep)
		return true;
	r = run(t->program, s, config, s->mutant_walks ? s->mutant_walks : WALKS_MUTANT);
	t->kill->verdict = r.verdict == CHK_OK && r.capped && !s->walks ? CHK_MISUSE : r.verdict;
	chk_result_clear(&r);
	snprintf(t->kill->by, sizeof(t->kill->by), "%s", s->name);
	return t->kill->verdict == CHK_OK;
}

/* All up to the first that fails. */
static bool passes(void *context, struct mutants_kill *kill)
{
	struct trial t = {context, kill};

	return each(t.program, false, try_one, &t);
}

/* ---- their ends ---- */

/*
 * --plant: a failure is planted behind the end of each scenario, and each must report it. If one does not, its last
 * assertions are never looked at: each execution of it has ended early.
 */
static const char planted[] = "planted behind the end";

static void play_and_fail(void *scenario)
{
	const struct check_scenario *s = scenario;

	s->play((void *)(uintptr_t)s->arg);
	chk_fail(__FILE__, __LINE__, planted);
}

static bool plant_one(const struct check_scenario *s, void *context)
{
	struct totals *t = context;
	struct check_scenario with = *s;
	struct chk_result r;

	if (t->only ? !is_called(s, t->only) : s->deep && !t->deep)
		return true;
	with.play = play_and_fail;
	with.arg = s;
	r = run(t->program, &with, t->config, WALKS);
	t->ran++;
	if (r.verdict != CHK_ASSERT || !strstr(r.message, planted)) {
		t->failed++;
		printf("%s: its end is never reached: %s\n", s->name,
		       r.verdict == CHK_OK ? "all of its executions end early" : r.message);
	}
	chk_result_clear(&r);
	return true;
}

static int plant_all(struct totals *t)
{
	each(t->program, t->deep, plant_one, t);
	if (!t->ran)
		return no_scenario(t);
	printf("%s: the ends of %u scenarios, %u of them never reached\n", t->program->mutants.name, t->ran, t->failed);
	return t->failed != 0;
}

/* ---- the command line ---- */

static const char help[] =
	"Runs every scenario under the model checker, or only one; or weakens the memory orders of what is checked.\n"
	"\n"
	"  --scenario NAME       only this one\n"
	"  --full                explore in full also what is otherwise walked through\n"
	"  --plant               plant a failure behind the end of each, and demand that it is found\n"
	"  --mutants             weaken each access and print which scenario notices\n"
	"  --edge EDGE           with --mutants: only those of this edge\n"
	"  --expect FILE         with --mutants: fail unless FILE has just this\n"
	"  --help                this text\n"
	"\n"
	"of the checker:\n"
	"  --mode MODE           dpor (each execution once, the default), naive (each interleaving) or random\n"
	"  --seed N              of the random walks\n"
	"  --max-executions N    stop after so many of a scenario\n"
	"  --max-seconds S       stop after so long in a scenario\n"
	"  --max-events N        what one thread may do in an execution (200, or the program's own)\n"
	"  --preemptions N       naive, with at most so many preemptions\n"
	"  --shortest            go on after a failure, and print the shortest found\n"
	"  --replay TOKEN        with --scenario: run the one execution that a failure gave the token of\n"
	"\n"
	"docs/verification.md tells how a scenario is written that has no name. FILCH_DEEP=1 in the environment: more "
	"of\n"
	"them. Exit code 0: all well, 1: not, 2: usage.\n";

static int usage(const char *program, const char *why)
{
	fprintf(stderr,
		"%s: %s\nusage: %s [--scenario NAME] [--full] [--plant | --mutants [--edge EDGE] [--expect FILE]] "
		"[checker options]; see --help\n",
		program, why, program);
	return 2;
}

struct command {
	struct check_program program;
	struct totals totals;
	const char *expect;
	bool mutate, plant, help;
};

/* Reads one option, and its value. Returns the number of arguments used; 0: there is no such option. */
static int parse(struct command *c, int argc, char **argv)
{
	const struct {
		const char *name;
		bool *on;	    /* either this */
		const char **value; /* or this */
	} options[] = {
		{"--mutants", &c->mutate, NULL},	{"--plant", &c->plant, NULL},
		{"--full", &c->program.full, NULL},	{"--help", &c->help, NULL},
		{"--scenario", NULL, &c->program.only}, {"--edge", NULL, &c->program.mutants.only},
		{"--expect", NULL, &c->expect},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(argv[0], options[i].name) != 0)
			continue;
		if (options[i].on) {
			*options[i].on = true;
			return 1;
		}
		if (argc < 2)
			return 0;
		*options[i].value = argv[1];
		return 2;
	}
	return 0;
}

int check_main(const struct check_program *program, int argc, char **argv)
{
	struct command c = {.program = *program};
	struct totals *t = &c.totals;

	c.program.mutants.passes = passes;
	c.program.mutants.context = &c.program;
	t->program = &c.program;
	t->deep = getenv("FILCH_DEEP") != NULL;
	for (int i = 1, used; i < argc; i += used) {
		used = chk_config_parse(&t->config, argc - i, argv + i);
		if (used < 0)
			return 2;
		if (!used)
			used = parse(&c, argc - i, argv + i);
		if (!used)
			return usage(argv[0], "an option that is not known, or lacks its value");
		if (c.help) {
			printf("usage: %s [OPTION]...\n\n%s", argv[0], help);
			return 0;
		}
	}
	t->only = c.program.only;
	/* A token tells choices, not the program they were made in. */
	if (t->config.replay && (!t->only || c.mutate || c.plant))
		return usage(argv[0], "--replay needs --scenario: a token is of one scenario");
	if (c.mutate && c.plant)
		return usage(argv[0], "--plant and --mutants: one of them");
	return c.mutate ? mutants_run(&c.program.mutants, c.expect) : c.plant ? plant_all(t) : run_all(t);
}
