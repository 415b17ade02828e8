/* SPDX-License-Identifier: Apache-2.0 */
#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
	unsigned ran, failed, capped;
	uint64_t executions;
	double seconds;
};

enum { WALKS = 3000, WALKS_DEEP = 200000, WALKS_MUTANT = 1000 };

static struct chk_result run(const struct check_program *p, const struct check_scenario *s, struct chk_config config,
			     uint64_t walks)
{
	config.name = s->name;
	if (!config.max_events)
		config.max_events = p->max_events;
	if (s->walks && config.mode == CHK_DPOR && !config.replay) {
		config.mode = CHK_RANDOM;
		if (!config.max_executions)
			config.max_executions = walks;
	}
	return chk_run(&config, s->play, (void *)(uintptr_t)s->arg);
}

static void report(const struct check_scenario *s, const struct chk_result *r, struct totals *t)
{
	t->ran++;
	t->executions += s->walks ? 0 : r->executions;
	t->seconds += r->seconds;
	t->capped += r->capped && !s->walks;
	printf("%-24s %9llu executions %9llu blocked %7.2f s  %s%s%s\n", s->name, (unsigned long long)r->executions,
	       (unsigned long long)r->blocked, r->seconds, chk_verdict_name(r->verdict), s->walks ? ", walks" : "",
	       r->capped && !s->walks ? ", capped" : "");
	if (r->verdict != CHK_OK) {
		t->failed++;
		printf("%s\nreplay: --scenario '%s' --replay %s\n", r->trace ? r->trace : r->message, s->name,
		       r->token ? r->token : "");
	}
	fflush(stdout);
}

static int run_all(const struct check_program *p, const char *only, struct chk_config config)
{
	bool deep = getenv("FILCH_DEEP") != NULL;
	struct totals t = {0};

	for (unsigned i = 0; i < p->count && !t.failed; i++) {
		const struct check_scenario *s = &p->scenarios[i];
		struct chk_result r;

		if (only ? strcmp(only, s->name) != 0 : s->deep && !deep)
			continue;
		r = run(p, s, config, deep ? WALKS_DEEP : WALKS);
		report(s, &r, &t);
		chk_result_clear(&r);
	}
	if (!t.ran) {
		fprintf(stderr, "no such scenario: %s\n", only);
		return 2;
	}
	printf("%s: %u scenarios: %llu executions, %.2f s, %u capped, %u failed\n", p->mutants.name, t.ran,
	       (unsigned long long)t.executions, t.seconds, t.capped, t.failed);
	return t.failed || t.capped;
}

/* All up to the first that fails. One that is stopped by its limit of time has not passed. */
static bool passes(void *context, struct mutants_kill *kill)
{
	const struct check_program *p = context;
	struct chk_config config = {.max_seconds = 60};

	for (unsigned i = 0; i < p->count; i++) {
		const struct check_scenario *s = &p->scenarios[i];
		struct chk_result r;

		if (s->deep)
			continue;
		r = run(p, s, config, WALKS_MUTANT);
		kill->verdict = r.verdict == CHK_OK && r.capped && !s->walks ? CHK_MISUSE : r.verdict;
		chk_result_clear(&r);
		snprintf(kill->by, sizeof(kill->by), "%s", s->name);
		if (kill->verdict != CHK_OK)
			return false;
	}
	return true;
}

int check_main(const struct check_program *program, int argc, char **argv)
{
	struct check_program p = *program;
	struct chk_config config = {0};
	const char *only = NULL, *expect = NULL;
	bool mutate = false;
	int i = 1;

	p.mutants.passes = passes;
	p.mutants.context = &p;
	while (i < argc) {
		int used = chk_config_parse(&config, argc - i, argv + i);

		if (used < 0)
			return 2;
		i += used;
		if (i < argc && !strcmp(argv[i], "--mutants")) {
			mutate = true;
			i++;
		} else if (i + 1 < argc && (!strcmp(argv[i], "--scenario") || !strcmp(argv[i], "--expect"))) {
			*(argv[i][2] == 's' ? &only : &expect) = argv[i + 1];
			i += 2;
		} else if (i < argc) {
			fprintf(stderr, "usage: %s [--scenario NAME] [--mutants [--expect FILE]] [checker options]\n",
				argv[0]);
			return 2;
		}
	}
	return mutate ? mutants_run(&p.mutants, expect) : run_all(&p, only, config);
}
