/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints, improvements, nodes and holds of other threads, at the same time as a run. */
#include "../fixtures/search/tree.h"

#include <pthread.h>
#include <sched.h>
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

int main(void)
{
	snprintf(path, sizeof(path), "search_races.%d", (int)getpid());
	whole("direct", "depth", 2, 1);
	for (int i = 0; i < 2; i++) {
		whole("master", "depth", 4, 2000000);
		whole("master", "best", 3, 2000000);
		whole("direct", "mixture", 4, 2000000);
	}
	TEST_CHECK(unlink(path) == 0);
	return 0;
}
