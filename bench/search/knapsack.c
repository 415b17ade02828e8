/* SPDX-License-Identifier: Apache-2.0 */
/* Knapsacks whose profits are weights plus a constant, which are hard for branch and bound. */
#include "trees.h"

#include <filch.h>
#include <filch/search.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 64, BONUS = 100 };

struct knapsack {
	unsigned items, capacity, weight[MAX_ITEMS];
};

struct node {
	struct filch_node node;
	unsigned depth, weight, profit;
	int64_t bound;
};

static int ascending(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* The lightest item is the densest. */
static void make(struct knapsack *k, unsigned items, uint64_t seed)
{
	k->items = items;
	k->capacity = 0;
	for (unsigned i = 0; i < items; i++)
		k->capacity += k->weight[i] = 1 + (unsigned)(filchi_search_mix(1000 * seed + i) % 1000);
	k->capacity /= 2;
	qsort(k->weight, items, sizeof(k->weight[0]), ascending);
}

/* By dynamic programming; 0: no memory. */
static int64_t optimum(const struct knapsack *k)
{
	unsigned *best = calloc(k->capacity + 1, sizeof(*best));
	int64_t answer = 0;

	for (unsigned i = 0; best && i < k->items; i++)
		for (unsigned c = k->capacity; c >= k->weight[i]; c--)
			if (best[c - k->weight[i]] + k->weight[i] + BONUS > best[c])
				best[c] = best[c - k->weight[i]] + k->weight[i] + BONUS;
	answer = best ? best[k->capacity] : 0;
	free(best);
	return answer;
}

static int64_t relax(const struct knapsack *k, const struct node *n)
{
	unsigned left = k->capacity - n->weight, profit = n->profit;

	for (unsigned i = n->depth; i < k->items; i++) {
		if (k->weight[i] > left)
			return profit + (int64_t)left * (k->weight[i] + BONUS) / k->weight[i];
		left -= k->weight[i];
		profit += k->weight[i] + BONUS;
	}
	return profit;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	const struct knapsack *k = arg;
	struct node *n = FILCH_CONTAINER_OF(node, struct node, node);
	union filch_search_value value = {.i = n->profit};

	if (filch_search_improve(filch_search_of(w), w, value, NULL) < 0)
		return -1;
	for (unsigned take = 2; take-- > 0 && n->depth < k->items;) {
		unsigned weight = take ? k->weight[n->depth] : 0;
		struct node *child;

		if (n->weight + weight > k->capacity)
			continue;
		child = malloc(sizeof(*child));
		if (!child)
			return -1;
		child->depth = n->depth + 1;
		child->weight = n->weight + weight;
		child->profit = n->profit + weight + (take ? BONUS : 0);
		child->bound = relax(k, child);
		filch_batch_add(children, &child->node);
	}
	free(n);
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct node, node));
}

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	union filch_search_value v = {.i = FILCH_CONTAINER_OF(node, struct node, node)->bound};

	(void)arg;
	return v;
}

/* How many nodes it explores; 0: no memory, or a wrong answer. */
static uint64_t solve(struct knapsack *k, const struct filchi_search_how *how, struct filchi_search_report *report)
{
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = k,
		.explore = explore,
		.discard = discard,
		.bound = bound,
		.goal = FILCH_SEARCH_MAXIMISE,
	};
	struct filch_search_options opt = {
		.struct_size = sizeof(opt), .workers = how->workers, .order = how->order, .round = how->round};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct node *root = calloc(1, sizeof(*root));
	struct filch_search *s;

	if (!root || filch_search_create(&s, &problem, &opt)) {
		free(root);
		return 0;
	}
	root->bound = relax(k, root);
	filch_search_add_node(s, &root->node);
	filch_search_run(s, &result);
	filchi_search_read(s, report);
	filch_search_destroy(s);
	return result.end == FILCH_SEARCH_DONE && result.best.i == optimum(k) ? result.explored : 0;
}

uint64_t filchi_search_knapsack(unsigned items, unsigned instances, const struct filchi_search_how *how,
				struct filchi_search_report *report)
{
	struct filchi_search_report sum = {0};
	uint64_t nodes = 0;
	struct knapsack k;

	for (unsigned i = 0; i < instances; i++) {
		uint64_t explored;

		make(&k, items, i);
		explored = solve(&k, how, report);
		if (!explored)
			return 0;
		nodes += explored;
		sum.batches += report->batches;
		sum.moved += report->moved;
		sum.starts += report->starts;
		sum.handed += report->handed;
		sum.idle_ns += report->idle_ns;
	}
	*report = sum;
	return nodes;
}
