/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#define PLAIN "serial copies direct master"
#define BEST "serial copies best mixture"
#define TIMES "direct master"
#define ROUNDS "direct master round-16 round-64 round-256"

static const struct filchi_search_case cases[] = {
	{"tree/2", PLAIN, FILCHI_SEARCH_TREE, {.children = 2, .depth = 19, .hashes = 32}, 0, 12},
	{"tree/8", PLAIN, FILCHI_SEARCH_TREE, {.children = 8, .depth = 7, .hashes = 32}, 0, 4},
	{"tree/irregular",
	 PLAIN,
	 FILCHI_SEARCH_TREE,
	 {.children = 8, .chance = true, .root_children = 8000, .probability = 0.1245, .hashes = 32},
	 0,
	 100},
#ifdef FILCHI_WORKLOAD_UTS
	{"uts/T1", PLAIN, FILCHI_SEARCH_UTS, {0}, 0, 0},
	{"uts/T3", PLAIN, FILCHI_SEARCH_UTS, {0}, 1, 0},
#endif
	{"few/2",
	 BEST,
	 FILCHI_SEARCH_TREE,
	 {.children = 2, .depth = 17, .hashes = 32, .bounds = FILCHI_SEARCH_FEW},
	 0,
	 12},
	{"few/8",
	 BEST,
	 FILCHI_SEARCH_TREE,
	 {.children = 8, .depth = 6, .hashes = 32, .bounds = FILCHI_SEARCH_FEW},
	 0,
	 4},
	{"many/2",
	 BEST,
	 FILCHI_SEARCH_TREE,
	 {.children = 2, .depth = 17, .hashes = 32, .bounds = FILCHI_SEARCH_MANY},
	 0,
	 12},
	{"many/8",
	 BEST,
	 FILCHI_SEARCH_TREE,
	 {.children = 8, .depth = 6, .hashes = 32, .bounds = FILCHI_SEARCH_MANY},
	 0,
	 4},
	{"knapsack/28", "best mixture round-64", FILCHI_SEARCH_KNAPSACK, {0}, 28, 16},
	{"knapsack/40", "best mixture round-64", FILCHI_SEARCH_KNAPSACK, {0}, 40, 20},
	{"times/balanced",
	 ROUNDS,
	 FILCHI_SEARCH_TREE,
	 {.children = 4, .depth = 8, .ns = 10000, .log_normal = true, .hashes = 1},
	 0,
	 4},
	{"times/even", ROUNDS, FILCHI_SEARCH_TREE, {.children = 4, .depth = 8, .ns = 10000, .hashes = 1}, 0, 4},
	{"times/unbalanced",
	 TIMES,
	 FILCHI_SEARCH_TREE,
	 {.children = 2,
	  .chance = true,
	  .root_children = 500,
	  .probability = 0.495,
	  .ns = 10000,
	  .log_normal = true,
	  .hashes = 1},
	 0,
	 20},
	{"times/chains",
	 TIMES,
	 FILCHI_SEARCH_TREE,
	 {.children = 1,
	  .chance = true,
	  .root_children = 4,
	  .probability = 0.999,
	  .ns = 100000,
	  .log_normal = true,
	  .hashes = 1},
	 0,
	 1},
	{"dag/2500000", PLAIN, FILCHI_SEARCH_DAG, {0}, 2500000, 25000},
	{"dag/300000000", PLAIN, FILCHI_SEARCH_DAG, {0}, 300000000, 25000},
	{"batch/100", "direct", FILCHI_SEARCH_BATCH, {0}, 100, 0},
	{"batch/1000", "direct", FILCHI_SEARCH_BATCH, {0}, 1000, 0},
	{"batch/10000", "direct", FILCHI_SEARCH_BATCH, {0}, 10000, 0},
	{"batch/100000", "direct", FILCHI_SEARCH_BATCH, {0}, 100000, 0},
};

const struct filchi_search_case *filchi_search_case(unsigned n)
{
	return n < sizeof(cases) / sizeof(cases[0]) ? &cases[n] : NULL;
}

const char *filchi_search_group(unsigned n)
{
	static const char *const names[] = {"tree",
#ifdef FILCHI_WORKLOAD_UTS
					    "uts",
#endif
					    "few",  "many", "knapsack", "times", "dag", "batch"};

	return n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
}

bool filchi_search_case_is(const struct filchi_search_case *c, const char *text, size_t length)
{
	return !strncmp(c->name, text, length) && (c->name[length] == '/' || !c->name[length]);
}

const char *filchi_search_way(unsigned n)
{
	static const char *const names[] = {"serial",  "copies",   "direct",   "master",   "best",
					    "mixture", "round-16", "round-64", "round-256"};

	return n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
}

bool filchi_search_case_has(const struct filchi_search_case *c, const char *way)
{
	size_t length = strlen(way);
	const char *found = strstr(c->hows, way);

	return found && (found == c->hows || found[-1] == ' ') && (found[length] == ' ' || !found[length]);
}

struct filchi_search_how filchi_search_how_of(const char *way, unsigned workers)
{
	struct filchi_search_how how = {.workers = workers};

	if (!strcmp(way, "best") || !strcmp(way, "mixture"))
		how.order = way;
	else if (!strncmp(way, "round-", 6))
		how.round = strtoul(way + 6, NULL, 10);
	else if (!strcmp(way, "master"))
		how.move = way;
	return how;
}
