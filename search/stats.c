/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics, and the small questions that functions of the problem ask.
 *
 * A worker counts in plain fields, and publishes the counts from time to time, so that others may read them.
 *
 * Edges:
 *   PUB  numbers for others to read, which order nothing
 */
#include "search.h"

#include "../src/base/sized.h"
#include "error.h"

#include <errno.h>

/* The fields behind explored and pruned, in their order. */
static void rest(struct filch_search_stats *stats, uint64_t *field[FILCHI_SEARCH_SHOWN])
{
	field[0] = &stats->discarded;
	field[1] = &stats->batches;
	field[2] = &stats->nodes;
	field[3] = &stats->handed;
	field[4] = &stats->starts;
	field[5] = &stats->improvements;
	field[6] = &stats->idle_ns;
}

void filchi_search_publish_counts(struct filch_search_worker *w)
{
	uint64_t *field[FILCHI_SEARCH_SHOWN];

	filchi_store_rlx(&w->explored, w->stats.explored, PUB);
	filchi_store_rlx(&w->pruned, w->stats.pruned, PUB);
	filchi_store_rlx(&w->opened, filchi_search_size(w), PUB);
	rest(&w->stats, field);
	for (unsigned i = 0; i < FILCHI_SEARCH_SHOWN; i++)
		filchi_store_rlx(&w->shown[i], *field[i], PUB);
}

static void add(struct filch_search_stats *sum, const struct filch_search_worker *w)
{
	uint64_t *field[FILCHI_SEARCH_SHOWN];

	sum->explored += filchi_load_rlx(&w->explored, PUB);
	sum->pruned += filchi_load_rlx(&w->pruned, PUB);
	rest(sum, field);
	for (unsigned i = 0; i < FILCHI_SEARCH_SHOWN; i++)
		*field[i] += filchi_load_rlx(&w->shown[i], PUB);
}

int filch_search_stats(struct filch_search *s, int worker, struct filch_search_stats *stats)
{
	struct filch_search_stats sum = {.struct_size = sizeof(sum)};

	if (!s || !stats)
		return filchi_search_error_null(s ? "stats" : "search");
	if (worker < -1 || (worker >= 0 && (unsigned)worker >= s->workers))
		return filchi_search_error(-EINVAL, "worker is %d: must be 0 to %u, or -1 for all", worker,
					   s->workers - 1);
	for (unsigned i = 0; i < s->workers; i++)
		if (worker < 0 || (unsigned)worker == i)
			add(&sum, &s->worker[i]);
	if (filchi_sized_fill(stats, &sum, sizeof(sum)))
		return filchi_search_error_sized("struct filch_search_stats", stats);
	return 0;
}

struct filch_search *filch_search_of(struct filch_search_worker *worker)
{
	return worker->search;
}

unsigned filch_search_worker_id(const struct filch_search_worker *worker)
{
	return worker->id;
}

unsigned filch_search_workers(const struct filch_search *search)
{
	return search->workers;
}

struct filch_search_worker *filch_search_worker(struct filch_search *search, unsigned n)
{
	return search && n < search->workers ? &search->worker[n] : NULL;
}
