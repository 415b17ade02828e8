/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a solver, and tells the result.
 *
 * Edges:
 *   STOP  the wish to stop: read now and then
 *   MEM  bytes: a count
 */
#include "solve.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* A compile that was stopped is reported as an error of explore. */
static void translate(const struct filch_dd *dd, struct filch_dd_result *r)
{
	if (r->end != FILCH_SEARCH_ERROR) {
		r->error = 0;
		return;
	}
	if (r->error == -ETIME)
		r->end = FILCH_SEARCH_TIME;
	else if (r->error == -ECANCELED)
		r->end = FILCH_SEARCH_CANCELLED;
	else if (r->error == -ENOMEM && dd->opt.memory_limit)
		r->end = FILCH_SEARCH_MEMORY;
	else
		return;
	r->error = 0;
}

static void sum_up(const struct filch_dd *dd, struct filch_dd_result *r)
{
	for (unsigned i = 0; i < filch_search_workers(dd->search); i++) {
		const struct filchi_dd_worker *l = filch_search_local(filch_search_worker(dd->search, i));

		r->nodes += l->work.compiled;
		r->diagrams += l->diagrams;
	}
	r->memory = filchi_load_rlx(&((struct filch_dd *)(uintptr_t)dd)->memory.peak, MEM);
	r->gap = INFINITY;
	if (r->has_best && r->has_bound)
		r->gap = r->best == r->bound ? 0 : fabs((double)r->bound - (double)r->best) / fmax(fabs((double)r->best), 1e-10);
}

/* The caller's own copy, checked. */
static int keep_solution(struct filch_dd *dd, const void *solution, struct filch_dd_result *r)
{
	size_t n = (size_t)dd->model.p.variables;
	int64_t value = 0;
	int err;

	if (!solution)
		return 0;
	if (!dd->labels)
		dd->labels = calloc(n + 1, sizeof(int32_t));
	if (!dd->labels)
		return -ENOMEM;
	memcpy(dd->labels, solution, n * sizeof(int32_t));
	r->labels = dd->labels;
	err = dd->model.p.check ? dd->model.p.check(dd->labels, &value, dd->model.p.arg) : 0;
	if (err)
		return filchi_dd_error(-EPROTO, "the check of the problem refuses the solution of value %" PRId64,
				       r->best);
	if (dd->model.p.check && value != r->best)
		return filchi_dd_error(-EPROTO,
				       "the check of the problem computes the value %" PRId64
				       " for the solution, but the solver %" PRId64,
				       value, r->best);
	return 0;
}

int filch_dd_run(struct filch_dd *dd, struct filch_dd_result *result)
{
	struct filch_search_result s = {.struct_size = sizeof(s)};
	struct filch_dd_result r = {.struct_size = sizeof(r)};
	int err;

	if (!dd || (result && !filchi_sized_makes_sense(result->struct_size)))
		return -EINVAL;
	dd->deadline_ns = dd->opt.time_limit_ns ? filchi_dd_clock() + dd->opt.time_limit_ns : 0;
	err = filch_search_run(dd->search, &s);
	if (err)
		return err;
	filchi_store_rlx(&dd->stop, false, STOP);
	r.end = s.end;
	r.error = s.error;
	r.has_best = s.has_best;
	r.best = s.has_best ? s.best.i : 0;
	r.has_bound = s.has_bound && llabs(s.bound.i) < FILCHI_DD_INFINITE / 2;
	r.bound = r.has_bound ? s.bound.i : 0;
	r.explored = s.explored;
	r.pruned = s.pruned;
	r.open = s.open;
	r.seconds = s.seconds;
	translate(dd, &r);
	sum_up(dd, &r);
	err = keep_solution(dd, s.solution, &r);
	return result ? (filchi_sized_fill(result, &r, sizeof(r)), err) : err;
}

void filch_dd_cancel(struct filch_dd *dd)
{
	filchi_store_rlx(&dd->stop, true, STOP);
	filch_search_cancel(dd->search);
}

int filch_dd_improve(struct filch_dd *dd, int64_t value, const int32_t *labels)
{
	int32_t *copy;
	int taken;

	if (!dd || !labels || value > FILCH_DD_VALUE_MAX || value < -FILCH_DD_VALUE_MAX)
		return -EINVAL;
	copy = malloc(((size_t)dd->model.p.variables + 1) * sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, labels, (size_t)dd->model.p.variables * sizeof(*copy));
	taken = filch_search_improve(dd->search, NULL, (union filch_search_value){.i = value}, copy);
	if (taken != 1)
		free(copy);
	return taken;
}

static void free_nodes(struct filch_dd *dd, struct filch_batch *nodes)
{
	struct filch_node *node = nodes->first, *next;

	for (size_t i = 0; i < nodes->count; i++, node = next) {
		next = node->next;
		filchi_dd_subproblem_free(&dd->memory, filchi_dd_subproblem_of(node));
	}
}

/*
 * A new solver has its root as open subproblem: the checkpoint replaces it. Thresholds and known states rely on the
 * subproblems that were open until now, and on what became of them. So the solver forgets them.
 */
int filch_dd_load(struct filch_dd *dd, const char *path)
{
	struct filch_batch open, part;
	size_t count;
	int err;

	if (!dd || !path)
		return -EINVAL;
	filch_batch_init(&open);
	do {
		filch_batch_init(&part);
		err = filch_search_extract(dd->search, 1, &part);
		count = part.count;
		filch_batch_append(&open, &part);
	} while (!err && count);
	if (!err)
		err = filch_search_load(dd->search, path);
	if (err) {
		(void)filch_search_add(dd->search, &open);
		return err;
	}
	free_nodes(dd, &open);
	filchi_dd_cache_clear(dd->cache);
	filchi_dd_front_clear(dd->fronts);
	return 0;
}

struct filch_search *filch_dd_search(struct filch_dd *dd)
{
	return dd ? dd->search : NULL;
}
