/* SPDX-License-Identifier: Apache-2.0 */
/* Saves change nothing: not the nodes that a deterministic search explores, and not the error that ended a run. */
#include "../fixtures/search/knapsack.h"

#include <sys/stat.h>
#include <unistd.h>

static char path[256];

/* ---- rounds ---- */

struct counts {
	struct filch_search_result result;
	uint64_t discarded, values;
};

enum { ROUND = 16, SOFT = 60 };

/* After some rounds, at other moments for each kind. */
static unsigned every, rounds;

static void ask(struct filch_search *s, void *arg)
{
	(void)arg;
	if (every && ++rounds % every == 0)
		TEST_CHECK(filch_search_checkpoint(s) == 0);
}

static struct counts rounds_of(struct filch_search_options o, uint64_t seed)
{
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct counts c = {.result = {.struct_size = sizeof(c.result)}};
	struct filch_search_problem p;
	struct filch_search *s;
	struct knapsack k;

	knapsack_init(&k, 26, seed);
	p = knapsack_problem(&k);
	p.between = ask;
	o.struct_size = sizeof(o);
	o.checkpoint = path;
	rounds = 0;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
	TEST_CHECK(filch_search_run(s, &c.result) == 0);
	TEST_CHECK(filch_search_stats(s, -1, &stats) == 0);
	TEST_CHECK(stats.explored == c.result.explored && stats.pruned == c.result.pruned);
	c.discarded = stats.discarded;
	c.values = k.order;
	filch_search_destroy(s);
	TEST_CHECK(k.live == 0 && k.solutions == 0);
	return c;
}

static void same(const struct counts *a, const struct counts *b)
{
	const struct filch_search_result *x = &a->result, *y = &b->result;

	TEST_CHECK(x->end == y->end && x->explored == y->explored && x->pruned == y->pruned && x->open == y->open);
	TEST_CHECK(x->has_best == y->has_best && x->best.i == y->best.i && x->bound.i == y->bound.i);
	TEST_CHECK(a->discarded == b->discarded && a->values == b->values);
}

/* With checkpoints and without, for any number of workers. */
static void same_with_saves(struct filch_search_options o)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct counts first, other;

		every = 0;
		o.workers = 1;
		first = rounds_of(o, seed);
		for (every = 1; every <= 7; every += 3)
			for (o.workers = 1; o.workers <= 3; o.workers++) {
				other = rounds_of(o, seed);
				TEST_CHECK(rounds >= 3); /* there were some */
				same(&first, &other);
			}
	}
}

static void rounds_and_saves(void)
{
	static const char *const orders[] = {"depth", "best", "mixture"};

	for (int i = 0; i < 3; i++) {
		struct filch_search_options o = {.order = orders[i], .round = ROUND, .soft_memory = (size_t)SOFT * 64};

		same_with_saves(o);
		o.node_limit = 300;
		same_with_saves(o);
		o.memory_limit = (size_t)SOFT * 64 * 2;
		same_with_saves(o);
		o.gap_limit = 0.001;
		same_with_saves(o);
	}
}

/* ---- errors ---- */

/* Meanwhile the checkpoint cannot take its name any more. */
static int fail(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	TEST_CHECK(mkdir(path, 0700) == 0);
	(void)w;
	(void)node;
	(void)children;
	(void)arg;
	return -EDOM;
}

/* The error of explore came first. */
static void first_error(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .checkpoint = path};
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search_problem p;
	struct filch_search *s;
	struct knapsack k;

	unlink(path);
	knapsack_init(&k, 10, 1);
	p = knapsack_problem(&k);
	p.explore = fail;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
	TEST_CHECK(filch_search_run(s, &r) == 0);
	TEST_CHECK(r.end == FILCH_SEARCH_ERROR && r.error == -EDOM && r.open == 1);
	filch_search_destroy(s);
	TEST_CHECK(k.live == 0 && rmdir(path) == 0);
}

/* A checkpoint that cannot be written is an error before the first node. No file is left of the try. */
static void no_place(const char *place, int error)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .checkpoint = place};
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct filch_search_problem p;
	struct filch_search *s;
	struct knapsack k;

	knapsack_init(&k, 10, 1);
	p = knapsack_problem(&k);
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
	for (int i = 0; i < 2; i++) { /* the search is not busy after it */
		TEST_CHECK(filch_search_run(s, &r) == error && strstr(filch_error_message(), place));
		TEST_CHECK(filch_search_stats(s, -1, &stats) == 0 && stats.explored == 0);
		TEST_CHECK(filch_search_open(s) == 1);
	}
	filch_search_destroy(s);
	TEST_CHECK(k.live == 0);
}

static void nowhere(void)
{
	static char below[sizeof(path) + 8], spare[sizeof(path) + 8];

	snprintf(below, sizeof(below), "%s/none", path);
	snprintf(spare, sizeof(spare), "%s.tmp", path);
	unlink(path);
	no_place(below, -ENOENT);
	TEST_CHECK(mkdir(path, 0700) == 0);
	no_place(path, -EISDIR);
	TEST_CHECK(access(spare, F_OK) != 0);
	TEST_CHECK(rmdir(path) == 0 && mkdir(spare, 0700) == 0);
	no_place(path, -EISDIR);
	TEST_CHECK(rmdir(spare) == 0 && access(path, F_OK) != 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"rounds_and_saves", rounds_and_saves},
		{"first_error", first_error},
		{"nowhere", nowhere},
	};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 3};
	const char *dir = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/filch-search-saves.%ld", dir ? dir : "/tmp", (long)getpid());
	TEST_CHECK(filch_start(&po) == 0);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	filch_stop();
	unlink(path);
	return TEST_PASS;
}
