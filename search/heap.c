/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open nodes of a worker, best first: a heap with four children to each entry, under a lock.
 *
 * Thieves lock the heap, too. A thief takes every other one of the best nodes: the worst ones would be pruned soon, and
 * the thief would work for nothing. The key of the best node is published, so that workers can compare their bests.
 *
 * If there is no memory for a larger heap, or soft_memory is used up, new nodes go to the overflow, a stack that needs
 * no memory. The owner explores the overflow first, until it is empty: depth first.
 *
 * "mixture": the first child stays with the owner, which explores it next. The other children go to the heap.
 *
 * Edges:
 *   HINT  top and visible: other workers choose victims by them. They order nothing
 *   BEST  the best value: an older one prunes less
 */
#include "search.h"

#include <string.h>

#define STOLEN_AT_MOST 64u

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

static void publish(struct filchi_search_open *o)
{
	filchi_store_rlx(&o->top, o->size ? o->heap[0].key : FILCHI_SEARCH_NO_KEY, HINT);
	filchi_store_rlx(&o->visible, o->size + o->overflowed, HINT);
}

static void put(struct filch_search_worker *w, struct filch_node *node, uint64_t key, bool full)
{
	struct filchi_search_open *o = &w->open;

	if (full || (o->size == o->room && !grow(o))) {
		filchi_plain_set(&node->next, o->overflow);
		o->overflow = node;
		o->overflowed++;
	} else {
		struct filchi_search_entry e = {.key = key, .number = o->pushes++, .node = node};

		up(w->search, o->heap, o->size, e);
		o->size++;
	}
}

/* The last child of a batch is pushed first: the first child is then the newest. */
static struct filch_node *reversed(struct filch_batch *batch)
{
	struct filch_node *list = NULL, *node = batch->first;

	for (size_t n = batch->count; n; n--) {
		struct filch_node *next = n > 1 ? filchi_plain_get(&node->next) : NULL;

		filchi_plain_set(&node->next, list);
		list = node;
		node = next;
	}
	return list;
}

void filchi_search_heap_push(struct filch_search_worker *w, struct filch_batch *batch)
{
	struct filch_search *s = w->search;
	struct filchi_search_open *o = &w->open;
	uint64_t best = s->prunes ? filchi_load_rlx(&s->best_key, BEST) : FILCHI_SEARCH_NO_KEY;
	struct filch_node *node = reversed(batch), *next, *pruned = NULL;
	bool full;

	filchi_search_lock(&o->lock);
	full = s->opt.soft_memory &&
	       (o->size + o->overflowed) * s->workers * s->problem.node_size >= s->opt.soft_memory;
	for (; node; node = next) {
		uint64_t key = filchi_search_bound(s, node);

		next = filchi_plain_get(&node->next);
		if (key >= best) {
			filchi_plain_set(&node->next, pruned);
			pruned = node;
		} else if (!next && s->order == FILCHI_SEARCH_MIXTURE && !o->dive && w->exploring &&
			   (!s->opt.dive || o->dived < s->opt.dive)) {
			o->dive = node;
		} else {
			put(w, node, key, full);
		}
	}
	publish(o);
	filchi_search_unlock(&o->lock);
	for (; pruned; pruned = next) {
		next = filchi_plain_get(&pruned->next);
		w->stats.pruned++;
		filchi_search_discard(s, w, pruned);
	}
}

static struct filch_node *take_best(struct filch_search *s, struct filchi_search_open *o, uint64_t *key)
{
	struct filch_node *node = o->heap[0].node;

	*key = o->heap[0].key;
	o->size--;
	if (o->size)
		down(s, o->heap, o->size, o->heap[o->size]);
	return node;
}

/* Another worker has a better node: takes some from there. Looks at one worker each time. */
static void trade(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	struct filch_search_worker *other = &s->worker[(w->id + ++w->traded) % s->workers];
	struct filch_batch batch;

	if (other == w || filchi_load_rlx(&other->open.top, HINT) >= filchi_load_rlx(&w->open.top, HINT))
		return;
	if (filchi_search_heap_steal(other, 0, &batch) != FILCH_OK)
		return;
	w->stats.batches++;
	w->stats.nodes += batch.count;
	filchi_search_heap_push(w, &batch);
}

struct filch_node *filchi_search_heap_pop(struct filch_search_worker *w, uint64_t *key, bool trades)
{
	struct filch_search *s = w->search;
	struct filchi_search_open *o = &w->open;
	struct filch_node *node = o->dive;

	if (node) {
		o->dive = NULL;
		o->dived++;
		*key = filchi_search_bound(s, node);
		return node;
	}
	o->dived = 0;
	if (trades && s->workers > 1 && filchi_load_rlx(&o->visible, HINT))
		trade(w);
	filchi_search_lock(&o->lock);
	if (o->overflow) {
		node = o->overflow;
		o->overflow = filchi_plain_get(&node->next);
		o->overflowed--;
		*key = filchi_search_bound(s, node);
	} else if (o->size) {
		node = take_best(s, o, key);
	}
	publish(o);
	filchi_search_unlock(&o->lock);
	return node;
}

/* A proportion of 0: two nodes at most. The victim keeps the best one, if it has two. */
int filchi_search_heap_steal(struct filch_search_worker *victim, double proportion, struct filch_batch *batch)
{
	struct filch_search *s = victim->search;
	struct filchi_search_open *o = &victim->open;
	struct filchi_search_entry kept[STOLEN_AT_MOST];
	size_t want, keep = 0;

	filch_batch_init(batch);
	if (!filchi_search_trylock(&o->lock))
		return FILCH_EMPTY;
	want = (size_t)((double)(o->size + o->overflowed) * proportion);
	want = want < 2 ? (proportion > 0 ? 1 : 2) : want > STOLEN_AT_MOST ? STOLEN_AT_MOST : want;
	while (o->size && batch->count < want) {
		uint64_t number = o->heap[0].number, key;
		struct filch_node *node = take_best(s, o, &key);

		if (keep == batch->count && o->size)
			kept[keep++] = (struct filchi_search_entry){key, number, node};
		else
			filch_batch_add(batch, node);
	}
	while (keep)
		up(s, o->heap, o->size++, kept[--keep]);
	if (!batch->count && o->overflow) {
		struct filch_node *node = o->overflow;

		o->overflow = filchi_plain_get(&node->next);
		o->overflowed--;
		filch_batch_add(batch, node);
	}
	publish(o);
	filchi_search_unlock(&o->lock);
	return batch->count ? FILCH_OK : FILCH_EMPTY;
}
