/* SPDX-License-Identifier: Apache-2.0 */
/* Decision diagrams: the knapsack of the bulk queue's paper, its pictures, limits, checkpoints, and wrong arguments. */
#include "fixtures/dd/small.h"
#include "fixtures/test.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* max 8 x1 + 5 x2 + 7 x3 + 6 x4, 3 x1 + 2 x2 + 4 x3 + 6 x4 <= 7 */
static struct small paper = {.n = 4, .profit = {8, 5, 7, 6}, .weight = {3, 2, 4, 6}, .room = 7};

static struct filch_dd_problem paper_problem(void)
{
	struct filch_dd_problem p;

	small_problem(&p, &paper, SMALL_KNAPSACK);
	p.bound = NULL; /* diagrams as printed: nothing is pruned */
	p.rank = NULL;
	return p;
}

static struct filch_dd_diagram *compile(const struct filch_dd_problem *p, int kind, size_t width)
{
	struct filch_dd_compile_options o = {.struct_size = sizeof(o), .kind = kind, .width = width};
	struct filch_dd_diagram *d = NULL;

	TEST_CHECK(!filch_dd_compile(&d, p, &o));
	return d;
}

/* The node with this state, or SIZE_MAX. */
static size_t find(const struct filch_dd_diagram *d, int layer, int64_t state, int64_t top)
{
	struct filch_dd_diagram_node n;

	for (size_t i = 0; !filch_dd_diagram_node(d, layer, i, &n); i++)
		if (*(const int64_t *)n.state == state && n.top == top)
			return i;
	return SIZE_MAX;
}

/* Figure 2: each layer with its states and values. */
static void exact(void)
{
	static const struct {
		int layer;
		int64_t state, top;
	} nodes[] = {{0, 7, 0}, {1, 7, 0}, {1, 4, 8},  {2, 7, 0}, {2, 5, 5},  {2, 4, 8},  {2, 2, 13}, {3, 7, 0},
		     {3, 3, 7}, {3, 5, 5}, {3, 1, 12}, {3, 4, 8}, {3, 0, 15}, {3, 2, 13}, {4, 1, 12}, {4, 0, 15}};
	static const size_t counts[] = {1, 2, 4, 7, 7};
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_diagram *d = compile(&p, FILCH_DD_EXACT, 0);
	struct filch_dd_diagram_arc a;
	int64_t value = 0;
	int32_t labels[4];

	TEST_CHECK(filch_dd_diagram_exact(d) && filch_dd_diagram_layers(d) == 5);
	for (int k = 0; k < 5; k++) {
		TEST_CHECK(filch_dd_diagram_nodes(d, k) == counts[k]);
		TEST_CHECK(filch_dd_diagram_variable(d, k) == (k < 4 ? k : -1));
	}
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++)
		TEST_CHECK(find(d, nodes[i].layer, nodes[i].state, nodes[i].top) != SIZE_MAX);
	TEST_CHECK(filch_dd_diagram_best(d, &value, labels) && value == 15);
	TEST_CHECK(labels[0] == 1 && labels[1] == 0 && labels[2] == 1 && labels[3] == 0);
	for (int k = 0; k < 4; k++) { /* one red arc per layer, with its label */
		int red = 0;

		for (size_t i = 0; !filch_dd_diagram_arc(d, k, i, &a); i++) {
			red += a.best;
			TEST_CHECK(!a.best || a.label == labels[k]);
			TEST_CHECK(a.cost == (a.label ? paper.profit[k] : 0));
		}
		TEST_CHECK(red == 1);
	}
	TEST_CHECK(filch_dd_diagram_node(d, 5, 0, &(struct filch_dd_diagram_node){0}) == -EINVAL);
	filch_dd_diagram_destroy(d);
}

/* Figures 3 and 4: at most two nodes in a layer. */
static void narrow(void)
{
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_diagram *d = compile(&p, FILCH_DD_RESTRICTED, 2);
	struct filch_dd_diagram_node n;
	int64_t value = 0, real = 0;
	int32_t labels[4];

	TEST_CHECK(!filch_dd_diagram_exact(d));
	for (int k = 0; k < 4; k++)
		TEST_CHECK(filch_dd_diagram_nodes(d, k) <= 2);
	TEST_CHECK(filch_dd_diagram_best(d, &value, labels) && value <= 15);
	TEST_CHECK(small_value(&paper, SMALL_KNAPSACK, labels, &real) && real == value);
	filch_dd_diagram_destroy(d);

	d = compile(&p, FILCH_DD_RELAXED, 2);
	TEST_CHECK(filch_dd_diagram_best(d, &value, labels) && value >= 15);
	TEST_CHECK(filch_dd_diagram_nodes(d, 2) == 2);
	/* The best node stays, and the others become one with the largest capacity and the best value. */
	TEST_CHECK(find(d, 2, 2, 13) != SIZE_MAX && find(d, 2, 7, 8) != SIZE_MAX);
	TEST_CHECK(!filch_dd_diagram_node(d, 2, find(d, 2, 7, 8), &n) && n.merged && !n.exact && n.bottom == 7);
	TEST_CHECK(!filch_dd_diagram_node(d, 2, find(d, 2, 2, 13), &n) && !n.merged && n.exact && n.bottom == 6);
	TEST_CHECK(value == 19);
	filch_dd_diagram_destroy(d);
}

static uint64_t is_odd(const struct filch_dd_layer *layer, const void *state)
{
	(void)layer;
	return *(const int64_t *)state & 1;
}

/* Odd and even capacities are merged apart, as long as the width allows. */
static void groups(void)
{
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_diagram *d;
	struct filch_dd_diagram_node n;
	int64_t value = 0;

	p.group = is_odd;
	d = compile(&p, FILCH_DD_RELAXED, 2);
	TEST_CHECK(filch_dd_diagram_nodes(d, 2) == 2 && find(d, 2, 7, 5) != SIZE_MAX && find(d, 2, 4, 13) != SIZE_MAX);
	TEST_CHECK(!filch_dd_diagram_node(d, 2, find(d, 2, 4, 13), &n) && n.merged && !n.exact);
	TEST_CHECK(filch_dd_diagram_best(d, &value, NULL) && value >= 15);
	filch_dd_diagram_destroy(d);
	d = compile(&p, FILCH_DD_RELAXED, 3); /* the even state that does not stay is alone */
	TEST_CHECK(filch_dd_diagram_nodes(d, 2) == 3 && find(d, 2, 7, 5) != SIZE_MAX && find(d, 2, 2, 13) != SIZE_MAX);
	TEST_CHECK(!filch_dd_diagram_node(d, 2, find(d, 2, 4, 8), &n) && !n.merged && n.exact);
	filch_dd_diagram_destroy(d);
	d = compile(&p, FILCH_DD_RELAXED, 1); /* more groups than nodes: one group */
	TEST_CHECK(filch_dd_diagram_nodes(d, 2) == 1 && find(d, 2, 7, 13) != SIZE_MAX);
	filch_dd_diagram_destroy(d);
}

static void prefix(void)
{
	static const int32_t labels[] = {1, 1};
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_compile_options o = {.struct_size = sizeof(o), .prefix_labels = labels, .prefix_length = 2};
	struct filch_dd_diagram *d;
	int32_t best[4];
	int64_t value;

	TEST_CHECK(!filch_dd_compile(&d, &p, &o));
	TEST_CHECK(filch_dd_diagram_layers(d) == 3 && filch_dd_diagram_best(d, &value, best) && value == 13);
	TEST_CHECK(best[0] == 1 && best[1] == 1 && best[2] == 0 && best[3] == 0);
	filch_dd_diagram_destroy(d);
	o.prefix_labels = (const int32_t[]){1, 2};
	TEST_CHECK(filch_dd_compile(&d, &p, &o) == -ENOENT);
}

static void draw(void)
{
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_diagram *d = compile(&p, FILCH_DD_RELAXED, 2);
	char path[64], text[200];
	FILE *in;

	snprintf(path, sizeof(path), "dd_draw.%ld", (long)getpid());
	TEST_CHECK(filch_dd_diagram_draw(d, path, "png") == -EINVAL);
	TEST_CHECK(filch_dd_diagram_draw(d, "/no/such/folder/x", "svg") == -ENOENT);
	for (int svg = 0; svg < 2; svg++) {
		int nodes = 0;

		TEST_CHECK(!filch_dd_diagram_draw(d, path, svg ? "svg" : "dot"));
		in = fopen(path, "r");
		TEST_CHECK(in);
		while (fgets(text, sizeof(text), in))
			nodes += strstr(text, svg ? "<rect class=\"node" : "peripheries=2") != NULL;
		fclose(in);
		unlink(path);
		TEST_CHECK(svg ? nodes >= 9 : nodes >= 1);
	}
	filch_dd_diagram_destroy(d);
}

/* The reason for the last failure has this text. */
static bool says(const char *text)
{
	if (strstr(filch_error_message(), text))
		return true;
	fprintf(stderr, "not \"%s\", but \"%s\"\n", text, filch_error_message());
	return false;
}

/* A diagram with more nodes and arcs than the limit is given up. */
static void size_limit(void)
{
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_compile_options o = {.struct_size = sizeof(o)};
	struct filch_dd_diagram *d = compile(&p, FILCH_DD_EXACT, 0);
	size_t size = 0;

	for (int k = 0; k < filch_dd_diagram_layers(d); k++)
		size += filch_dd_diagram_nodes(d, k) + filch_dd_diagram_arcs(d, k);
	filch_dd_diagram_destroy(d);
	o.size_limit = size - 1;
	TEST_CHECK(filch_dd_compile(&d, &p, &o) == -EFBIG && says("after 3 of 4 variables: more than "));
	o.size_limit = size;
	TEST_CHECK(!filch_dd_compile(&d, &p, &o));
	filch_dd_diagram_destroy(d);
}

static int broken_begin(void *local, void *arg)
{
	(void)local, (void)arg;
	return -EIO;
}

/* The reasons in words: which field is wrong, and its value. */
static void reasons(void)
{
	struct filch_dd_problem p = paper_problem(), q = p;
	struct filch_dd_options s = {.struct_size = sizeof(s), .width_factor = -1};
	struct filch_dd *dd;

	TEST_CHECK(filch_dd_create(&dd, NULL, NULL) == -EINVAL && says("the problem is NULL"));
	q.struct_size = 0;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL);
	TEST_CHECK(says("struct filch_dd_problem: struct_size is 0; set it to sizeof(struct filch_dd_problem)"));
	q = p;
	q.variables = -3;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL && says("variables of the problem is -3"));
	q = p;
	q.state_size = 0;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL && says("state_size of the problem is 0"));
	q = p;
	q.root = NULL;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL && says("the function root of the problem is NULL"));
	q = p;
	q.expand = NULL;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL && says("the function expand of the problem is NULL"));
	q = p;
	q.coordinates = 9;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL && says("coordinates of the problem is 9"));
	q = p;
	q.flags = 1u << 20;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL && says("there is no flag 0x100000"));
	q = p;
	q.local_begin = broken_begin;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EIO && says("local_begin of the problem has failed"));
	TEST_CHECK(filch_dd_create(&dd, &p, &s) == -EINVAL && says("width_factor is -1"));
}

static void wrong(void)
{
	struct filch_dd_problem p = paper_problem(), q = p;
	struct filch_dd_compile_options o = {.struct_size = sizeof(o)};
	struct filch_dd_options s = {.struct_size = sizeof(s)};
	struct filch_dd_diagram *d;
	struct filch_dd *dd;

	TEST_CHECK(filch_dd_compile(NULL, &p, &o) == -EINVAL && filch_dd_compile(&d, NULL, &o) == -EINVAL);
	q.expand = NULL;
	TEST_CHECK(filch_dd_compile(&d, &q, NULL) == -EINVAL && filch_dd_create(&dd, &q, NULL) == -EINVAL);
	q = p;
	q.goal = FILCH_SEARCH_ALL;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL);
	q = p;
	q.struct_size = 0;
	TEST_CHECK(filch_dd_create(&dd, &q, NULL) == -EINVAL);
	q = p;
	q.children_max = 1; /* it has two */
	TEST_CHECK(filch_dd_compile(&d, &q, &o) == -E2BIG);
	q = p;
	q.merge = NULL;
	o.kind = FILCH_DD_RELAXED;
	TEST_CHECK(filch_dd_compile(&d, &q, &o) == -EINVAL);
	o.cutset = "none";
	TEST_CHECK(filch_dd_compile(&d, &p, &o) == -ENOENT);
	s.cutset = "none";
	TEST_CHECK(filch_dd_create(&dd, &p, &s) == -ENOENT);
	s.cutset = NULL;
	s.order = "none";
	TEST_CHECK(filch_dd_create(&dd, &p, &s) == -ENOENT);
	s.order = NULL;
	s.width_factor = NAN;
	TEST_CHECK(filch_dd_create(&dd, &p, &s) == -EINVAL);
	TEST_CHECK(filch_dd_diagram_best(NULL, NULL, NULL) == 0 && filch_dd_diagram_layers(NULL) == 0);
	filch_dd_diagram_destroy(NULL);
	filch_dd_destroy(NULL);
}

/* A cut of 12 vertices at width 1 needs some hundred subproblems. */
static void large(struct small *s, struct filch_dd_problem *p)
{
	uint64_t seed = 77;

	do
		small_make(s, SMALL_CUT, SMALL_MAX, &seed);
	while (s->n < SMALL_MAX);
	small_problem(p, s, SMALL_CUT);
}

static struct filch_dd_result run(struct filch_dd *dd)
{
	struct filch_dd_result r = {.struct_size = sizeof(r)};

	TEST_CHECK(!filch_dd_run(dd, &r));
	return r;
}

/* A limit of nodes ends the run, another solver goes on with the checkpoint, and the answer is the same. */
static void checkpoint(void)
{
	struct filch_dd_options o = {.struct_size = sizeof(o), .width = 1, .node_limit = 4};
	struct filch_dd_problem p;
	struct filch_dd_result r;
	struct filch_dd *dd;
	struct small s;
	char path[64];
	int64_t best;
	int runs = 0;

	large(&s, &p);
	TEST_CHECK(small_enumerate(&s, SMALL_CUT, &best));
	snprintf(path, sizeof(path), "dd_checkpoint.%ld", (long)getpid());
	o.checkpoint = path;
	TEST_CHECK(!filch_dd_create(&dd, &p, &o));
	TEST_CHECK(filch_dd_load(dd, path) == -ENOENT);
	r = run(dd);
	filch_dd_destroy(dd);
	for (; r.end == FILCH_SEARCH_NODES; runs++) {
		TEST_CHECK(r.explored == 4 && r.open > 0);
		TEST_CHECK(!r.has_bound || r.bound >= best);
		TEST_CHECK(!filch_dd_create(&dd, &p, &o) && !filch_dd_load(dd, path));
		r = run(dd);
		if (r.end == FILCH_SEARCH_DONE)
			TEST_CHECK(r.best == best && r.labels);
		filch_dd_destroy(dd);
	}
	TEST_CHECK(runs > 1 && r.end == FILCH_SEARCH_DONE);
	p.fingerprint++;
	TEST_CHECK(!filch_dd_create(&dd, &p, &o));
	TEST_CHECK(filch_dd_load(dd, path) == -EXDEV);
	TEST_CHECK(run(dd).end == FILCH_SEARCH_NODES); /* its root is still there */
	filch_dd_destroy(dd);
	unlink(path);
}

/* The same counts for every number of workers. */
static void deterministic(void)
{
	struct filch_dd_options o = {.struct_size = sizeof(o), .width = 1, .round = 8};
	struct filch_dd_result first = {0}, r;
	struct filch_dd_problem p;
	struct filch_dd *dd;
	struct small s;

	large(&s, &p);
	for (o.workers = 1; o.workers < 4; o.workers++) {
		TEST_CHECK(!filch_dd_create(&dd, &p, &o));
		r = run(dd);
		TEST_CHECK(r.end == FILCH_SEARCH_DONE);
		first = o.workers == 1 ? r : first;
		TEST_CHECK(r.explored == first.explored && r.pruned == first.pruned && r.nodes == first.nodes);
		filch_dd_destroy(dd);
	}
	TEST_CHECK(first.explored > 8);
}

/* Time, memory and cancel: the run ends with a solution or without one, and frees all. */
static void limits(void)
{
	struct filch_dd_options o = {.struct_size = sizeof(o), .width = 1, .time_limit_ns = 1};
	struct filch_dd_problem p;
	struct filch_dd_result r = {0};
	struct filch_dd *dd;
	struct small s;

	large(&s, &p);
	TEST_CHECK(!filch_dd_create(&dd, &p, &o));
	TEST_CHECK(run(dd).end == FILCH_SEARCH_TIME);
	filch_dd_destroy(dd);
	o.time_limit_ns = 0;
	for (o.memory_limit = 1000; o.memory_limit < 1000000; o.memory_limit *= 2) {
		int err = filch_dd_create(&dd, &p, &o);

		TEST_CHECK(!err || err == -ENOMEM);
		if (err)
			continue;
		r = run(dd);
		TEST_CHECK(r.end == FILCH_SEARCH_MEMORY || r.end == FILCH_SEARCH_DONE);
		TEST_CHECK(r.memory <= o.memory_limit);
		filch_dd_destroy(dd);
	}
	TEST_CHECK(r.end == FILCH_SEARCH_DONE);
	o.memory_limit = 0;
	TEST_CHECK(!filch_dd_create(&dd, &p, &o));
	filch_dd_cancel(dd);
	TEST_CHECK(run(dd).end == FILCH_SEARCH_CANCELLED);
	TEST_CHECK(run(dd).end == FILCH_SEARCH_DONE);
	filch_dd_destroy(dd);
}

#define CROWD 3000 /* states of a layer, none of which dominates another one */

static struct filch_dd *crowd_solver;
static int crowd_calls, crowd_calls_after;

static int64_t crowd_root(const struct filch_dd_layer *layer, void *state)
{
	(void)layer;
	*(int64_t *)state = 0;
	return 0;
}

static void crowd_expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	int32_t count = layer->variable ? 1 : CROWD;

	(void)state;
	for (int32_t i = 0; i < count; i++)
		*(int64_t *)filch_dd_child(children, i, 0) = i;
}

static int crowd_dominance(const struct filch_dd_layer *layer, const void *state, void *key, int64_t *coordinates)
{
	(void)layer, (void)key;
	coordinates[0] = *(const int64_t *)state;
	coordinates[1] = -coordinates[0];
	if (++crowd_calls == CROWD / 2)
		filch_dd_cancel(crowd_solver);
	crowd_calls_after += crowd_calls > CROWD / 2;
	return 1;
}

/* States are compared in pairs: a wish to stop is seen before the layer is done. */
static void crowd(void)
{
	struct filch_dd_problem p = {.struct_size = sizeof(p),
				     .variables = 3,
				     .state_size = sizeof(int64_t),
				     .children_max = CROWD,
				     .goal = FILCH_SEARCH_MAXIMISE,
				     .coordinates = 2,
				     .root = crowd_root,
				     .expand = crowd_expand,
				     .dominance = crowd_dominance};
	struct filch_dd_options o = {.struct_size = sizeof(o), .workers = 1, .width = 2 * CROWD};

	TEST_CHECK(!filch_dd_create(&crowd_solver, &p, &o));
	TEST_CHECK(run(crowd_solver).end == FILCH_SEARCH_CANCELLED);
	TEST_CHECK(crowd_calls >= CROWD / 2 && crowd_calls_after < 20);
	filch_dd_destroy(crowd_solver);
}

static int refuse(const int32_t *labels, int64_t *value, void *arg)
{
	(void)arg;
	*value = labels[0];
	return -EINVAL;
}

static int other_value(const int32_t *labels, int64_t *value, void *arg)
{
	(void)labels, (void)arg;
	*value = 14;
	return 0;
}

/* A check that refuses the solution, one that computes another value, and a solution from the caller. */
static void solutions(void)
{
	struct filch_dd_problem p = paper_problem();
	struct filch_dd_result r = {.struct_size = sizeof(r)};
	static const int32_t labels[] = {1, 0, 1, 0};
	struct filch_dd *dd;

	TEST_CHECK(!filch_dd_create(&dd, &p, NULL));
	TEST_CHECK(filch_dd_improve(dd, 15, labels) == 1 && filch_dd_improve(dd, 14, labels) == 0);
	r = run(dd);
	TEST_CHECK(r.best == 15 && !memcmp(r.labels, labels, sizeof(labels)));
	TEST_CHECK(filch_dd_search(dd) && !filch_dd_search(NULL));
	filch_dd_destroy(dd);
	p.check = refuse;
	TEST_CHECK(!filch_dd_create(&dd, &p, NULL));
	TEST_CHECK(filch_dd_run(dd, &r) == -EPROTO &&
		   says("the check of the problem refuses the solution of value 15"));
	TEST_CHECK(filch_dd_run(dd, &(struct filch_dd_result){0}) == -EINVAL);
	filch_dd_destroy(dd);
	p.check = other_value;
	TEST_CHECK(!filch_dd_create(&dd, &p, NULL));
	TEST_CHECK(filch_dd_run(dd, &r) == -EPROTO);
	TEST_CHECK(says("the check of the problem computes the value 14 for the solution, but the solver 15"));
	filch_dd_destroy(dd);
}

int main(void)
{
	static const struct test_scenario all[] = {
		{"exact", exact},
		{"narrow", narrow},
		{"groups", groups},
		{"prefix", prefix},
		{"draw", draw},
		{"size_limit", size_limit},
		{"wrong", wrong},
		{"reasons", reasons},
		{"crowd", crowd},
		{"checkpoint", checkpoint},
		{"deterministic", deterministic},
		{"limits", limits},
		{"solutions", solutions},
	};

	filch_start(&(struct filch_options){.struct_size = sizeof(struct filch_options), .workers = 3});
	test_run(all, sizeof(all) / sizeof(*all));
	filch_stop();
	return TEST_PASS;
}
