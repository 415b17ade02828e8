/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unsplittable flow with unpleasant numbers and networks: huge capacities beside small ones, nodes in Q without arcs,
 * parallel arcs, cycles, no supply. The optimum comes from enumeration, the values of matchings from the check of the
 * instance, which works with whole numbers only.
 */
#include "../../dd/ufp/explore.h"
#include "../fixtures/problems/matchings.h"

#include <errno.h>
#include <inttypes.h>

#define SEEDS 150u
#define SEEDS_DEEP 20000u

static struct filchi_ufp *read_text(const char *text, size_t size)
{
	struct filchi_text t;
	struct filchi_ufp *u;

	filchi_text_begin(&t, text, size);
	u = filchi_ufp_read(&t);
	if (!u)
		fprintf(stderr, "%s\n", t.error);
	TEST_CHECK(u);
	return u;
}

static struct filchi_ufp *read_line(const char *text)
{
	return read_text(text, strlen(text));
}

static int64_t solve(const struct filchi_ufp *u, struct filchi_ufp_options opt)
{
	struct filch_options pool = {.struct_size = sizeof(pool), .workers = (int)opt.workers};
	struct filchi_ufp_solver *solver;
	struct filch_dd_result r;

	TEST_CHECK(!filch_pool_create(&opt.pool, &pool));
	TEST_CHECK(!filchi_ufp_solver_create(&solver, u, &opt));
	TEST_CHECK(!filchi_ufp_solver_run(solver, &r));
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.has_best && r.has_bound && r.bound == r.best);
	filchi_ufp_solver_destroy(solver);
	filch_pool_destroy(opt.pool);
	return r.best;
}

static void check_all_ways(const struct filchi_ufp *u, int64_t best)
{
	TEST_CHECK(solve(u, (struct filchi_ufp_options){.workers = 1}) == best);
	TEST_CHECK(solve(u, (struct filchi_ufp_options){.workers = 2, .width = 2}) == best);
	TEST_CHECK(solve(u, (struct filchi_ufp_options){.workers = 1, .cutset = "frontier", .weak_cuts = true}) ==
		   best);
}

/* ---- by hand ---- */

static void by_hand(void)
{
	static const struct {
		const char *text;
		int64_t best;
	} cases[] = {
		{"p ufp 1 0 0 1\n", 0},
		{"p ufp 1 0 1 1\nq 0\n", 0},
		{"p ufp 2 1 0 1\na 0 1 5 7\n", 0}, /* no supply */
		{"p ufp 2 1 0 2\ns 0 9\nd 1 1 9\na 0 1 5 7\n", 35},
		{"p ufp 3 1 1 1\nq 1\ns 0 9\nd 0 2 9\na 0 1 5 7\n", 0},	 /* a node in Q without outgoing arcs */
		{"p ufp 3 1 1 1\nq 1\ns 0 9\nd 0 2 9\na 1 2 5 7\n", 0},	 /* one without incoming arcs */
		{"p ufp 2 2 2 1\nq 0\nq 1\na 0 1 3 4\na 1 0 2 -1\n", 6}, /* a circle in Q carries flow from nowhere */
		{"p ufp 2 2 0 1\na 0 1 3 4\na 1 0 2 -5\n", 0},
		/* parallel arcs: the larger one first */
		{"p ufp 3 4 1 1\nq 1\ns 0 9\nd 0 2 9\na 0 1 5 1\na 0 1 2 1\na 1 2 2 1\na 1 2 5 1\n", 14},
		/* a useless circle of a huge capacity beside flows of one unit */
		{"p ufp 5 6 1 1\nq 1\ns 0 2\nd 0 2 1\na 0 1 1 3\na 0 1 1 2\na 1 2 1 5\na 1 2 1 4\n"
		 "a 3 4 1000000000000 0\na 4 3 1000000000000 0\n",
		 8},
		{"p ufp 2 1 0 1\ns 0 1000000000000\nd 0 1 1000000000000\na 0 1 1000000000000 9007\n", 9007000000000000},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filchi_ufp *u = read_line(cases[i].text);

		check_all_ways(u, cases[i].best);
		filchi_ufp_destroy(u);
	}
}

/* Flows of more than 2^52 would not be whole numbers any more. */
static void too_large(void)
{
	struct filchi_ufp *u;
	struct filchi_ufp_solver *solver;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	TEST_CHECK(f);
	fprintf(f, "p ufp 2 5000 0 1\n");
	for (unsigned a = 0; a < 5000; a++)
		fprintf(f, "a %u %u 1000000000000 0\n", a % 2, 1 - a % 2);
	TEST_CHECK(!fclose(f));
	u = read_text(text, size);
	TEST_CHECK(filchi_ufp_solver_create(&solver, u, NULL) == -ERANGE);
	filchi_ufp_destroy(u);
	free(text);
}

static bool stop(void *arg)
{
	return ++*(unsigned *)arg > 3;
}

/* A relaxation that is stopped has a valid bound nevertheless, and can be solved again. */
static void stopped(void)
{
	struct filchi_generate g = {.seed = 7, .size = 40, .density = -1, .range = 40, .arcs = 110, .scenarios = 1};
	struct filchi_ufp *u;
	struct filchi_ufp_network n;
	struct filchi_ufp_relax r;
	uint64_t *every;
	unsigned asked = 0;
	double whole;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	TEST_CHECK(f);
	filchi_ufp_generate(f, &g);
	TEST_CHECK(!fclose(f));
	u = read_text(text, size);
	TEST_CHECK(!filchi_ufp_network_make(&n, u) && !filchi_ufp_relax_init(&r, &n));
	every = malloc((n.pairs / 64 + 1) * sizeof(*every));
	TEST_CHECK(every);
	memset(every, 0xff, (n.pairs / 64 + 1) * sizeof(*every));
	r.lp.stop = stop;
	r.lp.stop_arg = &asked;
	TEST_CHECK(!filchi_ufp_relax_solve(&r, every, -1) && asked >= 4);
	whole = r.bound;
	r.lp.stop = NULL;
	TEST_CHECK(!filchi_ufp_relax_solve(&r, every, -1));
	TEST_CHECK(r.bound < whole);
	TEST_CHECK(r.bound >= (double)solve(u, (struct filchi_ufp_options){.workers = 1}) - 1e-6);
	free(every);
	filchi_ufp_relax_end(&r);
	filchi_ufp_network_destroy(&n);
	filchi_ufp_destroy(u);
	free(text);
}

/*
 * Narrow relaxed diagrams of one node in Q with five arcs on each side. Only one outgoing arc gains anything, so paths
 * through merged states take it again and again. Their pairs must be a matching nevertheless.
 */
static void merged(void)
{
	struct filchi_ufp *u;
	struct filchi_ufp_network n;
	struct filchi_ufp_master m;
	struct filchi_ufp_cut cut = {0, calloc(25, sizeof(double))};
	double chosen[25], weight[25] = {0};
	uint64_t all = ((uint64_t)1 << 25) - 1;
	int64_t value;
	bool exact;

	u = read_line("p ufp 3 10 1 2\nq 1\ns 0 9\nd 0 2 9\n"
		      "a 0 1 1 1\na 0 1 1 1\na 0 1 1 1\na 0 1 1 1\na 0 1 1 1\n"
		      "a 1 2 1 1\na 1 2 1 1\na 1 2 1 1\na 1 2 1 1\na 1 2 1 1\n");
	TEST_CHECK(cut.gain && !filchi_ufp_network_make(&n, u) && n.pairs == 25 && !filchi_ufp_master_init(&m, &n));
	m.cuts = 1;
	m.cut[0] = &cut;
	for (size_t p = 0; p < 25; p++)
		cut.gain[p] = p % 5 == 2 ? 10 : 0;
	for (size_t width = 1; width < 40; width++) {
		unsigned ins[5] = {0}, outs[5] = {0};

		TEST_CHECK(!filchi_ufp_master_compile(&m, &all, weight, FILCH_DD_RELAXED, width, NULL, -1, &value,
						      chosen, &exact, NULL, NULL));
		TEST_CHECK(value >= 10);
		for (size_t p = 0; p < 25; p++)
			if (chosen[p] > 0)
				TEST_CHECK(!ins[p / 5]++ && !outs[p % 5]++);
	}
	free(cut.gain);
	filchi_ufp_master_end(&m);
	filchi_ufp_network_destroy(&n);
	filchi_ufp_destroy(u);
}

/* ---- at random ---- */

static int64_t amount(struct filchi_random *r, bool huge)
{
	static const int64_t some[] = {0, 1, 2, 3, 7, 1000, 999999999989, 1000000000000};

	return some[filchi_random_between(r, 0, huge ? 7 : 5)];
}

static struct filchi_ufp *random_instance(uint64_t seed)
{
	struct filchi_generate g = {.seed = seed};
	struct filchi_random r = filchi_random_begin(&g);
	int64_t nodes = filchi_random_between(&r, 2, 8), arcs = filchi_random_between(&r, 0, 14);
	int64_t scenarios = filchi_random_between(&r, 1, 3), in_q = 0;
	bool q[8], huge = seed % 2;
	struct filchi_ufp *u;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	TEST_CHECK(f);
	for (int64_t v = 0; v < nodes; v++)
		in_q += q[v] = filchi_random_chance(&r, 0.5);
	fprintf(f, "p ufp %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", nodes, arcs, in_q, scenarios);
	for (int64_t v = 0; v < nodes; v++) {
		if (q[v])
			fprintf(f, "q %" PRId64 "\n", v);
		else
			fprintf(f, "s %" PRId64 " %" PRId64 "\n", v, amount(&r, huge));
		for (int64_t k = 0; !q[v] && k < scenarios; k++)
			fprintf(f, "d %" PRId64 " %" PRId64 " %" PRId64 "\n", k, v, amount(&r, huge));
	}
	for (int64_t a = 0; a < arcs; a++) {
		int64_t tail = filchi_random_between(&r, 0, nodes - 1), head = filchi_random_between(&r, 0, nodes - 2);
		int64_t capacity = amount(&r, huge), most = capacity > 1000 ? 100 : seed % 3 ? 20 : 1000000000;

		fprintf(f, "a %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", tail, head + (head >= tail), capacity,
			filchi_random_between(&r, -most / 3, most));
	}
	TEST_CHECK(!fclose(f));
	u = read_text(text, size);
	free(text);
	return u;
}

static void at_random(void)
{
	unsigned used = 0, seeds = getenv("FILCH_DEEP") ? SEEDS_DEEP : SEEDS;

	for (uint64_t seed = 0; seed < seeds; seed++) {
		struct filchi_ufp *u = random_instance(seed);
		struct filchi_ufp_network n;
		struct matchings all;

		TEST_CHECK(!filchi_ufp_network_make(&n, u));
		if (matchings_make(&all, &n)) {
			uint64_t *every = malloc(all.words * sizeof(*every));

			TEST_CHECK(every);
			memset(every, 0xff, all.words * sizeof(*every));
			check_all_ways(u, matchings_best(&all, every));
			free(every);
			used++;
		}
		matchings_free(&all);
		filchi_ufp_network_destroy(&n);
		filchi_ufp_destroy(u);
	}
	TEST_CHECK(used > seeds / 2);
}

int main(void)
{
	static const struct test_scenario all[] = {{"by_hand", by_hand},
						   {"too_large", too_large},
						   {"stopped", stopped},
						   {"merged", merged},
						   {"at_random", at_random}};

	test_run(all, sizeof(all) / sizeof(all[0]));
	return TEST_PASS;
}
