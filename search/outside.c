/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The face of a search to threads outside of its jobs: they add nodes, take nodes out, cancel, hold, and ask for
 * checkpoints. These threads take the lock of the search. A run has this lock while it has the search for itself.
 *
 * Edges:
 *   RUN  one run at a time. Runs of several threads are ordered by the caller
 *   HOLD  release: fetch_add_rel holds → holds: load_acq holds   the nodes that the holder has added come before
 *   CNT  flags and counts, which order nothing
 */
#include "search.h"

#include "error.h"

#include <errno.h>

/*
 * A mutex is not fair: a thread that adds nodes in a loop takes it again before a sleeping thread is awake. So a worker
 * that waits for the lock shuts the door, and each thread outside gets the lock once more at most.
 */
void filchi_search_enter(struct filch_search *s)
{
	if (filchi_search_trylock(&s->lock))
		return;
	(void)filchi_fetch_add_rlx(&s->waiting, 1, CNT);
	filchi_search_lock(&s->door);
	filchi_search_lock(&s->lock);
	filchi_search_unlock(&s->door);
	(void)filchi_fetch_add_rlx(&s->waiting, (uint32_t)-1, CNT);
}

static void enter_from_outside(struct filch_search *s)
{
	if (filchi_load_rlx(&s->waiting, CNT)) {
		filchi_search_lock(&s->door);
		filchi_search_unlock(&s->door);
	}
	filchi_search_lock(&s->lock);
}

int filch_search_add(struct filch_search *s, struct filch_batch *nodes)
{
	struct filch_node *node;

	if (!s || !nodes)
		return filchi_search_error_null(s ? "nodes" : "search");
	if (!nodes->count)
		return 0;
	enter_from_outside(s);
	node = nodes->first;
	for (size_t n = nodes->count; s->prunes && n; n--) {
		uint64_t key = filchi_search_bound(s, node);

		if (key < filchi_load_rlx(&s->root_key, CNT))
			filchi_store_rlx(&s->root_key, key, CNT);
		if (key < filchi_load_rlx(&s->inbox_key, CNT))
			filchi_store_rlx(&s->inbox_key, key, CNT);
		node = n > 1 ? filchi_plain_get(&node->next) : node;
	}
	filch_batch_append(&s->inbox, nodes);
	filchi_store_rlx(&s->arrived, s->inbox.count, CNT);
	if (s->open) {
		filchi_search_token_take(s);
		filchi_search_flag(s, FILCHI_SEARCH_INBOX, 0);
		filchi_search_announce();
		filchi_search_offer_any(s, 0);
		filchi_search_token_drop(s);
	}
	filchi_search_unlock(&s->lock);
	filchi_search_changed(s);
	return 0;
}

int filch_search_add_node(struct filch_search *s, struct filch_node *node)
{
	struct filch_batch batch;

	if (!s || !node)
		return filchi_search_error_null(s ? "node" : "search");
	filch_batch_init(&batch);
	filch_batch_add(&batch, node);
	return filch_search_add(s, &batch);
}

bool filchi_search_take_inbox(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	struct filch_batch batch;

	if (!(filchi_load_rlx(&s->signal, CNT) & FILCHI_SEARCH_INBOX))
		return false;
	filchi_search_enter(s);
	batch = s->inbox;
	filch_batch_init(&s->inbox);
	filchi_store_rlx(&s->inbox_key, FILCHI_SEARCH_NO_KEY, CNT);
	filchi_store_rlx(&s->arrived, 0, CNT);
	filchi_search_flag(s, 0, FILCHI_SEARCH_INBOX);
	filchi_search_unlock(&s->lock);
	filchi_search_push(w, &batch);
	return batch.count;
}

int filch_search_checkpoint(struct filch_search *s)
{
	if (!s)
		return filchi_search_error_null("search");
	if (!filchi_search_saves(s))
		return filchi_search_error(-EINVAL, "the option checkpoint is not set");
	filchi_store_rlx(&s->save_wanted, 1, CNT);
	filchi_search_flag(s, FILCHI_SEARCH_PAUSE, 0);
	filchi_search_changed(s);
	return 0;
}

bool filchi_search_busy(struct filch_search *s, bool begin)
{
	if (begin)
		return filchi_exchange_acq(&s->running, 1, RUN);
	filchi_store_rel(&s->running, 0, RUN);
	return false;
}

int filch_search_save(struct filch_search *s, const char *path)
{
	int err;

	if (!s || (!path && !s->link.saved))
		return filchi_search_error_null(s ? "path" : "search");
	if (filchi_search_busy(s, true))
		return filchi_search_error_busy();
	filchi_search_lock(&s->lock);
	err = filchi_search_save(s, path);
	filchi_search_unlock(&s->lock);
	(void)filchi_search_busy(s, false);
	return err;
}

void filch_search_cancel(struct filch_search *s)
{
	if (!s)
		return;
	filchi_store_rlx(&s->cancelled, 1, CNT);
	filchi_search_stop(s, FILCH_SEARCH_CANCELLED);
}

void filch_search_hold(struct filch_search *s)
{
	(void)filchi_fetch_add_rlx(&s->holds, 1, HOLD);
	filchi_search_token_take(s);
}

void filch_search_release(struct filch_search *s)
{
	(void)filchi_fetch_add_rel(&s->holds, (uint32_t)-1, HOLD);
	filchi_search_token_drop(s);
}

uint32_t filchi_search_holds(struct filch_search *s)
{
	return filchi_load_acq(&s->holds, HOLD);
}

/* No run: takes the last part of the largest worker's nodes. Walks along them if the queue has no part to take. */
static void extract_still(struct filch_search *s, double proportion, struct filch_batch *nodes)
{
	struct filch_search_worker *w;
	struct filch_batch all, kept;
	struct filch_node *node;
	size_t keep;

	filchi_search_gather(s);
	w = &s->worker[0];
	for (unsigned i = 1; i < s->workers; i++)
		if (filchi_search_size(&s->worker[i]) > filchi_search_size(w))
			w = &s->worker[i];
	if (s->order == FILCHI_SEARCH_DEPTH && filchi_search_share(w) && proportion > 0 && proportion < 1 &&
	    filchi_search_steal(w, proportion, nodes, true) == FILCH_OK) {
		filchi_search_publish_counts(&s->worker[0]); /* it may have the inbox */
		filchi_search_publish_counts(w);
		return;
	}
	filch_batch_init(nodes);
	filchi_search_peek(w, &all);
	filch_batch_init(&kept);
	keep = (size_t)((1 - proportion) * (double)all.count); /* rounded down: a single node can be taken */
	node = all.first;
	for (size_t i = 0; i < all.count; i++) {
		struct filch_node *next = i + 1 < all.count ? node->next : NULL;

		filch_batch_add(i < keep ? &kept : nodes, node);
		node = next;
	}
	filchi_search_push(w, &kept);
	filchi_search_publish_counts(&s->worker[0]);
	filchi_search_publish_counts(w);
}

static int extract_some(struct filch_search_worker *victim, double proportion, struct filch_batch *nodes)
{
	if (victim->search->order != FILCHI_SEARCH_DEPTH)
		return filchi_search_best_extract(victim, proportion, nodes);
	return filchi_search_steal(victim, proportion, nodes, true);
}

int filch_search_extract(struct filch_search *s, double proportion, struct filch_batch *nodes)
{
	struct filch_search_worker *best = NULL;
	size_t most = 0;

	if (!s || !nodes)
		return filchi_search_error_null(s ? "nodes" : "search");
	if (!(proportion >= 0 && proportion <= 1))
		return filchi_search_error(-EINVAL, "proportion is %g: must be 0 to 1", proportion);
	filch_batch_init(nodes);
	enter_from_outside(s);
	if (!s->active) {
		extract_still(s, proportion, nodes);
		filchi_search_unlock(&s->lock);
		return 0;
	}
	for (unsigned i = 0; i < s->workers; i++) {
		size_t visible = filchi_search_visible(&s->worker[i]);

		if (visible > most) {
			most = visible;
			best = &s->worker[i];
		}
	}
	if (!best || proportion == 0 || extract_some(best, proportion, nodes) != FILCH_OK) {
		filch_batch_init(nodes);
		filchi_search_flag(s, s->open && proportion > 0 ? FILCHI_SEARCH_SHARE : 0, 0);
	} else {
		filchi_search_flag(s, 0, FILCHI_SEARCH_SHARE);
	}
	filchi_search_unlock(&s->lock);
	return 0;
}

/* Without the lock: functions of the problem may ask while a run or a checkpoint has it. */
uint64_t filch_search_open(struct filch_search *s)
{
	uint64_t explored, pruned, open;

	filchi_search_totals(s, &explored, &pruned, &open);
	return open + filchi_load_rlx(&s->arrived, CNT);
}

unsigned filch_search_idle(struct filch_search *s)
{
	return filchi_load_rlx(&s->signal, CNT) / FILCHI_SEARCH_NEEDY;
}
