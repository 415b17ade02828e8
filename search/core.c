/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search from its creation to its end, and its face to threads outside of its jobs.
 *
 * A run starts a job for each worker that has nodes, and waits until all jobs have returned. They return when there are
 * no nodes, or because of a stop or a pause. Then the calling thread has the search for itself: it takes the inbox,
 * looks at the limits that need stillness, and goes on or ends. So each early end takes the same path, and the nodes
 * that are left are in the queues of their workers.
 *
 * Threads outside of the jobs take the gate, a lock. A run holds the gate while it has the search for itself.
 *
 * Edges:
 *   RUN  one run at a time. Runs of several threads are ordered by the caller
 *   CNT  flags and counts, which order nothing
 */
#include "search.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <string.h>

#define MAX_WORKERS 1024u

void filchi_search_discard(struct filch_search *s, struct filch_search_worker *w, struct filch_node *node)
{
	if (s->problem.discard)
		s->problem.discard(w, node, s->problem.arg);
}

void filchi_search_discard_all(struct filch_search *s, struct filch_search_worker *w, struct filch_batch *batch)
{
	struct filch_node *node = batch->first, *next;

	for (size_t n = batch->count; n; n--) {
		next = n > 1 ? filchi_plain_get(&node->next) : NULL;
		filchi_search_discard(s, w, node);
		node = next;
	}
	filch_batch_init(batch);
}

/* ---- create, destroy ---- */

static int named(const char *name, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!name || !strcmp(name, names[i]))
			return i;
	return -1;
}

static int set_options(struct filch_search *s)
{
	static const char *const orders[] = {"depth", "best", "mixture", NULL};
	static const char *const moves[] = {"direct", "master", NULL};
	static const char *const victims[] = {"size", "order", "affinity", NULL};
	struct filch_search_options *o = &s->opt;
	int move = named(o->move, moves);

	s->order = named(o->order, orders);
	s->victim = named(o->victim, victims);
	if (s->order < 0 || s->victim < 0 || move < 0)
		return -ENOENT;
	s->master = move == 1;
	if (!(o->proportion >= 0 && o->proportion <= 1) || !(o->gap_limit >= 0) || o->workers > MAX_WORKERS)
		return -EINVAL;
	o->proportion = o->proportion > 0 ? o->proportion : 0.5;
	o->threshold = o->threshold ? o->threshold : 2;
	o->low = o->low ? o->low : 2;
	o->records = o->records ? o->records : 1024;
	o->progress_ns = o->progress_ns ? o->progress_ns : 1000000000u;
	s->workers = o->workers ? o->workers : filch_pool_workers(o->pool);
	s->plain = s->order == FILCHI_SEARCH_DEPTH && !s->prunes && !s->problem.learn && !s->problem.affinity && !s->master;
	s->workers = s->workers > MAX_WORKERS ? MAX_WORKERS : s->workers ? s->workers : 1;
	return 0;
}

static int set_problem(struct filch_search *s)
{
	struct filch_search_problem *p = &s->problem;

	if (!p->explore || p->goal < FILCH_SEARCH_ALL || p->goal > FILCH_SEARCH_MAXIMISE || p->type < FILCH_SEARCH_INT64 ||
	    p->type > FILCH_SEARCH_DOUBLE || (p->goal && !p->bound) || (!p->pack) != (!p->unpack) || (s->opt.checkpoint && !p->pack))
		return -EINVAL;
	s->prunes = p->goal != FILCH_SEARCH_ALL;
	p->node_size = p->node_size ? p->node_size : 64;
	return 0;
}

static int worker_init(struct filch_search *s, unsigned id)
{
	struct filch_search_worker *w = &s->worker[id];
	int err = filchi_search_open_init(s, &w->open);

	w->search = s;
	w->id = id;
	w->job.run = filchi_search_worker_run;
	w->interval = 1;
	filchi_cell_set(&w->owner, 0);
	filchi_atomic_init(&w->door, FILCHI_SEARCH_IDLE);
	filchi_atomic_init(&w->explored, 0);
	filchi_atomic_init(&w->pruned, 0);
	filchi_atomic_init(&w->opened, 0);
	filchi_atomic_init(&w->current, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&w->subspace, 0);
	if (err || !s->problem.local_size)
		return err;
	w->local = filchi_search_alloc(s->problem.local_size);
	if (!w->local)
		return -ENOMEM;
	err = s->problem.local_begin ? s->problem.local_begin(w->local, s->problem.arg) : 0;
	if (err) {
		filchi_search_free(w->local);
		w->local = NULL;
	}
	return err;
}

static void worker_fini(struct filch_search *s, struct filch_search_worker *w)
{
	if (!w->search)
		return;
	if (w->local && s->problem.local_end)
		s->problem.local_end(w->local, s->problem.arg);
	filchi_search_free(w->local);
	filchi_search_open_fini(&w->open);
}

static void init(struct filch_search *s)
{
	filchi_atomic_init(&s->signal, s->workers * FILCHI_SEARCH_NEEDY);
	filchi_atomic_init(&s->best_key, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&s->tokens, 1); /* of the run, which has it also while it does not run */
	filchi_atomic_init(&s->event, 0);
	filchi_atomic_init(&s->running, 0);
	filchi_atomic_init(&s->end, 0);
	filchi_atomic_init(&s->cancelled, 0);
	filchi_atomic_init(&s->granted, 0);
	filchi_atomic_init(&s->progress_due, 0);
	filchi_atomic_init(&s->improvers, 0);
	filchi_atomic_init(&s->best, NULL);
	filchi_atomic_init(&s->retired, NULL);
	filchi_atomic_init(&s->save_due, UINT64_MAX);
	filchi_atomic_init(&s->save_wanted, 0);
	filchi_search_lock_init(&s->gate);
	filch_batch_init(&s->inbox);
	s->root_key = FILCHI_SEARCH_NO_KEY;
}

int filch_search_create(struct filch_search **out, const struct filch_search_problem *problem,
			const struct filch_search_options *opt)
{
	struct filch_search *s;
	int err;

	if (!out || !problem)
		return -EINVAL;
	s = filchi_search_alloc(sizeof(*s));
	if (!s)
		return -ENOMEM;
	err = filchi_sized_copy(&s->problem, sizeof(s->problem), problem);
	err = err ? err : filchi_sized_copy(&s->opt, sizeof(s->opt), opt);
	err = err ? err : set_problem(s);
	err = err ? err : set_options(s);
	if (err) {
		filchi_search_free(s);
		return err;
	}
	init(s);
	err = filchi_search_knowledge_init(s);
	err = err ? err : filchi_search_rounds_init(s);
	if (!err && !(s->worker = filchi_search_alloc(s->workers * sizeof(*s->worker))))
		err = -ENOMEM;
	for (unsigned i = 0; i < s->workers && !err; i++)
		err = worker_init(s, i);
	if (err) {
		filch_search_destroy(s);
		return err;
	}
	*out = s;
	return 0;
}

/* Takes all open nodes. No job runs. */
static void collect(struct filch_search *s, struct filch_batch *all)
{
	struct filch_node *node;
	uint64_t key;

	filch_batch_init(all);
	for (unsigned i = 0; s->worker && i < s->workers; i++)
		while (s->worker[i].search && (node = filchi_search_pop(&s->worker[i], &key)))
			filch_batch_add(all, node);
	filch_batch_append(all, &s->inbox);
}

void filch_search_destroy(struct filch_search *s)
{
	struct filch_batch all;

	if (!s)
		return;
	if (s->worker) {
		collect(s, &all);
		filchi_search_discard_all(s, NULL, &all);
		for (unsigned i = 0; i < s->workers; i++)
			worker_fini(s, &s->worker[i]);
	}
	filchi_search_best_clear(s);
	filchi_search_knowledge_fini(s);
	filchi_search_lock_fini(&s->gate);
	filchi_search_free(s->round.item);
	filchi_search_free(s->worker);
	filchi_search_free(s);
}

/* ---- from outside ---- */

int filch_search_add(struct filch_search *s, struct filch_batch *nodes)
{
	struct filch_node *node;

	if (!s || !nodes)
		return -EINVAL;
	if (!nodes->count)
		return 0;
	filchi_search_lock(&s->gate);
	node = nodes->first;
	for (size_t n = nodes->count; s->prunes && n; n--) {
		uint64_t key = filchi_search_bound(s, node);

		s->root_key = key < s->root_key ? key : s->root_key;
		node = n > 1 ? filchi_plain_get(&node->next) : node;
	}
	filch_batch_append(&s->inbox, nodes);
	if (s->open) {
		filchi_search_token_take(s);
		filchi_search_flag(s, FILCHI_SEARCH_INBOX, 0);
		filchi_search_announce();
		filchi_search_offer_any(s, 0);
		filchi_search_token_drop(s);
	}
	filchi_search_unlock(&s->gate);
	filchi_search_changed(s);
	return 0;
}

int filch_search_add_node(struct filch_search *s, struct filch_node *node)
{
	struct filch_batch batch;

	if (!s || !node)
		return -EINVAL;
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
	filchi_search_lock(&s->gate);
	batch = s->inbox;
	filch_batch_init(&s->inbox);
	filchi_search_flag(s, 0, FILCHI_SEARCH_INBOX);
	filchi_search_unlock(&s->gate);
	filchi_search_push(w, &batch);
	return batch.count;
}

int filch_search_checkpoint(struct filch_search *s)
{
	if (!s || !s->opt.checkpoint)
		return -EINVAL;
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

	if (!s || !path || !s->problem.pack)
		return -EINVAL;
	if (filchi_search_busy(s, true))
		return -EBUSY;
	filchi_search_lock(&s->gate);
	err = filchi_search_save(s, path);
	filchi_search_unlock(&s->gate);
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
	filchi_search_token_take(s);
}

void filch_search_release(struct filch_search *s)
{
	filchi_search_token_drop(s);
}

/* No run: takes the last part of the largest worker's nodes, by walking along them. */
static void extract_still(struct filch_search *s, double proportion, struct filch_batch *nodes)
{
	struct filch_search_worker *w;
	struct filch_batch all, kept;
	struct filch_node *node;

	filchi_search_gather(s);
	w = &s->worker[0];
	for (unsigned i = 1; i < s->workers; i++)
		if (filchi_search_size(&s->worker[i]) > filchi_search_size(w))
			w = &s->worker[i];
	filchi_search_peek(w, &all);
	filch_batch_init(&kept);
	node = all.first;
	for (size_t i = 0; i < all.count; i++) {
		struct filch_node *next = i + 1 < all.count ? node->next : NULL;

		filch_batch_add((double)i < (1 - proportion) * (double)all.count ? &kept : nodes, node);
		node = next;
	}
	filchi_search_push(w, &kept);
}

int filch_search_extract(struct filch_search *s, double proportion, struct filch_batch *nodes)
{
	struct filch_search_worker *best = NULL;
	size_t most = 0;

	if (!s || !nodes || !(proportion >= 0 && proportion <= 1))
		return -EINVAL;
	filch_batch_init(nodes);
	filchi_search_lock(&s->gate);
	if (!s->active) {
		extract_still(s, proportion, nodes);
		filchi_search_unlock(&s->gate);
		return 0;
	}
	for (unsigned i = 0; i < s->workers; i++) {
		size_t visible = filchi_search_visible(&s->worker[i]);

		if (visible > most) {
			most = visible;
			best = &s->worker[i];
		}
	}
	if (!best || proportion == 0 || filchi_search_steal(best, proportion, nodes) != FILCH_OK) {
		filch_batch_init(nodes);
		filchi_search_flag(s, s->open && proportion > 0 ? FILCHI_SEARCH_SHARE : 0, 0);
	} else {
		filchi_search_flag(s, 0, FILCHI_SEARCH_SHARE);
	}
	filchi_search_unlock(&s->gate);
	return 0;
}

uint64_t filch_search_open(struct filch_search *s)
{
	uint64_t explored, pruned, open;

	filchi_search_totals(s, &explored, &pruned, &open);
	filchi_search_lock(&s->gate);
	open += s->inbox.count;
	filchi_search_unlock(&s->gate);
	return open;
}

unsigned filch_search_idle(struct filch_search *s)
{
	return filchi_load_rlx(&s->signal, CNT) / FILCHI_SEARCH_NEEDY;
}

/* ---- a run ---- */

/* All is still. Workers with nodes become RUNNING, the others IDLE. */
static void settle(struct filch_search *s)
{
	for (unsigned i = 0; i < s->workers; i++)
		filchi_search_settle(&s->worker[i]);
	filchi_search_gather(s);
	filchi_search_flag(s, 0, FILCHI_SEARCH_INBOX | FILCHI_SEARCH_PAUSE | FILCHI_SEARCH_SHARE);
	if (filchi_load_rlx(&s->save_wanted, CNT)) /* asked for since the last look */
		filchi_search_flag(s, FILCHI_SEARCH_PAUSE, 0);
}

/* Starts all workers that have nodes, and waits until all jobs have returned. */
static void go(struct filch_search *s)
{
	bool here = false;

	filchi_search_lock(&s->gate);
	settle(s);
	s->open = s->jobs != NULL;
	for (unsigned i = 0; i < s->workers; i++)
		s->worker[i].start = !filchi_search_is_idle(&s->worker[i]);
	filchi_search_unlock(&s->gate);
	for (unsigned i = 0; i < s->workers; i++)
		if (s->worker[i].start && s->jobs && !filchi_search_jobs_start(s->jobs, &s->worker[i].job))
			s->worker[i].start = false;
		else if (s->worker[i].start)
			here = true;
	filchi_search_token_drop(s); /* of the run */
	for (unsigned i = 0; here && i < s->workers; i++)
		if (s->worker[i].start)
			filchi_search_worker_run(&s->worker[i].job);
	if (s->jobs)
		filchi_search_jobs_wait(s->jobs);
	filchi_search_lock(&s->gate);
	s->open = false;
	filchi_search_unlock(&s->gate);
	if (s->jobs)
		filchi_search_jobs_wait(s->jobs); /* a thread outside may have started one since */
	filchi_search_token_take(s);
}

static uint64_t next_save(struct filch_search *s, uint64_t now)
{
	return s->opt.checkpoint && s->opt.checkpoint_ns ? now + s->opt.checkpoint_ns : UINT64_MAX;
}

static void save_if_due(struct filch_search *s)
{
	int err;

	if (!filchi_exchange_rlx(&s->save_wanted, 0, CNT) &&
	    filchi_search_clock() < filchi_load_rlx(&s->save_due, CNT))
		return;
	filchi_search_lock(&s->gate);
	err = filchi_search_save(s, s->opt.checkpoint);
	filchi_search_unlock(&s->gate);
	filchi_store_rlx(&s->save_due, next_save(s, filchi_search_clock()), CNT);
	if (err)
		filchi_search_fail(s, err);
}

bool filchi_search_still(struct filch_search *s)
{
	uint64_t best = filchi_load_rlx(&s->best_key, CNT), now = filchi_search_clock();

	filchi_search_publish_counts(&s->worker[0]);
	if (filchi_load_rlx(&s->cancelled, CNT) || filchi_search_jobs_cancelled())
		filchi_search_stop(s, FILCH_SEARCH_CANCELLED);
	else if (s->deadline_ns && now >= s->deadline_ns)
		filchi_search_stop(s, FILCH_SEARCH_TIME);
	else if (s->opt.gap_limit > 0 && filchi_search_gap(s, best, filchi_search_bound_key(s)) <= s->opt.gap_limit)
		filchi_search_stop(s, FILCH_SEARCH_GAP);
	else if (s->opt.memory_limit &&
		 filch_search_open(s) * s->problem.node_size >= s->opt.memory_limit)
		filchi_search_stop(s, FILCH_SEARCH_MEMORY);
	if (s->opt.round && s->opt.progress && now >= filchi_load_rlx(&s->progress_due, CNT)) {
		filchi_search_report(s, now);
		filchi_store_rlx(&s->progress_due, now + s->opt.progress_ns, CNT);
	}
	if (s->opt.checkpoint)
		save_if_due(s);
	return !(filchi_load_rlx(&s->signal, CNT) & FILCHI_SEARCH_STOP);
}

void filchi_search_gather(struct filch_search *s)
{
	if (!s->inbox.count)
		return;
	filchi_search_adopt(&s->worker[0], &s->inbox);
	filch_batch_init(&s->inbox);
}

/* Deterministic: the calling thread leads, and the jobs last for a round. */
static void go_in_rounds(struct filch_search *s)
{
	filchi_search_lock(&s->gate);
	settle(s);
	filchi_search_unlock(&s->gate);
	filchi_search_rounds(s);
	filchi_search_lock(&s->gate);
	for (unsigned i = 0; i < s->workers; i++)
		filchi_search_settle(&s->worker[i]);
	filchi_search_unlock(&s->gate);
	filchi_search_publish_counts(&s->worker[0]);
	filchi_search_token_drop(s); /* if it is the last one, there are no nodes: done */
	filchi_search_token_take(s);
}

static bool anything_to_do(struct filch_search *s)
{
	bool to_do;

	filchi_search_lock(&s->gate);
	to_do = s->inbox.count > 0;
	for (unsigned i = 0; i < s->workers; i++)
		to_do = to_do || !filchi_search_is_idle(&s->worker[i]);
	filchi_search_unlock(&s->gate);
	return to_do;
}

/* Some nodes of the limit were with a worker that ran dry, while another one found the limit used up. */
static bool limit_is_left(struct filch_search *s)
{
	uint64_t explored, pruned, open;

	filchi_search_totals(s, &explored, &pruned, &open);
	explored -= s->explored_before;
	if (explored >= s->opt.node_limit)
		return false;
	filchi_store_rlx(&s->granted, explored, CNT);
	return true;
}

static void go_on(struct filch_search *s)
{
	filchi_store_rlx(&s->end, 0, CNT);
	filchi_search_flag(s, 0, FILCHI_SEARCH_STOP);
}

static void run(struct filch_search *s)
{
	for (;;) {
		uint32_t stop, end;

		if (s->opt.round)
			go_in_rounds(s);
		else
			go(s);
		(void)filchi_search_still(s);
		stop = filchi_load_rlx(&s->signal, CNT) & FILCHI_SEARCH_STOP;
		end = filchi_load_rlx(&s->end, CNT);
		if (stop && end == FILCH_SEARCH_DONE && (anything_to_do(s) || filchi_load_rlx(&s->tokens, CNT) > 1)) {
			go_on(s); /* a thread without a hold has added nodes, or taken a hold, at the last moment */
		} else if (stop && end == FILCH_SEARCH_NODES && limit_is_left(s)) {
			go_on(s);
		} else if (stop) {
			if (!end) /* a cancel that began before the run */
				filchi_store_rlx(&s->end, FILCH_SEARCH_CANCELLED, CNT);
			return;
		} else if (!anything_to_do(s)) {
			/* For threads that have a hold. The last release must find no token of the run. */
			filchi_search_token_drop(s);
			filchi_search_wait(s);
			filchi_search_token_take(s);
		}
	}
}

static void begin(struct filch_search *s)
{
	uint64_t explored, pruned, open, now = filchi_search_clock();

	filchi_search_totals(s, &explored, &pruned, &open);
	s->explored_before = explored;
	s->pruned_before = pruned;
	s->begin_ns = now;
	s->deadline_ns = s->opt.time_limit_ns ? now + s->opt.time_limit_ns : 0;
	s->error = 0;
	filchi_store_rlx(&s->granted, 0, CNT);
	filchi_store_rlx(&s->progress_due, now + s->opt.progress_ns, CNT);
	filchi_store_rlx(&s->save_due, next_save(s, now), CNT);
	for (unsigned i = 0; i < s->workers; i++)
		s->worker[i].idle_ns = now;
	filchi_store_rlx(&s->end, 0, CNT);
	filchi_search_flag(s, 0, FILCHI_SEARCH_STOP);
	if (filchi_load_rlx(&s->cancelled, CNT))
		filchi_search_stop(s, FILCH_SEARCH_CANCELLED);
	if (filchi_search_jobs_open(&s->jobs, s->opt.pool))
		s->jobs = NULL;
}

/* The best key that an open node has. */
static uint64_t open_key(struct filch_search *s)
{
	uint64_t bound = FILCHI_SEARCH_NO_KEY;

	for (unsigned i = 0; i < s->workers; i++) {
		struct filch_search_worker *w = &s->worker[i];
		struct filch_batch all;
		struct filch_node *node;

		filchi_search_peek(w, &all);
		node = all.first;
		for (size_t n = all.count; n; n--) {
			uint64_t key = filchi_search_bound(s, node);

			bound = key < bound ? key : bound;
			node = n > 1 ? node->next : NULL;
		}
		filchi_search_push(w, &all);
	}
	return bound;
}

static void finish(struct filch_search *s, struct filch_search_result *r)
{
	uint64_t now = filchi_search_clock(), explored, pruned, open = 0, best, bound;
	struct filchi_search_best *record;

	if (s->jobs)
		filchi_search_jobs_close(s->jobs);
	s->jobs = NULL;
	filchi_search_lock(&s->gate);
	settle(s);
	for (unsigned i = 0; i < s->workers; i++) {
		struct filch_search_worker *w = &s->worker[i];
		size_t size = filchi_search_size(w);

		filchi_store_rlx(&w->opened, size, CNT);
		open += size;
		if (filchi_search_is_idle(w) && w->idle_ns)
			w->stats.idle_ns += now - w->idle_ns;
	}
	filchi_search_unlock(&s->gate);
	if (!open && filchi_load_rlx(&s->end, CNT) != FILCH_SEARCH_ERROR)
		filchi_store_rlx(&s->end, FILCH_SEARCH_DONE, CNT); /* a limit was met by the last node */
	filchi_search_totals(s, &explored, &pruned, &open);
	r->end = (int)filchi_load_rlx(&s->end, CNT);
	r->error = r->end == FILCH_SEARCH_ERROR ? s->error : 0;
	r->explored = explored - s->explored_before;
	r->pruned = pruned - s->pruned_before;
	r->total = explored + s->explored_loaded;
	r->open = open;
	r->seconds = (double)(now - s->begin_ns) / 1e9;
	record = filchi_search_best_get(s);
	best = record ? record->key : FILCHI_SEARCH_NO_KEY;
	bound = s->prunes && open ? open_key(s) : best;
	bound = bound < best ? bound : best;
	r->has_best = record != NULL;
	r->has_bound = bound != FILCHI_SEARCH_NO_KEY;
	r->solution = record ? record->solution : NULL;
	r->best = filchi_search_value(s, best);
	r->bound = filchi_search_value(s, bound);
}

/* From now on a thread outside may, or may not, take nodes by the ways of an owner. */
static void set_active(struct filch_search *s, bool active)
{
	filchi_search_lock(&s->gate);
	s->active = active;
	filchi_search_unlock(&s->gate);
}

int filch_search_run(struct filch_search *s, struct filch_search_result *result)
{
	struct filch_search_result r = {.struct_size = sizeof(r)};

	if (!s || (result && !filchi_sized_makes_sense(filchi_sized_size(result))))
		return -EINVAL;
	if (filchi_search_busy(s, true))
		return -EBUSY;
	set_active(s, true);
	begin(s);
	run(s);
	finish(s, &r);
	if (s->opt.checkpoint && !r.error) {
		filchi_search_lock(&s->gate);
		r.error = filchi_search_save(s, s->opt.checkpoint);
		filchi_search_unlock(&s->gate);
		r.end = r.error ? FILCH_SEARCH_ERROR : r.end;
	}
	set_active(s, false);
	filchi_store_rlx(&s->cancelled, 0, CNT);
	if (result)
		filchi_sized_fill(result, &r, sizeof(r));
	(void)filchi_search_busy(s, false);
	return 0;
}
