/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sliding puzzle with eight tiles, best first: a node is a position, and its bound is the number of moves so far
 * and the sum of the distances of all tiles from their places. So the first solution that is proven has the fewest
 * moves.
 *
 *	cc -O2 search_puzzle.c $(pkg-config --cflags --libs filch-search)
 */
#include <filch.h>
#include <filch/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct position {
	struct filch_node node;
	int moves, distance, gap, last; /* last: where the gap was before */
	signed char tile[9];		/* 0: the gap */
};

static int distance_of(const signed char *tile)
{
	int sum = 0;

	for (int i = 0; i < 9; i++)
		if (tile[i]) {
			int home = tile[i] - 1;

			sum += abs(home / 3 - i / 3) + abs(home % 3 - i % 3);
		}
	return sum;
}

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	const struct position *p = FILCH_CONTAINER_OF(node, struct position, node);

	(void)arg;
	return (union filch_search_value){.i = p->moves + p->distance};
}

/* If two positions have the same bound, the search explores the position that is closer to its end. */
static int before(const struct filch_node *a, const struct filch_node *b, void *arg)
{
	(void)arg;
	return FILCH_CONTAINER_OF(a, struct position, node)->distance <
	       FILCH_CONTAINER_OF(b, struct position, node)->distance;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	static const int row[] = {-1, 1, 0, 0}, column[] = {0, 0, -1, 1};
	struct position *p = FILCH_CONTAINER_OF(node, struct position, node);

	(void)arg;
	if (!p->distance)
		filch_search_improve(filch_search_of(w), w, (union filch_search_value){.i = p->moves}, NULL);
	for (int i = 0; i < 4 && p->distance; i++) {
		int r = p->gap / 3 + row[i], c = p->gap % 3 + column[i], to = 3 * r + c;
		struct position *child;

		if (r < 0 || r > 2 || c < 0 || c > 2 || to == p->last)
			continue;
		child = malloc(sizeof(*child));
		if (!child)
			return -1;
		*child = *p;
		child->tile[p->gap] = p->tile[to];
		child->tile[to] = 0;
		child->last = p->gap;
		child->gap = to;
		child->moves++;
		child->distance = distance_of(child->tile);
		filch_batch_add(children, &child->node);
	}
	free(p);
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct position, node));
}

int main(void)
{
	static const signed char start[9] = {8, 1, 3, 4, 0, 2, 7, 6, 5};
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.explore = explore,
		.discard = discard,
		.bound = bound,
		.before = before,
		.goal = FILCH_SEARCH_MINIMISE,
	};
	struct filch_search_options options = {.struct_size = sizeof(options), .order = "best"};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct position *root = calloc(1, sizeof(*root));
	struct filch_search *s;

	if (!root || filch_start(NULL) || filch_search_create(&s, &problem, &options))
		return 1;
	memcpy(root->tile, start, sizeof(start));
	root->gap = 4;
	root->last = -1;
	root->distance = distance_of(start);
	filch_search_add_node(s, &root->node);
	filch_search_run(s, &result);
	printf("%lld moves, %llu nodes explored, %llu pruned\n", (long long)result.best.i,
	       (unsigned long long)result.explored, (unsigned long long)result.pruned);
	filch_search_destroy(s);
	filch_stop();
	return result.end == FILCH_SEARCH_DONE && result.best.i == 14 ? 0 : 1;
}
