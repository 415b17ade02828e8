/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unsplittable flow against enumeration of all matchings, on random small instances: flows, cuts, relaxations, diagrams
 * and the solver with each of its options. The values of the matchings come from the check of the instance, which works
 * by shortest paths.
 */
#include "../../dd/ufp/explore.h"
#include "../fixtures/problems/matchings.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#define SEEDS 24u

/* An instance with all that the tests need. */
struct sample {
	struct filchi_ufp *u;
	struct filchi_ufp_network n;
	struct matchings all;
	struct filchi_ufp_evaluator evaluator;
	struct filchi_ufp_relax relax;
	struct filchi_ufp_master master;
	struct filchi_ufp_cut cut[4];
	double *point;
	uint64_t *allowed;
	struct filchi_random random;
};

static struct filchi_ufp *make_instance(const struct filchi_generate *g)
{
	struct filchi_text t;
	struct filchi_ufp *u;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	TEST_CHECK(f);
	filchi_ufp_generate(f, g);
	TEST_CHECK(!fclose(f));
	filchi_text_begin(&t, text, size);
	u = filchi_ufp_read(&t);
	TEST_CHECK(u);
	free(text);
	return u;
}

/* False: it has too many matchings. */
static bool sample_make(struct sample *s, uint64_t seed)
{
	struct filchi_generate g = {.seed = seed,
				    .size = 7 + seed % 5,
				    .density = seed % 3 ? 0.9 : 0.5,
				    .range = 20,
				    .arcs = 10 + seed % 9,
				    .scenarios = seed % 2 ? 1 : 1 + seed % 7};

	*s = (struct sample){.u = make_instance(&g), .random = filchi_random_begin(&g)};
	TEST_CHECK(!filchi_ufp_network_make(&s->n, s->u));
	TEST_CHECK(!filchi_ufp_evaluator_init(&s->evaluator, &s->n));
	TEST_CHECK(!filchi_ufp_relax_init(&s->relax, &s->n));
	TEST_CHECK(!filchi_ufp_master_init(&s->master, &s->n));
	for (size_t i = 0; i < 4; i++) {
		s->cut[i].gain = calloc(s->n.pairs + 1, sizeof(double));
		TEST_CHECK(s->cut[i].gain);
	}
	s->point = calloc(s->n.pairs + 1, sizeof(double));
	s->allowed = calloc(s->n.pairs / 64 + 1, sizeof(uint64_t));
	TEST_CHECK(s->point && s->allowed);
	return matchings_make(&s->all, &s->n);
}

static void sample_free(struct sample *s)
{
	filchi_ufp_evaluator_end(&s->evaluator);
	filchi_ufp_relax_end(&s->relax);
	filchi_ufp_master_end(&s->master);
	filchi_ufp_network_destroy(&s->n);
	for (size_t i = 0; i < 4; i++)
		free(s->cut[i].gain);
	free(s->point);
	free(s->allowed);
	matchings_free(&s->all);
	filchi_ufp_destroy(s->u);
}

static void each_sample(void (*test)(struct sample *s))
{
	unsigned used = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct sample s;

		if (sample_make(&s, seed)) {
			test(&s);
			used++;
		}
		sample_free(&s);
	}
	TEST_CHECK(used > SEEDS / 2);
}

static void set_point(struct sample *s, size_t matching)
{
	for (size_t p = 0; p < s->n.pairs; p++)
		s->point[p] = filchi_bit_test(matchings_pairs(&s->all, matching), p);
}

static size_t some_matching(struct sample *s)
{
	return (size_t)filchi_random_between(&s->random, 0, (int64_t)s->all.count - 1);
}

static void some_pairs(struct sample *s)
{
	for (size_t p = 0; p < s->n.pairs; p++) {
		filchi_bit_clear(s->allowed, p);
		if (filchi_random_chance(&s->random, 0.7))
			filchi_bit_set(s->allowed, p);
	}
}

/* No matching is better than the cut says. */
static void check_valid(struct sample *s, const struct filchi_ufp_cut *cut)
{
	for (size_t i = 0; i < s->all.count; i++) {
		set_point(s, i);
		TEST_CHECK(filchi_ufp_cut_at(cut, s->point, s->n.pairs) > (double)s->all.value[i] - 1e-6);
	}
	for (size_t p = 0; p < s->n.pairs; p++)
		TEST_CHECK(cut->gain[p] >= 0);
}

/* Values of matchings are those of the check, and cuts are valid and tight. */
static void test_cuts(struct sample *s)
{
	for (unsigned i = 0; i < 6; i++) {
		size_t at = some_matching(s);

		set_point(s, at);
		TEST_CHECK(!filchi_ufp_evaluate(&s->evaluator, s->point, NULL, &s->cut[0]));
		TEST_CHECK(filchi_ufp_cut_at(&s->cut[0], s->point, s->n.pairs) == (double)s->all.value[at]);
		TEST_CHECK(!filchi_ufp_evaluate_inside(&s->evaluator, s->point, 1e-3, NULL, &s->cut[1]));
		check_valid(s, &s->cut[0]);
		check_valid(s, &s->cut[1]);
	}
}

static void cuts(void)
{
	each_sample(test_cuts);
}

static void add_cuts(struct sample *s)
{
	for (unsigned i = 0; i < 4; i++) {
		set_point(s, some_matching(s));
		TEST_CHECK(!filchi_ufp_evaluate_inside(&s->evaluator, s->point, i % 2 ? 1e-3 : 0.3, NULL, &s->cut[i]));
		if (!s->relax.whole)
			TEST_CHECK(!filchi_ufp_relax_add(&s->relax, &s->cut[i]));
	}
}

/* The relaxation bounds the matchings within any pairs, with and without each pair; its cut is valid. */
static void test_relax(struct sample *s)
{
	add_cuts(s);
	for (unsigned i = 0; i < 12; i++) {
		int64_t best;

		some_pairs(s);
		best = matchings_best(&s->all, s->allowed);
		TEST_CHECK(!filchi_ufp_relax_solve(&s->relax, s->allowed, -1));
		TEST_CHECK(s->relax.bound > (double)best - 1e-6);
		check_valid(s, &s->relax.cut);
		for (size_t p = 0; p < s->n.pairs; p++) {
			int64_t with = -1;

			for (size_t j = 0; j < s->all.count; j++)
				if (filchi_bit_test(matchings_pairs(&s->all, j), p) && s->all.value[j] > with &&
				    matchings_within(&s->all, j, s->allowed))
					with = s->all.value[j];
			TEST_CHECK(with < 0 || filchi_ufp_relax_with(&s->relax, p) > (double)with - 1e-6);
		}
		filchi_ufp_clean(&s->n, s->allowed);
		TEST_CHECK(matchings_best(&s->all, s->allowed) == best);
		if (i == 6) {
			filchi_ufp_relax_forget(&s->relax, 2);
			TEST_CHECK(s->relax.whole || filchi_ufp_relax_cuts(&s->relax) >= 1);
		}
	}
}

static void relaxations(void)
{
	each_sample(test_relax);
}

/* What all cuts together say of the best matching within the pairs. */
static int64_t best_under_cuts(struct sample *s)
{
	int64_t best = -1;

	for (size_t i = 0; i < s->all.count; i++) {
		double least = INFINITY;

		if (!matchings_within(&s->all, i, s->allowed))
			continue;
		set_point(s, i);
		for (unsigned k = 0; k < 4; k++)
			least = fmin(least, filchi_ufp_cut_at(&s->cut[k], s->point, s->n.pairs));
		best = (int64_t)floor(least + 1e-6) > best ? (int64_t)floor(least + 1e-6) : best;
	}
	return best;
}

struct children {
	struct sample *s;
	int64_t best; /* of all children */
	int64_t bound;
	size_t count;
};

static int take_child(void *arg, const uint64_t *allowed, int64_t bound)
{
	struct children *c = arg;
	int64_t best = matchings_best(&c->s->all, allowed);

	TEST_CHECK(bound >= best);
	c->best = best > c->best ? best : c->best;
	c->bound = bound > c->bound ? bound : c->bound;
	c->count++;
	return 0;
}

/* Exact diagrams have the best matching under the cuts, the others bound it, and a cutset loses no solution. */
static void test_master(struct sample *s)
{
	double *weight = calloc(s->n.pairs + 1, sizeof(*weight));

	TEST_CHECK(weight);
	add_cuts(s);
	s->master.cuts = 4;
	for (unsigned k = 0; k < 4; k++)
		s->master.cut[k] = &s->cut[k];
	for (unsigned i = 0; i < 8; i++) {
		static const char *const cutsets[] = {"frontier", "layer"};
		struct children c = {.s = s, .best = -1, .bound = -1};
		int64_t want, best, value;
		bool exact;

		for (size_t p = 0; p < s->n.pairs; p++)
			weight[p] = filchi_random_chance(&s->random, 0.5) ? 0.5 : 0;
		some_pairs(s);
		want = best_under_cuts(s);
		best = matchings_best(&s->all, s->allowed);
		TEST_CHECK(!filchi_ufp_master_compile(&s->master, s->allowed, weight, FILCH_DD_EXACT, 0, NULL, -1,
						      &value, s->point, &exact, NULL, NULL));
		TEST_CHECK(exact && value == want);
		TEST_CHECK(!filchi_ufp_master_compile(&s->master, s->allowed, weight, FILCH_DD_RESTRICTED, 2, NULL, -1,
						      &value, s->point, &exact, NULL, NULL));
		TEST_CHECK(value <= want && (!exact || value == want));
		TEST_CHECK(!filchi_ufp_master_compile(&s->master, s->allowed, weight, FILCH_DD_RELAXED, 2 + i,
						      cutsets[i % 2], best - 1, &value, s->point, &exact, take_child,
						      &c));
		TEST_CHECK(value >= best && (!exact || value == (want > best - 1 ? want : best - 1)));
		TEST_CHECK(exact ? !c.count : c.best == best && c.bound >= best);
	}
	free(weight);
}

static void diagrams(void)
{
	each_sample(test_master);
}

/* ---- the solver ---- */

static struct filch_dd_result solve(const struct filchi_ufp *u, struct filchi_ufp_options opt, const char *resume)
{
	struct filch_options pool = {.struct_size = sizeof(pool), .workers = (int)opt.workers};
	struct filch_dd_result r;
	struct filchi_ufp_solver *solver;

	TEST_CHECK(!filch_pool_create(&opt.pool, &pool));
	TEST_CHECK(!filchi_ufp_solver_create(&solver, u, &opt));
	if (resume)
		TEST_CHECK(!filchi_ufp_solver_load(solver, resume));
	TEST_CHECK(!filchi_ufp_solver_run(solver, &r)); /* has checked the solution */
	filchi_ufp_solver_destroy(solver);
	filch_pool_destroy(opt.pool);
	r.labels = NULL;
	return r;
}

static void test_solver(struct sample *s)
{
	static const struct filchi_ufp_options options[] = {
		{.workers = 1},
		{.workers = 2},
		{.workers = 2, .no_share = true, .order = "depth"},
		{.workers = 2, .width = 3, .move = "master", .victim = "affinity"},
		{.workers = 1, .width = 4, .cutset = "frontier", .order = "mixture"},
		{.workers = 2, .width = 2, .cutset = "layer"},
		{.workers = 1, .weak_cuts = true},
	};
	int64_t best;

	memset(s->allowed, 0xff, (s->n.pairs / 64 + 1) * sizeof(uint64_t));
	best = matchings_best(&s->all, s->allowed);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct filch_dd_result r = solve(s->u, options[i], NULL);

		TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.has_best && r.best == best && r.gap == 0);
	}
}

static void solver(void)
{
	each_sample(test_solver);
}

/* A run that ends early has bounds on both sides. Its checkpoint leads to the same optimum. */
static void checkpoints(void)
{
	struct filchi_generate g = {.seed = 5, .size = 22, .density = -1, .range = 40, .arcs = 56, .scenarios = 1};
	struct filchi_ufp *u = make_instance(&g), *other;
	char path[] = "ufp_checkpoint.XXXXXX";
	struct filchi_ufp_options opt = {.workers = 2, .node_limit = 5, .checkpoint = path};
	struct filch_dd_result part, whole;
	struct filchi_ufp_solver *solver;
	int fd = mkstemp(path);

	TEST_CHECK(fd >= 0 && !close(fd));
	whole = solve(u, (struct filchi_ufp_options){.workers = 2}, NULL);
	part = solve(u, opt, NULL);
	TEST_CHECK(whole.end == FILCH_SEARCH_DONE && whole.explored > 5);
	TEST_CHECK(part.end == FILCH_SEARCH_NODES && part.explored == 5 && part.has_best && part.has_bound);
	TEST_CHECK(part.best <= whole.best && part.bound >= whole.best);
	part = solve(u, (struct filchi_ufp_options){.workers = 1}, path);
	TEST_CHECK(part.end == FILCH_SEARCH_DONE && part.best == whole.best);
	g.seed = 6;
	other = make_instance(&g);
	TEST_CHECK(!filchi_ufp_solver_create(&solver, other, NULL));
	TEST_CHECK(filchi_ufp_solver_load(solver, path) == -EXDEV);
	filchi_ufp_solver_destroy(solver);
	filchi_ufp_destroy(other);
	filchi_ufp_destroy(u);
	TEST_CHECK(!unlink(path));
}

/* Many scenarios: they run in parallel. A time limit ends the run in the first node. */
static void scenarios(void)
{
	struct filchi_generate g = {.seed = 2, .size = 12, .density = -1, .range = 30, .arcs = 24, .scenarios = 120};
	struct filchi_ufp *u = make_instance(&g);
	struct filch_dd_result one = solve(u, (struct filchi_ufp_options){.workers = 1}, NULL);
	struct filch_dd_result two = solve(u, (struct filchi_ufp_options){.workers = 2}, NULL);
	struct filch_dd_result none = solve(u, (struct filchi_ufp_options){.workers = 2, .time_limit_ns = 1}, NULL);

	TEST_CHECK(one.end == FILCH_SEARCH_DONE && two.end == FILCH_SEARCH_DONE && one.best == two.best);
	TEST_CHECK(none.end == FILCH_SEARCH_TIME && none.open >= 1);
	filchi_ufp_destroy(u);
}

int main(void)
{
	static const struct test_scenario all[] = {
		{"cuts", cuts},	    {"relaxations", relaxations}, {"diagrams", diagrams},
		{"solver", solver}, {"checkpoints", checkpoints}, {"scenarios", scenarios},
	};

	test_run(all, sizeof(all) / sizeof(all[0]));
	return TEST_PASS;
}
