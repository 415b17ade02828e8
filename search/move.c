/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How work moves between workers. The states of idle.c carry it out.
 *
 * "direct": a dry worker steals from the others, in the order of their numbers after its own. A worker with visible
 * nodes sees that others are needy. It starts an idle worker, or makes a requesting worker look again.
 *
 * "master": only worker 0, the master, steals. It does so between two of its nodes, and when it is dry itself. Workers
 * tell their need when they are nearly dry. The master takes one batch of one victim, in one step, and cuts it into as
 * many parts as there are needy workers. A worker with visible nodes starts the master if the master is idle.
 *
 * Edges:
 *   HINT  signal, states and subspaces: a choice. What follows is ordered by idle.c
 */
#include "search.h"

#define BACKOFF_NS 20000u

static unsigned closeness(uint64_t a, uint64_t b)
{
	return a == b ? 64 : (unsigned)__builtin_clzll(a ^ b);
}

/* The victim for a batch to that worker; NULL: no worker has enough. */
static struct filch_search_worker *choose(struct filch_search *s, struct filch_search_worker *to)
{
	struct filch_search_worker *best = NULL;
	uint64_t subspace = filchi_load_rlx(&to->subspace, HINT);
	size_t most = 0;

	for (unsigned i = 1; i < s->workers; i++) {
		struct filch_search_worker *victim = &s->worker[(to->id + i) % s->workers];
		size_t size = filchi_search_visible(victim), rank = size;

		if (size < s->opt.threshold)
			continue;
		if (s->victim == FILCHI_SEARCH_BY_ORDER)
			return victim;
		if (s->victim == FILCHI_SEARCH_BY_AFFINITY)
			rank = 1 + closeness(filchi_load_rlx(&victim->subspace, HINT), subspace);
		if (rank > most) {
			most = rank;
			best = victim;
		}
	}
	return best;
}

static bool take(struct filch_search_worker *w, struct filch_search_worker *victim)
{
	struct filch_batch batch;

	if (filchi_search_steal(victim, w->search->opt.proportion, &batch, true) != FILCH_OK)
		return false;
	w->stats.batches++;
	w->stats.nodes += batch.count;
	filchi_search_push(w, &batch);
	return true;
}

bool filchi_search_forage(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;

	if (s->master) {
		struct filch_search_worker *victim = w->id ? NULL : choose(s, w);

		if (w->id || (victim && take(w, victim)))
			return !w->id;
	}
	/* The steal itself tells the victim, if it keeps its nodes private, to share some. */
	for (unsigned i = 1; i < s->workers; i++)
		if (take(w, &s->worker[(w->id + i) % s->workers]))
			return true;
	return false;
}

/* Cuts a part off the end, at the mark that is nearest to what it should be. The part is empty if there is no mark. */
static void cut(struct filch_batch *batch, size_t before, struct filch_batch *part)
{
	size_t best = 0, distance = SIZE_MAX;

	filch_batch_init(part);
	for (size_t i = 0; i < batch->marks; i++) {
		size_t at = batch->mark[i].before, d = at > before ? at - before : before - at;

		if (d < distance) {
			distance = d;
			best = i;
		}
	}
	if (distance == SIZE_MAX)
		return;
	part->first = batch->mark[best].first;
	part->last = batch->last;
	part->count = batch->count - batch->mark[best].before;
	part->step = part->due = batch->step;
	for (size_t i = best + 1; i < batch->marks; i++) {
		part->mark[part->marks] = batch->mark[i];
		part->mark[part->marks++].before -= batch->mark[best].before;
	}
	batch->count = batch->mark[best].before;
	batch->last = batch->mark[best].last;
	batch->marks = best;
	filchi_plain_set(&batch->last->next, NULL);
}

static struct filch_search_worker *next_needy(struct filch_search *s, struct filch_search_worker *master,
					      unsigned *from)
{
	while (*from < s->workers) {
		struct filch_search_worker *w = &s->worker[(*from)++];
		uint32_t state = filchi_load_rlx(&w->state, HINT);

		if (w != master && (state == FILCHI_SEARCH_IDLE || state == FILCHI_SEARCH_REQUESTING))
			return w;
	}
	return NULL;
}

/* The master: one batch from one victim, to as many needy workers as can get a part of it. */
static bool distribute(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	unsigned from = 0, needy = filchi_load_rlx(&s->signal, HINT) / FILCHI_SEARCH_NEEDY;
	struct filch_search_worker *to = next_needy(s, w, &from), *victim = to ? choose(s, to) : NULL;
	struct filch_batch batch, part;

	if (!victim || filchi_search_steal(victim, s->opt.proportion, &batch, true) != FILCH_OK)
		return false;
	while (to && batch.count) {
		struct filch_search_worker *next = needy > 1 ? next_needy(s, w, &from) : NULL;

		filch_batch_init(&part);
		if (next)
			cut(&batch, batch.count / needy, &part);
		if (!filchi_search_give(s, to, &batch))
			filch_batch_append(&batch, &part); /* it has found work since */
		else {
			w->stats.handed++;
			batch = part;
		}
		needy--;
		to = next;
	}
	if (batch.count)
		filchi_search_push(w, &batch);
	return true;
}

void filchi_search_offer_any(struct filch_search *s, unsigned first)
{
	for (unsigned i = 0; i < s->workers; i++)
		if (filchi_search_offer(s, &s->worker[(first + i) % s->workers]))
			return;
}

/* True: a worker got nodes, or will look for some. */
static bool help(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	size_t visible = filchi_search_share(w);

	if (s->master && w->id == 0)
		return distribute(w);
	if (visible < s->opt.threshold)
		return false;
	filchi_search_announce();
	if (filchi_load_rlx(&s->signal, HINT) < FILCHI_SEARCH_NEEDY)
		return false;
	if (s->master)
		return filchi_search_offer(s, &s->worker[0]);
	filchi_search_offer_any(s, w->id + 1);
	return true;
}

/* A start takes microseconds. So a worker with short nodes explores some of them before it tries again. */
void filchi_search_help(struct filch_search_worker *w)
{
	if (w->backoff)
		w->backoff--;
	else if (help(w) && w->mean_ns)
		w->backoff = BACKOFF_NS / w->mean_ns;
	else
		w->backoff = w->eager ? 0 : FILCHI_TUNE(8, 0);
}
