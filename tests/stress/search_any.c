/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches with random options in random company: limits, errors, cancels and checkpoints at any moment, threads that
 * add, extract, look and publish, nested in jobs, two at once, pools without workers. A search goes on until it is
 * done, now and then from its checkpoint in a new search. In the end each node was explored or discarded once, and the
 * best value is right. The number of a search, as the argument, repeats it.
 */
#include "../fixtures/sanitizer.h"
#include "../fixtures/search/tree.h"

#include <pthread.h>
#include <unistd.h>

struct leaf {
	struct filch_node node;
	uint64_t seed;
	int64_t bound;
	unsigned depth, state;
};

struct any {
	uint64_t random;
	unsigned depth, width, spin;
	unsigned fails, cancels, saves, adds, polls, publishes; /* nodes for one such event; 0: no event */
	int goal;
	bool deterministic;
	atomic_ullong explored, ignored; /* ignored: discarded during runs */
	atomic_llong live, solutions, records, away;
	atomic_uint tries;
	atomic_bool stop;
	struct filch_search *search;
	char path[128];
};

static uint64_t draw(struct any *a)
{
	return a->random = tree_mix(a->random);
}

static bool one_in(struct any *a, unsigned n)
{
	return n && tree_mix(atomic_fetch_add(&a->tries, 1) + a->depth) % n == 0;
}

static struct filch_node *leaf(struct any *a, uint64_t seed, int64_t bound, unsigned depth)
{
	struct leaf *l = calloc(1, sizeof(*l));

	TEST_CHECK(l);
	*l = (struct leaf){.seed = seed, .bound = bound, .depth = depth, .state = TREE_OPEN};
	atomic_fetch_add(&a->live, 1);
	return &l->node;
}

static void free_leaf(struct any *a, struct leaf *l)
{
	TEST_CHECK(l->state == TREE_OPEN);
	l->state = TREE_TAKEN;
	atomic_fetch_sub(&a->live, 1);
	free(l);
}

static int64_t below(int64_t bound, uint64_t seed)
{
	return bound + (int64_t)(seed >> 20) % 50;
}

static unsigned children_of(const struct any *a, const uint64_t seed, unsigned depth)
{
	return depth >= a->depth ? 0 : (unsigned)(seed >> 8) % (a->width + 1) + !depth;
}

/* The number of nodes; *best is the least value of a leaf. */
static uint64_t walk(const struct any *a, uint64_t seed, int64_t bound, unsigned depth, int64_t *best)
{
	unsigned n = children_of(a, seed, depth);
	uint64_t sum = 1;

	if (!n && bound < *best)
		*best = bound;
	for (unsigned i = 0; i < n; i++) {
		uint64_t child = tree_mix(seed + i + 1);

		sum += walk(a, child, below(bound, child), depth + 1, best);
	}
	return sum;
}

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	const struct leaf *l = FILCH_CONTAINER_OF(node, struct leaf, node);

	(void)arg;
	TEST_CHECK(l->state == TREE_OPEN);
	return (union filch_search_value){.i = l->bound};
}

static uint64_t affinity(const struct filch_node *node, void *arg)
{
	(void)arg;
	return FILCH_CONTAINER_OF(node, struct leaf, node)->seed;
}

static void publish(struct any *a, struct filch_search_worker *w, uint64_t key)
{
	struct filch_search_record *r = calloc(1, sizeof(*r));

	TEST_CHECK(r);
	r->affinity = key;
	atomic_fetch_add(&a->records, 1);
	TEST_CHECK(filch_search_publish(a->search, w, r) == 0);
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct any *a = arg;
	struct leaf *l = FILCH_CONTAINER_OF(node, struct leaf, node);
	unsigned n = children_of(a, l->seed, l->depth);
	struct filch_batch apart;

	TEST_CHECK(l->state == TREE_OPEN);
	for (unsigned i = 0; i < a->spin; i++)
		__asm__ volatile("" : : : "memory");
	if (one_in(a, a->polls) && filch_search_poll(w))
		return -ECANCELED;
	if (one_in(a, a->cancels))
		filch_search_cancel(a->search);
	if (one_in(a, a->saves))
		TEST_CHECK(filch_search_checkpoint(a->search) == 0);
	if (one_in(a, a->publishes))
		publish(a, w, l->seed);
	filch_batch_init(&apart);
	for (unsigned i = 0; i < n; i++) {
		uint64_t child = tree_mix(l->seed + i + 1);

		filch_batch_add(children, leaf(a, child, below(l->bound, child), l->depth + 1));
	}
	if (one_in(a, a->fails)) /* the children are discarded, and the node stays */
		return -EDOM;
	if (n && one_in(a, a->adds)) { /* as another thread would */
		filch_batch_append(&apart, children);
		TEST_CHECK(filch_search_add(a->search, &apart) == 0 && apart.count == 0);
		filch_batch_init(children);
	}
	if (!n && a->goal) {
		int64_t *solution = malloc(sizeof(*solution));

		TEST_CHECK(solution);
		*solution = l->bound;
		if (filch_search_improve(a->search, w, (union filch_search_value){.i = l->bound}, solution) == 1)
			atomic_fetch_add(&a->solutions, 1);
		else
			free(solution);
	}
	atomic_fetch_add(&a->explored, 1);
	free_leaf(a, l);
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	struct any *a = arg;

	if (w)
		atomic_fetch_add(&a->ignored, 1);
	free_leaf(a, FILCH_CONTAINER_OF(node, struct leaf, node));
}

static void discard_solution(void *solution, void *arg)
{
	atomic_fetch_sub(&((struct any *)arg)->solutions, 1);
	free(solution);
}

static void learn(struct filch_search_worker *w, const struct filch_search_record *record, void *arg)
{
	(void)w;
	(void)record;
	TEST_CHECK(atomic_load(&((struct any *)arg)->records) > 0);
}

static void discard_record(struct filch_search_record *record, void *arg)
{
	atomic_fetch_sub(&((struct any *)arg)->records, 1);
	free(record);
}

struct packed {
	uint64_t seed;
	int64_t bound;
	uint64_t depth;
};

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	const struct leaf *l = FILCH_CONTAINER_OF(node, struct leaf, node);
	struct packed p = {l->seed, l->bound, l->depth};

	(void)arg;
	TEST_CHECK(l->state == TREE_OPEN);
	if (room >= sizeof(p))
		memcpy(bytes, &p, sizeof(p));
	return sizeof(p);
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	struct packed p;

	if (size != sizeof(p))
		return -EBADMSG;
	memcpy(&p, bytes, size);
	*node = leaf(arg, p.seed, p.bound, (unsigned)p.depth);
	return 0;
}

static size_t pack_solution(const void *solution, void *bytes, size_t room, void *arg)
{
	(void)arg;
	if (room >= sizeof(int64_t))
		memcpy(bytes, solution, sizeof(int64_t));
	return sizeof(int64_t);
}

static int unpack_solution(void **solution, const void *bytes, size_t size, void *arg)
{
	int64_t *copy = malloc(sizeof(*copy));

	TEST_CHECK(copy && size == sizeof(*copy));
	memcpy(copy, bytes, size);
	atomic_fetch_add(&((struct any *)arg)->solutions, 1);
	*solution = copy;
	return 0;
}

static void progress(const struct filch_search_progress *p, void *arg)
{
	(void)arg;
	TEST_CHECK(p->seconds >= 0 && p->per_second >= 0);
}

static struct filch_search *make(struct any *a, struct filch_pool *pool)
{
	static const char *const orders[] = {"depth", "best", "mixture"}, *const moves[] = {"direct", "master"},
				 *const victims[] = {"size", "order", "affinity"};
	struct filch_search_problem p = {.struct_size = sizeof(p),
					 .arg = a,
					 .explore = explore,
					 .discard = discard,
					 .bound = bound,
					 .affinity = draw(a) % 2 ? affinity : NULL,
					 .pack = pack,
					 .unpack = unpack,
					 .pack_solution = pack_solution,
					 .unpack_solution = unpack_solution,
					 .discard_solution = discard_solution,
					 .discard_record = discard_record,
					 .learn = draw(a) % 3 && !a->publishes ? NULL : learn,
					 .goal = a->goal};
	struct filch_search_options o = {.struct_size = sizeof(o),
					 .pool = pool,
					 .workers = (unsigned)(draw(a) % 6),
					 .order = orders[draw(a) % 3],
					 .move = moves[draw(a) % 2],
					 .victim = victims[draw(a) % 3],
					 .proportion = (double)(draw(a) % 11) / 10,
					 .threshold = draw(a) % 5,
					 .low = draw(a) % 40,
					 .dive = draw(a) % 9,
					 .records = 1 + draw(a) % 20,
					 .progress = draw(a) % 2 ? progress : NULL,
					 .progress_ns = 1 + draw(a) % 1000000,
					 .checkpoint = a->saves ? a->path : NULL};
	struct filch_search *s;

	o.node_limit = draw(a) % 3 ? 0 : 1 + draw(a) % 500;
	o.time_limit_ns = draw(a) % 3 ? 0 : 100000 + draw(a) % 5000000;
	o.soft_memory = draw(a) % 3 ? 0 : 64 * (1 + draw(a) % 100);
	o.memory_limit = draw(a) % 8 ? 0 : 64 * (1000 + draw(a) % 1000);
	o.round = draw(a) % 4 ? 0 : 1 + draw(a) % 70;
	o.checkpoint_ns = a->saves && draw(a) % 2 ? 1 + draw(a) % 1000000 : 0;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	return s;
}

/* With a hold: takes nodes out and brings them back. */
static void *disturb(void *arg)
{
	struct any *a = arg;
	unsigned turn = 0;

	while (!atomic_load(&a->stop)) {
		struct filch_search_progress now = {.struct_size = sizeof(now)};
		struct filch_search_stats stats = {.struct_size = sizeof(stats)};
		struct filch_batch out;

		TEST_CHECK(filch_search_extract(a->search, 0.3 * (turn % 4), &out) == 0);
		atomic_fetch_add(&a->away, (long long)out.count);
		TEST_CHECK(filch_search_look(a->search, &now) == 0);
		TEST_CHECK(filch_search_stats(a->search, -1, &stats) == 0);
		if (a->publishes && turn % 8 == 0)
			publish(a, NULL, turn);
		atomic_fetch_sub(&a->away, (long long)out.count);
		TEST_CHECK(filch_search_add(a->search, &out) == 0);
		if (turn % 16 == 0 && a->saves)
			TEST_CHECK(filch_search_checkpoint(a->search) == 0);
		usleep((unsigned)(tree_mix(turn++) % 300));
	}
	filch_search_release(a->search);
	return NULL;
}

static void run_once(struct any *a, struct filch_search_result *r, bool disturbed)
{
	unsigned long long before = a->explored, ignored = a->ignored;
	pthread_t thread;

	*r = (struct filch_search_result){.struct_size = sizeof(*r)};
	atomic_store(&a->stop, false);
	if (disturbed) {
		filch_search_hold(a->search);
		TEST_CHECK(pthread_create(&thread, NULL, disturb, a) == 0);
		usleep(500);
		atomic_store(&a->stop, true); /* at some moment of the run */
	}
	TEST_CHECK(filch_search_run(a->search, r) == 0);
	if (disturbed)
		TEST_CHECK(pthread_join(thread, NULL) == 0);
	TEST_CHECK(r->explored == a->explored - before && r->pruned <= a->ignored - ignored);
	TEST_CHECK((uint64_t)a->live == filch_search_open(a->search));
	if (!disturbed)
		TEST_CHECK((uint64_t)a->live == r->open);
	TEST_CHECK(r->end != FILCH_SEARCH_DONE || !a->live || disturbed);
	if (r->end == FILCH_SEARCH_ERROR)
		TEST_CHECK(r->error == -EDOM);
}

/* One search, until it is done. */
static void any(uint64_t number, struct filch_pool *pool)
{
	struct any a = {.random = tree_mix(number), .tries = (unsigned)tree_mix(number)};
	struct filch_search_result r = {0};
	int64_t best;
	uint64_t total, root, most = draw(&a) % 8 ? 3000 : 100000;
	unsigned runs = 0;

	do {
		a.depth = 3 + (unsigned)(draw(&a) % 12);
		a.width = 2 + (unsigned)(draw(&a) % 3);
		root = draw(&a);
		best = INT64_MAX;
		total = walk(&a, root, 0, 0, &best);
	} while (total < 20 || total > most);
	a.goal = draw(&a) % 2 ? FILCH_SEARCH_MINIMISE : FILCH_SEARCH_ALL;
	a.spin = draw(&a) % 3 ? 0 : (unsigned)(draw(&a) % 3000);
	a.fails = draw(&a) % 4 ? 0 : 50 + (unsigned)(draw(&a) % 500);
	a.cancels = draw(&a) % 4 ? 0 : 50 + (unsigned)(draw(&a) % 500);
	a.saves = draw(&a) % 10 ? 0 : 200 + (unsigned)(draw(&a) % 500);
	a.adds = draw(&a) % 4 ? 0 : 1 + (unsigned)(draw(&a) % 20);
	a.polls = draw(&a) % 2 ? 0 : 1 + (unsigned)(draw(&a) % 20);
	a.publishes = draw(&a) % 4 ? 0 : 1 + (unsigned)(draw(&a) % 20);
	snprintf(a.path, sizeof(a.path), "search_any.%ld.%llu", (long)getpid(), (unsigned long long)number);
	a.search = make(&a, pool);
	TEST_CHECK(filch_search_add_node(a.search, leaf(&a, root, 0, 0)) == 0);
	do {
		run_once(&a, &r, draw(&a) % 4 == 0);
		if (draw(&a) % 8 == 0 && r.end != FILCH_SEARCH_DONE) {
			/* The run's own checkpoint may lack nodes that were with the other thread. */
			TEST_CHECK(filch_search_save(a.search, a.path) == 0);
			filch_search_destroy(a.search);
			TEST_CHECK(a.live == 0 && a.solutions == 0 && a.records == 0);
			a.search = make(&a, pool);
			TEST_CHECK(filch_search_load(a.search, a.path) == 0);
		}
		if (++runs > 50) /* small limits take long */
			a.fails = a.cancels = 0;
	} while (r.end != FILCH_SEARCH_DONE || a.live);
	if (a.goal)
		TEST_CHECK(r.has_best && r.best.i == best && *(int64_t *)r.solution == best);
	else
		TEST_CHECK(a.explored == total && r.total == total);
	filch_search_destroy(a.search);
	TEST_CHECK(a.live == 0 && a.solutions == 0 && a.records == 0);
	unlink(a.path);
}

static int in_job(void *arg, void **result)
{
	(void)result;
	any((uint64_t)(uintptr_t)arg, NULL);
	return 0;
}

/* One, in the thread or in a job of a pool; or two at once in jobs. */
static void any_company(uint64_t number)
{
	struct filch_options po = {.struct_size = sizeof(po), .workers = (int)(tree_mix(number) % 5)};
	struct filch_future *future[2];
	struct filch_pool *pool;
	unsigned jobs = (unsigned)(tree_mix(number + 1) % 3);

	TEST_CHECK(filch_pool_create(&pool, &po) == 0);
	if (!jobs)
		any(number, pool);
	for (unsigned i = 0; i < jobs; i++)
		TEST_CHECK(filch_pool_submit(pool, in_job, (void *)(uintptr_t)(number + i * 1000003), &future[i]) == 0);
	for (unsigned i = 0; i < jobs; i++)
		TEST_CHECK(filch_future_wait(future[i], NULL) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static uint64_t current;
static bool passed;

static void say(void)
{
	if (!passed)
		fprintf(stderr, "search number %llu\n", (unsigned long long)current);
}

int main(int argc, char **argv)
{
	uint64_t count = TEST_SANITIZED ? 200 : 1000;

	if (getenv("FILCH_DEEP"))
		count *= 100;
	atexit(say);
	if (argc > 1)
		any_company(current = strtoull(argv[1], NULL, 0));
	else
		for (current = 1; current <= count; current++)
			any_company(current);
	passed = true;
	return TEST_PASS;
}
