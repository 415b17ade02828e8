/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagrams and solver on the problems of dd/problems, against enumeration. At any width the optimum lies between the
 * values of the restricted and the relaxed diagram. The solver finds the optimum in every mode.
 */
#include "../../dd/problems/knapsack/knapsack.h"
#include "../../dd/problems/model.h"
#include "../fixtures/problems/enumerate.h"

#include <errno.h>

#define WIDE_MAX 64 /* variables */

struct subject {
	const struct filchi_problem *problem;
	struct filch_dd_problem p;
	struct filch_pool *pool;
	bool feasible;
	int64_t best;
};

static bool better(const struct subject *s, int64_t a, int64_t b)
{
	return s->problem->maximise ? a > b : a < b;
}

static void check_diagram(const struct subject *s, int kind, size_t width, const char *cutset)
{
	struct filch_dd_compile_options opt = {
		.struct_size = sizeof(opt), .kind = kind, .width = width, .cutset = cutset};
	struct filch_dd_diagram *diagram;
	int32_t labels[WIDE_MAX];
	int64_t value, found;

	TEST_CHECK(!filch_dd_compile(&diagram, &s->p, &opt));
	if (filch_dd_diagram_best(diagram, &value, labels)) {
		if (kind != FILCH_DD_RELAXED) { /* its best path is a solution */
			TEST_CHECK(!s->p.check(labels, &found, s->p.arg) && found == value);
			TEST_CHECK(s->feasible && !better(s, value, s->best));
		}
		if (kind == FILCH_DD_RELAXED && s->feasible)
			TEST_CHECK(!better(s, s->best, value));
		if (filch_dd_diagram_exact(diagram))
			TEST_CHECK(s->feasible && value == s->best);
	} else {
		TEST_CHECK(kind == FILCH_DD_RESTRICTED || !s->feasible);
	}
	filch_dd_diagram_destroy(diagram);
}

/* Width 0: an adaptive width, which begins with the narrowest diagrams. */
static void check_solver(const struct subject *s, const char *order, const char *cutset, size_t width, uint64_t round)
{
	struct filch_dd_options opt = {.struct_size = sizeof(opt),
				       .pool = s->pool,
				       .order = order,
				       .cutset = cutset,
				       .width = width,
				       .width_factor = 1e-3,
				       .round = round};
	struct filch_dd_result result = {.struct_size = sizeof(result)};
	struct filch_dd *dd;
	int64_t value;

	TEST_CHECK(!filch_dd_create(&dd, &s->p, &opt));
	TEST_CHECK(!filch_dd_run(dd, &result));
	TEST_CHECK(result.end == FILCH_SEARCH_DONE && result.has_best == s->feasible);
	if (s->feasible) {
		TEST_CHECK(result.best == s->best && result.has_bound && result.bound == s->best);
		TEST_CHECK(!s->p.check(result.labels, &value, s->p.arg) && value == s->best);
	}
	filch_dd_destroy(dd);
}

static void check_instance(struct subject *s, uint64_t seed)
{
	static const char *const orders[] = {"best", "depth", "mixture"};
	static const char *const cutsets[] = {"frontier", "layer"};

	check_diagram(s, FILCH_DD_EXACT, 0, NULL);
	for (size_t width = 1; width < 8; width++) {
		check_diagram(s, FILCH_DD_RELAXED, width, cutsets[(width + seed) % 2]);
		check_diagram(s, FILCH_DD_RESTRICTED, width, NULL);
	}
	for (size_t i = 0; i < 3; i++)
		check_solver(s, orders[i], cutsets[(seed + i) % 2], (seed + i) % 5, (seed + i) % 3 ? 0 : 8);
}

static void check_problem(const char *name, size_t smallest, size_t largest, uint64_t instances)
{
	struct subject s = {.problem = filchi_problem_find(name)};
	struct filch_options opt = {.struct_size = sizeof(opt), .workers = 2};

	TEST_CHECK(s.problem && !filch_pool_create(&s.pool, &opt));
	if (getenv("FILCH_DEEP"))
		instances *= 20;
	for (uint64_t seed = 0; seed < instances; seed++) {
		struct filchi_generate g = {.seed = seed + 1000,
					    .size = smallest + seed % (largest - smallest + 1),
					    .density = (double)(seed % 7) / 6,
					    .range = seed % 3 ? (seed % 5 ? 6 : 2000) : s.problem->range_usual};
		void *instance = solutions_instance(s.problem, &g);
		struct solutions solutions;

		TEST_CHECK(!filchi_model_make(&s.p, name, instance));
		solutions_find(&solutions, s.problem, instance, (size_t)s.p.variables, (int32_t)s.p.children_max);
		s.feasible = solutions_best(&solutions, s.problem->maximise, &s.best);
		check_instance(&s, seed);
		free(solutions.all);
		filchi_model_destroy(&s.p, name);
		s.problem->destroy(instance);
	}
	filch_pool_destroy(s.pool);
	printf(" %llu", (unsigned long long)instances);
}

/* By dynamic programming over the capacity. */
static int64_t best_knapsack(const struct filchi_knapsack *k)
{
	int64_t *best = calloc((size_t)k->capacity + 1, sizeof(*best)), answer;

	TEST_CHECK(best);
	for (size_t i = 0; i < k->items; i++)
		for (int64_t c = k->capacity; c >= k->weight[i]; c--)
			if (best[c - k->weight[i]] + k->profit[i] > best[c])
				best[c] = best[c - k->weight[i]] + k->profit[i];
	answer = best[k->capacity];
	free(best);
	return answer;
}

/* Knapsacks whose layers have thousands of states, none of which dominates another. */
static void wide(void)
{
	static const char *const orders[] = {"best", "depth", "mixture"};
	struct subject s = {.problem = filchi_problem_find("knapsack"), .feasible = true};
	struct filch_options opt = {.struct_size = sizeof(opt), .workers = 2};

	TEST_CHECK(!filch_pool_create(&s.pool, &opt));
	for (uint64_t seed = 1; seed < 6; seed++) {
		struct filchi_generate g = {.seed = seed, .size = 30 + 4 * seed, .density = -1, .range = 3000};
		struct filchi_knapsack *k = solutions_instance(s.problem, &g);

		for (size_t i = 0; i < k->items; i++) /* strongly correlated: the bound prunes little */
			k->profit[i] = k->weight[i] + 300;
		s.best = best_knapsack(k);
		TEST_CHECK(!filchi_model_make(&s.p, "knapsack", k));
		check_solver(&s, orders[seed % 3], "frontier", 0, seed % 2 ? 0 : 8);
		check_solver(&s, orders[seed % 3], "frontier", 50, 0);
		check_solver(&s, orders[seed % 3], "layer", 100000, seed % 2 ? 8 : 0);
		check_diagram(&s, FILCH_DD_RELAXED, 500, NULL);
		filchi_model_destroy(&s.p, "knapsack");
		s.problem->destroy(k);
	}
	filch_pool_destroy(s.pool);
}

static struct filch_dd_result solve_in_rounds(const struct filch_dd_problem *p, unsigned workers)
{
	struct filch_options pool_options = {.struct_size = sizeof(pool_options), .workers = (int)workers};
	struct filch_dd_options opt = {.struct_size = sizeof(opt), .workers = workers, .round = 16, .width = 5};
	struct filch_dd_result result = {.struct_size = sizeof(result)};
	struct filch_dd *dd;

	TEST_CHECK(!filch_pool_create(&opt.pool, &pool_options));
	TEST_CHECK(!filch_dd_create(&dd, p, &opt));
	TEST_CHECK(!filch_dd_run(dd, &result) && result.end == FILCH_SEARCH_DONE);
	filch_dd_destroy(dd);
	filch_pool_destroy(opt.pool);
	return result;
}

/* Deterministic mode: the same value after the same nodes, for each number of workers. */
static void deterministic(void)
{
	const struct filchi_problem *problem;

	for (unsigned n = 0; (problem = filchi_problem_at(n)); n++)
		for (uint64_t seed = 1; seed < 4 && !problem->network; seed++) {
			struct filchi_generate g = {
				.seed = seed, .size = 18, .density = -1, .range = problem->range_usual};
			void *instance;
			struct filch_dd_result one, two;
			struct filch_dd_problem p;

			if (!strcmp(problem->name, "golomb"))
				g.size = 7;
			instance = solutions_instance(problem, &g);
			TEST_CHECK(!filchi_model_make(&p, problem->name, instance));
			one = solve_in_rounds(&p, 1);
			two = solve_in_rounds(&p, 3);
			TEST_CHECK(one.has_best == two.has_best && one.best == two.best);
			TEST_CHECK(one.explored == two.explored && one.pruned == two.pruned && one.nodes == two.nodes);
			filchi_model_destroy(&p, problem->name);
			problem->destroy(instance);
		}
}

static void cancel_it(const struct filch_search_progress *progress, void *arg)
{
	(void)progress;
	filch_dd_cancel(*(struct filch_dd **)arg);
}

/* A run that one of the limits ends. Its end must be one of the two, and the bound must not cross the best value. */
static struct filch_dd_result stop(const struct filch_dd_problem *p, struct filch_dd_options opt, int end)
{
	struct filch_dd_result r = {.struct_size = sizeof(r)};
	struct filch_dd *dd = NULL;
	int err;

	if (end == FILCH_SEARCH_CANCELLED) {
		opt.progress = cancel_it;
		opt.progress_arg = &dd;
		opt.progress_ns = 1;
	}
	err = filch_dd_create(&dd, p, &opt);
	TEST_CHECK(!err || (err == -ENOMEM && opt.memory_limit));
	if (err) {
		r.end = FILCH_SEARCH_MEMORY;
		return r;
	}
	TEST_CHECK(!filch_dd_run(dd, &r));
	TEST_CHECK(r.end == end || r.end == FILCH_SEARCH_DONE);
	if (r.has_best && r.has_bound)
		TEST_CHECK(p->goal == FILCH_SEARCH_MAXIMISE ? r.bound >= r.best : r.bound <= r.best);
	TEST_CHECK(!opt.memory_limit || r.memory <= opt.memory_limit);
	r.labels = NULL;
	filch_dd_destroy(dd);
	return r;
}

/* All kinds of ends, with fixed and adaptive widths, in rounds and without: nothing leaks, which a sanitizer sees. */
static void stops_of(const struct filch_dd_problem *p, struct filch_dd_options opt)
{
	struct filch_dd_options o = opt;
	struct filch_dd_result full = stop(p, opt, FILCH_SEARCH_DONE), r;
	size_t met = 0;

	o.time_limit_ns = 1;
	(void)stop(p, o, FILCH_SEARCH_TIME);
	o = opt;
	o.node_limit = 3;
	(void)stop(p, o, FILCH_SEARCH_NODES);
	o = opt;
	o.gap_limit = 0.5;
	(void)stop(p, o, FILCH_SEARCH_GAP);
	(void)stop(p, opt, FILCH_SEARCH_CANCELLED);
	o = opt;
	for (o.memory_limit = 1000; o.memory_limit < 64000000; o.memory_limit *= 2) {
		r = stop(p, o, FILCH_SEARCH_MEMORY);
		met += r.end == FILCH_SEARCH_MEMORY;
		TEST_CHECK(r.end == FILCH_SEARCH_MEMORY || r.best == full.best);
		if (r.has_best && r.has_bound) /* the optimum is between them */
			TEST_CHECK(p->goal == FILCH_SEARCH_MAXIMISE ? r.bound >= full.best : r.bound <= full.best);
	}
	TEST_CHECK(met > 2 && met < 16);
}

static void stops(void)
{
	struct filch_options pool_options = {.struct_size = sizeof(pool_options), .workers = 2};
	struct filch_dd_options opt = {.struct_size = sizeof(opt), .width_factor = 1e-3};
	const struct filchi_problem *problem;

	TEST_CHECK(!filch_pool_create(&opt.pool, &pool_options));
	for (unsigned n = 0; (problem = filchi_problem_at(n)); n++) {
		struct filchi_generate g = {.seed = 3, .size = 18, .density = -1, .range = problem->range_usual};
		struct filch_dd_problem p;
		void *instance;

		if (problem->network)
			continue;
		if (!strcmp(problem->name, "golomb"))
			g.size = 7;
		instance = solutions_instance(problem, &g);
		TEST_CHECK(!filchi_model_make(&p, problem->name, instance));
		for (opt.round = 0; opt.round <= 8; opt.round += 8)
			for (opt.width = 0; opt.width <= 4; opt.width += 4)
				stops_of(&p, opt);
		filchi_model_destroy(&p, problem->name);
		problem->destroy(instance);
	}
	filch_pool_destroy(opt.pool);
}

#define PROBLEM(name, smallest, largest, instances)                                                                    \
	static void name(void)                                                                                         \
	{                                                                                                              \
		check_problem(#name, smallest, largest, instances);                                                    \
	}
PROBLEM(golomb, 2, 5, 4)
PROBLEM(knapsack, 1, 10, 200)
PROBLEM(max2sat, 1, 8, 200)
PROBLEM(maxcut, 1, 9, 200)
PROBLEM(misp, 1, 10, 200)
PROBLEM(sop, 2, 7, 200)
PROBLEM(tsptw, 2, 7, 200)

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"golomb", golomb}, {"knapsack", knapsack}, {"max2sat", max2sat}, {"maxcut", maxcut},
		{"misp", misp},	    {"sop", sop},	    {"tsptw", tsptw},	  {"deterministic", deterministic},
		{"wide", wide},	    {"stops", stops},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
