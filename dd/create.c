/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes, runs and frees a solver.
 *
 * Edges:
 *   STOP  the wish to stop: read now and then
 *   MEM  bytes: a count
 */
#include "solve.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define CACHE_BYTES ((size_t)256 << 20)

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	const struct filch_dd *dd = arg;

	return (union filch_search_value){.i = dd->model.sign * filchi_dd_subproblem_of(node)->bound};
}

static int before(const struct filch_node *a, const struct filch_node *b, void *arg)
{
	const struct filchi_dd_subproblem *x = filchi_dd_subproblem_of(a), *y = filchi_dd_subproblem_of(b);

	(void)arg;
	return x->top != y->top ? x->top > y->top : x->rank > y->rank;
}

static void discard(struct filch_search_worker *worker, struct filch_node *node, void *arg)
{
	struct filch_dd *dd = arg;

	(void)worker;
	filchi_dd_subproblem_free(&dd->memory, filchi_dd_subproblem_of(node));
}

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	return filchi_dd_subproblem_pack(&((struct filch_dd *)arg)->model, filchi_dd_subproblem_of(node), bytes, room);
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	struct filch_dd *dd = arg;
	struct filchi_dd_subproblem *s;
	int err = filchi_dd_subproblem_unpack(&dd->model, &dd->memory, &s, bytes, size);

	if (!err)
		*node = &s->node;
	return err;
}

static size_t pack_solution(const void *solution, void *bytes, size_t room, void *arg)
{
	size_t size = (size_t)((struct filch_dd *)arg)->model.p.variables * sizeof(int32_t);

	if (size <= room && size)
		memcpy(bytes, solution, size);
	return size;
}

static int unpack_solution(void **solution, const void *bytes, size_t size, void *arg)
{
	size_t right = (size_t)((struct filch_dd *)arg)->model.p.variables * sizeof(int32_t);

	if (size != right)
		return -EBADMSG;
	*solution = malloc(size + 1);
	if (!*solution)
		return -ENOMEM;
	memcpy(*solution, bytes, size);
	return 0;
}

static void discard_solution(void *solution, void *arg)
{
	(void)arg;
	free(solution);
}

static int local_begin(void *local, void *arg)
{
	struct filchi_dd_worker *l = local;
	struct filch_dd *dd = arg;

	l->dd = dd;
	return filchi_dd_work_init(&l->work, &dd->model, &dd->memory);
}

static void local_end(void *local, void *arg)
{
	struct filchi_dd_worker *l = local;

	(void)arg;
	if (!l->work.model)
		return;
	filchi_dd_drop(l->work.memory, &l->path);
	filchi_dd_drop(l->work.memory, &l->parts);
	filchi_dd_work_end(&l->work);
}

static void progress(const struct filch_search_progress *p, void *arg)
{
	const struct filch_dd *dd = arg;

	dd->opt.progress(p, dd->opt.progress_arg);
}

static int make_search(struct filch_dd *dd)
{
	const struct filch_dd_options *o = &dd->opt;
	struct filch_search_problem p = {
		.struct_size = sizeof(p),
		.arg = dd,
		.explore = filchi_dd_explore,
		.discard = discard,
		.bound = bound,
		.before = before,
		.pack = pack,
		.unpack = unpack,
		.pack_solution = pack_solution,
		.unpack_solution = unpack_solution,
		.discard_solution = discard_solution,
		.local_begin = local_begin,
		.local_end = local_end,
		.local_size = sizeof(struct filchi_dd_worker),
		.node_size = sizeof(struct filchi_dd_subproblem) + dd->model.stride + (size_t)dd->model.p.variables / 2,
		.fingerprint = dd->model.p.fingerprint,
		.goal = dd->model.p.goal,
		.between = filchi_dd_between,
	};
	struct filch_search_options s = {
		.struct_size = sizeof(s),
		.pool = o->pool,
		.workers = o->workers,
		.order = o->order ? o->order : "best",
		.move = o->move,
		.dive = o->dive,
		.node_limit = o->node_limit,
		.time_limit_ns = o->time_limit_ns,
		.soft_memory = o->memory_limit / 2,
		.gap_limit = o->gap_limit,
		.round = o->round,
		.progress = o->progress ? progress : NULL,
		.progress_ns = o->progress_ns,
		.checkpoint = o->checkpoint,
		.checkpoint_ns = o->checkpoint_ns,
	};

	return filch_search_create(&dd->search, &p, &s);
}

/* The root is the only open subproblem. */
static int add_root(struct filch_dd *dd)
{
	const struct filch_dd_problem *p = &dd->model.p;
	struct filchi_dd_worker *l = filch_search_local(filch_search_worker(dd->search, 0));
	struct filch_dd_layer *layer = &l->work.layer;
	struct filchi_dd_subproblem *s;
	unsigned char *state = calloc(1, dd->model.stride);
	int64_t limit = FILCH_DD_VALUE_MAX, rest;

	if (!state)
		return -ENOMEM;
	layer->depth = 0;
	layer->variable = -1;
	rest = p->root(layer, state);
	s = filchi_dd_subproblem_new(&dd->model, &dd->memory, NULL, state, NULL, 0);
	free(state);
	if (!s)
		return -ENOMEM;
	s->top = dd->model.sign * rest;
	s->bound = FILCHI_DD_INFINITE;
	s->id = 1;
	if (p->bound && p->variables) {
		layer->variable = p->next_variable ? -1 : 0;
		rest = p->bound(layer, s->state, dd->model.sign * limit);
		rest = rest == INT64_MIN ? FILCHI_DD_NONE : dd->model.sign * rest;
		if (rest <= limit && rest > FILCHI_DD_NONE)
			s->bound = s->top + rest;
	}
	return filch_search_add_node(dd->search, &s->node);
}

static int make_knowledge(struct filch_dd *dd)
{
	const struct filch_dd_options *o = &dd->opt;
	size_t bytes = o->cache ? o->cache : CACHE_BYTES;

	if (o->memory_limit && bytes > o->memory_limit / 4)
		bytes = o->memory_limit / 4;
	dd->knowledge = bytes;
	if (!o->no_cache && dd->model.p.merge && !(dd->model.p.flags & FILCH_DD_NO_THRESHOLDS) &&
	    !(dd->cache = filchi_dd_cache_new(&dd->model, &dd->memory, bytes)))
		return -ENOMEM;
	if (!o->no_dominance && dd->model.p.dominance && !o->round &&
	    !(dd->fronts = filchi_dd_front_new(&dd->model, &dd->memory, bytes)))
		return -ENOMEM;
	return 0;
}

static int no_memory(void)
{
	return filchi_dd_error(-ENOMEM, "there is no memory for the solver, or its memory limit is met");
}

static int copy_options(struct filch_dd_options *mine, const struct filch_dd_options *opt)
{
	if (filchi_sized_copy(mine, sizeof(*mine), opt))
		return filchi_dd_error_sized("struct filch_dd_options", opt);
	if (!(mine->width_factor >= 0))
		return filchi_dd_error(-EINVAL, "width_factor is %g: must be 0 or more", mine->width_factor);
	if (!(mine->gap_limit >= 0))
		return filchi_dd_error(-EINVAL, "gap_limit is %g: must be 0 or more", mine->gap_limit);
	return 0;
}

int filch_dd_create(struct filch_dd **out, const struct filch_dd_problem *problem, const struct filch_dd_options *opt)
{
	struct filch_dd *dd;
	int err;

	if (!out)
		return filchi_dd_error(-EINVAL, "out is NULL");
	dd = calloc(1, sizeof(*dd));
	if (!dd)
		return no_memory();
	filchi_atomic_init(&dd->memory.used, 0);
	filchi_atomic_init(&dd->memory.peak, 0);
	filchi_atomic_init(&dd->stop, false);
	err = filchi_dd_model_init(&dd->model, problem);
	if (!err)
		err = copy_options(&dd->opt, opt);
	if (!err)
		err = filchi_dd_cutset(&dd->model, dd->opt.cutset, &dd->use_layer);
	dd->memory.limit = dd->opt.memory_limit;
	if (!err)
		err = make_search(dd);
	if (!err && (make_knowledge(dd) || add_root(dd)))
		err = no_memory();
	if (err) {
		filch_dd_destroy(dd);
		return err;
	}
	*out = dd;
	return 0;
}

void filch_dd_destroy(struct filch_dd *dd)
{
	if (!dd)
		return;
	filch_search_destroy(dd->search);
	filchi_dd_cache_free(dd->cache);
	filchi_dd_front_free(dd->fronts);
	free(dd->labels);
	free(dd);
}
