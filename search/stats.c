/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics, and the small questions that functions of the problem ask. */
#include "search.h"

#include "../src/base/sized.h"
#include "error.h"

#include <errno.h>

static void add(struct filch_search_stats *sum, const struct filch_search_stats *one)
{
	sum->explored += one->explored;
	sum->pruned += one->pruned;
	sum->discarded += one->discarded;
	sum->batches += one->batches;
	sum->nodes += one->nodes;
	sum->handed += one->handed;
	sum->starts += one->starts;
	sum->improvements += one->improvements;
	sum->idle_ns += one->idle_ns;
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
			add(&sum, &s->worker[i].stats);
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
