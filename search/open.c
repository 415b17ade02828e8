/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open nodes of a worker, depth first.
 *
 * A bulk queue takes 5 to 13 ns for each node. So the owner keeps the newest batches of children in a private stack of
 * segments, in front of the queue, where a node takes one or two ns. A segment is one batch, linked as its creator made
 * it. When the stack is full, its older half goes to the queue, as one batch.
 *
 * Thieves see the queue only. A worker that sees a needy worker moves all segments but the newest one to the queue,
 * before its next node. If nodes take longer than FILCHI_SEARCH_LONG_NS, the worker keeps no segments: a thief then
 * waits for no owner that is busy with a long node.
 *
 * Edges:
 *   HINT  the number of visible nodes, which orders nothing
 */
#include "search.h"

#include <errno.h>

/* A batch of more nodes goes to the queue at once: it has marks, so thieves can cut it. */
#define LARGE FILCHI_TUNE(64u, 3u)

int filchi_search_open_init(struct filch_search *s, struct filchi_search_open *o)
{
	filchi_atomic_init(&o->top, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&o->visible, 0);
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
		o->count -= g->count;
		filch_batch_append(&batch, &one);
	}
	for (unsigned i = segments; i < o->segments; i++)
		o->segment[i - segments] = o->segment[i];
	o->segments -= segments;
	filch_bulk_push(o->bulk, &batch);
}

void filchi_search_push(struct filch_search_worker *w, struct filch_batch *batch)
{
	struct filchi_search_open *o = &w->open;

	if (!batch->count)
		return;
	if (w->search->order != FILCHI_SEARCH_DEPTH) {
		filchi_search_heap_push(w, batch);
	} else if (w->eager || batch->count > LARGE) {
		spill(o, o->segments);
		filch_bulk_push(o->bulk, batch);
	} else {
		if (o->segments == FILCHI_SEARCH_SEGMENTS)
			spill(o, FILCHI_SEARCH_SEGMENTS / 2);
		o->segment[o->segments++] = (struct filchi_search_segment){batch->first, batch->last, batch->count};
		o->count += batch->count;
	}
}

struct filch_node *filchi_search_pop(struct filch_search_worker *w, uint64_t *key)
{
	struct filchi_search_open *o = &w->open;
	struct filchi_search_segment *g;
	struct filch_node *node;

	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_search_heap_pop(w, key);
	if (!o->segments)
		return filch_bulk_pop(o->bulk, &node) == FILCH_OK ? node : NULL;
	g = &o->segment[o->segments - 1];
	node = g->first;
	o->count--;
	if (--g->count)
		g->first = filchi_plain_get(&node->next);
	else
		o->segments--;
	return node;
}

size_t filchi_search_share(struct filch_search_worker *w)
{
	struct filchi_search_open *o = &w->open;

	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_load_rlx(&o->visible, HINT);
	/* With an empty queue all goes there: the queue shares all but its own top. */
	spill(o, o->segments && filch_bulk_size(o->bulk) ? o->segments - 1 : o->segments);
	filch_bulk_poll(o->bulk);
	return filch_bulk_size(o->bulk);
}

int filchi_search_steal(struct filch_search_worker *victim, double proportion, struct filch_batch *batch)
{
	int result = FILCH_LOST;

	if (victim->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_search_heap_steal(victim, proportion, batch);
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
	if (w->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_load_rlx(&w->open.visible, HINT) + (w->open.dive ? 1 : 0);
	return w->open.count + filch_bulk_size(w->open.bulk);
}
