/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of moving half of a queue. The root has the nodes as its children; the first child takes half of the queue
 * out, as a thread outside of the search would do, and adds it again. So the queue is that of a worker in a run.
 */
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 9 };

struct move {
	struct filch_node root, *nodes;
	unsigned count, seen, times; /* times: moves */
	size_t moved;		     /* at most */
	double ns[TIMES];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct move *m = arg;
	struct filch_batch batch;
	double begin;

	if (node == &m->root)
		for (unsigned i = 0; i < m->count; i++)
			filch_batch_add(children, &m->nodes[i]);
	if (node == &m->root || m->seen++ >= TIMES)
		return 0;
	begin = now();
	filch_search_extract(filch_search_of(w), 0.5, &batch);
	begin = now() - begin;
	if (batch.count) {
		m->ns[m->times++] = begin;
		m->moved = m->moved > batch.count ? m->moved : batch.count;
	}
	return filch_search_add(filch_search_of(w), &batch);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double filchi_search_batch(unsigned nodes, struct filchi_search_report *report)
{
	struct move m = {.nodes = calloc(nodes, sizeof(*m.nodes)), .count = nodes};
	struct filch_search_problem problem = {.struct_size = sizeof(problem), .arg = &m, .explore = explore};
	struct filch_search_options opt = {.struct_size = sizeof(opt), .workers = 1};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filch_search *s;

	if (!m.nodes || filch_search_create(&s, &problem, &opt)) {
		free(m.nodes);
		return 0;
	}
	filch_search_add_node(s, &m.root);
	filch_search_run(s, &result);
	filch_search_destroy(s);
	free(m.nodes);
	report->moved = m.moved;
	qsort(m.ns, m.times, sizeof(m.ns[0]), ascending);
	return result.explored == nodes + 1u && m.times ? m.ns[m.times / 2] : 0;
}
