/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explores a subproblem: a restricted diagram for solutions, then a relaxed one for bounds. The nodes of its cutset that
 * can still beat the best solution become subproblems, all in one batch, the one with the best bound first.
 *
 * Thresholds are published when nothing can fail any more: a threshold of a cutset node says that this node is open.
 *
 * Edges:
 *   STOP  the wish to stop: read now and then
 */
#define _POSIX_C_SOURCE 200809L
#include "solve.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define CLOCK_POLLS 16u
#define ENOUGH_ASKED 32768u
#define SELDOM 16u
#define PATIENCE 32u
#define RARELY 8u
#define WIDEN_BITS 4u /* each level is 16 times as wide */
#define WIDEN_NODES ((uint64_t)1 << 22)
#define WIDEN_BYTES ((size_t)512 << 20)

uint64_t filchi_dd_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int64_t best_value(struct filchi_dd_worker *l)
{
	union filch_search_value value;

	if (!filch_search_best(l->dd->search, l->worker, &value))
		return FILCHI_DD_NONE;
	return l->dd->model.sign * value.i;
}

static int poll_search(void *arg, int64_t *best)
{
	struct filchi_dd_worker *l = arg;

	if (filchi_load_rlx(&l->dd->stop, STOP) || filch_search_poll(l->worker))
		return -ECANCELED;
	if (l->dd->deadline_ns && ++l->polls % CLOCK_POLLS == 0 && filchi_dd_clock() >= l->dd->deadline_ns)
		return -ETIME;
	*best = best_value(l);
	return 0;
}

/* The labels on the best path to a node of a row, from the root of the diagram on. Returns their number. */
static uint32_t path_labels(const struct filchi_dd_work *w, int row, uint32_t node, int32_t *labels)
{
	for (int r = row; r > 0; r--) {
		const struct filchi_dd_node *n = filchi_dd_nodes(w, filchi_dd_row(w, r)->node) + node;

		labels[r - 1] = n->label;
		node = n->parent;
	}
	return (uint32_t)row;
}

/* Offers the best solution of the diagram, if it has a better one. */
static int offer(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s)
{
	struct filchi_dd_work *w = &l->work;
	int n = l->dd->model.p.variables, rows = w->row_count - 1, taken;
	union filch_search_value value = {.i = l->dd->model.sign * w->solid};
	int32_t *decided = (int32_t *)(void *)w->decided.data, *labels;

	if (w->solid <= FILCHI_DD_NONE || w->solid <= best_value(l))
		return 0;
	if (filchi_dd_need(w->memory, &l->path, (size_t)n + 1, sizeof(int32_t)))
		return -ENOMEM;
	labels = calloc((size_t)n + 1, sizeof(*labels));
	if (!labels)
		return -ENOMEM;
	filchi_dd_subproblem_path(s, NULL, (int32_t *)(void *)l->path.data);
	path_labels(w, rows, w->solid_end, (int32_t *)(void *)l->path.data + s->depth);
	for (int i = 0; i < s->depth + rows; i++)
		labels[decided[i]] = ((int32_t *)(void *)l->path.data)[i];
	taken = filch_search_improve(l->dd->search, l->worker, value, labels);
	if (taken != 1)
		free(labels);
	return taken < 0 ? taken : 0;
}

static int build(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s, int kind)
{
	int err;

	l->work.kind = kind;
	l->work.best = best_value(l);
	l->diagrams++;
	err = filchi_dd_build(&l->work, s->state, s->depth, s->top);
	if (!err)
		err = offer(l, s);
	l->work.best = best_value(l);
	return err;
}

/* The least of three bounds: of the subproblem, of the node's best path to the end, and of the function bound. */
static int64_t bound_node(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s, int row, uint32_t n)
{
	struct filchi_dd_work *w = &l->work;
	const struct filchi_dd_row *r = filchi_dd_row(w, row);
	const struct filchi_dd_node *node = filchi_dd_nodes(w, r->node) + n;
	int64_t bound = s->bound, sign = w->model->sign, rest;

	if (w->kind == FILCH_DD_RELAXED) {
		int64_t local = node->top + filchi_dd_words(&w->bottoms)[r->node + n];

		bound = local < bound ? local : bound;
	}
	if (w->model->p.bound && bound > w->best) { /* a bound that does not reach the limit is a true one */
		int64_t limit = bound - node->top - 1;

		w->layer.depth = w->depth + row;
		w->layer.variable = r->variable;
		rest = w->model->p.bound(&w->layer, filchi_dd_state(w, r->node + n), sign * limit);
		rest = rest == INT64_MIN ? FILCHI_DD_NONE : sign * rest;
		if (rest <= limit)
			bound = rest < FILCHI_DD_NONE / 2 ? FILCHI_DD_NONE : node->top + rest;
	}
	return bound;
}

struct child {
	int64_t bound, top, rank;
	uint32_t row, node;
};

static int compare_children(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->bound != y->bound)
		return x->bound > y->bound ? -1 : 1;
	if (x->top != y->top)
		return x->top > y->top ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->row != y->row)
		return x->row > y->row ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static int add_child(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s, int row, uint32_t n,
		     size_t *count)
{
	struct filchi_dd_work *w = &l->work;
	const struct filchi_dd_row *r = filchi_dd_row(w, row);
	const struct filchi_dd_node *node = filchi_dd_nodes(w, r->node) + n;
	int64_t bound = bound_node(l, s, row, n), rank = 0;

	if (bound <= w->best)
		return 0;
	if (filchi_dd_need(w->memory, &l->path, *count + 1, sizeof(struct child)))
		return -ENOMEM;
	if (w->model->p.rank)
		rank = w->model->p.rank(&w->layer, filchi_dd_state(w, r->node + n), w->model->sign * node->top);
	((struct child *)(void *)l->path.data)[(*count)++] = (struct child){bound, node->top, rank, (uint32_t)row, n};
	return 0;
}

/* The nodes to branch on, in l->path. Without merge: the last row that was kept whole. */
static int collect(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s, size_t *count)
{
	struct filchi_dd_work *w = &l->work;
	bool relaxed = w->kind == FILCH_DD_RELAXED;
	int err = 0;

	*count = 0;
	for (int row = relaxed ? 1 : w->cut_row - 1; !err && row < (relaxed ? w->row_count : w->cut_row); row++) {
		const struct filchi_dd_row *r = filchi_dd_row(w, row);
		const struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);

		for (uint32_t i = 0; !err && i < r->count; i++)
			if (relaxed ? nodes[i].flags & FILCHI_DD_NODE_CUTSET : !(nodes[i].flags & FILCHI_DD_NODE_PRUNED))
				err = add_child(l, s, row, i, count);
	}
	if (*count)
		qsort(l->path.data, *count, sizeof(struct child), compare_children);
	return err;
}

/* Makes the subproblems. After an error the search discards those that are made. */
static int branch(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s, size_t count,
		  struct filch_batch *children)
{
	struct filchi_dd_work *w = &l->work;
	struct filchi_dd_trail *trail;
	int32_t *labels;
	uint32_t rows = 0;
	int err = 0;

	for (size_t i = 0; i < count; i++) {
		const struct child *c = (const struct child *)(void *)l->path.data + i;

		rows = c->row > rows ? c->row : rows;
	}
	if (filchi_dd_need(w->memory, &w->where, (size_t)rows + 1, sizeof(int32_t)))
		return -ENOMEM;
	labels = (int32_t *)(void *)w->where.data;
	trail = filchi_dd_trail_new(w->memory, s, (const int32_t *)(void *)w->decided.data + s->depth, rows);
	if (!trail)
		return -ENOMEM;
	for (size_t i = 0; i < count && !err; i++) {
		const struct child *c = (const struct child *)(void *)l->path.data + i;
		uint32_t steps = path_labels(w, (int)c->row, c->node, labels);
		const void *state = filchi_dd_state(w, filchi_dd_row(w, (int)c->row)->node + c->node);
		struct filchi_dd_subproblem *child =
			filchi_dd_subproblem_new(w->model, w->memory, trail, state, labels, steps);

		if (child) {
			child->top = c->top;
			child->bound = c->bound;
			child->rank = c->rank;
			child->level = s->level;
			child->narrow = s->narrow;
			child->id = (s->id ^ (i + 1)) * UINT64_C(0x9e3779b97f4a7c15);
			child->id ^= child->id >> 29;
			child->depth = s->depth + (int)steps;
			filch_batch_add(children, &child->node);
		} else {
			err = -ENOMEM;
		}
	}
	filchi_dd_trail_release(w->memory, trail);
	return err;
}

static size_t width_of(const struct filch_dd *dd, const struct filchi_dd_subproblem *s)
{
	const struct filch_dd_problem *p = &dd->model.p;
	double width, least = dd->opt.width ? 1 : 2;

	if (dd->opt.width)
		width = (double)dd->opt.width;
	else
		width = p->width ? (double)p->width(s->depth, p->arg) : (double)(p->variables - s->depth);
	if (!dd->opt.width && dd->opt.width_factor > 0)
		width *= dd->opt.width_factor;
	width = ldexp(width, (int)(WIDEN_BITS * s->level) - (int)s->narrow);
	return width < least ? (size_t)least : width > 1e9 ? (size_t)1 << 30 : (size_t)width;
}

/*
 * The nodes and arcs of a diagram at most: the other half of the memory is for open subproblems. In deterministic mode it
 * must not depend on the number of workers. 0: no limit.
 */
static size_t bytes_of_diagram(const struct filch_dd *dd)
{
	size_t shares = dd->opt.round ? 1 : filch_search_workers(dd->search);

	return dd->opt.memory_limit / (2 * shares + 2);
}

/*
 * A relaxed diagram that is not cut is exact, too. So a restricted diagram only serves to find better solutions. It comes
 * first until it has not helped for a while, and then only now and then. In deterministic mode only the subproblem may
 * decide.
 */
static bool wants_solution(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s)
{
	if (!l->work.model->p.merge || best_value(l) == FILCHI_DD_NONE)
		return true;
	if (l->dd->opt.round)
		return s->id % RARELY == 1;
	return l->useless < PATIENCE || l->useless % RARELY == 0;
}

static int restrict_it(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s)
{
	int64_t best = best_value(l);
	int err = build(l, s, FILCH_DD_RESTRICTED);

	if (l->work.solid > best)
		l->useless = 0;
	return err;
}

/*
 * Adaptive widths: wider and wider restricted diagrams of the root, until one of them is exact, or they have cost enough,
 * or one is too large. The relaxed diagram, and the subproblems below, then have the width that was reached.
 */
static int widen(struct filchi_dd_worker *l, struct filchi_dd_subproblem *s)
{
	struct filchi_dd_work *w = &l->work;
	uint64_t before = w->compiled;
	int err = 0;

	if (!w->bytes_max || w->bytes_max > WIDEN_BYTES)
		w->bytes_max = WIDEN_BYTES;
	while (!err && !w->complete && s->level < FILCHI_DD_LEVELS && w->compiled - before < WIDEN_NODES) {
		s->level++;
		w->width = width_of(l->dd, s);
		err = restrict_it(l, s);
	}
	w->bytes_max = bytes_of_diagram(l->dd);
	if (err == -EFBIG || (err == -ENOMEM && l->dd->opt.memory_limit)) {
		s->level--;
		w->width = width_of(l->dd, s);
		w->complete = false;
		err = 0;
	}
	return err;
}

/* The relaxed diagram, and the nodes of it to branch on, in l->path. */
static int relax(struct filchi_dd_worker *l, const struct filchi_dd_subproblem *s, size_t *count)
{
	int err = build(l, s, FILCH_DD_RELAXED);

	if (!err && (l->work.cache || !l->work.complete))
		err = filchi_dd_bottom_up(&l->work);
	return err || l->work.complete ? err : collect(l, s, count);
}

/* The diagrams of a subproblem, and the nodes to branch on, in l->path. */
static int compile(struct filchi_dd_worker *l, struct filchi_dd_subproblem *s, size_t *count)
{
	struct filchi_dd_work *w = &l->work;
	bool merges = w->model->p.merge;
	bool widens = merges && !s->trail && !s->level && !l->dd->opt.width && w->model->p.flags & FILCH_DD_WIDEN;
	int err = 0;

	*count = 0;
	w->complete = false;
	w->width = width_of(l->dd, s);
	if (wants_solution(l, s))
		err = restrict_it(l, s);
	if (!err && merges && !w->complete)
		err = relax(l, s, count);
	if (!err && *count && widens) {
		*count = 0;
		err = widen(l, s);
		if (!err && !w->complete)
			err = relax(l, s, count);
	}
	if (!err && !merges && !w->complete)
		err = collect(l, s, count);
	return err;
}

/*
 * Diagrams that are too large for the memory get half the width, again and again, also those of all subproblems below. In
 * deterministic mode only the size of the diagram may decide, not what is left of the memory.
 */
static int compile_narrower(struct filchi_dd_worker *l, struct filchi_dd_subproblem *s, size_t *count)
{
	struct filchi_dd_work *w = &l->work;
	int err;

	w->bytes_max = bytes_of_diagram(l->dd);
	while ((err = compile(l, s, count))) {
		bool too_large = err == -EFBIG || (err == -ENOMEM && l->dd->opt.memory_limit && !l->dd->opt.round);

		if (too_large && w->width > 2)
			s->narrow++;
		else if (err == -EFBIG)
			w->bytes_max = 0;
		else
			break;
	}
	w->bytes_max = 0;
	return err;
}

static int solve(struct filchi_dd_worker *l, struct filchi_dd_subproblem *s, struct filch_batch *children)
{
	struct filchi_dd_work *w = &l->work;
	size_t count = 0;
	int err;

	l->useless++;
	err = compile_narrower(l, s, &count);
	if (!err && w->complete && !s->trail)
		return 0; /* the whole problem is solved: thresholds serve nobody */
	if (!err && w->complete && w->cache && w->kind == FILCH_DD_RESTRICTED)
		err = filchi_dd_bottom_up(w);
	if (!err && count)
		err = branch(l, s, count, children);
	if (!err && (w->model->p.merge || w->complete))
		filchi_dd_learn(w);
	return err;
}

/* The threshold of its own state may have risen since it was made. */
static bool is_covered(const struct filch_dd *dd, const struct filchi_dd_subproblem *s)
{
	int64_t theta;
	bool explored;

	return dd->cache &&
	       filchi_dd_cache_get(dd->cache, s->depth, s->state, filchi_dd_hash(&dd->model, s->state), &theta,
				   &explored) &&
	       (s->top < theta || (s->top == theta && explored));
}

/* Thresholds that prune less than one node in a thousand are not worth their price: the worker then asks seldom. */
static bool is_useful(struct filchi_dd_worker *l)
{
	struct filchi_dd_work *w = &l->work;

	if (l->dd->opt.round)
		return true;
	if (w->asked > 4 * ENOUGH_ASKED) {
		w->asked /= 2;
		w->found /= 2;
	}
	l->seldom++;
	return w->asked < ENOUGH_ASKED || w->found >= w->asked / 1000 || l->seldom % SELDOM == 0;
}

static void prepare(struct filchi_dd_worker *l)
{
	struct filchi_dd_work *w = &l->work;
	const struct filch_dd *dd = l->dd;

	w->cache = is_useful(l) ? dd->cache : NULL;
	w->defer = dd->opt.round;
	w->fronts = dd->fronts;
	w->use_layer = dd->use_layer;
	w->keep_first = !w->model->p.merge; /* its last exact layer is the cutset, and must not be the root */
	w->poll = poll_search;
	w->poll_arg = l;
}

/*
 * In deterministic mode a subproblem knows the thresholds of the rounds before, and no dominance except its own. Its
 * thresholds are published after the round, in an order that does not depend on the workers.
 */
static int solve_in_round(struct filchi_dd_worker *l, struct filchi_dd_subproblem *s, struct filch_batch *children)
{
	struct filchi_dd_work *w = &l->work;
	struct filch_dd *dd = l->dd;
	size_t first = w->log_count;
	int err = filchi_dd_need(w->memory, &l->parts, l->part_count + 1, sizeof(struct filchi_dd_part));

	if (!err && dd->model.p.dominance && !dd->opt.no_dominance) {
		w->fronts = filchi_dd_front_new(&dd->model, &dd->memory, dd->knowledge);
		err = w->fronts ? 0 : -ENOMEM;
	}
	if (!err)
		err = solve(l, s, children);
	filchi_dd_front_free(w->fronts);
	w->fronts = NULL;
	if (err)
		w->log_count = first;
	else
		((struct filchi_dd_part *)(void *)l->parts.data)[l->part_count++] =
			(struct filchi_dd_part){s->id, w, first, w->log_count - first};
	return err;
}

int filchi_dd_explore(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children,
		      void *arg)
{
	struct filchi_dd_worker *l = filch_search_local(worker);
	struct filchi_dd_subproblem *s = filchi_dd_subproblem_of(node);
	struct filchi_dd_work *w = &l->work;
	struct filch_dd *dd = arg;
	int err = 0;

	l->worker = worker;
	prepare(l);
	if (!is_covered(dd, s)) {
		err = filchi_dd_need(w->memory, &w->decided, (size_t)w->model->p.variables + 1, sizeof(int32_t));
		if (!err) {
			filchi_dd_subproblem_path(s, (int32_t *)(void *)w->decided.data, NULL);
			err = dd->opt.round ? solve_in_round(l, s, children) : solve(l, s, children);
		}
	}
	if (!err)
		filchi_dd_subproblem_free(w->memory, s);
	return err;
}

static int compare_parts(const void *a, const void *b)
{
	const struct filchi_dd_part *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Without memory for the list, the thresholds of this round are lost. */
void filchi_dd_between(struct filch_search *search, void *arg)
{
	struct filch_dd *dd = arg;
	struct filchi_dd_part *all = NULL;
	size_t count = 0, total = 0;

	for (unsigned i = 0; i < filch_search_workers(search); i++)
		total += ((struct filchi_dd_worker *)filch_search_local(filch_search_worker(search, i)))->part_count;
	all = dd->cache && total ? malloc(total * sizeof(*all)) : NULL;
	for (unsigned i = 0; i < filch_search_workers(search); i++) {
		struct filchi_dd_worker *l = filch_search_local(filch_search_worker(search, i));

		if (all && l->part_count)
			memcpy(all + count, l->parts.data, l->part_count * sizeof(*all));
		count += l->part_count;
		l->part_count = 0;
		l->work.log_count = 0;
	}
	if (!all)
		return;
	qsort(all, total, sizeof(*all), compare_parts);
	for (size_t i = 0; i < total; i++)
		filchi_dd_publish(all[i].work, dd->cache, all[i].first, all[i].count);
	free(all);
}
