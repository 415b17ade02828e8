/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches under the checker: states, tokens, hand-over, inbox, end and cancel, on the shipped source with its bulk
 * queues. A job is a thread of the checker. A start beyond the limit of a scenario fails, and the run repeats it.
 *
 * Nodes are numbers with a table of children. Their data is plain: it is written by the parent, and by the worker that
 * explores the node. So a node that is lost, or taken twice, or not ordered, is found. A search that does not end is
 * found, too: no thread goes on.
 *
 * With meets, two leaves wait for each other: the run ends only if two workers explore at the same time. So the checker
 * sees that a need is served while the other worker is busy.
 */
#include "../../search/search.h"
#include "../../check/chk.h"
#include "../../search/system_check.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

enum { MAX_NODES = 8 };

struct scenario {
	unsigned workers, starts;
	const char *move, *order;
	const unsigned char *children; /* how many each node has, in the order of numbers; the numbers follow */
	unsigned nodes;
	unsigned cancel; /* exploring this number cancels */
	bool adds;	 /* another thread adds the last node, with a hold */
	bool meets;	 /* the leaves 1 and 2 wait for each other */
	bool empty;	 /* there is no root: the run waits for a hold, which another thread releases */
	bool extracts;	 /* another thread takes nodes out, with a hold, and puts them back */
	size_t low;
};

static struct {
	const struct scenario *s;
	struct filch_search *search;
	struct node {
		struct filch_node node;
		FILCHI_CELL(unsigned) state; /* 1: open; 2: explored; 3: discarded */
		unsigned first;
	} node[MAX_NODES];
	FILCHI_ATOMIC(uint32_t) here[MAX_NODES];
} now;

/*
 * Edges of the test: none orders anything.
 *   MEET
 */
static struct filch_node *open_node(unsigned n)
{
	filchi_cell_set(&now.node[n].state, 1);
	return &now.node[n].node;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	unsigned n = (unsigned)(FILCH_CONTAINER_OF(node, struct node, node) - now.node);

	(void)arg;
	chk_assert(filchi_cell_get(&now.node[n].state) == 1);
	filchi_cell_set(&now.node[n].state, 2);
	for (unsigned i = 0; i < now.s->children[n]; i++)
		filch_batch_add(children, open_node(now.node[n].first + i));
	if (now.s->meets && (n == 1 || n == 2)) {
		filchi_store_rlx(&now.here[n], 1, MEET);
		while (!filchi_load_rlx(&now.here[3 - n], MEET))
			filchi_spin_wait();
	}
	if (now.s->cancel && n == now.s->cancel)
		filch_search_cancel(filch_search_of(w));
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	struct node *n = FILCH_CONTAINER_OF(node, struct node, node);

	(void)w;
	(void)arg;
	chk_assert(filchi_cell_get(&n->state) == 1);
	filchi_cell_set(&n->state, 3);
}

static void outside(void *unused)
{
	struct filch_batch batch;

	(void)unused;
	if (now.s->empty) {
		/* Only the release. */
	} else if (now.s->adds) {
		chk_assert(filch_search_add_node(now.search, open_node(now.s->nodes - 1)) == 0);
	} else {
		chk_assert(filch_search_extract(now.search, 0.5, &batch) == 0);
		chk_assert(filch_search_add(now.search, &batch) == 0);
	}
	filch_search_release(now.search);
}

static void begin(const struct scenario *s)
{
	unsigned next = 1;

	now.s = s;
	filchi_os_check_start();
	filchi_search_check_start(s->starts);
	for (unsigned i = 0; i < s->nodes; i++) {
		filchi_cell_set(&now.node[i].state, 0);
		filchi_atomic_init(&now.here[i], 0);
		now.node[i].first = next;
		next += s->children[i];
	}
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	const struct filch_search_problem problem = {
		.struct_size = sizeof(problem), .explore = explore, .discard = discard};
	const struct filch_search_options opt = {
		.struct_size = sizeof(opt), .workers = s->workers, .move = s->move, .order = s->order, .low = s->low};
	struct filch_search_result r = {.struct_size = sizeof(r)};
	int thread = -1;

	begin(s);
	chk_assert(filch_search_create(&now.search, &problem, &opt) == 0);
	if (!s->empty)
		filch_search_add_node(now.search, open_node(0));
	if (s->adds || s->extracts || s->empty) {
		filch_search_hold(now.search);
		thread = chk_thread(outside, NULL);
	}
	chk_assert(filch_search_run(now.search, &r) == 0);
	if (thread >= 0)
		chk_join(thread);
	chk_assert(r.end == FILCH_SEARCH_DONE || (s->cancel && r.end == FILCH_SEARCH_CANCELLED));
	chk_assert(s->cancel || (!r.open && r.explored == (s->empty ? 0 : s->nodes)));
	chk_assert(filchi_load_rlx(&now.search->signal, MEET) / FILCHI_SEARCH_NEEDY <= s->workers);
	filch_search_destroy(now.search);
	for (unsigned i = 0; i < s->nodes && !s->empty; i++) {
		unsigned state = filchi_cell_get(&now.node[i].state);

		chk_assert(state == 2 || (s->cancel && (state == 3 || state == 0)));
	}
}

/* ---- two workers, acted by hand, and no run: small enough to be exhausted ---- */

struct acted {
	bool offers; /* worker 0 makes a node visible and offers it; else it hands a batch over */
	bool idle;   /* worker 1 is idle at first; else it is about to run dry */
	bool busy;   /* worker 1 has taken mail before */
};

static void serve(struct filchi_search_job *job)
{
	struct filch_search_worker *w = FILCH_CONTAINER_OF(job, struct filch_search_worker, job);
	struct filch_node *node;
	struct filch_batch children;
	uint64_t key;

	filchi_search_own(w);
	do
		while ((node = filchi_search_pop(w, &key))) {
			filch_batch_init(&children);
			explore(w, node, &children, NULL);
			filchi_store_rlx(&now.here[FILCH_CONTAINER_OF(node, struct node, node) - now.node], 1, MEET);
		}
	while (filchi_search_find(w));
}

static void acted_worker(void *w)
{
	serve(&((struct filch_search_worker *)w)->job);
}

/* Worker 0 does not end before the node was explored: worker 1 must have been told. */
static void act(struct filch_search_worker *w, const struct acted *a)
{
	struct filch_search *s = w->search;
	struct filch_batch batch;
	struct filch_node *node;
	uint64_t key;
	bool given;

	filch_batch_init(&batch);
	if (a->offers) {
		filch_batch_add(&batch, open_node(0));
		filch_batch_add(&batch, open_node(1));
		filch_batch_add(&batch, open_node(2)); /* with the one before, a chunk that thieves can see */
		filchi_search_push_queue(w, &batch);
		filchi_search_announce();
		if (filchi_load_rlx(&s->signal, MEET) >= FILCHI_SEARCH_NEEDY)
			filchi_search_offer(s, &s->worker[1]);
		node = filchi_search_pop(w, &key);
		chk_assert(!node || node == &now.node[0].node);
		if (node)
			filchi_cell_set(&now.node[0].state, 2);
	} else {
		filch_batch_add(&batch, open_node(1));
		/* It may go from REQUESTING to IDLE in between. */
		given = filchi_search_give(s, &s->worker[1], &batch) || filchi_search_give(s, &s->worker[1], &batch);
		chk_assume(given); /* else it was RUNNING: too early */
	}
	while (!filchi_load_rlx(&now.here[1], MEET))
		filchi_spin_wait();
	filchi_search_token_drop(s);
}

static void play_acted(void *arg)
{
	static const unsigned char leaves[] = {0, 0, 0};
	static const struct scenario none = {.nodes = 3, .starts = 1, .children = leaves};
	const struct acted *a = arg;
	const struct filch_search_problem problem = {.struct_size = sizeof(problem), .explore = explore};
	const struct filch_search_options opt = {
		.struct_size = sizeof(opt), .workers = 2, .move = a->offers ? "direct" : "master"};
	struct filch_search_worker *w;
	struct filch_batch batch;
	int thread = -1;

	begin(&none);
	chk_assert(filch_search_create(&now.search, &problem, &opt) == 0);
	chk_assert(filchi_search_jobs_open(&now.search->jobs, NULL) == 0);
	w = now.search->worker;
	w[1].job.run = serve;
	filch_batch_init(&batch);
	filchi_search_adopt(&w[0], &batch);
	if (!a->idle)
		filchi_search_adopt(&w[1], &batch);
	if (a->busy) {
		filchi_search_request(&w[1]);
		filch_batch_add(&batch, open_node(2));
		chk_assert(filchi_search_give(now.search, &w[1], &batch));
	}
	filchi_search_token_drop(now.search); /* of the run */
	if (!a->idle)
		thread = chk_thread(acted_worker, &w[1]);
	act(&w[0], a);
	if (thread >= 0)
		chk_join(thread);
	filchi_search_jobs_wait(now.search->jobs);
	chk_assert(filchi_load_rlx(&now.search->tokens, MEET) == 0);
	chk_assert(filchi_load_rlx(&now.search->end, MEET) == FILCH_SEARCH_DONE);
	chk_assert(filchi_cell_get(&now.node[1].state) == 2);
	chk_assert(filchi_load_rlx(&w[1].state, MEET) == FILCHI_SEARCH_IDLE);
	filch_search_destroy(now.search);
}

#define ACTED(name_, ...)                                                                                              \
	{                                                                                                              \
		.name = name_, .play = play_acted, .arg = &(const struct acted)                                        \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define TREE(...)                                                                                                      \
	.children = (const unsigned char[]){__VA_ARGS__}, .nodes = sizeof((const unsigned char[]){__VA_ARGS__})
#define SCENARIO(name_, deep_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario){__VA_ARGS__}, .deep = deep_               \
	}
#define WALKS(name_, ...)                                                                                              \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true               \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("alone", false, .workers = 1, .starts = 1, TREE(1, 1, 0)),
	SCENARIO("release", false, .workers = 1, .starts = 1, .empty = true, TREE(0)),
	ACTED("offer_idle", .offers = true, .idle = true),
	ACTED("offer", .offers = true),
	ACTED("give_idle", .idle = true),
	ACTED("give", .idle = false),
	ACTED("give_again", .busy = true),
	SCENARIO("no_start", false, .workers = 2, .starts = 0, TREE(2, 0, 0)),
	WALKS("direct", .workers = 2, .starts = 4, .move = "direct", TREE(2, 0, 0)),
	WALKS("direct_meet", .workers = 2, .starts = 3, .move = "direct", .meets = true, TREE(3, 0, 0, 0)),
	WALKS("direct_deep", .workers = 2, .starts = 4, .move = "direct", TREE(2, 2, 1, 0, 0, 0)),
	WALKS("direct_3", .workers = 3, .starts = 4, .move = "direct", TREE(3, 1, 1, 0, 0, 0)),
	WALKS("master", .workers = 2, .starts = 4, .move = "master", TREE(3, 0, 0, 0)),
	WALKS("master_low", .workers = 2, .starts = 4, .move = "master", .low = 1, TREE(3, 2, 1, 0, 0, 0, 0)),
	WALKS("master_3", .workers = 3, .starts = 5, .move = "master", TREE(4, 1, 1, 0, 0, 0, 0)),
	WALKS("best", .workers = 2, .starts = 4, .order = "best", TREE(3, 1, 0, 0, 0)),
	WALKS("best_meet", .workers = 2, .starts = 3, .order = "best", .meets = true, TREE(3, 0, 0, 0)),
	WALKS("mixture", .workers = 2, .starts = 4, .order = "mixture", TREE(3, 2, 0, 0, 0, 0)),
	WALKS("cancel", .workers = 2, .starts = 4, .cancel = 1, TREE(3, 1, 1, 0, 0, 0)),
	WALKS("add", .workers = 1, .starts = 3, .adds = true, TREE(1, 0, 0)),
	WALKS("add_2", .workers = 2, .starts = 4, .adds = true, TREE(2, 0, 0, 0)),
	WALKS("extract", .workers = 2, .starts = 4, .extracts = true, TREE(3, 0, 0, 0)),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "search", .file = "/search/idle.c", .prefix = "filchi_search_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
		.max_events = 2000,
	};

	return check_main(&program, argc, argv);
}
