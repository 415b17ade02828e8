/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best value and its solution, lock-free.
 *
 * A record has a value and its solution, and never changes. An improver puts a new record in the place of the best one
 * by compare and swap. The key of the best value is a word of its own, which only gets better: workers prune with it,
 * and it may be a little behind.
 *
 * The old record may still be read by another improver, so it is retired. Only improvers read records during a run, and
 * they are counted. An improver takes the whole list of retired records. If it is then the only improver, no thread can
 * reach these records any more, and it frees them. Else it puts them back.
 *
 * Linearization: the compare and swap of best; for a worse value its load of best.
 *
 * Edges:
 *   B1   put: cas_acq_rel best → put: load_acq best   publishes the record
 *   B2   put: fetch_add_acq_rel improvers → put: fetch_add_acq_rel improvers   the others have read what is freed
 *   B3   put: cas_rel retired → put: exchange_acq retired   publishes the list
 *   BK   the key: read without order
 */
#include "search.h"

#include <errno.h>

static void free_record(struct filch_search *s, struct filchi_search_best *record)
{
	if (record->solution && s->problem.discard_solution)
		s->problem.discard_solution(record->solution, s->problem.arg);
	filchi_search_free(record);
}

static void free_list(struct filch_search *s, struct filchi_search_best *list)
{
	while (list) {
		struct filchi_search_best *next = list->next;

		free_record(s, list);
		list = next;
	}
}

static void retire(struct filch_search *s, struct filchi_search_best *first)
{
	struct filchi_search_best *last = first, *old = filchi_load_rlx(&s->retired, BK);

	while (last->next)
		last = last->next;
	do
		last->next = old;
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
	(void)filchi_fetch_add_acq_rel(&s->improvers, (uint32_t)-1, B2);
}

int filchi_search_best_put(struct filch_search *s, uint64_t key, void *solution)
{
	struct filchi_search_best *record, *old;
	uint64_t best;

	if (key >= filchi_load_rlx(&s->best_key, BK))
		return 0;
	record = filchi_search_alloc(sizeof(*record));
	if (!record)
		return -ENOMEM;
	record->next = NULL;
	record->key = key;
	record->solution = solution;
	(void)filchi_fetch_add_acq_rel(&s->improvers, 1, B2);
	old = filchi_load_acq(&s->best, B1);
	while (!old || key < old->key) {
		struct filchi_search_best *seen = old;

		if (filchi_cas_acq_rel(&s->best, &seen, record, B1))
			break;
		old = filchi_load_acq(&s->best, B1);
	}
	if (old && old->key <= key) {
		leave(s);
		filchi_search_free(record);
		return 0;
	}
	if (old) {
		old->next = NULL;
		retire(s, old);
	}
	best = filchi_load_rlx(&s->best_key, BK);
	while (key < best && !filchi_cas_rlx(&s->best_key, &best, key, BK))
		;
	/* Before it leaves: else the solution might be freed. */
	if (s->problem.improved)
		s->problem.improved(s, filchi_search_value(s, key), solution, s->problem.arg);
	leave(s);
	return 1;
}

struct filchi_search_best *filchi_search_best_get(struct filch_search *s)
{
	return filchi_load_acq(&s->best, B1);
}

void filchi_search_best_clear(struct filch_search *s)
{
	struct filchi_search_best *best = filchi_search_best_get(s);

	free_list(s, filchi_exchange_acq(&s->retired, NULL, B3));
	if (best)
		free_record(s, best);
	filchi_store_rlx(&s->best, NULL, BK);
	filchi_store_rlx(&s->best_key, FILCHI_SEARCH_NO_KEY, BK);
}

int filch_search_improve(struct filch_search *s, struct filch_search_worker *w, union filch_search_value value,
			 void *solution)
{
	int better;

	if (!s || !s->prunes || (s->problem.type == FILCH_SEARCH_DOUBLE && value.d != value.d))
		return -EINVAL;
	better = filchi_search_best_put(s, filchi_search_key(s, value), solution);
	if (better == 1 && w)
		w->stats.improvements++;
	return better;
}

int filch_search_best(struct filch_search *s, struct filch_search_worker *w, union filch_search_value *value)
{
	uint64_t key = s ? filchi_load_rlx(&s->best_key, BK) : FILCHI_SEARCH_NO_KEY;

	(void)w;
	if (key == FILCHI_SEARCH_NO_KEY)
		return 0;
	if (value)
		*value = filchi_search_value(s, key);
	return 1;
}
