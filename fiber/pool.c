/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of fibers in one pool: made at the first use, freed with the pool, or with the last fiber that is joined
 * after that. Records; settings; statistics.
 *
 * Edges:
 *   B1   block->fiber, waits_for, since: for reports
 *   COUNTER   orders nothing
 *   S1   setup: store_rel stuck, worker.c: load_acq stuck   the settings
 *   T1   earliest: as in timer.c
 *   F1   free_live: as in worker.c
 */
#include "worker.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define USUAL ((size_t)1 << 16)
#define RECORDS (FILCHI_FIBER_CHUNK / sizeof(struct filch_fiber) - 1)
#define CACHED 128u /* free records that a worker keeps */

_Static_assert(sizeof(struct filch_fiber) == 64, "a fiber that waits should need little more than its page");
_Static_assert(sizeof(struct filchi_fiber_chunk) == 64, "records follow");

/* ---- settings ---- */

static size_t stack_variable(void)
{
	const char *text = getenv("FILCH_FIBER_STACK");
	char *end;
	unsigned long long bytes;

	if (!text || !*text)
		return USUAL;
	bytes = strtoull(text, &end, 10);
	if (*end == 'k' || *end == 'm') {
		bytes <<= *end == 'k' ? 10 : 20;
		end++;
	}
	return *end || !filchi_stack_size((size_t)bytes) ? USUAL : (size_t)bytes;
}

static int migrate_variable(void)
{
	const char *text = getenv("FILCH_FIBER_MIGRATE");

	return text && !strcmp(text, "free") ? FILCH_FIBER_FREE : FILCH_FIBER_PINNED;
}

static bool slow_variable(void)
{
	const char *text = getenv("FILCH_IO_FILES");

	return text && !strcmp(text, "threads");
}

static void complete(struct filchi_fiber_shared *s)
{
	if (!s->settings.stack)
		s->settings.stack = stack_variable();
	if (!s->settings.migrate)
		s->settings.migrate = migrate_variable();
	if (!s->settings.slow_files)
		s->settings.slow_files = slow_variable();
	s->size = (uint8_t)filchi_stack_size(s->settings.stack);
}

/* ---- from the first use to the end ---- */

void *filchi_fiber_hook_attach(struct filch_pool *pool, unsigned ids)
{
	struct filchi_fiber_shared *s =
		filchi_fiber_alloc(FILCHI_CACHE_LINE, sizeof(*s) + ids * sizeof(struct filchi_fiber_worker));

	if (!s)
		return NULL;
	s->pool = pool;
	s->worker_count = ids;
	complete(s);
	for (unsigned i = 0; i < ids; i++) {
		s->workers[i].shared = s;
		s->workers[i].id = (uint16_t)i;
		filchi_atomic_init(&s->workers[i].earliest, FILCHI_FIBER_NEVER);
		filchi_atomic_init(&s->workers[i].inbox.idle, 1);
	}
	filchi_overflow_watch();
	return s;
}

static void free_shared(struct filchi_fiber_shared *s)
{
	while (s->chunks) {
		struct filchi_fiber_chunk *chunk = s->chunks;

		s->chunks = chunk->next;
		filchi_fiber_free(chunk);
	}
	filchi_fiber_free(s);
}

/* Fibers that nobody has joined yet keep the records. */
void filchi_fiber_hook_detach(void *shared)
{
	struct filchi_fiber_shared *s = shared;
	bool last;

	filchi_overflow_unwatch();
	filchi_stack_free_all(s);
	for (unsigned i = 0; i < s->worker_count; i++)
		filchi_fiber_free(s->workers[i].timers);
	filchi_fiber_lock(&s->lock);
	s->ended = true;
	last = s->free_records == s->record_count;
	filchi_fiber_unlock(&s->lock);
	if (last)
		free_shared(s);
}

int filchi_fiber_attach(struct filchi_fiber_shared **out, struct filch_pool *pool)
{
	void *shared;
	int err = filch_pool_attach(pool, &filchi_fiber_hooks, &shared);

	*out = shared;
	return err == -EBUSY ? -ENOTSUP : err;
}

/* ---- records ---- */

static bool make_chunk(struct filchi_fiber_shared *s)
{
	struct filchi_fiber_chunk *chunk = filchi_fiber_alloc(FILCHI_FIBER_CHUNK, FILCHI_FIBER_CHUNK);
	struct filch_fiber *records;

	if (!chunk)
		return false;
	chunk->shared = s;
	chunk->next = s->chunks;
	s->chunks = chunk;
	records = (struct filch_fiber *)(void *)(chunk + 1);
	for (size_t i = RECORDS; i--;) {
		filchi_atomic_init(&records[i].state, 0);
		records[i].next = s->records;
		s->records = &records[i];
	}
	s->record_count += RECORDS;
	s->free_records += RECORDS;
	return true;
}

struct filch_fiber *filchi_record_take(struct filchi_fiber_shared *s, struct filchi_fiber_worker *w)
{
	struct filch_fiber *f = w ? w->records : NULL;

	if (f) {
		w->records = f->next;
		w->record_count--;
		return f;
	}
	filchi_fiber_lock(&s->lock);
	if (s->records || make_chunk(s)) {
		f = s->records;
		s->records = f->next;
		s->free_records--;
	}
	filchi_fiber_unlock(&s->lock);
	return f;
}

static void give_shared(struct filchi_fiber_shared *s, struct filch_fiber *f)
{
	bool last;

	filchi_fiber_lock(&s->lock);
	f->next = s->records;
	s->records = f;
	last = ++s->free_records == s->record_count && s->ended;
	filchi_fiber_unlock(&s->lock);
	if (last)
		free_shared(s);
}

void filchi_record_give(struct filch_fiber *f)
{
	struct filchi_fiber_shared *s = filchi_fiber_shared_of(f);
	struct filchi_fiber_worker *w = filchi_fiber_worker();

	if (!w || w->shared != s || w->record_count >= CACHED) {
		give_shared(s, f);
		return;
	}
	f->next = w->records;
	w->records = f;
	w->record_count++;
}

void filchi_record_flush(struct filchi_fiber_worker *w)
{
	while (w->records) {
		struct filch_fiber *f = w->records;

		w->records = f->next;
		give_shared(w->shared, f);
	}
	w->record_count = 0;
}

/* ---- the user's questions ---- */

int filch_fiber_setup(struct filch_pool *pool, const struct filch_fiber_settings *settings)
{
	struct filch_fiber_settings mine;
	struct filchi_fiber_shared *s;
	int err = filchi_sized_copy(&mine, sizeof(mine), settings);

	if (err || !settings || mine.migrate < 0 || mine.migrate > FILCH_FIBER_FREE ||
	    (mine.stack && !filchi_stack_size(mine.stack)))
		return -EINVAL;
	err = filchi_fiber_attach(&s, pool);
	if (err)
		return err;
	filchi_fiber_lock(&s->lock);
	err = s->chunks ? -EBUSY : 0;
	if (!err) {
		s->settings = mine;
		complete(s);
		filchi_store_rel(&s->stuck, mine.stuck, S1);
	}
	filchi_fiber_unlock(&s->lock);
	filch_pool_leave(s->pool);
	return err;
}

int filch_fiber_stats(struct filch_pool *pool, struct filch_fiber_stats *stats)
{
	struct filch_fiber_stats sum = {.struct_size = sizeof(sum)};
	struct filchi_fiber_shared *s;
	int err;

	if (!stats || !filchi_sized_makes_sense(stats->struct_size))
		return -EINVAL;
	err = filchi_fiber_attach(&s, pool);
	if (err)
		return err;
	for (unsigned i = 0; i < s->worker_count; i++) {
		struct filchi_fiber_worker *w = &s->workers[i];

		sum.started += filchi_load_rlx(&w->started, COUNTER);
		sum.ended += filchi_load_rlx(&w->ended, COUNTER);
		sum.stolen += filchi_load_rlx(&w->stolen, COUNTER);
		sum.stolen_io += filchi_load_rlx(&w->stolen_io, COUNTER);
		sum.switches += filchi_load_rlx(&w->switches, COUNTER);
	}
	filchi_fiber_lock(&s->lock);
	sum.stacks = s->stack_count;
	sum.unguarded = s->unguarded;
	filchi_fiber_unlock(&s->lock);
	filch_pool_leave(s->pool);
	return filchi_sized_fill(stats, &sum, sizeof(sum));
}

static void report(struct filchi_fiber_block *b, uint64_t now, filch_fiber_each_fn *fn, void *arg)
{
	const struct filch_fiber *f = filchi_load_rlx(&b->fiber, B1);
	const char *waits_for = filchi_load_rlx(&b->waits_for, B1);
	uint64_t since = filchi_load_rlx(&b->since, B1);

	if (f)
		fn(filch_fiber_name(f), waits_for, waits_for && since && now > since ? now - since : 0, arg);
}

int filch_fiber_each(struct filch_pool *pool, filch_fiber_each_fn *fn, void *arg)
{
	uint64_t now = filchi_fiber_clock();
	struct filchi_fiber_shared *s;
	int err = fn ? filchi_fiber_attach(&s, pool) : -EINVAL;

	if (err)
		return err;
	filchi_fiber_lock(&s->lock);
	for (struct filchi_fiber_slab *slab = s->slabs; slab; slab = slab->next)
		for (size_t i = 0; i < slab->made; i++)
			report(filchi_stack_block(slab, i), now, fn, arg);
	filchi_fiber_unlock(&s->lock);
	filch_pool_leave(s->pool);
	return 0;
}
