/* SPDX-License-Identifier: Apache-2.0 */
/* No memory, at each allocation of a search in turn: nothing is lost, nothing leaks, and the next run goes on. */
#include "../fixtures/out_of_memory.h"
#include "../fixtures/search/knapsack.h"

#include <unistd.h>

static char path[256];

/* One search, in which the n-th allocation fails. True: that was one too many. */
static int attempt(unsigned n, const struct filch_search_options *opt)
{
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search_problem p;
	struct filch_search *s = NULL;
	struct knapsack k;
	int happened, err;

	knapsack_init(&k, 12, 6);
	k.pause_us = opt->round ? 5 : 0; /* short rounds are for one worker */
	p = knapsack_problem(&k);
	p.local_size = 64;
	out_of_memory_at(n);
	err = filch_search_create(&s, &p, opt);
	if (err) {
		TEST_CHECK(err == -ENOMEM && out_of_memory_happened());
		out_of_memory_at(0);
		return 0;
	}
	out_of_memory_at(0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
	if (opt->checkpoint)
		TEST_CHECK(filch_search_checkpoint(s) == 0);
	out_of_memory_at(n);
	do
		TEST_CHECK(filch_search_run(s, &r) == 0);
	while (r.end == FILCH_SEARCH_ERROR && r.error == -ENOMEM);
	happened = out_of_memory_happened();
	out_of_memory_at(0);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.best.i == knapsack_optimum(&k));
	err = filch_search_save(s, path);
	TEST_CHECK(err == 0);
	out_of_memory_at(n);
	err = filch_search_load(s, path);
	TEST_CHECK(err == 0 || err == -ENOMEM);
	out_of_memory_at(0);
	filch_search_destroy(s);
	TEST_CHECK(k.live == 0 && k.solutions == 0);
	return !happened;
}

static void each(const struct filch_search_options *opt)
{
	for (unsigned n = 1; n < 100000 && !attempt(n, opt); n++)
		;
}

static void depth(void)
{
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 1};

	each(&opt);
	opt.workers = 2;
	each(&opt);
}

static void best(void)
{
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 2, .order = "best"};

	each(&opt);
}

static void rounds(void)
{
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 2, .round = 8};

	each(&opt);
}

static void checkpoints(void)
{
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 1, .checkpoint = path};

	each(&opt);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"depth", depth},
		{"best", best},
		{"rounds", rounds},
		{"checkpoints", checkpoints},
	};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 2};
	/* Each attempt writes a file and syncs it, which takes no time in memory. */
	const char *dir = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	snprintf(path, sizeof(path), "%s/filch-search-memory.%ld", dir, (long)getpid());
	TEST_CHECK(filch_start(&po) == 0);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	filch_stop();
	unlink(path);
	return TEST_PASS;
}
