/* SPDX-License-Identifier: Apache-2.0 */
/* Searches in awkward conditions: limits that meet, full disks, pipes, floods of records, searches inside of searches.
 */
#include "../fixtures/search/knapsack.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const orders[] = {"depth", "best", "mixture"};
static const char *const moves[] = {"direct", "master"};
static char path[256], tmp[300];

static struct filch_search *start(struct knapsack *k, const struct filch_search_options *o, int root)
{
	struct filch_search_problem p = knapsack_problem(k);
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &p, o) == 0);
	if (root)
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
	TEST_CHECK(k->live == 0 && k->solutions == 0);
}

/* ---- the order ---- */

struct ordered {
	int64_t bound;
	int rank; /* for before */
	struct filch_node node;
};

struct ranks {
	int64_t last_bound;
	int last_rank, made, ranked;
};

static union filch_search_value ordered_bound(const struct filch_node *node, void *arg)
{
	(void)arg;
	return (union filch_search_value){.i = FILCH_CONTAINER_OF(node, struct ordered, node)->bound};
}

static int ordered_before(const struct filch_node *a, const struct filch_node *b, void *arg)
{
	(void)arg;
	return FILCH_CONTAINER_OF(a, struct ordered, node)->rank < FILCH_CONTAINER_OF(b, struct ordered, node)->rank;
}

static struct filch_node *ordered_node(struct ranks *r, int64_t bound)
{
	struct ordered *n = malloc(sizeof(*n));

	TEST_CHECK(n);
	n->bound = bound;
	n->rank = (int)(tree_mix((uint64_t)r->made++) % 1000);
	return &n->node;
}

static int ordered_explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			   void *arg)
{
	struct ranks *r = arg;
	struct ordered *n = FILCH_CONTAINER_OF(node, struct ordered, node);

	(void)w;
	TEST_CHECK(n->bound >= r->last_bound);
	TEST_CHECK(!r->ranked || n->bound > r->last_bound || n->rank >= r->last_rank);
	r->last_bound = n->bound;
	r->last_rank = n->rank;
	/* With ranks the children are strictly worse: else a new child might come before its parent. */
	for (int i = 0; i < 5 && r->made < 5000; i++)
		filch_batch_add(children,
				ordered_node(r, n->bound + r->ranked + (int64_t)(tree_mix((uint64_t)r->made) % 7) / 3));
	free(n);
	return 0;
}

/* One worker explores exactly by bound, and by rank among equals. */
static void exact_order(void)
{
	for (int ranked = 0; ranked < 2; ranked++) {
		struct ranks r = {.last_bound = INT64_MIN, .ranked = ranked};
		struct filch_search_problem p = {
			.struct_size = sizeof(p),
			.arg = &r,
			.explore = ordered_explore,
			.bound = ordered_bound,
			.before = ranked ? ordered_before : NULL,
			.goal = FILCH_SEARCH_MINIMISE,
		};
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .order = "best"};
		struct filch_search_result result;
		struct filch_search *s;

		TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
		filch_search_add_node(s, ordered_node(&r, 0));
		result = run(s);
		TEST_CHECK(result.end == FILCH_SEARCH_DONE && (int)result.explored == r.made && r.made >= 5000);
		filch_search_destroy(s);
	}
}

/* ---- limits ---- */

/* Nodes of the overflow count for the bound. */
static void gap_and_soft_memory(void)
{
	for (unsigned seed = 0; seed < 20; seed++)
		for (unsigned workers = 1; workers <= 2; workers++) {
			struct filch_search_options o = {.struct_size = sizeof(o),
							 .workers = workers,
							 .order = seed & 1 ? "best" : "mixture",
							 .soft_memory = 64 * 6,
							 .gap_limit = 0.004};
			struct knapsack k;
			struct filch_search *s;
			struct filch_search_result r;

			knapsack_init(&k, 60, seed);
			s = start(&k, &o, 1);
			r = run(s);
			TEST_CHECK(r.end == FILCH_SEARCH_GAP || r.end == FILCH_SEARCH_DONE);
			TEST_CHECK((double)(r.bound.i - r.best.i) <= 0.004 * (double)r.best.i);
			end(&k, s);
		}
}

static void node_limit_is_exact(void)
{
	for (unsigned o = 0; o < 3; o++)
		for (unsigned m = 0; m < 2; m++)
			for (unsigned workers = 1; workers <= 32; workers = 3 * workers - 1) {
				struct filch_search_options opt = {.struct_size = sizeof(opt),
								   .workers = workers,
								   .order = orders[o],
								   .move = moves[m],
								   .node_limit = 97};
				struct tree t = {.depth = 9, .width = 2, .even = 1};
				struct filch_search_problem p = tree_problem(&t);
				struct filch_search_stats stats = {.struct_size = sizeof(stats)};
				struct filch_search_result r;
				struct filch_search *s;
				uint64_t left = 1023;

				TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
				filch_search_add_node(s, tree_node(&t, 42, 0));
				for (; left > 97; left -= 97) {
					r = run(s);
					TEST_CHECK(r.end == FILCH_SEARCH_NODES && r.explored == 97);
				}
				r = run(s);
				TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.explored == left && r.total == 1023);
				TEST_CHECK(filch_search_stats(s, -1, &stats) == 0 && stats.explored == 1023);
				filch_search_destroy(s);
			}
}

/* A run that waits for a thread with a hold ends at its limit, although nothing happens. */
static void time_limit_with_hold(void)
{
	for (unsigned round = 0; round <= 8; round += 8) {
		struct filch_search_options o = {
			.struct_size = sizeof(o), .workers = 2, .time_limit_ns = 20000000, .round = round};
		struct tree t = {.depth = 4, .width = 2, .even = 1};
		struct filch_search_problem p = tree_problem(&t);
		struct filch_search *s;

		TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
		filch_search_add_node(s, tree_node(&t, 42, 0));
		filch_search_hold(s);
		TEST_CHECK(run(s).end == FILCH_SEARCH_TIME && t.explored <= 31);
		filch_search_release(s);
		filch_search_destroy(s);
	}
}

static int held_job(void *arg, void **result)
{
	(void)result;
	filch_search_hold(arg);
	run(arg);
	filch_search_release(arg);
	return 0;
}

static void cancelled_with_hold(void)
{
	struct tree t = {.depth = 2, .width = 2, .even = 1};
	struct filch_search_problem p = tree_problem(&t);
	struct filch_future *future;
	struct filch_search *s;

	TEST_CHECK(filch_search_create(&s, &p, NULL) == 0);
	filch_search_add_node(s, tree_node(&t, 42, 0));
	TEST_CHECK(filch_pool_submit(NULL, held_job, s, &future) == 0);
	while (atomic_load(&t.explored) < 7)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	filch_future_cancel(future);
	filch_future_wait(future, NULL);
	filch_future_destroy(future);
	filch_search_destroy(s);
}

/* Each node that was made has been explored or discarded, or is open. The statistics say the same. */
static void discarded(void)
{
	for (unsigned o = 0; o < 3; o++)
		for (unsigned round = 0; round <= 16; round += 16) {
			struct filch_search_options opt = {
				.struct_size = sizeof(opt), .workers = 3, .order = orders[o], .round = round};
			struct tree t = {.depth = 12, .width = 3, .optimise = 1, .fail_after = 400, .error = -EDOM};
			struct filch_search_problem p = tree_problem(&t);
			struct filch_search_stats stats = {.struct_size = sizeof(stats)};
			struct filch_search_result r;
			struct filch_search *s;

			TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
			filch_search_add_node(s, tree_node(&t, 42, 0));
			r = run(s);
			TEST_CHECK(filch_search_stats(s, -1, &stats) == 0);
			TEST_CHECK(stats.discarded == t.discarded && stats.pruned <= stats.discarded);
			TEST_CHECK(t.made == stats.explored + stats.discarded + r.open);
			filch_search_destroy(s);
		}
}

/* ---- files ---- */

static void refused_quickly(void)
{
	struct knapsack k;
	struct filch_search *s;
	uint64_t words[16] = {0};
	int file;

	knapsack_init(&k, 20, 1);
	s = start(&k, NULL, 0);
	unlink(path);
	TEST_CHECK(mkfifo(path, 0600) == 0); /* nobody writes to it */
	TEST_CHECK(filch_search_load(s, path) == -EBADMSG);
	unlink(path);
	TEST_CHECK((file = open(path, O_RDWR | O_CREAT, 0600)) >= 0);
	TEST_CHECK(ftruncate(file, (off_t)1 << 42) == 0 || errno == EFBIG); /* larger than any memory */
	TEST_CHECK(filch_search_load(s, path) == -EBADMSG);
	TEST_CHECK(ftruncate(file, sizeof(words)) == 0);
	words[0] = 0x4643485352434831u; /* of a machine with the other byte order */
	TEST_CHECK(pwrite(file, words, sizeof(words), 0) == sizeof(words));
	TEST_CHECK(filch_search_load(s, path) == -EPROTONOSUPPORT);
	close(file);
	unlink(path);
	TEST_CHECK(mkfifo(tmp, 0600) == 0);
	TEST_CHECK(filch_search_save(s, path) == -ENXIO); /* nobody reads from it */
	unlink(tmp);
	end(&k, s);
}

static struct filch_search *to_fill;
static atomic_int fill;

static int explore_and_fill(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			    void *arg)
{
	if (atomic_exchange(&fill, 0)) {
		TEST_CHECK(symlink("/dev/full", tmp) == 0);
		TEST_CHECK(filch_search_checkpoint(to_fill) == 0);
	}
	return knapsack_explore(w, node, children, arg);
}

/*
 * The disk becomes full during the run, and has room again at its end. No node is lost, in the search or in the
 * checkpoint, and the search can go on.
 */
static void full_disk(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .checkpoint = path, .node_limit = 200};
	struct filch_search_problem p;
	struct knapsack k;
	struct filch_search *s, *other;
	struct filch_search_result r;

	knapsack_init(&k, 26, 3);
	unlink(path);
	p = knapsack_problem(&k);
	p.explore = explore_and_fill;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, knapsack_node(&k, 0, 0, 0)) == 0);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_NODES && access(path, R_OK) == 0);
	to_fill = s;
	atomic_store(&fill, 1);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_ERROR && r.error == -ENOSPC && r.open > 0 && r.has_best);
	TEST_CHECK(access(tmp, F_OK) != 0); /* nothing is left behind */
	other = start(&k, &o, 0);
	TEST_CHECK(filch_search_load(other, path) == 0 && filch_search_open(other) == r.open);
	filch_search_destroy(other);
	do
		r = run(s);
	while (r.end == FILCH_SEARCH_NODES);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.best.i == knapsack_optimum(&k));
	end(&k, s);
}

static struct filch_search *to_cancel;

static size_t pack_and_cancel(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	filch_search_cancel(to_cancel);
	return knapsack_pack(node, bytes, room, arg);
}

static void cancel_in_checkpoint(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .checkpoint = path};
	struct knapsack k;
	struct filch_search_problem p;
	struct filch_search_result r;

	knapsack_init(&k, 40, 3);
	p = knapsack_problem(&k);
	p.pack = pack_and_cancel;
	TEST_CHECK(filch_search_create(&to_cancel, &p, &o) == 0);
	filch_search_add_node(to_cancel, knapsack_node(&k, 0, 0, 0));
	TEST_CHECK(filch_search_checkpoint(to_cancel) == 0);
	r = run(to_cancel);
	TEST_CHECK(r.end == FILCH_SEARCH_CANCELLED && r.open > 0);
	end(&k, to_cancel);
}

/* ---- records ---- */

struct flood {
	struct tree tree;
	atomic_ullong made, freed, learned;
	unsigned each; /* records of a node */
};

struct drop {
	struct filch_search_record record;
	uint64_t number;
};

struct pupil {
	uint64_t learned, sum;
};

static int flood_explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			 void *arg)
{
	struct flood *f = arg;
	struct tree_node *n = FILCH_CONTAINER_OF(node, struct tree_node, node);
	struct pupil *p = filch_search_local(w);

	for (unsigned i = 0; i < f->each; i++) {
		struct drop *d = calloc(1, sizeof(*d));

		TEST_CHECK(d);
		d->record.affinity = n->seed + i;
		d->number = tree_mix(n->seed + i + p->sum); /* depends on the records seen so far */
		atomic_fetch_add(&f->made, 1);
		TEST_CHECK(filch_search_publish(filch_search_of(w), w, &d->record) == 0);
	}
	return tree_explore(w, node, children, &f->tree);
}

static void flood_discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	tree_discard(w, node, &((struct flood *)arg)->tree);
}

static void flood_learn(struct filch_search_worker *w, const struct filch_search_record *record, void *arg)
{
	struct pupil *p = filch_search_local(w);

	p->learned++;
	p->sum += FILCH_CONTAINER_OF(record, struct drop, record)->number;
	atomic_fetch_add(&((struct flood *)arg)->learned, 1);
}

static void flood_free(struct filch_search_record *record, void *arg)
{
	atomic_fetch_add(&((struct flood *)arg)->freed, 1);
	free(FILCH_CONTAINER_OF(record, struct drop, record));
}

/* The sum over all records that worker 0 has learned. */
static uint64_t flood(unsigned workers, unsigned round, unsigned each, size_t records)
{
	struct flood f = {.tree = {.depth = 9, .width = 2, .even = 1, .spin = round ? 30000 : 0}, .each = each};
	struct filch_search_problem p = {.struct_size = sizeof(p),
					 .arg = &f,
					 .explore = flood_explore,
					 .discard = flood_discard,
					 .learn = flood_learn,
					 .discard_record = flood_free,
					 .local_size = sizeof(struct pupil)};
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = workers, .round = round, .records = records};
	struct filch_search *s;
	uint64_t sum;

	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	filch_search_add_node(s, tree_node(&f.tree, 42, 0));
	TEST_CHECK(run(s).end == FILCH_SEARCH_DONE && f.tree.explored == 1023);
	TEST_CHECK(f.made == 1023u * each && f.made - f.freed <= records);
	sum = ((struct pupil *)filch_search_local(filch_search_worker(s, 0)))->sum;
	filch_search_destroy(s);
	TEST_CHECK(f.freed == f.made);
	return sum;
}

static void records_flood(void)
{
	flood(3, 0, 100, 16);
	flood(3, 0, 1, 1);
}

/* Each worker knows the same records in each round, also one that took no part in the last rounds. */
static void records_in_rounds(void)
{
	uint64_t first = flood(1, 4, 3, 8);

	for (unsigned workers = 2; workers <= 12; workers += 5)
		TEST_CHECK(flood(workers, 4, 3, 8) == first);
}

/* ---- several searches ---- */

struct big {
	char bytes[1 << 20];
	struct filch_node node;
	int depth;
};

static int big_explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct big *b = FILCH_CONTAINER_OF(node, struct big, node);

	(void)w;
	(void)arg;
	for (int i = 0; i < 3; i++) {
		struct big *child = malloc(sizeof(*child));

		if (!child)
			return -ENOMEM;
		child->bytes[i] = 1;
		child->depth = b->depth + 1;
		filch_batch_add(children, &child->node);
	}
	free(b);
	return 0;
}

static void big_discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct big, node));
}

static void huge_nodes(void)
{
	for (unsigned o = 0; o < 3; o++) {
		struct filch_search_problem p = {.struct_size = sizeof(p),
						 .explore = big_explore,
						 .discard = big_discard,
						 .node_size = sizeof(struct big)};
		struct filch_search_options opt = {.struct_size = sizeof(opt),
						   .workers = 2,
						   .order = orders[o],
						   .memory_limit = 40 * sizeof(struct big)};
		struct big *root = calloc(1, sizeof(*root));
		struct filch_search_result r;
		struct filch_search *s;

		TEST_CHECK(root);
		TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
		filch_search_add_node(s, &root->node);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_MEMORY && r.open >= 20 && r.open < 20000);
		filch_search_destroy(s);
	}
}

static int inner_explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			 void *arg)
{
	struct tree *t = arg;

	if (atomic_load(&t->explored) % 8 == 0) {
		struct tree inner = {.depth = 5, .width = 2, .even = 1};
		struct filch_search_options o = {
			.struct_size = sizeof(o), .workers = 2, .order = orders[atomic_load(&t->explored) % 3]};

		TEST_CHECK(tree_run(&inner, &o).explored == 63);
		TEST_CHECK(filch_search_run(filch_search_of(w), NULL) == -EBUSY);
	}
	return tree_explore(w, node, children, t);
}

/* A search in a function of another search, which has the pool's workers. */
static void search_in_search(void)
{
	for (unsigned o = 0; o < 3; o++)
		for (unsigned m = 0; m < 2; m++) {
			struct tree t = {.depth = 9, .width = 2, .even = 1};
			struct filch_search_problem p = tree_problem(&t);
			struct filch_search_options opt = {
				.struct_size = sizeof(opt), .workers = 3, .order = orders[o], .move = moves[m]};
			struct filch_search *s;

			p.explore = inner_explore;
			TEST_CHECK(filch_search_create(&s, &p, &opt) == 0);
			filch_search_add_node(s, tree_node(&t, 42, 0));
			TEST_CHECK(run(s).end == FILCH_SEARCH_DONE && t.explored == 1023);
			filch_search_destroy(s);
		}
}

static void *whole_search(void *arg)
{
	unsigned n = *(const unsigned *)arg;
	struct tree t = {.depth = 12, .width = 2, .even = 1};
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = 1 + n, .order = orders[n % 3], .move = moves[n % 2]};

	TEST_CHECK(tree_run(&t, &o).explored == 8191);
	return NULL;
}

static void several_at_once(void)
{
	pthread_t thread[6];
	unsigned number[6];

	for (unsigned i = 0; i < 6; i++) {
		number[i] = i;
		TEST_CHECK(!pthread_create(&thread[i], NULL, whole_search, &number[i]));
	}
	for (unsigned i = 0; i < 6; i++)
		pthread_join(thread[i], NULL);
}

static void never(const struct filch_search_progress *p, void *arg)
{
	(void)p;
	(void)arg;
	TEST_CHECK(false);
}

/* Extreme options make no difference. */
static void odd_options(void)
{
	for (unsigned o = 0; o < 3; o++) {
		struct filch_search_options opt = {.struct_size = sizeof(opt),
						   .workers = 3,
						   .order = orders[o],
						   .move = "master",
						   .low = SIZE_MAX,
						   .threshold = SIZE_MAX,
						   .proportion = 1,
						   .dive = 1,
						   .soft_memory = 1,
						   .memory_limit = SIZE_MAX,
						   .time_limit_ns = UINT64_MAX,
						   .progress = never,
						   .progress_ns = UINT64_MAX};
		struct tree t = {.depth = 9, .width = 2, .even = 1};

		TEST_CHECK(tree_run(&t, &opt).explored == 1023);
	}
}

static uint64_t zero(const struct filch_node *node, void *arg)
{
	(void)node;
	(void)arg;
	return 0;
}

/* Products of sizes that have an overflow. */
static void huge_options(void)
{
	struct tree t = {.depth = 9, .width = 2, .even = 1};
	struct filch_search_problem p = tree_problem(&t);
	struct filch_search_options o = {.struct_size = sizeof(o), .records = SIZE_MAX / 8 + 2};
	struct filch_search *s;

	p.affinity = zero;
	p.learn = flood_learn;
	TEST_CHECK(filch_search_create(&s, &p, &o) == -ENOMEM);
	o.records = 0;
	o.memory_limit = SIZE_MAX;
	p.learn = NULL;
	p.node_size = SIZE_MAX / 2 + 1;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	filch_search_add_node(s, tree_node(&t, 42, 0));
	TEST_CHECK(run(s).end == FILCH_SEARCH_MEMORY);
	filch_search_destroy(s);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"exact_order", exact_order},
		{"gap_and_soft_memory", gap_and_soft_memory},
		{"node_limit_is_exact", node_limit_is_exact},
		{"time_limit_with_hold", time_limit_with_hold},
		{"cancelled_with_hold", cancelled_with_hold},
		{"discarded", discarded},
		{"refused_quickly", refused_quickly},
		{"full_disk", full_disk},
		{"cancel_in_checkpoint", cancel_in_checkpoint},
		{"records_flood", records_flood},
		{"records_in_rounds", records_in_rounds},
		{"huge_nodes", huge_nodes},
		{"search_in_search", search_in_search},
		{"several_at_once", several_at_once},
		{"odd_options", odd_options},
		{"huge_options", huge_options},
	};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 3};
	const char *dir = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/filch-search-cases.%ld", dir ? dir : "/tmp", (long)getpid());
	snprintf(tmp, sizeof(tmp), "%s.tmp", path);
	TEST_CHECK(filch_start(&po) == 0);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	filch_stop();
	search_in_search(); /* inline */
	unlink(path);
	return TEST_PASS;
}
