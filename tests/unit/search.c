/* SPDX-License-Identifier: Apache-2.0 */
/* Searches: best values, orders, limits, cancellation, holds, nesting, several at once, bad arguments. */
#include "../fixtures/search/knapsack.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

static const char *const orders[] = {"depth", "best", "mixture"};
static const char *const moves[] = {"direct", "master"};

static struct filch_search_options options(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o)};

	return o;
}

static struct filch_search *start(struct knapsack *k, const struct filch_search_options *o)
{
	struct filch_search_problem p = knapsack_problem(k);
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &p, o) == 0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(k, 0, 0, 0)) == 0);
	return s;
}

static struct filch_search_result run(struct filch_search *s)
{
	struct filch_search_result r = {.struct_size = sizeof(r)};

	TEST_CHECK(filch_search_run(s, &r) == 0);
	return r;
}

static void end(struct knapsack *k, struct filch_search *s)
{
	filch_search_destroy(s);
	TEST_CHECK(k->live == 0);
	TEST_CHECK(k->solutions == 0);
}

static struct filch_search_result solve(struct knapsack *k, const struct filch_search_options *o)
{
	struct filch_search *s = start(k, o);
	struct filch_search_result r = run(s);

	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.has_best && r.has_bound && !r.open);
	TEST_CHECK(knapsack_best(k, &r) == knapsack_optimum(k) && *(int *)r.solution == knapsack_best(k, &r));
	TEST_CHECK(r.bound.i == r.best.i);
	end(k, s);
	return r;
}

static void best(void)
{
	struct knapsack k;

	for (unsigned o = 0; o < 3; o++)
		for (unsigned m = 0; m < 2; m++)
			for (unsigned workers = 1; workers <= 4; workers++) {
				struct filch_search_options opt = options();

				opt.order = orders[o];
				opt.move = moves[m];
				opt.workers = workers;
				opt.victim = workers & 1 ? "affinity" : "order";
				knapsack_init(&k, 24, workers);
				k.real = workers == 3;
				solve(&k, &opt);
			}
}

/* Minimise is the mirror image: the bound is what still must be left out. */
static union filch_search_value negative(const struct filch_node *node, void *arg)
{
	union filch_search_value v = knapsack_bound(node, arg);

	v.i = -v.i;
	return v;
}

static int explore_negative(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			    void *arg)
{
	struct knapsack *k = arg;
	struct knapsack_node *n = FILCH_CONTAINER_OF(node, struct knapsack_node, node);
	union filch_search_value v = {.i = -n->profit};

	for (int take = 1; take >= 0 && n->depth < k->items; take--)
		if (n->weight + take * k->weight[n->depth] <= k->capacity)
			filch_batch_add(children, knapsack_node(k, n->depth + 1, n->weight + take * k->weight[n->depth],
								n->profit + take * k->profit[n->depth]));
	TEST_CHECK(filch_search_improve(filch_search_of(w), w, v, NULL) >= 0);
	knapsack_discard(w, node, k);
	return 0;
}

static void minimise(void)
{
	struct knapsack k;
	struct filch_search_problem p;
	struct filch_search_result r;
	struct filch_search *s;
	union filch_search_value v;

	knapsack_init(&k, 24, 5);
	p = knapsack_problem(&k);
	p.goal = FILCH_SEARCH_MINIMISE;
	p.bound = negative;
	p.explore = explore_negative;
	p.improved = NULL;
	TEST_CHECK(filch_search_create(&s, &p, NULL) == 0);
	TEST_CHECK(filch_search_best(s, NULL, &v) == 0);
	filch_search_add_node(s, knapsack_node(&k, 0, 0, 0));
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.best.i == -knapsack_optimum(&k) && !r.solution);
	TEST_CHECK(filch_search_best(s, NULL, &v) == 1 && v.i == r.best.i);
	end(&k, s);
}

static void keys(void)
{
	static const double values[] = {-INFINITY, -1e300, -2.5, -0.0, 1e-300, 0.5, 7, INFINITY};

	for (int goal = FILCH_SEARCH_MINIMISE; goal <= FILCH_SEARCH_MAXIMISE; goal++) {
		struct filch_search_problem p = {
			.struct_size = sizeof(p), .explore = tree_explore, .bound = tree_bound};
		struct filch_search *s;

		p.goal = goal;
		p.type = FILCH_SEARCH_DOUBLE;
		TEST_CHECK(filch_search_create(&s, &p, NULL) == 0);
		for (unsigned i = 0; i < 8; i++) {
			union filch_search_value v = {.d = values[goal == FILCH_SEARCH_MINIMISE ? 7 - i : i]}, now;

			TEST_CHECK(filch_search_improve(s, NULL, v, NULL) == 1);
			TEST_CHECK(filch_search_improve(s, NULL, v, NULL) == 0);
			TEST_CHECK(filch_search_best(s, NULL, &now) == 1 && now.d == v.d);
		}
		TEST_CHECK(filch_search_improve(s, NULL, (union filch_search_value){.d = NAN}, NULL) == -EINVAL);
		filch_search_destroy(s);
	}
}

/* Best first with two workers explores about as many nodes as with one. */
static void order_kept(void)
{
	struct filch_search_options opt = options();
	uint64_t explored[3] = {0};

	opt.order = "best";
	for (unsigned workers = 1; workers <= 2; workers++)
		for (unsigned seed = 0; seed < 20; seed++) {
			struct knapsack k;

			knapsack_init(&k, 34, seed);
			opt.workers = workers;
			explored[workers] += solve(&k, &opt).explored;
		}
	printf(" ratio %.3f", (double)explored[2] / (double)explored[1]);
	TEST_CHECK((double)explored[2] < 1.5 * (double)explored[1]);
}

static void soft_memory(void)
{
	struct filch_search_options opt = options();
	struct knapsack k;

	opt.order = "best";
	opt.workers = 2;
	opt.soft_memory = 64 * 50;
	knapsack_init(&k, 28, 9);
	solve(&k, &opt);
}

static void node_limit(void)
{
	for (unsigned o = 0; o < 3; o++)
		for (uint64_t limit = 1; limit < 3000; limit = 2 * limit + 1) {
			struct filch_search_options opt = options();
			struct tree t = {.depth = 14, .width = 2, .even = 1};
			struct filch_search_result r;

			opt.order = orders[o];
			opt.workers = 3;
			opt.node_limit = limit;
			r = tree_run(&t, &opt);
			TEST_CHECK(r.end == FILCH_SEARCH_NODES && r.explored == limit && r.open > 0);
		}
}

/* A run with a limit, again and again, until it is done. */
static void go_on(void)
{
	struct filch_search_options opt = options();
	struct knapsack k;
	struct filch_search *s;
	struct filch_search_result r;
	uint64_t sum = 0;

	opt.workers = 2;
	opt.node_limit = 50;
	knapsack_init(&k, 26, 3);
	s = start(&k, &opt);
	do {
		struct filch_batch batch;

		r = run(s);
		TEST_CHECK(filch_search_extract(s, 0.5, &batch) == 0);
		TEST_CHECK(batch.count <= r.open && (batch.count || !r.open) && (!batch.count || !batch.last->next));
		TEST_CHECK(filch_search_add(s, &batch) == 0);
		sum += r.explored;
		TEST_CHECK(r.total == sum && r.bound.i >= knapsack_optimum(&k));
	} while (r.end == FILCH_SEARCH_NODES);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.best.i == knapsack_optimum(&k));
	end(&k, s);
}

static void time_limit(void)
{
	struct filch_search_options opt = options();
	struct tree t = {.depth = 40, .width = 2, .even = 1};
	struct filch_search_result r;

	opt.workers = 2;
	opt.time_limit_ns = 20000000;
	r = tree_run(&t, &opt);
	TEST_CHECK(r.end == FILCH_SEARCH_TIME && r.seconds >= 0.02);
}

static void memory_limit(void)
{
	struct filch_search_options opt = options();
	struct tree t = {.depth = 40, .width = 2, .even = 1};

	opt.order = "best"; /* all bounds are equal: without a goal it is a stack */
	opt.memory_limit = 64 * 20;
	TEST_CHECK(tree_run(&t, &opt).end == FILCH_SEARCH_MEMORY);
}

static void gap_limit(void)
{
	for (unsigned o = 1; o < 3; o++) {
		struct filch_search_options opt = options();
		struct knapsack k;
		struct filch_search *s;
		struct filch_search_result r;

		opt.order = orders[o];
		opt.workers = 2;
		opt.gap_limit = 0.05;
		knapsack_init(&k, 60, 4);
		s = start(&k, &opt);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_GAP || r.end == FILCH_SEARCH_DONE);
		TEST_CHECK((double)(r.bound.i - r.best.i) <= 0.05 * (double)r.best.i);
		TEST_CHECK(r.bound.i >= knapsack_optimum(&k));
		end(&k, s);
	}
}

static void *cancel_soon(void *search)
{
	nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	filch_search_cancel(search);
	return NULL;
}

static void cancel(void)
{
	struct filch_search_options opt = options();
	struct tree t = {.depth = 60, .width = 2, .even = 1};
	struct filch_search_problem p = tree_problem(&t);
	struct filch_search *s;
	pthread_t thread;

	opt.workers = 2;
	TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
	filch_search_cancel(s); /* before the run */
	filch_search_add_node(s, tree_node(&t, 42, 0));
	TEST_CHECK(run(s).end == FILCH_SEARCH_CANCELLED);
	TEST_CHECK(!pthread_create(&thread, NULL, cancel_soon, s));
	TEST_CHECK(run(s).end == FILCH_SEARCH_CANCELLED);
	pthread_join(thread, NULL);
	filch_search_destroy(s);
	TEST_CHECK(t.made == t.explored + t.discarded);
}

static void *add_later(void *search)
{
	struct filch_batch batch;

	for (int i = 0; i < 50; i++) {
		if (i % 10 == 0)
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		TEST_CHECK(filch_search_extract(search, 0.5, &batch) == 0);
		TEST_CHECK(filch_search_add(search, &batch) == 0);
		filch_search_add_node(search, tree_node(filch_search_local(filch_search_worker(search, 0)), 42, 0));
	}
	filch_search_release(search);
	return NULL;
}

/* A trick for the thread above: the local storage is the tree. */
static void hold(void)
{
	for (unsigned o = 0; o < 3; o++) {
		struct filch_search_options opt = options();
		static struct tree t;
		struct filch_search_problem p;
		struct filch_search *s;
		struct tree *shared;
		pthread_t thread;

		memset(&t, 0, sizeof(t));
		opt.workers = 3;
		opt.order = orders[o];
		p = tree_problem(&t);
		p.local_size = sizeof(t);
		TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
		shared = filch_search_local(filch_search_worker(s, 0));
		t.depth = 8;
		t.width = 2;
		t.even = 1;
		filch_search_hold(s);
		TEST_CHECK(!pthread_create(&thread, NULL, add_later, s));
		TEST_CHECK(run(s).end == FILCH_SEARCH_DONE);
		pthread_join(thread, NULL);
		t.made += shared->made;
		TEST_CHECK(t.made == 50 * 511 && t.explored == t.made);
		filch_search_destroy(s);
	}
}

static int nested_job(void *arg, void **result)
{
	(void)result;
	for (unsigned m = 0; m < 2; m++) {
		struct filch_search_options opt = options();
		struct tree t = *(struct tree *)arg;

		opt.move = moves[m];
		opt.workers = 3;
		TEST_CHECK(tree_run(&t, &opt).end == FILCH_SEARCH_DONE);
	}
	return 0;
}

/* In jobs of the same pool, several at once. */
static void nested(void)
{
	for (int workers = -1; workers <= 3; workers += workers < 0 ? 2 : 1) {
		struct filch_options po = {.struct_size = sizeof(po), .workers = workers};
		struct tree t = {.depth = 10, .width = 2, .even = 1};
		struct filch_future *future[4];
		struct filch_pool *pool;

		TEST_CHECK(filch_pool_create(&pool, &po) == 0);
		for (int i = 0; i < 4; i++)
			TEST_CHECK(filch_pool_submit(pool, nested_job, &t, &future[i]) == 0);
		for (int i = 0; i < 4; i++) {
			TEST_CHECK(filch_future_wait(future[i], NULL) == 0);
			filch_future_destroy(future[i]);
		}
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

static int cancelled_job(void *arg, void **result)
{
	struct tree *t = arg;
	struct filch_search_options opt = options();

	(void)result;
	TEST_CHECK(tree_run(t, &opt).end == FILCH_SEARCH_CANCELLED);
	return 0;
}

static void job_cancelled(void)
{
	struct tree t = {.depth = 60, .width = 2, .even = 1};
	struct filch_future *future;

	TEST_CHECK(filch_pool_submit(NULL, cancelled_job, &t, &future) == 0);
	while (!atomic_load(&t.explored))
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	filch_future_cancel(future);
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
}

static int reports;

static void reported(const struct filch_search_progress *p, void *arg)
{
	(void)arg;
	reports++;
	TEST_CHECK(p->struct_size == sizeof(*p) && p->seconds > 0);
	TEST_CHECK(!p->has_best || !p->has_bound || p->gap >= 0);
}

static void progress(void)
{
	struct filch_search_options opt = options();
	struct tree t = {.depth = 60, .width = 2, .even = 1};

	opt.workers = 2;
	opt.time_limit_ns = 60000000;
	opt.progress = reported;
	opt.progress_ns = 5000000;
	tree_run(&t, &opt);
	TEST_CHECK(reports >= 2);
}

static void stats(void)
{
	struct filch_search_options opt = options();
	struct tree t = {.depth = 12, .width = 2, .even = 1};
	struct filch_search_problem p = tree_problem(&t);
	struct filch_search_stats all = {.struct_size = sizeof(all)}, one = {.struct_size = sizeof(one)};
	struct filch_search *s;
	uint64_t sum = 0;

	opt.workers = 3;
	TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
	filch_search_add_node(s, tree_node(&t, 42, 0));
	run(s);
	TEST_CHECK(filch_search_stats(s, -1, &all) == 0 && all.explored == 8191);
	for (int i = 0; i < 3; i++) {
		TEST_CHECK(filch_search_stats(s, i, &one) == 0);
		sum += one.explored;
	}
	TEST_CHECK(sum == 8191 && filch_search_workers(s) == 3);
	TEST_CHECK(filch_search_stats(s, 3, &one) == -EINVAL);
	TEST_CHECK(filch_search_open(s) == 0 && filch_search_idle(s) == 3);
	filch_search_destroy(s);
}

static bool message_is(const char *text)
{
	if (!strcmp(filch_error_message(), text))
		return true;
	fprintf(stderr, "the text is: %s\n", filch_error_message());
	return false;
}

static void refuse(const struct filch_search_problem *p, const struct filch_search_options *o, int err,
		   const char *text)
{
	struct filch_search *s = NULL;

	TEST_CHECK(filch_search_create(&s, p, o) == err && !s && message_is(text));
}

static void option_arguments(void)
{
	struct tree t = {.depth = 1};
	struct filch_search_problem p = tree_problem(&t);
	struct filch_search_options o = options();

	o.order = "breadth";
	refuse(&p, &o, -ENOENT, "order is breadth: must be one of depth, best, mixture");
	o = options();
	o.move = "push";
	refuse(&p, &o, -ENOENT, "move is push: must be one of direct, master");
	o = options();
	o.victim = "";
	refuse(&p, &o, -ENOENT, "victim is : must be one of size, order, affinity");
	o = options();
	o.bulk = "none";
	TEST_CHECK(filch_search_create(&(struct filch_search *){NULL}, &p, &o) == -ENOENT);
	TEST_CHECK(strstr(filch_error_message(), "none: no such bulk queue"));
	o = options();
	o.proportion = 1.5;
	refuse(&p, &o, -EINVAL, "proportion is 1.5: must be 0 to 1");
	o = options();
	o.workers = 1025;
	refuse(&p, &o, -EINVAL, "workers is 1025: must be at most 1024");
	o = options();
	o.gap_limit = -1;
	refuse(&p, &o, -EINVAL, "gap_limit is -1: must not be negative");
	o = options();
	o.struct_size = 0;
	refuse(&p, &o, -EINVAL,
	       "struct filch_search_options: struct_size is 0; set it to sizeof(struct filch_search_options)");
	o = options();
	o.checkpoint = "x";
	refuse(&p, &o, -EINVAL, "checkpoint needs pack and unpack, which are NULL");
}

static void problem_arguments(void)
{
	struct tree t = {.depth = 1};
	struct filch_search_problem p = tree_problem(&t);

	TEST_CHECK(filch_search_create(NULL, &p, NULL) == -EINVAL && message_is("out is NULL"));
	refuse(NULL, NULL, -EINVAL, "problem is NULL");
	p.struct_size = 0;
	refuse(&p, NULL, -EINVAL,
	       "struct filch_search_problem: struct_size is 0; set it to sizeof(struct filch_search_problem)");
	p = tree_problem(&t);
	p.goal = FILCH_SEARCH_MAXIMISE;
	p.bound = NULL;
	refuse(&p, NULL, -EINVAL, "bound is NULL, but there is a goal");
	p.goal = 3;
	refuse(&p, NULL, -EINVAL, "goal is 3: must be a value of enum filch_search_goal");
	p = tree_problem(&t);
	p.type = -1;
	refuse(&p, NULL, -EINVAL, "type is -1: must be a value of enum filch_search_type");
	p = tree_problem(&t);
	p.explore = NULL;
	refuse(&p, NULL, -EINVAL, "explore is NULL");
}

static void arguments(void)
{
	struct tree t = {.depth = 1};
	struct filch_search_problem p = tree_problem(&t);
	struct filch_search_result r = {0};
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &p, NULL) == 0);
	TEST_CHECK(filch_search_run(NULL, NULL) == -EINVAL && message_is("search is NULL"));
	TEST_CHECK(filch_search_run(s, &r) == -EINVAL);
	TEST_CHECK(message_is(
		"struct filch_search_result: struct_size is 0; set it to sizeof(struct filch_search_result)"));
	TEST_CHECK(filch_search_run(s, NULL) == 0); /* nothing to do */
	TEST_CHECK(filch_search_add(s, NULL) == -EINVAL && message_is("nodes is NULL"));
	TEST_CHECK(filch_search_add_node(NULL, NULL) == -EINVAL && message_is("search is NULL"));
	TEST_CHECK(filch_search_checkpoint(s) == -EINVAL && message_is("the option checkpoint is not set"));
	TEST_CHECK(filch_search_load(s, "x") == -EINVAL && message_is("unpack is NULL, so there are no checkpoints"));
	TEST_CHECK(filch_search_save(s, "x") == -EINVAL && message_is("pack is NULL, so there are no checkpoints"));
	TEST_CHECK(filch_search_improve(s, NULL, (union filch_search_value){.i = 1}, NULL) == -EINVAL);
	TEST_CHECK(message_is("the problem has no goal, so no value is the best"));
	filch_search_destroy(s);
	filch_search_destroy(NULL);
	filch_search_cancel(NULL);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"best", best},
		{"minimise", minimise},
		{"keys", keys},
		{"order_kept", order_kept},
		{"soft_memory", soft_memory},
		{"node_limit", node_limit},
		{"go_on", go_on},
		{"time_limit", time_limit},
		{"memory_limit", memory_limit},
		{"gap_limit", gap_limit},
		{"cancel", cancel},
		{"hold", hold},
		{"nested", nested},
		{"job_cancelled", job_cancelled},
		{"progress", progress},
		{"stats", stats},
		{"option_arguments", option_arguments},
		{"problem_arguments", problem_arguments},
		{"arguments", arguments},
	};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 4};

	arguments(); /* without a pool */
	TEST_CHECK(filch_start(&po) == 0);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	filch_stop();
	best(); /* inline */
	return TEST_PASS;
}
