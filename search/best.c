/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open nodes of a worker in the orders "best" and "mixture": a heap under a lock, and one private node.
 *
 * The owner explores a node and calls exchange: this adds the children and takes the next node in one critical section.
 * The next node is private until the owner explores it. "mixture": the next node is the first child, if there is one.
 *
 * Thieves lock the heap, too. A thief takes every other one of the best nodes: the worst ones would be pruned soon, and
 * the thief would work for nothing. It takes worse ones in addition, so that it need not come back soon.
 *
 * The key of the best node is published. A worker whose next node is worse than the best one of another worker trades:
 * it takes some of that worker's nodes. With long nodes it takes them itself. With short nodes that would disturb the
 * owner, which has the heap in its cache. So the worker asks, the owner puts some nodes into its stash, and the worker
 * fetches them a little later. It asks only if the other worker has at least five better nodes. The owner takes a stash
 * back that nobody fetches.
 *
 * Edges:
 *   HINT  top, fifth, low, current, visible, stashed and asked: choices. The lock orders the rest
 *   BEST  the best value: an older one prunes less
 */
#include "search.h"

#define AT_ONCE FILCHI_TUNE(32u, 2u)
#define STOLEN_AT_MOST 64u
#define EXTRACTED_AT_MOST FILCHI_TUNE(1024u, 4u) /* for another machine: a batch should last longer than its way */
#define BEST_AT_MOST FILCHI_TUNE(16u, 1u)	 /* of them */
#define TRADED 4u				 /* nodes, if they are short */
#define LOOK_NS 5000u				 /* between two looks at another worker */
#define TRADE_NS 20000u				 /* between two trades */
#define STASH_AGE 64u				 /* nodes that the owner explores before it takes a stash back */

/* Publishes the numbers that others read, and unlocks. */
static void unlock(struct filchi_search_open *o)
{
	filchi_store_rlx(&o->top, o->size ? o->heap[0].key : FILCHI_SEARCH_NO_KEY, HINT);
	filchi_store_rlx(&o->fifth, filchi_search_heap_fifth(o), HINT);
	filchi_store_rlx(&o->low, o->stash.count && o->stash.key < o->overflow_key ? o->stash.key : o->overflow_key,
			 HINT);
	filchi_store_rlx(&o->visible, o->nodes + o->overflowed + o->stash.count, HINT);
	filchi_store_rlx(&o->stashed, o->stash.count, HINT);
	filchi_search_unlock(&o->lock);
}

/* ---- the stash, under the lock ---- */

static void stash(struct filchi_search_open *o, struct filch_node *node, uint64_t key)
{
	struct filchi_search_run *r = &o->stash;

	filchi_plain_set(&node->next, NULL);
	if (r->count++) {
		filchi_plain_set(&r->last->next, node);
		r->last = node;
		r->key = key < r->key ? key : r->key;
	} else {
		*r = (struct filchi_search_run){key, node, node, 1};
	}
}

/*
 * Takes nodes out of the heap for other workers. Begins with the best nodes. The owner keeps every other one of them,
 * and the best of all. Then it takes nodes from the end of the array, which is easy, but at most half of the entries.
 */
static void fill_stash(struct filch_search *s, struct filchi_search_open *o, size_t want)
{
	struct filchi_search_run kept[BEST_AT_MOST + 1];
	size_t keep = 0, had = o->stash.count, least;

	o->stash_age = 0;
	while (o->size && o->stash.count < want && o->stash.count < BEST_AT_MOST) {
		uint64_t key;
		struct filch_node *node = filchi_search_heap_best(s, o, &key);

		if (keep == o->stash.count - had && o->size) {
			filchi_plain_set(&node->next, NULL);
			kept[keep++] = (struct filchi_search_run){key, node, node, 1};
		} else {
			stash(o, node, key);
		}
	}
	while (keep)
		filchi_search_heap_put(s, o, &kept[--keep], false);
	for (least = o->size / 2 + 1; o->stash.count < want && o->size > least;) {
		uint64_t key = o->heap[o->size - 1].key;

		stash(o, filchi_search_heap_last(o), key);
	}
}

static void take_stash_back(struct filch_search *s, struct filchi_search_open *o)
{
	for (; o->stash.count; o->stash.count--) {
		struct filch_node *node = o->stash.first;

		o->stash.first = filchi_plain_get(&node->next);
		filchi_plain_set(&node->next, NULL);
		filchi_search_heap_put(s, o, &(struct filchi_search_run){filchi_search_bound(s, node), node, node, 1},
				       false);
	}
}

/* The node that the owner explores next; NULL: there is none. */
static struct filch_node *take(struct filch_search *s, struct filchi_search_open *o, uint64_t *key)
{
	if (o->stash.count && !o->size && !o->overflow)
		take_stash_back(s, o);
	return filchi_search_heap_take(s, o, key);
}

/* ---- the owner ---- */

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

/*
 * Takes nodes from the list, and makes runs of them. Pruned nodes are discarded. keep: not the last node of the list,
 * if it is not pruned. Returns the number of runs.
 */
static size_t make_runs(struct filch_search_worker *w, struct filch_node **list, bool keep,
			struct filchi_search_run *runs)
{
	struct filch_search *s = w->search;
	uint64_t best = filchi_load_rlx(&s->best_key, BEST);
	size_t n = 0;

	while (*list) {
		struct filch_node *node = *list, *next = filchi_plain_get(&node->next);
		uint64_t key = filchi_search_bound(s, node);

		if (s->prunes && key >= best) {
			w->stats.pruned++;
			filchi_search_discard(s, w, node);
		} else if (keep && !next) {
			w->open.next_key = key;
			break;
		} else if (n && runs[n - 1].key == key && !s->problem.before) {
			filchi_plain_set(&node->next, runs[n - 1].first);
			runs[n - 1].first = node;
			runs[n - 1].count++;
		} else if (n == AT_ONCE) {
			break;
		} else {
			filchi_plain_set(&node->next, NULL);
			runs[n++] = (struct filchi_search_run){key, node, node, 1};
		}
		*list = next;
	}
	return n;
}

/* Adds the batch. keep: leaves the first node out, and returns it; NULL: it was pruned. Returns with the lock. */
static struct filch_node *push_locked(struct filch_search_worker *w, struct filch_batch *batch, bool keep)
{
	struct filch_search *s = w->search;
	struct filchi_search_open *o = &w->open;
	struct filch_node *list =
		reversed(batch); /* the last child is pushed first, so the first child is the newest */
	unsigned like = s->opt.round ? 1 : s->workers; /* in rounds worker 0 has all nodes */

	for (;;) {
		struct filchi_search_run runs[AT_ONCE];
		size_t n = make_runs(w, &list, keep, runs);
		bool full, more = list && !(keep && !filchi_plain_get(&list->next));

		filchi_search_lock(&o->lock);
		full = filchi_search_fills(s, (o->nodes + o->overflowed) * like, s->opt.soft_memory);
		for (size_t i = 0; i < n; i++)
			filchi_search_heap_put(s, o, &runs[i], full);
		if (!more)
			return list;
		unlock(o);
	}
}

void filchi_search_best_push(struct filch_search_worker *w, struct filch_batch *batch)
{
	(void)push_locked(w, batch, false);
	unlock(&w->open);
}

void filchi_search_best_exchange(struct filch_search_worker *w, struct filch_batch *children)
{
	struct filch_search *s = w->search;
	struct filchi_search_open *o = &w->open;
	bool dives = s->order == FILCHI_SEARCH_MIXTURE && (!s->opt.dive || o->dived < s->opt.dive);

	o->next = push_locked(w, children, dives);
	o->dived++;
	if (!o->next) {
		o->dived = 0;
		o->next = take(s, o, &o->next_key);
	}
	if (FILCHI_UNLIKELY(filchi_load_rlx(&o->asked, HINT))) {
		filchi_store_rlx(&o->asked, 0, HINT);
		fill_stash(s, o, TRADED);
	} else if (FILCHI_UNLIKELY(o->stash.count) && (w->eager || ++o->stash_age > STASH_AGE)) {
		take_stash_back(s, o);
	}
	if (o->next && s->prunes)
		filchi_store_rlx(&w->current, o->next_key, HINT);
	unlock(o);
}

size_t filchi_search_best_share(struct filch_search_worker *w)
{
	struct filchi_search_open *o = &w->open;

	if (!w->eager) {
		filchi_search_lock(&o->lock);
		fill_stash(w->search, o, STOLEN_AT_MOST);
		unlock(o);
	}
	return filchi_load_rlx(&o->visible, HINT) + (o->next ? 1 : 0);
}

/* Looks at one other worker each time. If that one has better nodes, takes some, or asks for some. */
static void trade(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	struct filch_search_worker *other = &s->worker[(w->id + 1 + w->traded % (s->workers - 1)) % s->workers];
	uint32_t mean = w->mean_ns ? w->mean_ns : 100;
	struct filch_batch batch;

	w->until_trade = LOOK_NS / mean;
	if (filchi_load_rlx(w->eager ? &other->open.top : &other->open.fifth, HINT) >= w->open.next_key) {
		w->traded++;
		return;
	}
	if (!w->eager && !filchi_load_rlx(&other->open.stashed, HINT)) {
		filchi_store_rlx(&other->open.asked, 1, HINT); /* and looks there again */
		return;
	}
	w->traded++;
	if (filchi_search_best_steal(other, w->eager ? 2 : TRADED, &batch, false) != FILCH_OK)
		return;
	w->until_trade = TRADE_NS / mean;
	w->stats.batches++;
	w->stats.nodes += batch.count;
	filch_batch_add(&batch, w->open.next);
	w->open.next = NULL;
	filchi_search_best_push(w, &batch);
}

struct filch_node *filchi_search_best_pop(struct filch_search_worker *w, uint64_t *key, bool trades)
{
	struct filch_search *s = w->search;
	struct filchi_search_open *o = &w->open;
	struct filch_node *node;

	if (o->next && !o->dived && trades && s->workers > 1) {
		if (w->until_trade)
			w->until_trade--;
		else
			trade(w);
	}
	node = o->next;
	if (node && (o->dived || filchi_load_rlx(&o->top, HINT) >= o->next_key)) {
		o->next = NULL;
		*key = o->next_key;
		return node;
	}
	if (node) { /* better nodes came in since */
		struct filch_batch batch;

		filch_batch_init(&batch);
		filch_batch_add(&batch, node);
		o->next = NULL;
		filchi_search_best_push(w, &batch);
	}
	o->dived = 0;
	filchi_search_lock(&o->lock);
	node = take(s, o, key);
	unlock(o);
	return node;
}

/* ---- the run, while no worker runs ---- */

static void visit_list(struct filch_node *node, filchi_search_visit *visit, void *arg)
{
	for (; node; node = filchi_plain_get(&node->next))
		visit(node, arg);
}

void filchi_search_best_each(struct filch_search_worker *w, filchi_search_visit *visit, void *arg)
{
	struct filchi_search_open *o = &w->open;

	filchi_search_lock(&o->lock);
	if (o->next)
		visit(o->next, arg);
	visit_list(o->overflow, visit, arg);
	filchi_search_heap_sort(w->search, o);
	for (size_t i = 0; i < o->size; i++)
		visit_list(o->heap[i].node, visit, arg);
	if (o->stash.count)
		visit_list(o->stash.first, visit, arg);
	unlock(o);
}

/* ---- thieves ---- */

/* Takes so many nodes, and unlocks. */
static int take_away(struct filch_search *s, struct filchi_search_open *o, size_t want, struct filch_batch *batch)
{
	struct filchi_search_run taken;
	uint64_t key;

	if (o->stash.count < want)
		fill_stash(s, o, want);
	taken = o->stash;
	o->stash.count = 0;
	if (!taken.count && o->overflow)
		filch_batch_add(batch, filchi_search_heap_overflow(s, o, &key));
	unlock(o);
	/* Without the lock: these nodes are in the cache of the victim. */
	for (; taken.count; taken.count--) {
		struct filch_node *node = taken.first;

		taken.first = filchi_plain_get(&node->next);
		filch_batch_add(batch, node);
	}
	return batch->count ? FILCH_OK : FILCH_EMPTY;
}

int filchi_search_best_steal(struct filch_search_worker *victim, size_t want, struct filch_batch *batch, bool waits)
{
	struct filchi_search_open *o = &victim->open;

	filch_batch_init(batch);
	if (waits)
		filchi_search_lock(&o->lock);
	else if (!filchi_search_trylock(&o->lock))
		return FILCH_EMPTY;
	if (o->stash.count)
		want = o->stash.count;
	return take_away(victim->search, o, want < STOLEN_AT_MOST ? want : STOLEN_AT_MOST, batch);
}

int filchi_search_best_extract(struct filch_search_worker *victim, double proportion, struct filch_batch *batch)
{
	struct filchi_search_open *o = &victim->open;
	size_t want;

	filch_batch_init(batch);
	filchi_search_lock(&o->lock);
	want = (size_t)((double)(o->nodes + o->overflowed + o->stash.count) * proportion);
	want = want ? want : 1;
	return take_away(victim->search, o, want < EXTRACTED_AT_MOST ? want : EXTRACTED_AT_MOST, batch);
}
