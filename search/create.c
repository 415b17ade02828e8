/* SPDX-License-Identifier: Apache-2.0 */
/* A search from its options to its end. */
#include "search.h"

#include "../src/base/sized.h"
#include "error.h"

#include <errno.h>
#include <string.h>

#define MAX_WORKERS 1024u

void filchi_search_discard(struct filch_search *s, struct filch_search_worker *w, struct filch_node *node)
{
	if (w)
		w->stats.discarded++;
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

/* The number of a name, or an error. */
static int named(const char *option, const char *name, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!name || !strcmp(name, names[i]))
			return i;
	return filchi_search_error_name(option, name, names);
}

static int judge_options(const struct filch_search_options *o)
{
	if (!(o->proportion >= 0 && o->proportion <= 1))
		return filchi_search_error(-EINVAL, "proportion is %g: must be 0 to 1", o->proportion);
	if (!(o->gap_limit >= 0))
		return filchi_search_error(-EINVAL, "gap_limit is %g: must not be negative", o->gap_limit);
	if (o->workers > MAX_WORKERS)
		return filchi_search_error(-EINVAL, "workers is %u: must be at most %u", o->workers, MAX_WORKERS);
	return 0;
}

/* A century. So a time plus a duration has no overflow. */
static uint64_t at_most(uint64_t ns)
{
	const uint64_t century = 3155760000u * (uint64_t)1000000000u;

	return ns < century ? ns : century;
}

static int set_options(struct filch_search *s)
{
	static const char *const orders[] = {"depth", "best", "mixture", NULL};
	static const char *const moves[] = {"direct", "master", NULL};
	static const char *const victims[] = {"size", "order", "affinity", NULL};
	struct filch_search_options *o = &s->opt;
	int move = named("move", o->move, moves), err = judge_options(o);

	s->order = named("order", o->order, orders);
	s->victim = named("victim", o->victim, victims);
	err = move < 0 ? move : s->order < 0 ? s->order : s->victim < 0 ? s->victim : err;
	if (err)
		return err;
	s->master = move == 1;
	o->proportion = o->proportion > 0 ? o->proportion : 0.5;
	o->threshold = o->threshold ? o->threshold : 2;
	o->low = o->low > 1 << 20 ? 1 << 20 : o->low ? o->low : 2;
	o->records = o->records ? o->records : 1024;
	o->progress_ns = at_most(o->progress_ns ? o->progress_ns : 1000000000u);
	o->time_limit_ns = at_most(o->time_limit_ns);
	o->checkpoint_ns = at_most(o->checkpoint_ns);
	s->workers = o->workers ? o->workers : filch_pool_workers(o->pool);
	s->plain = s->order == FILCHI_SEARCH_DEPTH && !s->prunes && !s->problem.learn && !s->problem.affinity;
	s->workers = s->workers > MAX_WORKERS ? MAX_WORKERS : s->workers ? s->workers : 1;
	return 0;
}

static int set_problem(struct filch_search *s)
{
	struct filch_search_problem *p = &s->problem;

	if (!p->explore)
		return filchi_search_error_null("explore");
	if (p->goal < FILCH_SEARCH_ALL || p->goal > FILCH_SEARCH_MAXIMISE)
		return filchi_search_error(-EINVAL, "goal is %d: must be a value of enum filch_search_goal", p->goal);
	if (p->type < FILCH_SEARCH_INT64 || p->type > FILCH_SEARCH_DOUBLE)
		return filchi_search_error(-EINVAL, "type is %d: must be a value of enum filch_search_type", p->type);
	if (p->goal && !p->bound)
		return filchi_search_error(-EINVAL, "bound is NULL, but there is a goal");
	if (!p->pack != !p->unpack)
		return filchi_search_error(-EINVAL, "%s is NULL, but %s is not", p->pack ? "unpack" : "pack",
					   p->pack ? "pack" : "unpack");
	if (s->opt.checkpoint && !p->pack)
		return filchi_search_error(-EINVAL, "checkpoint needs pack and unpack, which are NULL");
	s->prunes = p->goal != FILCH_SEARCH_ALL;
	p->node_size = p->node_size ? p->node_size : 64;
	return 0;
}

static int worker_init(struct filch_search *s, unsigned id)
{
	struct filch_search_worker *w = &s->worker[id];
	int err = filchi_search_open_init(s, &w->open);

	if (err) {
		filchi_search_open_fini(&w->open); /* the worker is none, and the text of the error stays */
		return err;
	}
	w->search = s;
	w->id = id;
	w->job.run = filchi_search_worker_run;
	w->interval = 1;
	filchi_cell_set(&w->owner, 0);
	filchi_atomic_init(&w->state, FILCHI_SEARCH_IDLE);
	filchi_atomic_init(&w->explored, 0);
	filchi_atomic_init(&w->pruned, 0);
	filchi_atomic_init(&w->opened, 0);
	filchi_atomic_init(&w->current, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&w->subspace, 0);
	for (unsigned i = 0; i < FILCHI_SEARCH_SHOWN; i++)
		filchi_atomic_init(&w->shown[i], 0);
	if (!s->problem.local_size)
		return 0;
	w->local = filchi_search_alloc(s->problem.local_size);
	if (!w->local)
		return filchi_search_error(-ENOMEM, "no memory for %zu bytes of storage", s->problem.local_size);
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
	filchi_atomic_init(&s->holds, 0);
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
	filchi_atomic_init(&s->saved, UINT64_MAX);
	filchi_search_lock_init(&s->lock);
	filchi_search_lock_init(&s->door);
	filchi_atomic_init(&s->waiting, 0);
	filch_batch_init(&s->inbox);
	filchi_atomic_init(&s->root_key, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&s->inbox_key, FILCHI_SEARCH_NO_KEY);
	filchi_atomic_init(&s->arrived, 0);
	filchi_atomic_init(&s->begin_ns, 0);
	filchi_atomic_init(&s->end_ns, 0);
	filchi_atomic_init(&s->explored_before, 0);
}

int filch_search_create(struct filch_search **out, const struct filch_search_problem *problem,
			const struct filch_search_options *opt)
{
	struct filch_search *s;
	int err = 0;

	if (!out || !problem)
		return filchi_search_error_null(out ? "problem" : "out");
	s = filchi_search_alloc(sizeof(*s));
	if (!s)
		return filchi_search_error(-ENOMEM, "no memory for a search");
	if (filchi_sized_copy(&s->problem, sizeof(s->problem), problem))
		err = filchi_search_error_sized("struct filch_search_problem", problem);
	else if (filchi_sized_copy(&s->opt, sizeof(s->opt), opt))
		err = filchi_search_error_sized("struct filch_search_options", opt);
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
		err = filchi_search_error(-ENOMEM, "no memory for %u workers", s->workers);
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
	filchi_search_lock_fini(&s->lock);
	filchi_search_lock_fini(&s->door);
	filchi_search_free(s->round.item);
	filchi_search_free(s->worker);
	filchi_search_free(s);
}
