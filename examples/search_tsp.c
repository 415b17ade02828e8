/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shortest round trip by branch and bound. A node is the beginning of a trip. Its bound: the way so far, and for the
 * current place and each place that is still to be left its shortest way out. The order "mixture" dives for good trips
 * first, and then takes the node with the best bound.
 *
 *	cc -O2 search_tsp.c $(pkg-config --cflags --libs filch-search)
 */
#include <filch.h>
#include <filch/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 13 };

struct problem {
	int64_t distance[PLACES][PLACES], shortest[PLACES];
};

struct trip {
	struct filch_node node;
	int64_t length, bound;
	uint32_t visited;
	int count;
	signed char place[PLACES];
};

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	(void)arg;
	return (union filch_search_value){.i = FILCH_CONTAINER_OF(node, struct trip, node)->bound};
}

static void set_bound(const struct problem *p, struct trip *t)
{
	t->bound = t->length + p->shortest[(int)t->place[t->count - 1]];
	for (int i = 0; i < PLACES; i++)
		if (!(t->visited >> i & 1))
			t->bound += p->shortest[i];
}

/* Children by rising distance: the first one is the most promising. */
static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct problem *p = arg;
	struct trip *t = FILCH_CONTAINER_OF(node, struct trip, node);
	int here = t->place[t->count - 1], next[PLACES], n = 0;

	for (int i = 0; i < PLACES; i++) {
		int j = n;

		if (t->visited >> i & 1)
			continue;
		for (; j && p->distance[here][next[j - 1]] > p->distance[here][i]; j--)
			next[j] = next[j - 1];
		next[j] = i;
		n++;
	}
	for (int i = 0; i < n; i++) {
		struct trip *child = malloc(sizeof(*child));

		if (!child)
			return -1;
		*child = *t;
		child->place[child->count++] = (signed char)next[i];
		child->visited |= (uint32_t)1 << next[i];
		child->length += p->distance[here][next[i]];
		set_bound(p, child);
		filch_batch_add(children, &child->node);
	}
	if (!n) {
		t->length += p->distance[here][0];
		/* 1: the search keeps the trip. */
		if (filch_search_improve(filch_search_of(w), w, (union filch_search_value){.i = t->length}, t) == 1)
			return 0;
	}
	free(t);
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct trip, node));
}

static void discard_solution(void *solution, void *arg)
{
	(void)arg;
	free(solution);
}

static void make_places(struct problem *p)
{
	int x[PLACES], y[PLACES];
	unsigned random = 1;

	for (int i = 0; i < PLACES; i++) {
		random = random * 1103515245 + 12345;
		x[i] = (int)(random >> 16) % 1000;
		random = random * 1103515245 + 12345;
		y[i] = (int)(random >> 16) % 1000;
	}
	for (int i = 0; i < PLACES; i++) {
		p->shortest[i] = INT64_MAX;
		for (int j = 0; j < PLACES; j++) {
			p->distance[i][j] = labs((long)x[i] - x[j]) + labs((long)y[i] - y[j]);
			if (i != j && p->distance[i][j] < p->shortest[i])
				p->shortest[i] = p->distance[i][j];
		}
	}
}

int main(void)
{
	struct problem p;
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = &p,
		.explore = explore,
		.discard = discard,
		.bound = bound,
		.discard_solution = discard_solution,
		.goal = FILCH_SEARCH_MINIMISE,
	};
	struct filch_search_options options = {.struct_size = sizeof(options), .order = "mixture"};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct trip *root = calloc(1, sizeof(*root));
	struct filch_search *s;

	make_places(&p);
	if (!root || filch_start(NULL) || filch_search_create(&s, &problem, &options))
		return 1;
	root->visited = 1;
	root->count = 1;
	set_bound(&p, root);
	filch_search_add_node(s, &root->node);
	filch_search_run(s, &result);
	printf("length %lld, %llu nodes:", (long long)result.best.i, (unsigned long long)result.explored);
	for (int i = 0; i < PLACES; i++)
		printf(" %d", ((struct trip *)result.solution)->place[i]);
	printf("\n");
	filch_search_destroy(s);
	filch_stop();
	return result.end == FILCH_SEARCH_DONE ? 0 : 1;
}
