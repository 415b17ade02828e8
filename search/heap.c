/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heap of a worker, for "best" and "mixture": four children to each entry. Callers have the lock: best.c.
 *
 * An entry is a list of nodes with the same key. Neighbours in a batch that have the same key become one entry, and
 * nodes with the key of the first entry join its list. So few distinct bounds make few heap operations. Nodes of equal
 * key leave in the order "the newest batch first, and its nodes in their order", with lists or without. With the
 * function before of the problem each entry has one node.
 *
 * If there is no memory for a larger heap, or soft_memory is used up, new nodes go to the overflow, a stack that needs
 * no memory. The owner explores the overflow first, until it is empty: depth first.
 */
#include "search.h"

#include <string.h>

static bool is_before(struct filch_search *s, const struct filchi_search_entry *a, const struct filchi_search_entry *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	if (s->problem.before) {
		if (s->problem.before(a->node, b->node, s->problem.arg))
			return true;
		if (s->problem.before(b->node, a->node, s->problem.arg))
			return false;
	}
	return a->number > b->number;
}

static void up(struct filch_search *s, struct filchi_search_entry *heap, size_t i, struct filchi_search_entry e)
{
	while (i && is_before(s, &e, &heap[(i - 1) / 4])) {
		heap[i] = heap[(i - 1) / 4];
		i = (i - 1) / 4;
	}
	heap[i] = e;
}

static void down(struct filch_search *s, struct filchi_search_entry *heap, size_t size, struct filchi_search_entry e)
{
	size_t i = 0, child;

	while ((child = 4 * i + 1) < size) {
		size_t best = child;

		for (size_t c = child + 1; c < child + 4 && c < size; c++)
			if (is_before(s, &heap[c], &heap[best]))
				best = c;
		if (!is_before(s, &heap[best], &e))
			break;
		heap[i] = heap[best];
		i = best;
	}
	heap[i] = e;
}

static bool grow(struct filchi_search_open *o)
{
	size_t room = o->room ? 2 * o->room : FILCHI_TUNE(64, 4);
	struct filchi_search_entry *heap = filchi_search_alloc(room * sizeof(*heap));

	if (!heap)
		return false;
	if (o->size)
		memcpy(heap, o->heap, o->size * sizeof(*heap));
	filchi_search_free(o->heap);
	o->heap = heap;
	o->room = room;
	return true;
}

void filchi_search_heap_put(struct filch_search *s, struct filchi_search_open *o, const struct filchi_search_run *r,
			    bool full)
{
	if (!full && !s->problem.before && o->size && o->heap[0].key == r->key) {
		filchi_plain_set(&r->last->next, o->heap[0].node);
		o->heap[0].node = r->first;
		o->nodes += r->count;
	} else if (full || (o->size == o->room && !grow(o))) {
		filchi_plain_set(&r->last->next, o->overflow);
		o->overflow = r->first;
		o->overflowed += r->count;
		o->overflow_key = r->key < o->overflow_key ? r->key : o->overflow_key;
	} else {
		up(s, o->heap, o->size++, (struct filchi_search_entry){r->key, o->pushes++, r->first});
		o->nodes += r->count;
	}
}

struct filch_node *filchi_search_heap_best(struct filch_search *s, struct filchi_search_open *o, uint64_t *key)
{
	struct filch_node *node = o->heap[0].node, *next = filchi_plain_get(&node->next);

	*key = o->heap[0].key;
	o->nodes--;
	if (next) {
		o->heap[0].node = next;
	} else {
		o->size--;
		if (o->size)
			down(s, o->heap, o->size, o->heap[o->size]);
	}
	if (o->size)
		__builtin_prefetch(o->heap[0].node);
	return node;
}

/* Any node that is not the best: from the entry at the end of the array. */
struct filch_node *filchi_search_heap_last(struct filchi_search_open *o)
{
	struct filchi_search_entry *e = &o->heap[o->size - 1];
	struct filch_node *node = e->node;

	e->node = filchi_plain_get(&node->next);
	if (!e->node)
		o->size--;
	o->nodes--;
	return node;
}

struct filch_node *filchi_search_heap_overflow(struct filch_search *s, struct filchi_search_open *o, uint64_t *key)
{
	struct filch_node *node = o->overflow;

	o->overflow = filchi_plain_get(&node->next);
	if (!--o->overflowed)
		o->overflow_key = FILCHI_SEARCH_NO_KEY;
	*key = filchi_search_bound(s, node);
	return node;
}

struct filch_node *filchi_search_heap_take(struct filch_search *s, struct filchi_search_open *o, uint64_t *key)
{
	if (o->overflow)
		return filchi_search_heap_overflow(s, o, key);
	return o->size ? filchi_search_heap_best(s, o, key) : NULL;
}

/* The best entry goes to the end, again and again. This gives the reverse order. */
void filchi_search_heap_sort(struct filch_search *s, struct filchi_search_open *o)
{
	for (size_t size = o->size; size > 1;) {
		struct filchi_search_entry best = o->heap[0], last = o->heap[--size];

		down(s, o->heap, size, last);
		o->heap[size] = best;
	}
	for (size_t i = 0, j = o->size; i + 1 < j; i++) {
		struct filchi_search_entry e = o->heap[i];

		o->heap[i] = o->heap[--j];
		o->heap[j] = e;
	}
}

uint64_t filchi_search_heap_fifth(const struct filchi_search_open *o)
{
	uint64_t worst = 0;

	if (o->size < 5)
		return FILCHI_SEARCH_NO_KEY;
	for (size_t i = 1; i < 5; i++)
		worst = o->heap[i].key > worst ? o->heap[i].key : worst;
	return worst;
}
