/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explores a directed graph from one node: each node once, although many edges lead to it. The worker that marks a node
 * first adds it to its children. This is the experiment of the bulk paper, with either way to move work.
 *
 *	cc -O2 search_dag.c $(pkg-config --cflags --libs filch-search)
 *	./a.out [direct|master]
 */
#include <filch.h>
#include <filch/search.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 200000, EDGES = 8 };

struct graph {
	uint32_t to[NODES][EDGES]; /* all are larger than the node itself */
	atomic_int marked[NODES];  /* for a byte gcc needs -latomic on some machines */
	struct filch_node node[NODES];
};

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct graph *g = arg;
	size_t n = (size_t)(node - g->node);

	(void)w;
	for (int i = 0; i < EDGES && n + 1 < NODES; i++) {
		uint32_t to = g->to[n][i];

		if (!atomic_exchange_explicit(&g->marked[to], 1, memory_order_relaxed))
			filch_batch_add(children, &g->node[to]);
	}
	return 0;
}

/* A short edge in each node makes all nodes reachable. */
static struct graph *make_graph(void)
{
	struct graph *g = calloc(1, sizeof(*g));
	uint64_t random = 7;

	for (uint32_t n = 0; g && n + 1 < NODES; n++)
		for (int i = 0; i < EDGES; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			g->to[n][i] = i ? n + 1 + (uint32_t)((random >> 33) % (NODES - n - 1)) : n + 1;
		}
	return g;
}

int main(int argc, char **argv)
{
	struct graph *g = make_graph();
	struct filch_search_problem problem = {.struct_size = sizeof(problem), .arg = g, .explore = explore};
	struct filch_search_options options = {.struct_size = sizeof(options), .move = argc > 1 ? argv[1] : NULL};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filch_search_stats stats = {.struct_size = sizeof(stats)};
	struct filch_search *s;

	if (!g || filch_start(NULL) || filch_search_create(&s, &problem, &options))
		return 1;
	filch_search_add_node(s, &g->node[0]);
	filch_search_run(s, &result);
	filch_search_stats(s, -1, &stats);
	printf("%llu of %d nodes, %llu batches moved\n", (unsigned long long)result.explored, NODES,
	       (unsigned long long)stats.batches);
	filch_search_destroy(s);
	filch_stop();
	free(g);
	return result.explored == NODES ? 0 : 1;
}
