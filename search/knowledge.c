/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared knowledge: records that workers publish, and that the others learn before their next node.
 *
 * The newest records are in a ring of fixed size, under a lock. A worker compares the number of published records with
 * the number that it has seen: one load for each node. If they differ, it takes the new records, orders them by
 * closeness to its own subspace, and learns them. A worker that was away for long misses records that have left the
 * ring. That is allowed: a record can only help.
 *
 * A record has a count of uses: one of the ring, one for each worker that learns it now, and one for each keep. The
 * last release frees it. So memory is bounded by the ring and by the records that functions of the problem keep.
 *
 * Edges:
 *   K1   release: fetch_add_acq_rel uses, paired with itself   all uses come before the end
 *   K2   a new use: the caller has one already
 *   NEW  the number of published records: a hint. The lock orders the rest
 */
#include "search.h"

#include "error.h"

#include <errno.h>

enum { AT_ONCE = 64 };

static FILCHI_ATOMIC(uint32_t) * uses(struct filch_search_record *r)
{
	return (FILCHI_ATOMIC(uint32_t) *)(void *)&r->uses_;
}

void filch_search_record_keep(struct filch_search_record *record)
{
	(void)filchi_fetch_add_rlx(uses(record), 1, K2);
}

void filch_search_record_release(struct filch_search *s, struct filch_search_record *record)
{
	if (filchi_fetch_add_acq_rel(uses(record), (uint32_t)-1, K1) == 1 && s->problem.discard_record)
		s->problem.discard_record(record, s->problem.arg);
}

int filchi_search_knowledge_init(struct filch_search *s)
{
	filchi_atomic_init(&s->published, 0);
	filchi_search_lock_init(&s->ring_lock);
	if (!s->problem.learn)
		return 0;
	if (s->opt.records <= SIZE_MAX / sizeof(struct filch_search_record *))
		s->ring = filchi_search_alloc(s->opt.records * sizeof(struct filch_search_record *));
	if (!s->ring)
		return filchi_search_error(-ENOMEM, "no memory for %zu records", s->opt.records);
	return 0;
}

void filchi_search_knowledge_fini(struct filch_search *s)
{
	for (size_t i = 0; s->ring && i < s->opt.records; i++)
		if (s->ring[i])
			filch_search_record_release(s, s->ring[i]);
	filchi_search_free(s->ring);
	filchi_search_lock_fini(&s->ring_lock);
}

void filchi_search_publish(struct filch_search *s, struct filch_search_record *record)
{
	struct filch_search_record *old;
	uint64_t n;

	filchi_search_lock(&s->ring_lock);
	n = filchi_load_rlx(&s->published, NEW);
	old = s->ring[n % s->opt.records];
	s->ring[n % s->opt.records] = record;
	filchi_store_rlx(&s->published, n + 1, NEW);
	filchi_search_unlock(&s->ring_lock);
	if (old)
		filch_search_record_release(s, old);
}

int filch_search_publish(struct filch_search *s, struct filch_search_worker *w, struct filch_search_record *record)
{
	if (!s || !record)
		return filchi_search_error_null(s ? "record" : "search");
	if (!s->ring)
		return filchi_search_error(-EINVAL, "learn is NULL, so no worker would get the record");
	record->publisher = w ? (int)w->id : -1;
	filchi_atomic_init(uses(record), 1);
	if (s->link.published)
		s->link.published(record, s->link.arg);
	if (w && w->item) {
		record->next_ = w->item->records; /* deterministic mode: when the round is over */
		w->item->records = record;
	} else {
		filchi_search_publish(s, record);
	}
	return 0;
}

static unsigned closeness(uint64_t a, uint64_t b)
{
	return a == b ? 64 : (unsigned)__builtin_clzll(a ^ b);
}

/* Takes new records, the oldest first. How many. */
static size_t take(struct filch_search_worker *w, struct filch_search_record **records)
{
	struct filch_search *s = w->search;
	size_t n = 0;
	uint64_t published;

	filchi_search_lock(&s->ring_lock);
	published = filchi_load_rlx(&s->published, NEW);
	if (published - w->learned > s->opt.records)
		w->learned = published - s->opt.records;
	for (; w->learned < published && n < AT_ONCE; w->learned++) {
		struct filch_search_record *r = s->ring[w->learned % s->opt.records];

		if (r->publisher == (int)w->id && !s->opt.round)
			continue;
		filch_search_record_keep(r);
		records[n++] = r;
	}
	filchi_search_unlock(&s->ring_lock);
	return n;
}

/* By insertion: there are few. Equally close ones stay in the order of their publication. */
static void sort(struct filch_search_record **records, size_t n, uint64_t subspace)
{
	for (size_t i = 1; i < n; i++) {
		struct filch_search_record *r = records[i];
		unsigned close = closeness(r->affinity, subspace);
		size_t j = i;

		for (; j && closeness(records[j - 1]->affinity, subspace) < close; j--)
			records[j] = records[j - 1];
		records[j] = r;
	}
}

void filchi_search_learn(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	struct filch_search_record *records[AT_ONCE];
	size_t n;

	while (w->learned != filchi_load_rlx(&s->published, NEW) && (n = take(w, records))) {
		sort(records, n, filchi_load_rlx(&w->subspace, NEW));
		for (size_t i = 0; i < n; i++) {
			s->problem.learn(w, records[i], s->problem.arg);
			filch_search_record_release(s, records[i]);
		}
	}
}
