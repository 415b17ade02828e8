/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the ways to place n queens on a board: enumeration, without a best value. A node is a board with some rows
 * filled. Each search worker counts in storage of its own, and recycles its nodes there.
 *
 *	cc -O2 search_queens.c $(pkg-config --cflags --libs filch-search)
 *	./a.out [n]
 */
#include <filch.h>
#include <filch/search.h>
#include <stdio.h>
#include <stdlib.h>

struct board {
	struct filch_node node;
	uint32_t columns, left, right; /* that are attacked in the next row */
};

struct local {
	struct filch_node *unused;
	uint64_t solutions;
};

static struct board *new_board(struct local *l, uint32_t columns, uint32_t left, uint32_t right)
{
	struct board *b;

	if (l->unused) {
		b = FILCH_CONTAINER_OF(l->unused, struct board, node);
		l->unused = b->node.next;
	} else if (!(b = malloc(sizeof(*b)))) {
		return NULL;
	}
	b->columns = columns;
	b->left = left;
	b->right = right;
	return b;
}

static int explore(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	struct board *b = FILCH_CONTAINER_OF(node, struct board, node);
	struct local *l = filch_search_local(w);
	uint32_t all = *(const uint32_t *)arg, free_columns = all & ~(b->columns | b->left | b->right);

	if (b->columns == all)
		l->solutions++;
	while (free_columns) {
		uint32_t bit = free_columns & -free_columns;
		struct board *child = new_board(l, b->columns | bit, (b->left | bit) << 1, (b->right | bit) >> 1);

		if (!child)
			return -1;
		filch_batch_add(children, &child->node);
		free_columns -= bit;
	}
	node->next = l->unused; /* the node belongs to explore now */
	l->unused = node;
	return 0;
}

static void discard(struct filch_search_worker *w, struct filch_node *node, void *arg)
{
	(void)w;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct board, node));
}

static void local_end(void *local, void *arg)
{
	struct local *l = local;

	while (l->unused) {
		struct filch_node *node = l->unused;

		l->unused = node->next;
		discard(NULL, node, arg);
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;
	uint32_t all = n < 1 || n > 20 ? 0 : ((uint32_t)1 << n) - 1;
	struct filch_search_problem problem = {
		.struct_size = sizeof(problem),
		.arg = &all,
		.explore = explore,
		.discard = discard,
		.local_size = sizeof(struct local),
		.local_end = local_end,
	};
	struct filch_search_result result = {.struct_size = sizeof(result)};
	struct filch_search *s;
	struct board *root;
	uint64_t solutions = 0;

	if (!all || filch_start(NULL) || filch_search_create(&s, &problem, NULL))
		return 1;
	root = new_board(filch_search_local(filch_search_worker(s, 0)), 0, 0, 0);
	if (!root)
		return 1;
	filch_search_add_node(s, &root->node);
	filch_search_run(s, &result);
	for (unsigned i = 0; i < filch_search_workers(s); i++) {
		struct local *l = filch_search_local(filch_search_worker(s, i));

		solutions += l->solutions;
	}
	printf("%d queens: %llu solutions, %llu nodes\n", n, (unsigned long long)solutions,
	       (unsigned long long)result.explored);
	filch_search_destroy(s);
	filch_stop();
	return result.end == FILCH_SEARCH_DONE && (n != 10 || solutions == 724) ? 0 : 1;
}
