/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at the same time as a run: checkpoints, improvements and nodes of other threads, the end of the time. */
#include "../fixtures/search/tree.h"

#include <pthread.h>
#include <unistd.h>

static char path[256];

/* ---- each checkpoint has all nodes ---- */

static struct tree tree;
static unsigned long long total, at_save, below;
static unsigned saves;

static void judge(void)
{
	TEST_CHECK(!saves || at_save + below == total);
}

/* The first part of each checkpoint. No worker explores meanwhile. */
static size_t begin_save(struct filch_search *s, void *bytes, size_t room, void *arg)
{
	(void)s;
	(void)bytes;
	(void)room;
	(void)arg;
	judge();
	at_save = tree.explored;
	below = 0;
	saves++;
	return 0;
}

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	const struct tree_node *n = FILCH_CONTAINER_OF(node, struct tree_node, node);

	(void)arg;
	TEST_CHECK(room >= sizeof(n->seed));
	memcpy(bytes, &n->seed, sizeof(n->seed));
	below += tree_count(&tree, n->seed, n->depth);
	return sizeof(n->seed);
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	(void)bytes;
	(void)size;
	*node = tree_node(arg, 42, tree.depth);
	return *node ? 0 : -ENOMEM;
}

/* Long nodes: a worker gets nodes from the master while it explores one. */
static int slowly(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	usleep(100);
	return tree_explore(w, node, children, arg);
}

static void whole(const char *move, const char *order, unsigned workers, uint64_t ns)
{
	struct filch_search_options o = {.struct_size = sizeof(o),
					 .workers = workers,
					 .move = move,
					 .order = order,
					 .checkpoint = path,
					 .low = 32,
					 .checkpoint_ns = ns};
	struct filch_search_problem p;
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 4};
	struct filch_search *s;

	TEST_CHECK(filch_pool_create(&o.pool, &po) == 0);
	memset(&tree, 0, sizeof(tree));
	tree = (struct tree){.depth = ns > 1 ? 9 : 6, .width = 4, .spin = 0};
	total = tree_count(&tree, 42, 0);
	saves = 0;
	p = tree_problem(&tree);
	p.explore = ns > 1 ? slowly : tree_explore;
	p.pack = pack;
	p.unpack = unpack;
	p.pack_state = begin_save;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, tree_node(&tree, 42, 0)) == 0);
	TEST_CHECK(filch_search_run(s, &r) == 0);
	judge();
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.explored == total && saves > 1);
	filch_search_destroy(s);
	filch_pool_destroy(o.pool);
}

/* ---- another thread improves the best value and adds nodes, while the run reads both ---- */

static atomic_llong solutions;
static atomic_int over;

static void free_solution(void *solution, void *arg)
{
	(void)arg;
	atomic_fetch_sub(&solutions, 1);
	free(solution);
}

static size_t pack_solution(const void *solution, void *bytes, size_t room, void *arg)
{
	(void)arg;
	TEST_CHECK(room >= sizeof(int64_t));
	if (++saves == 10)
		atomic_store(&over, 1);
	for (int i = 0; i < 20; i++) {
		memcpy(bytes, solution, sizeof(int64_t)); /* the solution must stay */
		usleep(20);
	}
	return sizeof(int64_t);
}

static int unpack_solution(void **solution, const void *bytes, size_t size, void *arg)
{
	(void)arg;
	*solution = malloc(sizeof(int64_t));
	if (!*solution)
		return -ENOMEM;
	TEST_CHECK(size == sizeof(int64_t));
	memcpy(*solution, bytes, size);
	atomic_fetch_add(&solutions, 1);
	return 0;
}

static size_t pack_state(struct filch_search *s, void *bytes, size_t room, void *arg)
{
	(void)s;
	(void)arg;
	TEST_CHECK(room > 0);
	memset(bytes, 1, 1);
	return 1;
}

static int unpack_state(struct filch_search *s, const void *bytes, size_t size, void *arg)
{
	(void)s;
	(void)bytes;
	(void)size;
	(void)arg;
	return -ERANGE;
}

static void offer(struct filch_search *s, int64_t value)
{
	int64_t *solution = malloc(sizeof(*solution));

	TEST_CHECK(solution);
	*solution = value;
	atomic_fetch_add(&solutions, 1);
	if (filch_search_improve(s, NULL, (union filch_search_value){.i = value}, solution) != 1)
		free_solution(solution, NULL);
}

static void *other_thread(void *arg)
{
	struct filch_search *s = arg;

	for (int64_t value = 1 << 30; !atomic_load(&over) && value > 1000; value--) {
		offer(s, value);
		if (value % 16 == 0)
			TEST_CHECK(filch_search_add_node(s, tree_node(&tree, (uint64_t)value, tree.depth)) == 0);
		if (value % 64 == 0)
			usleep(100);
	}
	filch_search_release(s);
	return NULL;
}

static void progress(const struct filch_search_progress *p, void *arg)
{
	(void)p;
	(void)arg;
}

static struct filch_search_problem improvable(void)
{
	struct filch_search_problem p = tree_problem(&tree);

	p.goal = FILCH_SEARCH_MINIMISE;
	p.pack = pack;
	p.unpack = unpack;
	p.pack_solution = pack_solution;
	p.unpack_solution = unpack_solution;
	p.pack_state = pack_state;
	p.unpack_state = unpack_state;
	p.discard_solution = free_solution;
	return p;
}

static void improve(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o),
					 .workers = 2,
					 .checkpoint = path,
					 .checkpoint_ns = 1000000,
					 .progress = progress,
					 .progress_ns = 1};
	struct filch_search_problem p;
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search *s;
	pthread_t thread;

	memset(&tree, 0, sizeof(tree));
	tree = (struct tree){.depth = 5, .width = 3};
	saves = 0;
	p = improvable();
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, tree_node(&tree, 42, 0)) == 0);
	filch_search_hold(s);
	TEST_CHECK(pthread_create(&thread, NULL, other_thread, s) == 0);
	TEST_CHECK(filch_search_run(s, &r) == 0 && r.end == FILCH_SEARCH_DONE && r.has_best);
	TEST_CHECK(pthread_join(thread, NULL) == 0);
	filch_search_destroy(s);
	TEST_CHECK(solutions == 0 && tree.made == tree.explored + tree.discarded);
	/* A load that fails late frees the solution, too. */
	o.checkpoint = NULL;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_load(s, path) == -ERANGE && solutions == 0);
	filch_search_destroy(s);
}

/* ---- long nodes after short ones: a time limit is not met hundreds of nodes late ---- */

enum { SHORT = 20000, LONG = 600 };

static unsigned short_ones, long_ones;

static int chain(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct tree_node *n = tree_take(node);

	(void)w;
	if (n->depth) {
		long_ones++;
		usleep(2000);
	} else if (++short_ones < SHORT) {
		filch_batch_add(children, tree_node(arg, 0, 0));
	} else {
		for (int i = 0; i < LONG; i++)
			filch_batch_add(children, tree_node(arg, 0, 1));
	}
	tree_free(n);
	return 0;
}

static void late(int goal)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .time_limit_ns = 40000000};
	struct filch_search_problem p;
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search *s;

	memset(&tree, 0, sizeof(tree));
	short_ones = long_ones = 0;
	p = tree_problem(&tree);
	p.explore = chain;
	p.goal = goal;
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, tree_node(&tree, 0, 0)) == 0);
	TEST_CHECK(filch_search_run(s, &r) == 0 && r.end == FILCH_SEARCH_TIME);
	TEST_CHECK(long_ones < 20 + 2 * 64);
	filch_search_destroy(s);
}

/* ---- nodes that come one by one, before the run and faster than it explores ---- */

enum { BEFORE = 5000, FLOOD = 100000 };

static void *flood_thread(void *s)
{
	for (uint64_t i = 0; i < FLOOD; i++)
		TEST_CHECK(filch_search_add_node(s, tree_node(&tree, i, tree.depth)) == 0);
	filch_search_release(s);
	return NULL;
}

static void flood(const char *order, uint64_t round)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .order = order, .round = round};
	struct filch_search_problem p;
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search *s;
	pthread_t thread[2];

	memset(&tree, 0, sizeof(tree));
	p = tree_problem(&tree);
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	for (uint64_t i = 0; i < BEFORE; i++)
		TEST_CHECK(filch_search_add_node(s, tree_node(&tree, i, 0)) == 0);
	for (int i = 0; i < 2; i++) {
		filch_search_hold(s);
		TEST_CHECK(pthread_create(&thread[i], NULL, flood_thread, s) == 0);
	}
	TEST_CHECK(filch_search_run(s, &r) == 0 && r.end == FILCH_SEARCH_DONE);
	TEST_CHECK(r.explored == BEFORE + 2 * FLOOD);
	for (int i = 0; i < 2; i++)
		TEST_CHECK(pthread_join(thread[i], NULL) == 0);
	filch_search_destroy(s);
}

/* ---- a thread that looks ---- */

static atomic_bool looks;

static void *look_thread(void *arg)
{
	struct filch_search *s = arg;

	while (atomic_load(&looks)) {
		struct filch_search_progress now = {.struct_size = sizeof(now)};
		struct filch_search_stats stats = {.struct_size = sizeof(stats)};

		TEST_CHECK(filch_search_look(s, &now) == 0);
		TEST_CHECK(now.seconds >= 0 && now.seconds < 3600 && now.per_second >= 0);
		for (int i = -1; i < 3; i++)
			TEST_CHECK(filch_search_stats(s, i, &stats) == 0);
	}
	return NULL;
}

/* Progress and statistics at any time: also while a run begins or ends. */
static void look(const char *order, uint64_t round)
{
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = 3, .order = order, .round = round, .node_limit = 50};
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search_progress now = {.struct_size = sizeof(now)}, later = now;
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct filch_search_problem p;
	struct filch_search *s;
	pthread_t thread;
	uint64_t sum = 0;

	memset(&tree, 0, sizeof(tree));
	tree = (struct tree){.depth = 7, .width = 4, .even = 1};
	p = tree_problem(&tree);
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_look(s, &now) == 0 && now.seconds == 0 && now.per_second == 0);
	TEST_CHECK(filch_search_add_node(s, tree_node(&tree, 42, 0)) == 0);
	atomic_store(&looks, true);
	TEST_CHECK(pthread_create(&thread, NULL, look_thread, s) == 0);
	do {
		TEST_CHECK(filch_search_run(s, &r) == 0);
		sum += r.explored;
	} while (r.end == FILCH_SEARCH_NODES);
	atomic_store(&looks, false);
	TEST_CHECK(pthread_join(thread, NULL) == 0);
	TEST_CHECK(filch_search_stats(s, -1, &stats) == 0 && stats.explored == sum && sum == tree_count(&tree, 42, 0));
	TEST_CHECK(filch_search_look(s, &now) == 0); /* of the last run: its time stands still */
	usleep(1000);
	TEST_CHECK(filch_search_look(s, &later) == 0 && later.seconds == now.seconds && now.seconds == r.seconds);
	filch_search_destroy(s);
}

int main(void)
{
	snprintf(path, sizeof(path), "search_races.%d", (int)getpid());
	whole("direct", "depth", 2, 1);
	for (int i = 0; i < 2; i++) {
		whole("master", "depth", 4, 2000000);
		whole("master", "best", 3, 2000000);
		whole("direct", "mixture", 4, 2000000);
	}
	improve();
	late(FILCH_SEARCH_ALL);
	late(FILCH_SEARCH_MINIMISE);
	look("depth", 0);
	look("best", 0);
	look("depth", 16);
	flood("depth", 0);
	flood("best", 0);
	flood("depth", 64);
	TEST_CHECK(unlink(path) == 0);
	return 0;
}
