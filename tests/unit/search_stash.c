/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "best": a stash that gets better nodes than it has. Its key counts for the bound of the search, so a wrong one would
 * end a search with a gap limit too early.
 *
 * The bound of a node is its seed. One worker explores 10, then 11; a request from outside makes it fill its stash
 * before each node. Before 11 the stash has 30 and 40, and gets 12. After 11 the run looks at the gap.
 */
#include "../fixtures/search/tree.h"

#include <unistd.h>

/* So many short nodes come first: a worker with long nodes has no stash. */
enum { SHORT = 5000 };

static struct tree tree;
static unsigned shorts;
static char path[256];

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	(void)arg;
	return (union filch_search_value){.i = (int64_t)FILCH_CONTAINER_OF(node, struct tree_node, node)->seed};
}

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	(void)node;
	(void)bytes;
	(void)room;
	(void)arg;
	return 0;
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	(void)bytes;
	(void)size;
	*node = tree_node(arg, 0, 0);
	return *node ? 0 : -ENOMEM;
}

static void add(struct filch_batch *children, uint64_t from, uint64_t to, uint64_t step)
{
	for (uint64_t seed = from; seed <= to; seed += step)
		filch_batch_add(children, tree_node(&tree, seed, 0));
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct filch_search *s = filch_search_of(w);
	struct tree_node *n = tree_take(node);
	struct filch_batch none;

	(void)arg;
	if (n->seed == 0 && ++shorts < SHORT) {
		add(children, 0, 0, 1);
	} else if (n->seed == 0) {
		TEST_CHECK(filch_search_extract(s, 1, &none) == 0 && none.count == 0); /* asks the worker for nodes */
		add(children, 10, 40, 10);
	} else if (n->seed == 10) {
		add(children, 11, 12, 1);
		add(children, 50, 89, 1);
	} else if (n->seed == 11) {
		TEST_CHECK(filch_search_improve(s, w, (union filch_search_value){.i = 14}, NULL) == 1);
		TEST_CHECK(filch_search_checkpoint(s) == 0); /* the run stops the worker, and looks at the limits */
	} else if (n->seed == 12) {
		TEST_CHECK(filch_search_improve(s, w, (union filch_search_value){.i = 12}, NULL) == 1);
	}
	atomic_fetch_add(&tree.explored, 1);
	tree_free(n);
	return 0;
}

int main(void)
{
	struct filch_options one = {.struct_size = sizeof(one), .workers = 1};
	struct filch_search_options o = {
		.struct_size = sizeof(o), .workers = 1, .order = "best", .gap_limit = 0.05, .checkpoint = path};
	struct filch_search_problem p = tree_problem(&tree);
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search *s;

	snprintf(path, sizeof(path), "search_stash.%d", (int)getpid());
	p.explore = explore;
	p.bound = bound;
	p.goal = FILCH_SEARCH_MINIMISE;
	p.pack = pack;
	p.unpack = unpack;
	TEST_CHECK(filch_start(&one) == 0);
	TEST_CHECK(filch_search_create(&s, &p, &o) == 0);
	TEST_CHECK(filch_search_add_node(s, tree_node(&tree, 0, 0)) == 0);
	TEST_CHECK(filch_search_run(s, &r) == 0);
	TEST_CHECK(r.best.i == 12 && r.bound.i == 12);
	filch_search_destroy(s);
	TEST_CHECK(tree.made == tree.explored + tree.discarded);
	filch_stop();
	TEST_CHECK(unlink(path) == 0);
	return 0;
}
