/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deterministic mode: the search goes in rounds.
 *
 * A round takes a fixed number of nodes, in the order of the search. Workers explore them at the same time, each node
 * against the best value and the records as they were when the round began. When all are done, the results are merged
 * in the order of the nodes: children, better solutions, records, errors. So the nodes that are explored, the answer,
 * the counts and the sequence of best values do not depend on the number of workers, nor on their speed.
 *
 * The calling thread takes part as worker 0. All open nodes are with worker 0. If the nodes of a round are short,
 * worker 0 explores all of them: to start and to await the others would take longer.
 *
 * Edges:
 *   NEXT  the next node of the round: a count
 *   CNT  flags
 */
#include "search.h"

#include "error.h"

#include <errno.h>
#include <inttypes.h>

/* Jobs are started for a round that takes longer than this, with one worker. */
#define LONG_NS 30000u

/* Explores nodes of the round until there are none. How many. */
static size_t work(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	size_t n, done = 0;

	if (s->problem.learn)
		filchi_search_learn(w);
	while ((n = filchi_fetch_add_rlx(&s->round.next, 1, NEXT)) < s->round.count) {
		struct filchi_search_item *item = &s->round.item[n];

		w->item = item;
		filch_batch_init(&item->children);
		item->records = NULL;
		item->best_key = FILCHI_SEARCH_NO_KEY;
		item->best = NULL;
		if (s->problem.affinity)
			filchi_store_rlx(&w->subspace, s->problem.affinity(item->node, s->problem.arg), CNT);
		item->error = s->problem.explore(w, item->node, &item->children, s->problem.arg);
		w->item = NULL;
		done++;
	}
	return done;
}

static void run_item(struct filchi_search_job *job)
{
	(void)work(FILCH_CONTAINER_OF(job, struct filch_search_worker, job));
}

static void drop_best(struct filch_search *s, struct filchi_search_item *item)
{
	if (item->best && item->best->solution && s->problem.discard_solution)
		s->problem.discard_solution(item->best->solution, s->problem.arg);
	filchi_search_free(item->best);
	item->best = NULL;
}

/* As in filch_search_improve(). The value must beat those of the last round and of this node. */
int filchi_search_item_improve(struct filch_search *s, struct filchi_search_item *item, uint64_t key, void *solution)
{
	struct filchi_search_best *best;

	if (key >= s->round.best_key || key >= item->best_key)
		return 0;
	best = filchi_search_best_new(key, solution);
	if (!best)
		return filchi_search_error(-ENOMEM, "no memory for a best value");
	drop_best(s, item);
	item->best = best;
	item->best_key = key;
	return 1;
}

static void select_nodes(struct filch_search *s)
{
	struct filch_search_worker *w = &s->worker[0];
	uint64_t best = filchi_load_rlx(&s->best_key, CNT), key = 0, limit = s->opt.round;
	struct filch_node *node;

	if (s->opt.node_limit) {
		uint64_t left = s->opt.node_limit - filchi_load_rlx(&s->granted, CNT);

		limit = limit < left ? limit : left;
	}
	s->round.best_key = best;
	s->round.count = 0;
	while (s->round.count < limit && (node = filchi_search_pop(w, &key))) {
		if (s->prunes && filchi_search_bound(s, node) >= best) {
			w->stats.pruned++;
			filchi_search_discard(s, w, node);
		} else {
			s->round.item[s->round.count++].node = node;
		}
	}
	filchi_store_rlx(&s->granted, filchi_load_rlx(&s->granted, CNT) + s->round.count, CNT);
	filchi_store_rlx(&s->round.next, 0, NEXT);
}

/* A worker that takes no part learns the records as well: it must not miss any. */
static void explore_all(struct filch_search *s)
{
	bool many = s->round.mean_ns * s->round.count >= LONG_NS;
	unsigned i = 1;
	uint64_t begin;
	size_t done;

	for (; s->jobs && many && i < s->workers && i < s->round.count; i++)
		if (filchi_search_jobs_start(s->jobs, &s->worker[i].job))
			break;
	for (; s->problem.learn && i < s->workers; i++)
		filchi_search_learn(&s->worker[i]);
	begin = filchi_search_clock();
	done = work(&s->worker[0]);
	if (done)
		s->round.mean_ns = (filchi_search_clock() - begin) / done;
	if (s->jobs)
		filchi_search_jobs_wait(s->jobs);
}

/* The solutions of a node count also if its explore has failed later. */
static void merge_best(struct filch_search *s, struct filchi_search_item *item)
{
	void *solution = item->best ? item->best->solution : NULL;

	if (!item->best)
		return;
	if (filchi_search_best_put_record(s, item->best) == 1)
		s->worker[0].stats.improvements++;
	else if (solution && s->problem.discard_solution)
		s->problem.discard_solution(solution, s->problem.arg);
	item->best = NULL;
}

static void merge_records(struct filch_search *s, struct filchi_search_item *item)
{
	struct filch_search_record *list = NULL, *next;

	for (; item->records; item->records = next) { /* they are in reverse */
		next = item->records->next_;
		item->records->next_ = list;
		list = item->records;
	}
	for (; list; list = next) {
		next = list->next_;
		filchi_search_publish(s, list);
	}
}

/* A node whose explore has failed is open again. The first error counts. */
static int merge(struct filch_search *s)
{
	struct filch_search_worker *w = &s->worker[0];
	int err = 0;

	for (size_t i = 0; i < s->round.count; i++) {
		merge_best(s, &s->round.item[i]);
		merge_records(s, &s->round.item[i]);
		err = err ? err : s->round.item[i].error;
	}
	for (size_t i = s->round.count; i > 0; i--) { /* the first node's children come first */
		struct filchi_search_item *item = &s->round.item[i - 1];

		if (item->error) {
			filchi_search_discard_all(s, w, &item->children);
			filch_batch_add(&item->children, item->node);
		} else {
			w->stats.explored++;
		}
		filchi_search_push(w, &item->children);
	}
	return err;
}

/* Until there are no nodes, or a limit is met. */
void filchi_search_rounds(struct filch_search *s)
{
	for (unsigned i = 0; i < s->workers; i++)
		s->worker[i].job.run = run_item;
	for (;;) {
		int err;

		filchi_search_enter(s);
		filchi_search_gather(s);
		filchi_search_unlock(&s->lock);
		if (!filchi_search_still(s) ||
		    filchi_load_rlx(&s->signal, CNT) & (FILCHI_SEARCH_STOP | FILCHI_SEARCH_PAUSE))
			return;
		if (s->opt.node_limit && filchi_load_rlx(&s->granted, CNT) >= s->opt.node_limit) {
			filchi_search_stop(s, FILCH_SEARCH_NODES);
			return;
		}
		select_nodes(s);
		if (!s->round.count)
			return;
		explore_all(s);
		err = merge(s);
		if (s->problem.between)
			s->problem.between(s, s->problem.arg);
		if (err) {
			filchi_search_fail(s, err);
			return;
		}
	}
}

int filchi_search_rounds_init(struct filch_search *s)
{
	filchi_atomic_init(&s->round.next, 0);
	if (!s->opt.round)
		return 0;
	if (s->opt.round > SIZE_MAX / sizeof(struct filchi_search_item) / 2)
		return filchi_search_error(-EINVAL, "round is %" PRIu64 ": no memory holds so many nodes",
					   s->opt.round);
	s->round.item = filchi_search_alloc(s->opt.round * sizeof(struct filchi_search_item));
	if (!s->round.item)
		return filchi_search_error(-ENOMEM, "no memory for rounds of %" PRIu64 " nodes", s->opt.round);
	return 0;
}
