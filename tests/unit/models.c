/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models of dd/problems against enumeration, on thousands of random small instances: each solution is a path with
 * its value, no bound is better than the best solution below a state, at every depth, and a merged state allows what
 * each of its states allows.
 */
#include "../../dd/problems/model.h"
#include "../fixtures/problems/enumerate.h"

#include <errno.h>

#define STATE_MAX 1024
#define CHILDREN_MAX 64
#define KEPT 4 /* states of a depth that are kept for merges */

struct kept {
	_Alignas(8) unsigned char state[STATE_MAX];
	int32_t decided[SOLUTION_MAX];
	int64_t best; /* that can be added below it */
};

struct walk {
	struct filch_dd_problem p;
	bool maximise;
	struct solutions solutions;
	void *local;
	struct kept kept[SOLUTION_MAX + 1][KEPT];
	size_t kept_count[SOLUTION_MAX + 1];
	unsigned seed;
};

struct node {
	_Alignas(8) unsigned char states[CHILDREN_MAX * STATE_MAX];
	struct filch_dd_arc arcs[CHILDREN_MAX];
	struct filch_dd_children children;
};

static bool better(const struct walk *w, int64_t a, int64_t b)
{
	return w->maximise ? a > b : a < b;
}

static struct filch_dd_layer layer_of(const struct walk *w, int depth, const int32_t *decided, const void *state)
{
	struct filch_dd_layer layer = {
		.arg = w->p.arg, .local = w->local, .depth = depth, .variable = -1, .decided = decided};

	if (depth == w->p.variables)
		return layer;
	layer.variable = w->p.next_variable ? w->p.next_variable(&layer, state, 1, w->p.state_size) : depth;
	return layer;
}

static void expand(const struct walk *w, const struct filch_dd_layer *layer, const void *state, struct node *node)
{
	node->children = (struct filch_dd_children){
		.states_ = node->states, .arcs_ = node->arcs, .stride_ = STATE_MAX, .room_ = CHILDREN_MAX - 1};
	w->p.expand(layer, state, &node->children);
	TEST_CHECK(!node->children.overflow_);
	TEST_CHECK(node->children.count_ <= (w->p.children_max ? w->p.children_max : 2));
}

/* A bound is not worse than the best, and does not prune what is better than a limit. */
static void check_bound(const struct walk *w, const struct filch_dd_layer *layer, const void *state, int64_t best)
{
	int64_t worst = w->maximise ? INT64_MIN : INT64_MAX, limit = w->maximise ? best - 1 : best + 1;

	if (!w->p.bound)
		return;
	TEST_CHECK(!better(w, best, w->p.bound(layer, state, worst)));
	TEST_CHECK(better(w, w->p.bound(layer, state, limit), limit));
}

static void keep(struct walk *w, int depth, const int32_t *decided, const void *state, int64_t best)
{
	size_t at = w->kept_count[depth]++;

	if (at >= KEPT) {
		w->seed = w->seed * 1103515245u + 12345;
		at = w->seed / 65536 % (at + 1);
	}
	if (at < KEPT) {
		memcpy(w->kept[depth][at].state, state, w->p.state_size);
		memcpy(w->kept[depth][at].decided, decided, (size_t)depth * sizeof(*decided));
		w->kept[depth][at].best = best;
	}
}

/* The solutions below a state come first in the list, count of them. Returns the best of them. */
static int64_t best_of(const struct walk *w, const size_t *list, size_t count)
{
	int64_t best = w->solutions.all[list[0]].value;

	for (size_t i = 1; i < count; i++)
		if (better(w, w->solutions.all[list[i]].value, best))
			best = w->solutions.all[list[i]].value;
	return best;
}

static void descend(struct walk *w, int depth, int32_t *decided, const void *state, int64_t value, const size_t *list,
		    size_t count)
{
	struct filch_dd_layer layer = layer_of(w, depth, decided, state);
	int64_t best = best_of(w, list, count);
	struct node *node;
	size_t *below;

	check_bound(w, &layer, state, best - value);
	keep(w, depth, decided, state, best - value);
	if (layer.variable < 0) { /* undecided variables have label 0 */
		TEST_CHECK(best == value);
		return;
	}
	node = malloc(sizeof(*node));
	below = malloc(count * sizeof(*below));
	TEST_CHECK(node && below);
	expand(w, &layer, state, node);
	decided[depth] = layer.variable;
	for (size_t done = 0, c = 0; c < node->children.count_ || done < count; c++) {
		size_t part = 0;

		if (c == node->children.count_) {
			printf("depth %d: %zu solutions have no path\n", depth, count - done);
			TEST_CHECK(false);
		}
		for (size_t i = 0; i < count; i++)
			if (w->solutions.all[list[i]].labels[layer.variable] == node->arcs[c].label)
				below[part++] = list[i];
		done += part;
		if (part)
			descend(w, depth + 1, decided, node->states + c * STATE_MAX, value + node->arcs[c].cost, below,
				part);
	}
	free(node);
	free(below);
}

/* The best that a state allows, merged or not. False: nothing. */
static bool best_below(const struct walk *w, int depth, int32_t *decided, const void *state, int64_t *best)
{
	struct filch_dd_layer layer = layer_of(w, depth, decided, state);
	struct node *node;
	bool found = false;

	*best = 0;
	if (layer.variable < 0)
		return true;
	node = malloc(sizeof(*node));
	TEST_CHECK(node);
	expand(w, &layer, state, node);
	decided[depth] = layer.variable;
	for (size_t c = 0; c < node->children.count_; c++) {
		int64_t value;

		if (!best_below(w, depth + 1, decided, node->states + c * STATE_MAX, &value))
			continue;
		value += node->arcs[c].cost;
		if (!found || better(w, value, *best))
			*best = value;
		found = true;
	}
	free(node);
	return found;
}

static void check_merge(struct walk *w, int depth)
{
	size_t count = w->kept_count[depth] < KEPT ? w->kept_count[depth] : KEPT;
	struct kept merged = w->kept[depth][0];
	struct filch_dd_layer layer = layer_of(w, depth, merged.decided, merged.state);
	int64_t best;

	for (size_t i = 1; i < count; i++)
		w->p.merge(&layer, merged.state, w->kept[depth][i].state);
	TEST_CHECK(best_below(w, depth, merged.decided, merged.state, &best));
	for (size_t i = 0; i < count; i++) {
		int64_t cost = w->p.merge_cost ? w->p.merge_cost(&layer, w->kept[depth][i].state, merged.state) : 0;

		TEST_CHECK(!better(w, w->kept[depth][i].best, cost + best));
		check_bound(w, &layer, merged.state, w->kept[depth][i].best - cost);
	}
}

/* A ruler and its mirror image are the same: the model knows only one of them. */
static void drop_mirrored(struct solutions *s)
{
	size_t count = 0, n = s->variables;

	for (size_t i = 0; i < s->count; i++) {
		const int32_t *mark = s->all[i].labels;

		if (n < 2 || mark[0] < mark[n - 1] - mark[n - 2])
			s->all[count++] = s->all[i];
	}
	s->count = count;
}

/* A cut and its complement are the same: the model fixes the side of its first vertex. */
static void drop_complements(struct walk *w, int variable)
{
	struct solutions *s = &w->solutions;
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].labels[variable] == 0)
			s->all[count++] = s->all[i];
	s->count = count;
}

static void check_instance(struct walk *w, const struct filchi_problem *p, const void *instance)
{
	int err = filchi_model_make(&w->p, p->name, instance);
	_Alignas(8) unsigned char root[STATE_MAX];
	int32_t decided[SOLUTION_MAX] = {0};
	struct filch_dd_layer layer;
	int64_t value, check;
	size_t *list;

	TEST_CHECK(!err && w->p.state_size <= STATE_MAX);
	w->maximise = w->p.goal == FILCH_SEARCH_MAXIMISE;
	TEST_CHECK(w->maximise == p->maximise);
	w->local = calloc(1, w->p.local_size ? w->p.local_size : 1);
	TEST_CHECK(w->local && (!w->p.local_begin || !w->p.local_begin(w->local, w->p.arg)));
	memset(w->kept_count, 0, sizeof(w->kept_count));
	solutions_find(&w->solutions, p, instance, (size_t)w->p.variables, (int32_t)w->p.children_max);
	if (!strcmp(p->name, "golomb"))
		drop_mirrored(&w->solutions);
	layer = (struct filch_dd_layer){.arg = w->p.arg, .local = w->local, .variable = -1, .decided = decided};
	value = w->p.root(&layer, root);
	if (!strcmp(p->name, "maxcut"))
		drop_complements(w, layer_of(w, 0, decided, root).variable);
	list = malloc((w->solutions.count + 1) * sizeof(*list));
	TEST_CHECK(list);
	for (size_t i = 0; i < w->solutions.count; i++)
		list[i] = i;
	if (w->solutions.count) {
		descend(w, 0, decided, root, value, list, w->solutions.count);
		TEST_CHECK(!w->p.check(w->solutions.all[0].labels, &check, w->p.arg));
		TEST_CHECK(check == w->solutions.all[0].value);
	} else {
		TEST_CHECK(!best_below(w, 0, decided, root, &value));
	}
	for (int depth = 0; depth <= w->p.variables; depth++)
		if (w->kept_count[depth] > 1)
			check_merge(w, depth);
	if (w->p.local_end)
		w->p.local_end(w->local, w->p.arg);
	filchi_model_destroy(&w->p, p->name);
	free(w->local);
	free(w->solutions.all);
	free(list);
}

static void check_problem(const char *name, size_t smallest, size_t largest, uint64_t instances)
{
	const struct filchi_problem *p = filchi_problem_find(name);
	struct walk *w = calloc(1, sizeof(*w));

	TEST_CHECK(p && w);
	if (getenv("FILCH_DEEP"))
		instances *= 20;
	for (uint64_t seed = 0; seed < instances; seed++) {
		struct filchi_generate g = {.seed = seed,
					    .size = smallest + seed % (largest - smallest + 1),
					    .density = (double)(seed % 7) / 6,
					    .range = seed % 3 ? (seed % 5 ? 6 : 2000) : p->range_usual};
		void *instance = solutions_instance(p, &g);

		check_instance(w, p, instance);
		p->destroy(instance);
	}
	printf(" %llu", (unsigned long long)instances);
	free(w);
}

static void golomb(void)
{
	check_problem("golomb", 2, 5, 4);
}

static void knapsack(void)
{
	check_problem("knapsack", 1, 8, 1500);
}

static void max2sat(void)
{
	check_problem("max2sat", 1, 7, 1500);
}

static void maxcut(void)
{
	check_problem("maxcut", 1, 8, 1500);
}

static void misp(void)
{
	check_problem("misp", 1, 8, 1500);
}

static void sop(void)
{
	check_problem("sop", 2, 6, 1000);
}

static void tsptw(void)
{
	check_problem("tsptw", 2, 6, 1000);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"golomb", golomb}, {"knapsack", knapsack}, {"max2sat", max2sat}, {"sop", sop},
		{"tsptw", tsptw},   {"misp", misp},	    {"maxcut", maxcut},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
