/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run.
 *
 * A run starts a job for each worker that has nodes, and waits until all jobs have returned. They return when there are
 * no nodes, or because of a stop or a pause. Then the calling thread has the search for itself: it takes the inbox,
 * looks at the limits that need stillness, and goes on or ends. So each early end takes the same path, and the nodes
 * that are left are in the queues of their workers.
 *
 * Edges:
 *   CNT  flags and counts, which order nothing
 */
#include "search.h"

#include "../src/base/sized.h"
#include "error.h"

#include <errno.h>

#define LOOK_NS 50000000u /* between two looks of a run that waits for threads with a hold */

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

	filchi_search_enter(s);
	settle(s);
	s->open = s->jobs != NULL;
	for (unsigned i = 0; i < s->workers; i++)
		s->worker[i].start = !filchi_search_is_idle(&s->worker[i]);
	filchi_search_unlock(&s->lock);
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
	filchi_search_enter(s);
	s->open = false;
	filchi_search_unlock(&s->lock);
	if (s->jobs)
		filchi_search_jobs_wait(s->jobs); /* a thread outside may have started one since */
	/* A worker that has stopped may have mail. Its nodes count in limits and checkpoints. */
	filchi_search_enter(s);
	for (unsigned i = 0; i < s->workers; i++)
		filchi_search_settle(&s->worker[i]);
	filchi_search_unlock(&s->lock);
	filchi_search_token_take(s);
}

/* A link gets only what was asked for: its parts must be of the same moment. */
static uint64_t next_save(struct filch_search *s, uint64_t now)
{
	bool by_time = s->opt.checkpoint && s->opt.checkpoint_ns && !s->link.saved;

	return by_time ? now + s->opt.checkpoint_ns : UINT64_MAX;
}

static void save_if_due(struct filch_search *s)
{
	uint64_t explored, pruned, open;
	int err;

	if (!filchi_exchange_rlx(&s->save_wanted, 0, CNT) && filchi_search_clock() < filchi_load_rlx(&s->save_due, CNT))
		return;
	filchi_search_enter(s);
	err = filchi_search_save(s, s->link.saved ? NULL : s->opt.checkpoint);
	filchi_search_unlock(&s->lock);
	filchi_search_totals(s, &explored, &pruned, &open);
	filchi_store_rlx(&s->saved, explored + pruned, CNT);
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
	else if (filchi_search_gap_ends(s) &&
		 filchi_search_gap(s, best, filchi_search_bound_key(s, true)) <= s->opt.gap_limit)
		filchi_search_stop(s, FILCH_SEARCH_GAP);
	else if (s->opt.memory_limit && filchi_search_fills(s, filch_search_open(s), s->opt.memory_limit))
		filchi_search_stop(s, FILCH_SEARCH_MEMORY);
	if (s->opt.progress && now >= filchi_load_rlx(&s->progress_due, CNT)) {
		filchi_search_report(s, now);
		filchi_store_rlx(&s->progress_due, now + s->opt.progress_ns, CNT);
	}
	if (filchi_search_saves(s))
		save_if_due(s);
	return !(filchi_load_rlx(&s->signal, CNT) & FILCHI_SEARCH_STOP);
}

void filchi_search_gather(struct filch_search *s)
{
	if (!s->inbox.count)
		return;
	filchi_search_adopt(&s->worker[0], &s->inbox);
	filch_batch_init(&s->inbox);
	filchi_store_rlx(&s->inbox_key, FILCHI_SEARCH_NO_KEY, CNT);
	filchi_store_rlx(&s->arrived, 0, CNT);
}

/* Deterministic: the calling thread leads, and the jobs last for a round. */
static void go_in_rounds(struct filch_search *s)
{
	filchi_search_enter(s);
	settle(s);
	filchi_search_unlock(&s->lock);
	filchi_search_rounds(s);
	filchi_search_enter(s);
	for (unsigned i = 0; i < s->workers; i++)
		filchi_search_settle(&s->worker[i]);
	filchi_search_unlock(&s->lock);
	filchi_search_publish_counts(&s->worker[0]);
	filchi_search_token_drop(s); /* if it is the last one, there are no nodes: done */
	filchi_search_token_take(s);
}

static bool anything_to_do(struct filch_search *s)
{
	bool to_do;

	filchi_search_enter(s);
	to_do = s->inbox.count > 0;
	for (unsigned i = 0; i < s->workers; i++)
		to_do = to_do || !filchi_search_is_idle(&s->worker[i]);
	filchi_search_unlock(&s->lock);
	return to_do;
}

/* Some nodes of the limit were with a worker that ran dry, while another one found the limit used up. */
static bool limit_is_left(struct filch_search *s)
{
	uint64_t explored, pruned, open;

	filchi_search_totals(s, &explored, &pruned, &open);
	explored -= filchi_load_rlx(&s->explored_before, CNT);
	if (explored >= s->opt.node_limit)
		return false;
	filchi_store_rlx(&s->granted, explored, CNT);
	return true;
}

/* False: explore has failed meanwhile, and not just left its node open. */
static bool go_on(struct filch_search *s)
{
	if (s->error && s->error != -ECANCELED) {
		filchi_store_rlx(&s->end, FILCH_SEARCH_ERROR, CNT);
		return false;
	}
	s->error = 0;
	filchi_store_rlx(&s->end, 0, CNT);
	filchi_search_flag(s, 0, FILCHI_SEARCH_STOP);
	return true;
}

/* The time until a limit, a progress or a checkpoint is due. No event tells that the caller's job was cancelled. */
static uint64_t until_due(struct filch_search *s)
{
	uint64_t due[3] = {s->deadline_ns ? s->deadline_ns : UINT64_MAX, filchi_load_rlx(&s->save_due, CNT),
			   s->opt.progress ? filchi_load_rlx(&s->progress_due, CNT) : UINT64_MAX};
	uint64_t now = filchi_search_clock(), ns = LOOK_NS;

	for (unsigned i = 0; i < 3; i++)
		if (due[i] < now + ns)
			ns = due[i] > now ? due[i] - now : 1;
	return ns;
}

static void run(struct filch_search *s)
{
	for (;;) {
		uint32_t end;
		bool stop;

		if (s->opt.round)
			go_in_rounds(s);
		else
			go(s);
		(void)filchi_search_still(s);
		stop = filchi_search_stopped(s);
		end = filchi_load_rlx(&s->end, CNT);
		if (stop && end == FILCH_SEARCH_DONE && (anything_to_do(s) || filchi_load_rlx(&s->tokens, CNT) > 1)) {
			/* A thread without a hold has added nodes, or taken a hold, at the last moment. */
			if (!go_on(s))
				return;
		} else if (stop && end == FILCH_SEARCH_NODES && limit_is_left(s)) {
			if (!go_on(s))
				return;
		} else if (stop) {
			if (!end) /* a cancel that began before the run */
				filchi_store_rlx(&s->end, FILCH_SEARCH_CANCELLED, CNT);
			return;
		} else if (!anything_to_do(s)) {
			/* For threads that have a hold. The last release must find no token of the run. */
			filchi_search_token_drop(s);
			filchi_search_wait(s, until_due(s));
			filchi_search_token_take(s);
		}
	}
}

static void begin(struct filch_search *s)
{
	uint64_t explored, pruned, open, now = filchi_search_clock();

	filchi_search_totals(s, &explored, &pruned, &open);
	filchi_store_rlx(&s->explored_before, explored, CNT);
	s->pruned_before = pruned;
	filchi_store_rlx(&s->begin_ns, now, CNT);
	filchi_store_rlx(&s->end_ns, UINT64_MAX, CNT);
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

/* The best key of an open node, where worse nodes than the best value are pruned. Then the counts, of all workers. */
static uint64_t settle_at_end(struct filch_search *s, uint64_t now)
{
	uint64_t bound;

	filchi_search_enter(s);
	settle(s);
	bound = s->prunes ? open_key(s) : FILCHI_SEARCH_NO_KEY;
	for (unsigned i = 0; i < s->workers; i++) {
		struct filch_search_worker *w = &s->worker[i];

		filchi_search_settle(w); /* its last nodes may be pruned */
		if (filchi_search_is_idle(w) && w->idle_ns && now > w->idle_ns)
			w->stats.idle_ns += now - w->idle_ns;
		filchi_search_publish_counts(w);
		filchi_store_rlx(&w->current, FILCHI_SEARCH_NO_KEY, CNT); /* it explores none */
	}
	filchi_search_unlock(&s->lock);
	return bound;
}

static void finish(struct filch_search *s, struct filch_search_result *r)
{
	uint64_t now = filchi_search_clock(), explored, pruned, open, best, bound;
	struct filchi_search_best *record;
	bool held;

	if (s->jobs)
		filchi_search_jobs_close(s->jobs);
	s->jobs = NULL;
	bound = settle_at_end(s, now);
	filchi_search_totals(s, &explored, &pruned, &open);
	held = filchi_search_holds(s) > 0; /* the holder may have nodes */
	if (!open && !held && filchi_load_rlx(&s->end, CNT) != FILCH_SEARCH_ERROR)
		filchi_store_rlx(&s->end, FILCH_SEARCH_DONE, CNT); /* a limit was met by the last node */
	r->end = (int)filchi_load_rlx(&s->end, CNT);
	r->error = r->end == FILCH_SEARCH_ERROR ? s->error : 0;
	r->explored = explored - filchi_load_rlx(&s->explored_before, CNT);
	r->pruned = pruned - s->pruned_before;
	r->total = explored + s->explored_loaded;
	r->open = open;
	r->seconds = (double)(now - filchi_load_rlx(&s->begin_ns, CNT)) / 1e9;
	filchi_store_rlx(&s->end_ns, now, CNT);
	record = filchi_search_best_borrow(s); /* another thread may improve it meanwhile */
	best = record ? record->key : FILCHI_SEARCH_NO_KEY;
	bound = bound < best ? bound : best;
	r->has_best = record != NULL;
	r->has_bound = bound != FILCHI_SEARCH_NO_KEY && !held;
	r->solution = record ? record->solution : NULL;
	filchi_search_best_return(s);
	r->best = filchi_search_value(s, best);
	r->bound = filchi_search_value(s, bound);
}

/* From now on a thread outside may, or may not, take nodes by the ways of an owner. */
static void set_active(struct filch_search *s, bool active)
{
	filchi_search_enter(s);
	s->active = active;
	filchi_search_unlock(&s->lock);
}

/* Also after an error: a node whose exploration has failed is open, and a later run may have more luck. */
static void save_at_end(struct filch_search *s, struct filch_search_result *r)
{
	int err;

	if (!s->opt.checkpoint || s->link.saved)
		return;
	filchi_search_enter(s);
	err = filchi_search_save(s, s->opt.checkpoint);
	filchi_search_unlock(&s->lock);
	if (err && r->end != FILCH_SEARCH_ERROR) { /* else an error came before */
		r->error = err;
		r->end = FILCH_SEARCH_ERROR;
	}
}

int filch_search_run(struct filch_search *s, struct filch_search_result *result)
{
	struct filch_search_result r = {.struct_size = sizeof(r)};
	int err;

	if (!s)
		return filchi_search_error_null("search");
	if (result && !filchi_sized_makes_sense(filchi_sized_size(result)))
		return filchi_search_error_sized("struct filch_search_result", result);
	if (filchi_search_busy(s, true))
		return filchi_search_error_busy();
	err = s->opt.checkpoint && !s->link.saved ? filchi_search_save_try(s->opt.checkpoint) : 0;
	if (err) {
		(void)filchi_search_busy(s, false);
		return err;
	}
	set_active(s, true);
	begin(s);
	run(s);
	finish(s, &r);
	save_at_end(s, &r);
	set_active(s, false);
	filchi_store_rlx(&s->cancelled, 0, CNT);
	if (result)
		filchi_sized_fill(result, &r, sizeof(r));
	(void)filchi_search_busy(s, false);
	return 0;
}
