/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open nodes of a worker, depth first.
 *
 * A bulk queue takes 5 to 13 ns for each node. So the owner keeps the newest batches of children in a private stack of
 * segments, in front of the queue, where a node takes one or two ns. A segment is one batch, linked as its creator made
 * it. When the stack is full, its older half goes to the queue, as one batch.
 *
 * Thieves see the queue only. A worker that sees a needy worker moves all segments to the queue, before its next node.
 * If nodes take longer than LONG_NS of worker.c, the worker keeps no segments: a thief then waits for no owner that is
 * busy with a long node.
 *
 * Edges:
 *   HINT  the number of visible nodes, which orders nothing
 */
#include "search.h"

#include <errno.h>

/* So few segments are walked along, to share them with marks. */
#define FEW 4

int filchi_search_open_init(struct filch_search *s, struct filchi_search_open *o)
{
	filchi_atomic_init(&o->top, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&o->fifth, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&o->low, FILCHI_SEARCH_NO_KEY);
	o->overflow_key = FILCHI_SEARCH_NO_KEY;
	filchi_atomic_init(&o->visible, 0);
	filchi_atomic_init(&o->stashed, 0);
	filchi_atomic_init(&o->asked, 0);
	filchi_search_lock_init(&o->lock);
	if (s->order != FILCHI_SEARCH_DEPTH)
		return 0;
	return filch_bulk_create(&o->bulk, s->opt.bulk, NULL);
}

void filchi_search_open_fini(struct filchi_search_open *o)
{
	filchi_search_lock_fini(&o->lock);
	filch_bulk_destroy(o->bulk);
	filchi_search_free(o->heap);
}

/* Moves the oldest segments to the queue, as one batch. The newest segment comes first. */
static void spill(struct filchi_search_open *o, unsigned segments)
{
	struct filch_batch batch;

	if (!segments)
		return;
	filch_batch_init(&batch);
	for (unsigned i = segments; i > 0; i--) {
		struct filchi_search_segment *g = &o->segment[i - 1];
		struct filch_batch one;

		filch_batch_init(&one);
		one.first = g->first;
		one.last = g->last;
		one.count = g->count;
		filch_batch_append(&batch, &one);
	}
	for (unsigned i = segments; i < o->segments; i++)
		o->segment[i - segments] = o->segment[i];
	o->segments -= segments;
	filch_bulk_push(o->bulk, &batch);
}

void filchi_search_push_queue(struct filch_search_worker *w, struct filch_batch *batch)
{
	spill(&w->open, w->open.segments);
	filch_bulk_push(w->open.bulk, batch);
}

void filchi_search_spill_half(struct filch_search_worker *w)
{
	spill(&w->open, FILCHI_SEARCH_SEGMENTS / 2);
}

void filchi_search_push(struct filch_search_worker *w, struct filch_batch *batch)
{
	if (!batch->count)
		return;
	if (w->search->order != FILCHI_SEARCH_DEPTH)
		filchi_search_best_push(w, batch);
	else
		filchi_search_depth_push(w, batch);
}

struct filch_node *filchi_search_pop(struct filch_search_worker *w, uint64_t *key)
{
	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_search_best_pop(w, key, false);
	return filchi_search_depth_pop(w);
}

/* As spill, of all segments, but with marks inside of the segments: thieves can cut them. */
static void spill_marked(struct filchi_search_open *o)
{
	struct filch_batch batch;

	filch_batch_init(&batch);
	while (o->segments) {
		struct filchi_search_segment *g = &o->segment[--o->segments];
		struct filch_node *node = g->first;

		for (size_t n = g->count; n; n--) {
			struct filch_node *next = n > 1 ? filchi_plain_get(&node->next) : NULL;

			filch_batch_add(&batch, node);
			node = next;
		}
	}
	if (batch.count)
		filch_bulk_push(o->bulk, &batch);
}

/* The queue keeps its newest chunk from thieves: the node that the owner takes next. */
size_t filchi_search_share(struct filch_search_worker *w)
{
	struct filchi_search_open *o = &w->open;

	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_search_best_share(w);
	if (o->segments <= FEW)
		spill_marked(o);
	else
		spill(o, o->segments);
	filch_bulk_poll(o->bulk);
	return filch_bulk_size(o->bulk);
}

int filchi_search_steal(struct filch_search_worker *victim, double proportion, struct filch_batch *batch, bool waits)
{
	int result = FILCH_LOST;

	if (victim->search->order != FILCHI_SEARCH_DEPTH) {
		size_t want = (size_t)((double)filchi_load_rlx(&victim->open.visible, HINT) * proportion);

		return filchi_search_best_steal(victim, want ? want : 1, batch, waits);
	}
	for (int tries = 0; result == FILCH_LOST && tries < 4; tries++)
		result = filch_bulk_steal(victim->open.bulk, proportion, batch);
	return result == FILCH_OK ? FILCH_OK : FILCH_EMPTY;
}

/* Nodes that thieves could see: a hint. */
size_t filchi_search_visible(struct filch_search_worker *w)
{
	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_load_rlx(&w->open.visible, HINT);
	return filch_bulk_size(w->open.bulk);
}

size_t filchi_search_size(struct filch_search_worker *w)
{
	size_t unseen = 0;

	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_load_rlx(&w->open.visible, HINT) + (w->open.next ? 1 : 0);
	for (unsigned i = 0; i < w->open.segments; i++)
		unseen += w->open.segment[i].count;
	return unseen + filch_bulk_size(w->open.bulk);
}

void filchi_search_peek(struct filch_search_worker *w, struct filch_batch *all)
{
	struct filch_node *node;
	uint64_t key;

	filch_batch_init(all);
	while ((node = filchi_search_pop(w, &key)))
		filch_batch_add(all, node);
}

void filchi_search_each(struct filch_search_worker *w, filchi_search_visit *visit, void *arg)
{
	struct filch_node *node;
	struct filch_batch all;

	if (w->search->order != FILCHI_SEARCH_DEPTH) {
		filchi_search_best_each(w, visit, arg);
		return;
	}
	filchi_search_peek(w, &all); /* a queue has no other way. Its order stays */
	node = all.first;
	for (size_t n = all.count; n; n--) {
		visit(node, arg);
		node = n > 1 ? filchi_plain_get(&node->next) : NULL;
	}
	filchi_search_push(w, &all);
}
