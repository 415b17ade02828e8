/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random small problems against enumeration. At any width, a relaxed diagram is at least as good as the optimum, and a
 * restricted diagram at most as good. The solver finds the optimum with every order, cutset and width.
 */
#include "fixtures/dd/small.h"
#include "fixtures/test.h"

#include <string.h>
#include <unistd.h>

static const char *const orders[] = {"best", "depth", "mixture"}, *const cutsets[] = {"frontier", "layer"};

static int worse_or_equal(int kind, int64_t a, int64_t b)
{
	return kind == SMALL_COVER ? a >= b : a <= b;
}

static void check_solution(const struct small *s, int kind, const int32_t *labels, int64_t value)
{
	int64_t real;

	TEST_CHECK(small_value(s, kind, labels, &real));
	TEST_CHECK(real == value);
}

/* The bound of each node of an exact diagram, against the best path below it. */
static void check_bounds(struct small *s, int kind, const struct filch_dd_problem *p)
{
	struct filch_dd_problem plain = *p;
	struct filch_dd_compile_options o = {.struct_size = sizeof(o)};
	struct filch_dd_diagram_node node;
	struct filch_dd_diagram *d;

	plain.bound = NULL;
	TEST_CHECK(!filch_dd_compile(&d, &plain, &o));
	for (int k = 0; p->bound && k + 1 < filch_dd_diagram_layers(d); k++) {
		struct filch_dd_layer layer = {s, NULL, k, filch_dd_diagram_variable(d, k), NULL};

		for (size_t i = 0; !filch_dd_diagram_node(d, k, i, &node); i++)
			if (node.reaches)
				TEST_CHECK(worse_or_equal(
					kind, node.bottom,
					p->bound(&layer, node.state, kind == SMALL_COVER ? INT64_MIN : INT64_MAX)));
	}
	filch_dd_diagram_destroy(d);
}

static void check_diagram(struct small *s, int kind, const struct filch_dd_problem *p, int type, size_t width,
			  int found, int64_t best)
{
	struct filch_dd_compile_options o = {.struct_size = sizeof(o), .kind = type, .width = width};
	struct filch_dd_diagram *d;
	int32_t labels[SMALL_MAX];
	int64_t value = 0;
	int any;

	o.cutset = cutsets[width % 2];
	TEST_CHECK(!filch_dd_compile(&d, p, &o));
	any = filch_dd_diagram_best(d, &value, labels);
	if (type == FILCH_DD_EXACT || filch_dd_diagram_exact(d)) {
		TEST_CHECK(any == found && (!any || value == best));
		if (any)
			check_solution(s, kind, labels, value);
	} else if (type == FILCH_DD_RESTRICTED) {
		TEST_CHECK(!any || (found && worse_or_equal(kind, value, best)));
		if (any)
			check_solution(s, kind, labels, value);
	} else {
		TEST_CHECK(!found || (any && worse_or_equal(kind, best, value)));
	}
	for (int k = 0; k + 1 < filch_dd_diagram_layers(d) && (k > 1 || type != FILCH_DD_RELAXED); k++)
		TEST_CHECK(type == FILCH_DD_EXACT || filch_dd_diagram_nodes(d, k) <= width);
	filch_dd_diagram_destroy(d);
}

static void diagrams(void)
{
	uint64_t seed = 1;

	for (int round = 0; round < 150; round++) {
		for (int kind = 0; kind < SMALL_KINDS; kind++) {
			struct filch_dd_problem p;
			struct small s;
			int64_t best = 0;
			int found;

			small_make(&s, kind, 9, &seed);
			small_problem(&p, &s, kind);
			found = small_enumerate(&s, kind, &best);
			check_bounds(&s, kind, &p);
			check_diagram(&s, kind, &p, FILCH_DD_EXACT, 0, found, best);
			for (size_t width = 1; width < 12; width++) {
				check_diagram(&s, kind, &p, FILCH_DD_RESTRICTED, width, found, best);
				check_diagram(&s, kind, &p, FILCH_DD_RELAXED, width, found, best);
			}
		}
	}
}

static void solve(struct small *s, int kind, const struct filch_dd_problem *p, const struct filch_dd_options *o,
		  int found, int64_t best)
{
	struct filch_dd_result r = {.struct_size = sizeof(r)};
	struct filch_dd *dd;

	TEST_CHECK(!filch_dd_create(&dd, p, o));
	TEST_CHECK(!filch_dd_run(dd, &r));
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.has_best == found);
	if (found) {
		TEST_CHECK(r.best == best && r.bound == best && r.gap == 0);
		check_solution(s, kind, r.labels, best);
	}
	filch_dd_destroy(dd);
}

/* Each bit of `how` is a choice. */
static void solve_all(struct small *s, int kind, unsigned how, int found, int64_t best)
{
	struct filch_dd_options o = {.struct_size = sizeof(o)};
	struct filch_dd_problem p;

	small_problem(&p, s, kind);
	o.order = orders[how % 3];
	how /= 3;
	o.workers = 1 + how % 3;
	how /= 3;
	o.width = 1 + how % 4;
	how /= 4;
	o.cutset = cutsets[how % 2];
	o.no_cache = how >> 1 & 1;
	o.no_dominance = how >> 2 & 1;
	o.round = how >> 3 & 1 ? 4 : 0;
	if (how >> 4 & 1)
		p.bound = NULL;
	if ((how >> 5 & 3) == 3)
		p.merge = NULL;
	if ((how >> 7 & 3) == 3)
		o.cache = 8192;
	solve(s, kind, &p, &o, found, best);
}

static void solver(void)
{
	uint64_t seed = 2;
	unsigned how = 0;
	int rounds = getenv("FILCH_DEEP") ? 20000 : 1500;

	for (int round = 0; round < rounds; round++) {
		for (int kind = 0; kind < SMALL_KINDS; kind++) {
			struct small s;
			int64_t best = 0;
			int found;

			small_make(&s, kind, 10, &seed);
			found = small_enumerate(&s, kind, &best);
			how = how * 1664525u + 1013904223u;
			solve_all(&s, kind, how >> 8, found, best);
		}
	}
}

/* What a run leaves behind is true: the best value and the bound enclose the optimum. True: the run is done. */
static int go_on(struct filch_dd *dd, int kind, int found, int64_t best)
{
	struct filch_dd_result r = {.struct_size = sizeof(r)};

	TEST_CHECK(!filch_dd_run(dd, &r));
	TEST_CHECK(!r.has_best || (found && worse_or_equal(kind, r.best, best)));
	TEST_CHECK(!r.has_bound || !found || worse_or_equal(kind, best, r.bound));
	if (r.end != FILCH_SEARCH_DONE)
		return 0;
	TEST_CHECK(r.has_best == found && (!found || r.best == best));
	return 1;
}

/*
 * Solvers that stop after a few subproblems, and go on. Some go back to a checkpoint: they explore its subproblems
 * again, although they know thresholds of them.
 */
static void go_on_from(struct small *s, int kind, unsigned how, int found, int64_t best)
{
	struct filch_dd_options o = {.struct_size = sizeof(o),
				     .order = orders[how % 3],
				     .cutset = cutsets[how / 3 % 2],
				     .workers = 1 + how / 6 % 2,
				     .width = 1 + how / 12 % 3,
				     .round = how / 36 % 4 ? 0 : 4,
				     .node_limit = 1 + how / 144 % 3};
	int saved = (int)(how / 432 % 3), back = saved + (int)(how / 1296 % 4);
	struct filch_dd_problem p;
	struct filch_dd *dd;
	char path[64];

	snprintf(path, sizeof(path), "dd_go_on.%ld", (long)getpid());
	small_problem(&p, s, kind);
	TEST_CHECK(!filch_dd_create(&dd, &p, &o));
	for (int runs = 0; !go_on(dd, kind, found, best); runs++) {
		if (runs == saved)
			TEST_CHECK(!filch_search_save(filch_dd_search(dd), path));
		if (runs == back)
			TEST_CHECK(!filch_dd_load(dd, path));
	}
	unlink(path);
	filch_dd_destroy(dd);
}

static void going_on(void)
{
	uint64_t seed = 3;
	unsigned how = 0;
	int rounds = getenv("FILCH_DEEP") ? 20000 : 500;

	for (int round = 0; round < rounds; round++) {
		for (int kind = 0; kind < SMALL_KINDS; kind++) {
			struct small s;
			int64_t best = 0;
			int found;

			small_make(&s, kind, SMALL_MAX, &seed);
			found = small_enumerate(&s, kind, &best);
			how = how * 1664525u + 1013904223u;
			go_on_from(&s, kind, how >> 8, found, best);
		}
	}
}

int main(void)
{
	static const struct test_scenario all[] = {{"diagrams", diagrams}, {"solver", solver}, {"going_on", going_on}};

	filch_start(&(struct filch_options){.struct_size = sizeof(struct filch_options), .workers = 3});
	test_run(all, sizeof(all) / sizeof(*all));
	filch_stop();
	return TEST_PASS;
}
