/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best value of a search under the checker: threads offer values at the same time. In the end the search has the
 * best value and its solution. Each other solution was freed once, by a thread that is ordered after every use. The
 * hook `improved` reads the solution, so a solution that is freed too early is found.
 */
#include "../../check/chk.h"
#include "../../search/search.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

enum { MAX_OFFERS = 4 };

struct scenario {
	unsigned threads, each; /* offers of each thread: from its number on, falling */
	bool fails;
};

static struct {
	const struct scenario *s;
	struct filch_search search;
	FILCHI_CELL(unsigned) state[MAX_OFFERS + 1]; /* 1: alive; 2: freed */
} now;

static void discard_solution(void *solution, void *arg)
{
	unsigned n = (unsigned)(uintptr_t)solution;

	(void)arg;
	chk_assert(filchi_cell_get(&now.state[n]) == 1);
	filchi_cell_set(&now.state[n], 2);
}

static void improved(struct filch_search *search, union filch_search_value value, const void *solution, void *arg)
{
	unsigned n = (unsigned)(uintptr_t)solution;

	(void)search;
	(void)arg;
	chk_assert(value.i == (int64_t)n);
	chk_assert(filchi_cell_get(&now.state[n]) == 1);
}

/* As a checkpoint does: the solution stays while it is read. */
static void look(void)
{
	struct filchi_search_best *best = filchi_search_best_borrow(&now.search);

	if (best)
		chk_assert(filchi_cell_get(&now.state[(uintptr_t)filchi_plain_get(&best->solution)]) == 1);
	filchi_search_best_return(&now.search);
}

static void offer(void *number)
{
	unsigned thread = (unsigned)(uintptr_t)number;

	for (unsigned i = 0; i < now.s->each; i++) {
		unsigned n = MAX_OFFERS - thread - i * now.s->threads;
		union filch_search_value v = {.i = (int64_t)n};

		filchi_cell_set(&now.state[n], 1);
		if (filch_search_improve(&now.search, NULL, v, (void *)(uintptr_t)n) != 1)
			filchi_cell_set(&now.state[n], 2);
	}
	look();
}

static void play(void *arg)
{
	int id[MAX_OFFERS];
	struct filchi_search_best *best;
	union filch_search_value v;

	now.s = arg;
	filchi_os_check_start();
	now.search.problem.goal = FILCH_SEARCH_MINIMISE;
	now.search.problem.discard_solution = discard_solution;
	now.search.problem.improved = improved;
	now.search.prunes = true;
	filchi_atomic_init(&now.search.best_key, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&now.search.improvers, 0);
	filchi_atomic_init(&now.search.best, NULL);
	filchi_atomic_init(&now.search.retired, NULL);
	for (unsigned i = 0; i <= MAX_OFFERS; i++)
		filchi_cell_set(&now.state[i], 0);
	for (unsigned i = 1; i < now.s->threads; i++)
		id[i] = chk_thread(offer, (void *)(uintptr_t)i);
	offer(NULL);
	for (unsigned i = 1; i < now.s->threads; i++)
		chk_join(id[i]);
	best = filchi_search_best_borrow(&now.search);
	chk_assert(best && filch_search_best(&now.search, NULL, &v) == 1);
	chk_assert(v.i == (int64_t)(uintptr_t)best->solution);
	chk_assert(now.s->fails || v.i == MAX_OFFERS + 1 - (int64_t)(now.s->threads * now.s->each));
	filchi_search_best_clear(&now.search);
	for (unsigned i = 1; i <= MAX_OFFERS; i++)
		chk_assert(filchi_cell_get(&now.state[i]) != 1);
}

#define SCENARIO(name_, ...)                                                                                           \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario)                                           \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define WALKS(name_, ...)                                                                                              \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true               \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("one_each", .threads = 2, .each = 1),
	WALKS("two_each", .threads = 2, .each = 2),
	WALKS("three", .threads = 3, .each = 1),
	WALKS("four", .threads = 4, .each = 1),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "search_best", .file = "/search/incumbent.c", .prefix = "filchi_search_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
