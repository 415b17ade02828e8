/* SPDX-License-Identifier: Apache-2.0 */
/* Ends, bounds and counts of searches at their edges: threads with a hold, nodes that just came in, late errors. */
#include "../fixtures/search/tree.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char path[256], tmp[300];

struct edge {
	struct filch_node node;
	int64_t bound;
	int id;
};

static struct filch_node *edge(int id, int64_t bound)
{
	struct edge *e = calloc(1, sizeof(*e));

	TEST_CHECK(e);
	e->id = id;
	e->bound = bound;
	return &e->node;
}

static void edge_discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct edge, node));
}

static union filch_search_value edge_bound(const struct filch_node *node, void *arg)
{
	(void)arg;
	return (union filch_search_value){.i = FILCH_CONTAINER_OF(node, struct edge, node)->bound};
}

/* A leaf. */
static int edge_explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	(void)children;
	edge_discard(w, node, arg);
	return 0;
}

static struct filch_search *make(struct filch_search_problem *p, const struct filch_search_options *o)
{
	struct filch_search *s;

	p->struct_size = sizeof(*p);
	p->explore = p->explore ? p->explore : edge_explore;
	p->discard = p->discard ? p->discard : edge_discard;
	p->bound = edge_bound;
	p->goal = FILCH_SEARCH_MINIMISE;
	TEST_CHECK(filch_search_create(&s, p, o) == 0);
	return s;
}

static struct filch_search_result run(struct filch_search *s)
{
	struct filch_search_result r = {.struct_size = sizeof(r)};

	TEST_CHECK(filch_search_run(s, &r) == 0);
	return r;
}

static void improve(struct filch_search *s, int64_t value)
{
	TEST_CHECK(filch_search_improve(s, NULL, (union filch_search_value){.i = value}, NULL) == 1);
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* ---- holds ---- */

static void *add_late(void *arg)
{
	struct filch_search *s = arg;

	for (int i = 0; i < 100 || filch_search_open(s); i++)
		nap();
	filch_search_add_node(s, edge(1, 0));
	filch_search_release(s);
	return NULL;
}

/* Without open nodes there is no gap: the holder may add better nodes. */
static void gap_with_hold(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .order = "best", .gap_limit = 0.01};
	struct filch_search_problem p = {0};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;
	pthread_t holder;

	filch_search_add_node(s, edge(0, 0));
	improve(s, 100);
	filch_search_hold(s);
	TEST_CHECK(pthread_create(&holder, NULL, add_late, s) == 0);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.explored == 2);
	pthread_join(holder, NULL);
	filch_search_destroy(s);
}

/* The holder has taken the only node out: a limit or a cancel does not make the search done. */
static void limit_with_hold(void)
{
	for (int cancel = 0; cancel < 2; cancel++) {
		struct filch_search_options o = {
			.struct_size = sizeof(o), .workers = 2, .time_limit_ns = cancel ? 0 : 1000000};
		struct filch_search_problem p = {0};
		struct filch_search *s = make(&p, &o);
		struct filch_search_result r;
		struct filch_batch out;

		filch_search_add_node(s, edge(0, 0));
		improve(s, 100);
		filch_search_hold(s);
		TEST_CHECK(filch_search_extract(s, 1, &out) == 0 && out.count == 1);
		if (cancel)
			filch_search_cancel(s);
		r = run(s);
		TEST_CHECK(r.end == (cancel ? FILCH_SEARCH_CANCELLED : FILCH_SEARCH_TIME));
		TEST_CHECK(r.has_best && !r.has_bound);
		filch_search_add(s, &out);
		filch_search_release(s);
		filch_search_destroy(s);
	}
}

static void *add_better_late(void *arg)
{
	struct filch_search *s = arg;

	for (int i = 0; i < 100; i++)
		nap();
	filch_search_add_node(s, edge(1, 0));
	filch_search_release(s);
	return NULL;
}

/* Explores a node again and again, until the better node is there. */
static int wait_for_better(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			   void *arg)
{
	struct edge *e = FILCH_CONTAINER_OF(node, struct edge, node);
	atomic_int *better = arg;

	nap();
	if (e->id)
		atomic_store(better, 1);
	else if (!atomic_load(better))
		filch_batch_add(children, edge(0, 99));
	return edge_explore(w, node, children, arg);
}

/* The open nodes are as good as the best value, but a thread with a hold has a better one. */
static void gap_of_the_holder(void)
{
	atomic_int better = 0;
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .order = "best", .gap_limit = 0.5};
	struct filch_search_problem p = {.explore = wait_for_better, .arg = &better};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;
	pthread_t holder;

	filch_search_add_node(s, edge(0, 99));
	improve(s, 100);
	filch_search_hold(s);
	TEST_CHECK(pthread_create(&holder, NULL, add_better_late, s) == 0);
	r = run(s);
	TEST_CHECK(atomic_load(&better) && (r.end == FILCH_SEARCH_DONE || r.end == FILCH_SEARCH_GAP));
	pthread_join(holder, NULL);
	filch_search_destroy(s);
}

/* The bound of the open nodes does not hold for the nodes of the other thread. */
static void bound_with_hold(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .node_limit = 1};
	struct filch_search_problem p = {0};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;

	filch_search_add_node(s, edge(0, 0));
	filch_search_add_node(s, edge(1, 10));
	improve(s, 100);
	filch_search_hold(s);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_NODES && r.open == 1 && !r.has_bound);
	filch_search_release(s);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.has_bound && r.bound.i == 100);
	filch_search_destroy(s);
}

/* As before, without a hold: the last node has met the limit. */
static void limit_at_the_end(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .node_limit = 1};
	struct filch_search_problem p = {0};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;

	filch_search_add_node(s, edge(0, 0));
	improve(s, 100);
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.has_bound && r.bound.i == 100);
	filch_search_destroy(s);
}

/* ---- nodes that came in ---- */

static size_t edge_pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	(void)arg;
	if (room >= sizeof(struct edge))
		memcpy(bytes, FILCH_CONTAINER_OF(node, struct edge, node), sizeof(struct edge));
	return sizeof(struct edge);
}

static int edge_unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	struct edge e;

	(void)arg;
	if (size != sizeof(e))
		return -EBADMSG;
	memcpy(&e, bytes, size);
	*node = edge(e.id, e.bound);
	return 0;
}

static int edge_saved(const void *bytes, size_t size, void *arg)
{
	(void)bytes;
	++*(int *)arg;
	return size ? 0 : -EIO;
}

/* Adds a better node, and asks for a checkpoint: the run looks at the gap before a worker takes the node. */
static int add_better(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct filch_search_progress now = {.struct_size = sizeof(now)};
	struct filch_search *s = filch_search_of(w);

	if (!FILCH_CONTAINER_OF(node, struct edge, node)->id) {
		filch_search_add_node(s, edge(1, 10));
		TEST_CHECK(filch_search_look(s, &now) == 0);
		TEST_CHECK(now.has_bound && now.bound.i == 10 && now.open >= 1);
		TEST_CHECK(filch_search_checkpoint(s) == 0);
	}
	return edge_explore(w, node, children, arg);
}

static void gap_and_inbox(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .order = "best", .gap_limit = 0.05};
	int saved = 0;
	struct filch_search_link link = {.struct_size = sizeof(link), .saved = edge_saved, .arg = &saved};
	struct filch_search_problem p = {.explore = add_better, .pack = edge_pack, .unpack = edge_unpack};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;

	TEST_CHECK(filch_search_join(s, &link) == 0);
	improve(s, 51);
	filch_search_add_node(s, edge(0, 40));
	filch_search_add_node(s, edge(2, 50));
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_GAP && r.explored == 2 && r.open == 1 && r.bound.i == 50 && saved == 1);
	filch_search_destroy(s);
}

/* ---- values ---- */

static union filch_search_value zero_bound(const struct filch_node *node, void *arg)
{
	(void)node;
	(void)arg;
	return (union filch_search_value){.d = -0.0};
}

/* A bound of -0 is equal to a best value of 0. */
static void two_zeros(void)
{
	for (int goal = FILCH_SEARCH_MINIMISE; goal <= FILCH_SEARCH_MAXIMISE; goal++) {
		struct filch_search_problem p = {.struct_size = sizeof(p),
						 .explore = edge_explore,
						 .discard = edge_discard,
						 .bound = zero_bound,
						 .type = FILCH_SEARCH_DOUBLE,
						 .goal = goal};
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1};
		struct filch_search_result r;
		struct filch_search *s;

		TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
		TEST_CHECK(filch_search_improve(s, NULL, (union filch_search_value){.d = 0.0}, NULL) == 1);
		TEST_CHECK(filch_search_improve(s, NULL, (union filch_search_value){.d = -0.0}, NULL) == 0);
		filch_search_add_node(s, edge(0, 0));
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_DONE && r.explored == 0 && r.pruned == 1);
		filch_search_destroy(s);
	}
}

/* The worst number of all would be taken for no solution. */
static void worst_value(void)
{
	for (int goal = FILCH_SEARCH_MINIMISE; goal <= FILCH_SEARCH_MAXIMISE; goal++) {
		int64_t worst = goal == FILCH_SEARCH_MINIMISE ? INT64_MAX : INT64_MIN;
		int64_t second = goal == FILCH_SEARCH_MINIMISE ? worst - 1 : worst + 1;
		struct filch_search_problem p = {.struct_size = sizeof(p),
						 .explore = edge_explore,
						 .discard = edge_discard,
						 .bound = edge_bound,
						 .goal = goal};
		union filch_search_value v = {.i = worst};
		struct filch_search *s;

		TEST_CHECK(filch_search_create(&s, &p, NULL) == 0);
		TEST_CHECK(filch_search_improve(s, NULL, v, NULL) == -EINVAL && !filch_search_best(s, NULL, &v));
		v.i = second;
		TEST_CHECK(filch_search_improve(s, NULL, v, NULL) == 1);
		TEST_CHECK(filch_search_best(s, NULL, &v) == 1 && v.i == second);
		v.i = goal == FILCH_SEARCH_MINIMISE ? INT64_MIN : INT64_MAX;
		TEST_CHECK(filch_search_improve(s, NULL, v, NULL) == 1);
		TEST_CHECK(run(s).best.i == v.i);
		filch_search_destroy(s);
	}
}

/* ---- signals ---- */

static struct filch_search *to_cancel;

static void on_alarm(int number)
{
	(void)number;
	filch_search_cancel(to_cancel);
}

/* Never ends by itself. */
static int explore_for_ever(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			    void *arg)
{
	filch_batch_add(children, edge(0, 0));
	return edge_explore(w, node, children, arg);
}

static void cancel_in_signal(void)
{
	for (uint64_t round = 0; round < 32; round += 16) {
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .round = round};
		struct filch_search_problem p = {.explore = explore_for_ever};
		struct itimerval soon = {.it_value.tv_usec = 20000};
		struct filch_search *s = make(&p, &o);
		struct filch_search_result r;

		to_cancel = s;
		filch_search_add_node(s, edge(0, 0));
		TEST_CHECK(signal(SIGALRM, on_alarm) != SIG_ERR && setitimer(ITIMER_REAL, &soon, NULL) == 0);
		r = run(s);
		TEST_CHECK(r.end == FILCH_SEARCH_CANCELLED && r.open == 1);
		TEST_CHECK(signal(SIGALRM, SIG_DFL) != SIG_ERR);
		filch_search_destroy(s);
	}
}

/* ---- rounds ---- */

static int widen(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct edge *e = FILCH_CONTAINER_OF(node, struct edge, node);
	union filch_search_value v = {.i = e->bound};

	if (e->bound >= 400)
		filch_search_improve(filch_search_of(w), w, v, NULL);
	for (int i = 0; e->bound < 400 && i < 3; i++) {
		int id = (int)(tree_mix((uint64_t)e->id * 3 + (uint64_t)i + 1) % 1000000);

		filch_batch_add(children, edge(id, e->bound + 10 + id % 90));
	}
	return edge_explore(w, node, children, arg);
}

static struct filch_search_result round_of(unsigned workers, size_t soft_memory)
{
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = workers, .order = "best", .round = 8, .soft_memory = soft_memory};
	struct filch_search_problem p = {.explore = widen};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;

	filch_search_add_node(s, edge(1, 0));
	r = run(s);
	TEST_CHECK(r.end == FILCH_SEARCH_DONE);
	filch_search_destroy(s);
	return r;
}

/* The memory at which rounds go on depth first is not for each worker. */
static void rounds_and_soft_memory(void)
{
	struct filch_search_result none = round_of(1, 0), one = round_of(1, 64 * 40);

	TEST_CHECK(none.explored != one.explored); /* it was reached */
	for (unsigned workers = 2; workers <= 8; workers *= 2) {
		struct filch_search_result r = round_of(workers, 64 * 40);

		TEST_CHECK(r.explored == one.explored && r.pruned == one.pruned && r.best.i == one.best.i);
	}
}

/* ---- errors ---- */

struct late {
	atomic_int calls, first;
};

/* Node 1 fails after another worker has found the limit used up. */
static int fail_late(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct edge *e = FILCH_CONTAINER_OF(node, struct edge, node);
	struct late *l = arg;

	if (e->id == 1 && !atomic_fetch_add(&l->calls, 1)) {
		while (!filch_search_poll(w))
			nap();
		return atomic_load(&l->first);
	}
	if (e->id == 1 && atomic_load(&l->first) == -ECANCELED)
		return -EIO;
	for (int i = 1; !e->id && i <= 40; i++)
		filch_batch_add(children, edge(i, 0));
	if (e->id > 1)
		nap();
	return edge_explore(w, node, children, arg);
}

/* An error after the stop counts if the run would go on. -ECANCELED only leaves the node open. */
static void error_after_limit(void)
{
	for (int cancels = 0; cancels < 2; cancels++) {
		struct late l = {.first = cancels ? -ECANCELED : -EIO};
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .node_limit = 30};
		struct filch_search_problem p = {.explore = fail_late, .arg = &l};
		struct filch_search *s = make(&p, &o);
		struct filch_search_result r;

		filch_search_add_node(s, edge(0, 0));
		r = run(s);
		if (cancels && r.end == FILCH_SEARCH_NODES) /* other nodes took the rest of the limit */
			TEST_CHECK(r.explored == 30 && r.error == 0);
		else
			TEST_CHECK(r.end == FILCH_SEARCH_ERROR && r.error == -EIO && l.calls == 1 + cancels);
		TEST_CHECK(r.open == 41 - r.explored);
		filch_search_destroy(s);
	}
}

/* ---- the clock ---- */

static void slow_discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	if (w)
		nap();
	edge_discard(w, node, arg);
}

/* All children are pruned. */
static int spawn_pruned(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	for (int i = 0; i < 500; i++)
		filch_batch_add(children, edge(1, 10));
	filch_search_improve(filch_search_of(w), w, (union filch_search_value){.i = 5}, NULL);
	return edge_explore(w, node, children, arg);
}

/* Pruning takes half a second at least. The worker finds in time that the limit is over. */
static void time_limit_in_pruning(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .time_limit_ns = 1000000};
	struct filch_search_problem p = {.explore = spawn_pruned, .discard = slow_discard};
	struct filch_search *s = make(&p, &o);
	struct filch_search_result r;

	filch_search_add_node(s, edge(0, 0));
	r = run(s);
	if (r.explored) /* else the limit was over before the first node */
		TEST_CHECK(r.end == FILCH_SEARCH_TIME && r.pruned <= 192 && r.open == 500 - r.pruned);
	filch_search_destroy(s);
}

/* ---- checkpoints ---- */

/* Says each time that it needs more room. */
static size_t greedy_pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	(void)node;
	(void)bytes;
	(void)arg;
	return room + 100000;
}

static size_t greedy_state(struct filch_search *s, void *bytes, size_t room, void *arg)
{
	(void)s;
	return greedy_pack(NULL, bytes, room, arg);
}

static int no_state(struct filch_search *s, const void *bytes, size_t size, void *arg)
{
	(void)s;
	(void)bytes;
	(void)size;
	(void)arg;
	return 0;
}

/* After a failed save there is no file with the name of the new one. */
static void failed_save(void)
{
	for (int kind = 0; kind < 3; kind++) {
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1};
		struct filch_search_problem p = {.pack = kind == 0 ? greedy_pack : edge_pack,
						 .unpack = edge_unpack,
						 .pack_state = kind == 1 ? greedy_state : NULL,
						 .unpack_state = kind == 1 ? no_state : NULL};
		struct filch_search *s = make(&p, &o);
		int err;

		filch_search_add_node(s, edge(0, 0));
		if (kind == 2)
			TEST_CHECK(mkdir(path, 0700) == 0);
		err = filch_search_save(s, path);
		TEST_CHECK(kind == 2 ? err < 0 : err == -EINVAL);
		TEST_CHECK(access(tmp, F_OK) != 0);
		if (kind == 2)
			TEST_CHECK(rmdir(path) == 0);
		TEST_CHECK(access(path, F_OK) != 0 && filch_search_open(s) == 1);
		filch_search_destroy(s);
	}
}

static int load_bytes(struct filch_search *s, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	TEST_CHECK(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
	return filch_search_load(s, path);
}

/* The whole file of version 1 is shorter than a header of version 3. */
static void short_old_file(void)
{
	uint64_t words[13] = {0x3148435253484346u, 0x0102030405060708u, 1};
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1};
	struct filch_search_problem p = {.pack = edge_pack, .unpack = edge_unpack};
	struct filch_search *s = make(&p, &o);

	TEST_CHECK(load_bytes(s, words, sizeof(words)) == -EPROTONOSUPPORT);
	TEST_CHECK(load_bytes(s, words, 24) == -EPROTONOSUPPORT);
	TEST_CHECK(load_bytes(s, words, 23) == -EBADMSG);
	words[2] = 3;
	TEST_CHECK(load_bytes(s, words, sizeof(words)) == -EBADMSG);
	filch_search_destroy(s);
	unlink(path);
}

/* ---- counts ---- */

static int spawn_hundred(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			 void *arg)
{
	for (int i = 1; !FILCH_CONTAINER_OF(node, struct edge, node)->id && i <= 100; i++)
		filch_batch_add(children, edge(i, i));
	if (!children->count)
		filch_search_improve(filch_search_of(w), w, (union filch_search_value){.i = 50}, NULL);
	return edge_explore(w, node, children, arg);
}

/* Nodes that are pruned at the end of a run count as pruned, and not as open. */
static void counts_at_the_end(void)
{
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .order = "best", .node_limit = 2};
	struct filch_search_problem p = {.explore = spawn_hundred};
	struct filch_search *s = make(&p, &o);
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct filch_search_result r;

	filch_search_add_node(s, edge(0, 0));
	r = run(s);
	TEST_CHECK(filch_search_stats(s, -1, &stats) == 0);
	TEST_CHECK(r.end == FILCH_SEARCH_NODES && r.bound.i == 2 && r.pruned == stats.pruned);
	TEST_CHECK(r.open == 48 && r.pruned == 51 && filch_search_open(s) == 48);
	filch_search_destroy(s);
}

static void count_after_extract(void)
{
	static const char *const orders[] = {"depth", "best"};

	for (int i = 0; i < 4; i++) {
		struct filch_search_options o = {.struct_size = sizeof(o), .workers = 2, .order = orders[i % 2]};
		struct filch_search_problem p = {0};
		struct filch_search *s = make(&p, &o);
		struct filch_batch out;

		for (int n = 0; n < 100; n++)
			filch_search_add_node(s, edge(n, n));
		TEST_CHECK(filch_search_extract(s, i < 2 ? 0.5 : 1, &out) == 0 && out.count > 0);
		TEST_CHECK(filch_search_open(s) == 100 - out.count);
		filch_search_add(s, &out);
		TEST_CHECK(filch_search_open(s) == 100);
		filch_search_destroy(s);
	}
}

static int extract_while_running(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
				 void *arg)
{
	struct filch_search *s = filch_search_of(w);
	size_t *count = arg;
	struct filch_batch out;

	for (int i = 1; !FILCH_CONTAINER_OF(node, struct edge, node)->id && i <= 1001; i++)
		filch_batch_add(children, edge(i, i));
	if (!children->count && !*count) {
		TEST_CHECK(filch_search_extract(s, 0.5, &out) == 0);
		*count = out.count;
		filch_search_add(s, &out);
	}
	return edge_explore(w, node, children, NULL);
}

/* A batch for another machine has the proportion that was asked for, so that it lasts longer than its way. */
static void extract_many(void)
{
	size_t count = 0;
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1, .order = "best"};
	struct filch_search_problem p = {.explore = extract_while_running, .arg = &count};
	struct filch_search *s = make(&p, &o);

	filch_search_add_node(s, edge(0, 0));
	TEST_CHECK(run(s).explored == 1002 && count >= 400 && count <= 501);
	filch_search_destroy(s);
}

/* Functions of a checkpoint may ask how many nodes are open. */
static size_t count_state(struct filch_search *s, void *bytes, size_t room, void *arg)
{
	uint64_t open = filch_search_open(s);

	*(uint64_t *)arg = open;
	if (room >= sizeof(open))
		memcpy(bytes, &open, sizeof(open));
	return sizeof(open);
}

static void open_in_pack(void)
{
	uint64_t seen = 0;
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 1};
	struct filch_search_problem p = {.pack = edge_pack,
					 .unpack = edge_unpack,
					 .pack_state = count_state,
					 .unpack_state = no_state,
					 .arg = &seen};
	struct filch_search *s = make(&p, &o);

	for (int n = 0; n < 3; n++)
		filch_search_add_node(s, edge(n, n));
	alarm(60); /* for a search that waits for itself */
	TEST_CHECK(filch_search_save(s, path) == 0 && seen == 3);
	alarm(0);
	filch_search_destroy(s);
	unlink(path);
}

static int explore_slowly(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children,
			  void *arg)
{
	nap();
	return edge_explore(w, node, children, arg);
}

/* A link gets the parts that somebody has asked for, and no others. */
static void link_and_time(void)
{
	int saved = 0;
	struct filch_search_link link = {.struct_size = sizeof(link), .saved = edge_saved, .arg = &saved, .parts = 2};
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = 1, .checkpoint = path, .checkpoint_ns = 1000};
	struct filch_search_problem p = {.explore = explore_slowly, .pack = edge_pack, .unpack = edge_unpack};
	struct filch_search *s = make(&p, &o);

	TEST_CHECK(filch_search_join(s, &link) == 0);
	for (int n = 0; n < 20; n++)
		filch_search_add_node(s, edge(n, n));
	TEST_CHECK(run(s).explored == 20 && saved == 0 && access(path, F_OK) != 0);
	filch_search_add_node(s, edge(0, 0));
	TEST_CHECK(filch_search_checkpoint(s) == 0);
	TEST_CHECK(run(s).explored == 1 && saved == 1);
	filch_search_destroy(s);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"gap_with_hold", gap_with_hold},
		{"limit_with_hold", limit_with_hold},
		{"gap_of_the_holder", gap_of_the_holder},
		{"bound_with_hold", bound_with_hold},
		{"limit_at_the_end", limit_at_the_end},
		{"gap_and_inbox", gap_and_inbox},
		{"two_zeros", two_zeros},
		{"worst_value", worst_value},
		{"cancel_in_signal", cancel_in_signal},
		{"rounds_and_soft_memory", rounds_and_soft_memory},
		{"error_after_limit", error_after_limit},
		{"time_limit_in_pruning", time_limit_in_pruning},
		{"failed_save", failed_save},
		{"short_old_file", short_old_file},
		{"counts_at_the_end", counts_at_the_end},
		{"count_after_extract", count_after_extract},
		{"extract_many", extract_many},
		{"open_in_pack", open_in_pack},
		{"link_and_time", link_and_time},
	};
	struct filch_options po = {.struct_size = sizeof(po), .workers = 3};
	const char *dir = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/filch-search-edges.%ld", dir ? dir : "/tmp", (long)getpid());
	snprintf(tmp, sizeof(tmp), "%s.tmp", path);

	TEST_CHECK(filch_start(&po) == 0);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	filch_stop();
	return TEST_PASS;
}
