/* SPDX-License-Identifier: Apache-2.0 */
#include "bulk_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * One owner and one to three thieves over: the last node, more thieves than chunks, batches in one and in several
 * chunks, emptied and filled again, a ring that is full, indices that wrap, what a late thief might take twice.
 */
static const struct bulk_scenario common[] = {
	{"smoke", 4, 0, "", "32--", {"h"}, false},
	{"last_node", 4, 0, "h1", "-", {"h"}, false},
	{"last_node_2", 4, 0, "h1", "-", {"h", "a"}, false},
	{"two_left", 4, 0, "h11", "--", {"hh"}, false},
	{"two_left_2", 4, 0, "h2", "--", {"h", "h"}, false},
	{"stampede", 4, 0, "h3", "-", {"h", "h", "h"}, false},
	{"empty_again", 4, 0, "h1", "-1-", {"h"}, false},
	{"empty_again_2", 4, 0, "h2", "--1-", {"h", "h"}, false},
	{"publish", 4, 0, "", "2", {"a"}, false},
	{"publish_2", 4, 0, "", "21", {"a", "h"}, false},
	{"on_request", 4, 0, "u", "-p-", {"hh"}, false},
	{"batches", 4, 0, "h42", "-3-", {"h"}, false},
	{"proportions", 4, 0, "h5", "-", {"t", "a"}, false},
	{"full_ring", 2, 0, "h11", "11--", {"h"}, false},
	{"full_ring_2", 4, 0, "h3", "4-", {"a", "h"}, false},
	{"ring", 2, 1, "h11", "1-1", {"aa"}, false},
	{"wraparound", 4, UINT64_MAX, "", "31-", {"hh"}, false},
	{"wraparound_full", 2, UINT64_MAX - 1, "2h", "21-", {"h"}, false},
	{"given_back", 4, 0, "h4", "r-", {"h"}, false},
	{"late_thief", 4, 0, "h11", "--11", {"a"}, false},
	{"late_thief_2", 4, 0, "h111", "--11-", {"a", "t"}, false},
	{"no_loss_no_double", 4, 0, "h1", "1-2-", {"ha"}, false},
	{"no_loss_no_double_2", 4, 0, "h3", "-2-", {"ha", "th"}, false},
	{"deep", 4, 0, "h3", "-2-1-", {"ha", "th"}, true},
	{NULL, 0, 0, NULL, NULL, {NULL}, false},
};

static const char *const befores[] = {"", "h1", "2", "h2", "a3", "h11", "3a"};
static const struct {
	size_t chunks;
	uint64_t first;
} rings[] = {{4, 0}, {2, 1}, {4, UINT64_MAX}};
static const char *const thieves[][3] = {
	{"h"}, {"a"}, {"ha"}, {"h", "a"}, /* and in a deep run: */ {"hth"}, {"ha", "t"}, {"h", "h", "a"},
};

void bulk_scenario_print(char *out, size_t size, const struct bulk_scenario *s)
{
	snprintf(out, size, "%s/%s/%s%s%s%s%s@%zu,%lld", s->before, s->owner, s->thief[0], s->thief[1] ? "," : "",
		 s->thief[1] ? s->thief[1] : "", s->thief[2] ? "," : "", s->thief[2] ? s->thief[2] : "", s->chunks,
		 (long long)s->first);
}

/* Each script of that length, as the digits of a number. */
static void owner_script(char *out, unsigned length, unsigned digits)
{
	for (unsigned i = 0; i < length; i++, digits /= 3)
		out[i] = "-13"[digits % 3];
	out[length] = 0;
}

typedef bool scenario_call(const struct bulk_check *check, const struct bulk_scenario *scenario, void *context);

static bool each_systematic(const struct bulk_check *check, scenario_call *call, void *context, bool deep)
{
	unsigned longest = deep ? 4 : 3, sets = deep ? 7 : 4, scripts = 1;
	char owner[8];
	struct bulk_scenario s = {.owner = owner};

	for (unsigned length = 1; length <= longest; length++) {
		scripts *= 3;
		for (unsigned digits = 0; digits < scripts; digits++) {
			owner_script(owner, length, digits);
			for (unsigned i = 0; i < sizeof(befores) / sizeof(befores[0]) * 3 * sets; i++) {
				s.before = befores[i / 3 / sets];
				s.chunks = rings[i / sets % 3].chunks;
				s.first = rings[i / sets % 3].first;
				for (unsigned t = 0; t < 3; t++)
					s.thief[t] = thieves[i % sets][t];
				if (!call(check, &s, context))
					return false;
			}
		}
	}
	return true;
}

/*
 * Calls for each scenario: the common ones, the kind's own, then systematically every owner's script up to some length
 * with every small set of thieves. Stops when a call answers false, and answers false then.
 */
static bool each(const struct bulk_check *check, scenario_call *call, void *context)
{
	const struct bulk_scenario *lists[] = {common, check->own};
	bool deep = getenv("FILCH_DEEP") != NULL;

	for (unsigned i = 0; i < 2; i++)
		for (const struct bulk_scenario *s = lists[i]; s && s->name; s++)
			if ((deep || !s->deep) && !call(check, s, context))
				return false;
	return each_systematic(check, call, context, deep);
}

/* ---- running them ---- */

struct totals {
	struct chk_config config;
	const char *only;
	unsigned ran, failed, systematic;
	uint64_t executions, histories;
	double seconds;
};

static bool run_one(const struct bulk_check *check, const struct bulk_scenario *s, void *context)
{
	struct totals *t = context;
	char text[64];
	struct chk_result r;

	bulk_scenario_print(text, sizeof(text), s);
	if (t->only && strcmp(t->only, text) && (!s->name || strcmp(t->only, s->name)))
		return true;
	r = bulk_check_run(check->kind, s, t->config);
	t->ran++;
	t->systematic += !s->name;
	t->executions += r.executions;
	t->histories += r.histories;
	t->seconds += r.seconds;
	if (s->name || t->only)
		printf("%-10s %-22s %9llu executions %7llu blocked %6llu histories %7.2f s  %s%s\n", check->kind,
		       s->name ? s->name : text, (unsigned long long)r.executions, (unsigned long long)r.blocked,
		       (unsigned long long)r.histories, r.seconds, chk_verdict_name(r.verdict),
		       r.capped ? ", capped" : "");
	if (r.verdict != CHK_OK) {
		t->failed++;
		printf("%s\nreplay: --scenario '%s' --replay %s\n", r.trace ? r.trace : r.message, text,
		       r.token ? r.token : "");
	}
	fflush(stdout);
	chk_result_clear(&r);
	return t->failed < 3;
}

/* Too large to exhaust: seeded random walks through it. */
static void run_walks(const struct bulk_check *check, struct totals *t)
{
	static const struct bulk_scenario large = {
		.name = "random_walks",
		.chunks = 4,
		.before = "h2",
		.owner = "3--2-1--4--",
		.thief = {"hah", "ttt", "ha"},
	};

	if (t->config.mode == CHK_DPOR) {
		t->config.mode = CHK_RANDOM;
		t->config.max_executions = getenv("FILCH_DEEP") ? 1000000 : 20000;
	}
	run_one(check, &large, t);
}

static int run_all(const struct bulk_check *check, struct totals *t)
{
	if (each(check, run_one, t))
		run_walks(check, t);
	if (!t->ran) {
		fprintf(stderr, "no such scenario: %s\n", t->only);
		return 2;
	}
	printf("%-10s %u scenarios, %u of them systematic: %llu executions, %llu histories, %.2f s, %u failed\n",
	       check->kind, t->ran, t->systematic, (unsigned long long)t->executions, (unsigned long long)t->histories,
	       t->seconds, t->failed);
	return t->failed != 0;
}

/* ---- mutants of them ---- */

static bool try_scenario(const struct bulk_check *check, const struct bulk_scenario *s, void *context)
{
	struct mutants_kill *kill = context;
	struct chk_config config = {.max_seconds = 60};
	struct chk_result r = bulk_check_run(check->kind, s, config);

	kill->verdict = r.verdict;
	chk_result_clear(&r);
	if (kill->verdict == CHK_OK)
		return true;
	if (s->name)
		snprintf(kill->by, sizeof(kill->by), "%s", s->name);
	else
		bulk_scenario_print(kill->by, sizeof(kill->by), s);
	return false;
}

static bool passes(void *context, struct mutants_kill *kill)
{
	return each(context, try_scenario, kill);
}

static int run_mutants(const struct bulk_check *check, const char *expect)
{
	struct bulk_check copy = *check; /* a context is not const */
	char file[64], prefix[64];
	struct mutants m = {.name = check->kind, .file = file, .prefix = prefix, .kept = check->kept, .passes = passes};

	m.context = &copy;
	snprintf(file, sizeof(file), "/%s.h", check->kind);
	snprintf(prefix, sizeof(prefix), "filchi_%s_", check->kind);
	return mutants_run(&m, expect);
}

int bulk_check_main(const struct bulk_check *check, int argc, char **argv)
{
	struct totals totals = {0};
	const char *expect = NULL;
	bool mutants = false;
	int i = 1;

	while (i < argc) {
		int used = chk_config_parse(&totals.config, argc - i, argv + i);

		if (used < 0)
			return 2;
		i += used;
		if (i < argc && !strcmp(argv[i], "--mutants")) {
			mutants = true;
			i++;
		} else if (i + 1 < argc && (!strcmp(argv[i], "--scenario") || !strcmp(argv[i], "--expect"))) {
			*(argv[i][2] == 's' ? &totals.only : &expect) = argv[i + 1];
			i += 2;
		} else if (i < argc) {
			fprintf(stderr, "usage: %s [--scenario NAME] [--mutants [--expect FILE]] [checker options]\n",
				argv[0]);
			return 2;
		}
	}
	return mutants ? run_mutants(check, expect) : run_all(check, &totals);
}
