/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best value and its solution, lock-free.
 *
 * A record has a value and its solution, and never changes. An improver puts a new record in the place of the best one
 * by compare and swap. The key of the best value is a word of its own, which only gets better: workers prune with it,
 * and it may be a little behind.
 *
 * The old record may still be read by another improver, so it is retired. Improvers are counted. A thread that reads
 * the best record for a checkpoint or a result counts as one. An improver takes the whole list of retired records. If
 * it is then the only improver, no thread can reach these records any more, and it frees them. Else it puts them back.
 *
 * Linearization: the compare and swap of best; for a worse value its load of best.
 *
 * Edges:
 *   B1   put: cas_rel best → put, borrow: load_acq best   publishes the record
 *   B2   leave: fetch_add_acq_rel improvers → leave: fetch_add_acq_rel improvers   the others have read the records
 *   B3   retire: cas_rel retired → leave: exchange_acq retired   publishes the list
 *   B4   put, borrow: fetch_add_acq improvers; its other end is the fetch_add_acq_rel of leave (B2)   a later improver
 *        does not find a retired record as the best
 *   BK   the key, and accesses outside of runs: read without order
 */
#include "search.h"

#include "error.h"

#include <errno.h>
#include <inttypes.h>

static void free_record(struct filch_search *s, struct filchi_search_best *record)
{
	void *solution = filchi_plain_get(&record->solution);

	if (solution && s->problem.discard_solution)
		s->problem.discard_solution(solution, s->problem.arg);
	filchi_search_free(record);
}

static void free_list(struct filch_search *s, struct filchi_search_best *list)
{
	while (list) {
		struct filchi_search_best *next = filchi_plain_get(&list->next);

		free_record(s, list);
		list = next;
	}
}

static void retire(struct filch_search *s, struct filchi_search_best *first)
{
	struct filchi_search_best *last = first, *old = filchi_load_rlx(&s->retired, BK);

	while (filchi_plain_get(&last->next))
		last = filchi_plain_get(&last->next);
	do
		filchi_plain_set(&last->next, old);
	while (!filchi_cas_rel(&s->retired, &old, first, B3));
}

/* The caller is counted in improvers; afterwards it is not. */
static void leave(struct filch_search *s)
{
	struct filchi_search_best *list = NULL;

	if (filchi_load_rlx(&s->retired, BK))
		list = filchi_exchange_acq(&s->retired, NULL, B3);
	if (filchi_fetch_add_acq_rel(&s->improvers, 0, B2) == 1)
		free_list(s, list);
	else if (list)
		retire(s, list);
	(void)filchi_fetch_add_rlx(&s->improvers, (uint32_t)-1, B2);
}

struct filchi_search_best *filchi_search_best_new(uint64_t key, void *solution)
{
	struct filchi_search_best *record = filchi_search_alloc(sizeof(*record));

	if (record) {
		filchi_plain_set(&record->next, NULL);
		filchi_plain_set(&record->key, key);
		filchi_plain_set(&record->solution, solution);
	}
	return record;
}

int filchi_search_best_put(struct filch_search *s, uint64_t key, void *solution)
{
	struct filchi_search_best *record;

	if (key >= filchi_load_rlx(&s->best_key, BK))
		return 0;
	record = filchi_search_best_new(key, solution);
	if (!record)
		return filchi_search_error(-ENOMEM, "no memory for a best value");
	return filchi_search_best_put_record(s, record);
}

int filchi_search_best_put_record(struct filch_search *s, struct filchi_search_best *record)
{
	uint64_t key = filchi_plain_get(&record->key), best;
	void *solution = filchi_plain_get(&record->solution);
	struct filchi_search_best *old;

	(void)filchi_fetch_add_acq(&s->improvers, 1, B4);
	old = filchi_load_acq(&s->best, B1);
	while (!old || key < filchi_plain_get(&old->key)) {
		struct filchi_search_best *seen = old;

		if (filchi_cas_rel(&s->best, &seen, record, B1))
			break;
		old = filchi_load_acq(&s->best, B1);
	}
	if (old && filchi_plain_get(&old->key) <= key) {
		leave(s);
		filchi_search_free(record);
		return 0;
	}
	if (old)
		retire(s, old);
	best = filchi_load_rlx(&s->best_key, BK);
	while (key < best && !filchi_cas_rlx(&s->best_key, &best, key, BK))
		;
	/* Before it leaves: else the solution might be freed. */
	if (s->problem.improved)
		s->problem.improved(s, filchi_search_value(s, key), solution, s->problem.arg);
	if (s->link.improved)
		s->link.improved(filchi_search_value(s, key), solution, s->link.arg);
	leave(s);
	return 1;
}

struct filchi_search_best *filchi_search_best_borrow(struct filch_search *s)
{
	(void)filchi_fetch_add_acq(&s->improvers, 1, B4);
	return filchi_load_acq(&s->best, B1);
}

void filchi_search_best_return(struct filch_search *s)
{
	leave(s);
}

void filchi_search_best_clear(struct filch_search *s)
{
	struct filchi_search_best *best = filchi_load_rlx(&s->best, BK);

	free_list(s, filchi_load_rlx(&s->retired, BK));
	filchi_store_rlx(&s->retired, NULL, BK);
	if (best)
		free_record(s, best);
	filchi_store_rlx(&s->best, NULL, BK);
	filchi_store_rlx(&s->best_key, FILCHI_SEARCH_NO_KEY, BK);
}

int filch_search_improve(struct filch_search *s, struct filch_search_worker *w, union filch_search_value value,
			 void *solution)
{
	int better;

	if (!s)
		return filchi_search_error_null("search");
	if (!s->prunes)
		return filchi_search_error(-EINVAL, "the problem has no goal, so no value is the best");
	if (s->problem.type == FILCH_SEARCH_DOUBLE && value.d != value.d)
		return filchi_search_error(-EINVAL, "value is not a number");
	if (s->problem.type == FILCH_SEARCH_INT64 &&
	    value.i == (s->problem.goal == FILCH_SEARCH_MINIMISE ? INT64_MAX : INT64_MIN))
		return filchi_search_error(-EINVAL, "value is %" PRId64 ": as bad as no solution", value.i);
	if (w && w->item)
		return filchi_search_item_improve(s, w->item, filchi_search_key(s, value), solution);
	better = filchi_search_best_put(s, filchi_search_key(s, value), solution);
	if (better == 1 && w)
		w->stats.improvements++;
	return better;
}

int filch_search_best(struct filch_search *s, struct filch_search_worker *w, union filch_search_value *value)
{
	uint64_t key = s ? filchi_load_rlx(&s->best_key, BK) : FILCHI_SEARCH_NO_KEY;

	if (s && w && w->item)
		key = s->round.best_key < w->item->best_key ? s->round.best_key : w->item->best_key;
	if (key == FILCHI_SEARCH_NO_KEY)
		return 0;
	if (value)
		*value = filchi_search_value(s, key);
	return 1;
}
