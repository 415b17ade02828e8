/* SPDX-License-Identifier: Apache-2.0 */
/* The serial programs, as one would write them by hand: states by value in an array. */
#include "trees.h"

#include <stdlib.h>

struct room {
	struct filchi_search_state *at;
	size_t size, room;
};

static bool reserve(struct room *r, size_t more)
{
	size_t room = r->room ? 2 * r->room : 1 << 16;
	struct filchi_search_state *at;

	if (r->size + more <= r->room)
		return true;
	while (room < r->size + more)
		room *= 2;
	at = realloc(r->at, room * sizeof(*at));
	if (!at)
		return false;
	r->at = at;
	r->room = room;
	return true;
}

static struct filchi_search_count with_stack(const struct filchi_search_tree *tree, struct room *r)
{
	struct filchi_search_count count = {0, 0};

	while (r->size) {
		struct filchi_search_state state = r->at[--r->size];
		unsigned children = filchi_search_children(tree, &state);

		count.nodes++;
		count.sum ^= state.word;
		if (!reserve(r, children))
			return (struct filchi_search_count){0, 0};
		for (unsigned i = children; i > 0; i--)
			filchi_search_child(tree, &state, i - 1, &r->at[r->size++]);
	}
	return count;
}

/* ---- a heap with four children to each entry ---- */

static void push(struct room *r, struct filchi_search_state state)
{
	size_t i = r->size++;

	for (; i && state.bound < r->at[(i - 1) / 4].bound; i = (i - 1) / 4)
		r->at[i] = r->at[(i - 1) / 4];
	r->at[i] = state;
}

static struct filchi_search_state pop(struct room *r)
{
	struct filchi_search_state top = r->at[0], last = r->at[--r->size];
	size_t i = 0, child;

	while ((child = 4 * i + 1) < r->size) {
		size_t best = child;

		for (size_t c = child + 1; c < child + 4 && c < r->size; c++)
			if (r->at[c].bound < r->at[best].bound)
				best = c;
		if (r->at[best].bound >= last.bound)
			break;
		r->at[i] = r->at[best];
		i = best;
	}
	r->at[i] = last;
	return top;
}

static struct filchi_search_count with_heap(const struct filchi_search_tree *tree, struct room *r)
{
	struct filchi_search_count count = {0, 0};

	while (r->size) {
		struct filchi_search_state state = pop(r), child;
		unsigned children = filchi_search_children(tree, &state);

		count.nodes++;
		count.sum ^= state.word;
		if (!reserve(r, children))
			return (struct filchi_search_count){0, 0};
		for (unsigned i = 0; i < children; i++) {
			filchi_search_child(tree, &state, i, &child);
			push(r, child);
		}
	}
	return count;
}

struct filchi_search_count filchi_search_serial(const struct filchi_search_tree *tree)
{
	struct room r = {NULL, 0, 0};
	struct filchi_search_count count = {0, 0};

	if (reserve(&r, 1)) {
		r.at[r.size++] = filchi_search_tree_root(tree);
		count = tree->bounds ? with_heap(tree, &r) : with_stack(tree, &r);
	}
	free(r.at);
	return count;
}
