/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles single diagrams and lets the caller read them. */
#include "diagram.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <stdlib.h>

/* Goes from the root along the decisions of the prefix. */
static int follow(struct filch_dd_diagram *d, const struct filch_dd_compile_options *o, int64_t *top)
{
	struct filchi_dd_work *w = &d->work;
	const struct filch_dd_problem *p = &d->model.p;
	int32_t *decided = (int32_t *)(void *)w->decided.data;
	size_t most = p->children_max + (size_t)1;

	w->layer.decided = decided;
	w->layer.depth = 0;
	w->layer.variable = -1;
	*top = d->model.sign * p->root(&w->layer, d->state);
	if (filchi_dd_need(w->memory, &w->states, most, d->model.stride) ||
	    filchi_dd_need(w->memory, &w->arcs, most, sizeof(struct filch_dd_arc)))
		return -ENOMEM;
	for (int i = 0; i < o->prefix_length; i++) {
		struct filch_dd_children children = {w->states.data, filchi_dd_arcs(w), d->model.stride, 0,
						     p->children_max, 0};
		uint32_t n = 0;

		w->layer.depth = i;
		w->layer.variable = o->prefix_variables ? o->prefix_variables[i] : i;
		if (w->layer.variable < 0 || w->layer.variable >= p->variables)
			return filchi_dd_error(-EINVAL, "prefix_variables[%d] is %d: must be 0 to %d", i,
					       w->layer.variable, p->variables - 1);
		p->expand(&w->layer, d->state, &children);
		if (children.overflow_)
			return -E2BIG;
		while (n < children.count_ && filchi_dd_arcs(w)[n].label != o->prefix_labels[i])
			n++;
		if (n == children.count_)
			return filchi_dd_error(-ENOENT, "prefix_labels[%d] is %d: the state has no such child", i,
					       (int)o->prefix_labels[i]);
		memcpy(d->state, filchi_dd_state(w, n), d->model.stride);
		*top += d->model.sign * filchi_dd_arcs(w)[n].cost;
		d->prefix[i] = o->prefix_labels[i];
		decided[i] = w->layer.variable;
	}
	return 0;
}

/* The number of the child in the row below, or UINT32_MAX if it is gone. */
static uint32_t child_of(const struct filchi_dd_work *w, int row, const struct filch_dd_arc *arc, int64_t *cost)
{
	const struct filchi_dd_row *below = filchi_dd_row(w, row + 1);
	uint32_t child = arc->child;

	*cost = arc->cost;
	if (below->map == SIZE_MAX)
		return child;
	if (w->model->p.merge_cost)
		*cost += filchi_dd_words(&w->costs)[below->map + child];
	child = filchi_dd_map(w, below->map)[child];
	return child & FILCHI_DD_GONE ? UINT32_MAX : child;
}

static int list_arcs(struct filch_dd_diagram *d)
{
	const struct filchi_dd_work *w = &d->work;
	size_t count = 0;
	int64_t cost;

	if (filchi_dd_need(&d->memory, &d->lines, w->arc_count + 1, sizeof(struct filchi_dd_line)))
		return -ENOMEM;
	for (int row = 0; row + 1 < w->row_count; row++) {
		const struct filchi_dd_row *r = filchi_dd_row(w, row);

		d->first[row] = count;
		for (uint32_t i = 0; i < r->count; i++) {
			const struct filchi_dd_node *node = filchi_dd_nodes(w, r->node) + i;

			if (node->flags & FILCHI_DD_NODE_PRUNED)
				continue;
			for (uint32_t a = node->arc; a < node->arc + node->arcs; a++)
				if (child_of(w, row, filchi_dd_arcs(w) + a, &cost) != UINT32_MAX)
					((struct filchi_dd_line *)(void *)d->lines.data)[count++] =
						(struct filchi_dd_line){i, a};
		}
	}
	d->first[w->row_count - 1] = d->first[w->row_count] = count;
	return 0;
}

static void mark_best(struct filch_dd_diagram *d)
{
	const struct filchi_dd_work *w = &d->work;
	uint32_t node = w->end;

	for (int row = w->row_count - 1; row >= 0; row--) {
		d->best[row] = w->value > FILCHI_DD_NONE ? node : UINT32_MAX;
		if (d->best[row] != UINT32_MAX)
			node = filchi_dd_nodes(w, filchi_dd_row(w, row)->node)[node].parent;
	}
}

static int prepare(struct filch_dd_diagram *d, const struct filch_dd_compile_options *o)
{
	size_t rows = (size_t)d->model.p.variables + 3;
	int err = filchi_dd_work_init(&d->work, &d->model, &d->memory);

	if (err)
		return err;
	d->first = calloc(rows, sizeof(*d->first));
	d->best = calloc(rows, sizeof(*d->best));
	d->prefix = calloc(rows, sizeof(*d->prefix));
	d->state = calloc(1, d->model.stride);
	if (!d->first || !d->best || !d->prefix || !d->state ||
	    filchi_dd_need(&d->memory, &d->work.decided, rows, sizeof(int32_t)))
		return -ENOMEM;
	d->work.kind = o->kind;
	d->work.width = o->width;
	d->work.size_max = o->size_limit;
	if (!o->width)
		d->work.width = d->model.p.width ? d->model.p.width(o->prefix_length, d->model.p.arg)
						 : (size_t)(d->model.p.variables - o->prefix_length);
	if (!d->work.width)
		d->work.width = 1;
	d->work.best = o->has_best ? d->model.sign * o->best : FILCHI_DD_NONE;
	return filchi_dd_cutset(&d->model, o->cutset, &d->work.use_layer);
}

static int no_memory(size_t limit)
{
	if (limit)
		return filchi_dd_error(-ENOMEM, "the diagram needs more than %zu bytes, or there is no memory", limit);
	return filchi_dd_error(-ENOMEM, "there is no memory for the diagram");
}

static int check(const struct filch_dd_diagram *d, const struct filch_dd_compile_options *o)
{
	if (o->kind < FILCH_DD_EXACT || o->kind > FILCH_DD_RELAXED)
		return filchi_dd_error(-EINVAL, "kind is %d: must be one of enum filch_dd_kind", o->kind);
	if (o->prefix_length < 0 || o->prefix_length > d->model.p.variables)
		return filchi_dd_error(-EINVAL, "prefix_length is %d: must be 0 to %d", o->prefix_length,
				       d->model.p.variables);
	if (o->prefix_length && !o->prefix_labels)
		return filchi_dd_error(-EINVAL, "prefix_labels is NULL");
	if (o->kind == FILCH_DD_RELAXED && !d->model.p.merge)
		return filchi_dd_error(-EINVAL, "the problem has no function merge, which a relaxed diagram needs");
	return 0;
}

int filch_dd_compile(struct filch_dd_diagram **out, const struct filch_dd_problem *problem,
		     const struct filch_dd_compile_options *opt)
{
	struct filch_dd_compile_options o;
	struct filch_dd_diagram *d;
	int64_t top;
	int err;

	if (!out)
		return filchi_dd_error(-EINVAL, "out is NULL");
	if (filchi_sized_copy(&o, sizeof(o), opt))
		return filchi_dd_error_sized("struct filch_dd_compile_options", opt);
	d = calloc(1, sizeof(*d));
	if (!d)
		return no_memory(0);
	filchi_atomic_init(&d->memory.used, 0);
	filchi_atomic_init(&d->memory.peak, 0);
	d->memory.limit = o.memory_limit;
	err = filchi_dd_model_init(&d->model, problem);
	if (!err)
		err = check(d, &o);
	if (!err)
		err = prepare(d, &o);
	if (!err)
		err = follow(d, &o, &top);
	if (!err)
		err = filchi_dd_build(&d->work, d->state, o.prefix_length, top);
	if (!err)
		err = filchi_dd_bottom_up(&d->work);
	if (!err)
		err = list_arcs(d);
	if (err) {
		if (err == -ENOMEM)
			err = no_memory(o.memory_limit);
		else if (err == -E2BIG)
			err = filchi_dd_error(err, "a state has more than %u children: set children_max of the problem",
					      d->model.p.children_max);
		filch_dd_diagram_destroy(d);
		return err;
	}
	mark_best(d);
	*out = d;
	return 0;
}

void filch_dd_diagram_destroy(struct filch_dd_diagram *d)
{
	if (!d)
		return;
	filchi_dd_drop(&d->memory, &d->lines);
	filchi_dd_work_end(&d->work);
	free(d->first);
	free(d->best);
	free(d->prefix);
	free(d->state);
	free(d);
}

int filch_dd_diagram_exact(const struct filch_dd_diagram *d)
{
	return d && d->work.complete;
}

int filch_dd_diagram_layers(const struct filch_dd_diagram *d)
{
	return d && d->work.reaches ? d->work.row_count : 0;
}

int filch_dd_diagram_variable(const struct filch_dd_diagram *d, int layer)
{
	return layer >= 0 && layer < filch_dd_diagram_layers(d) ? filchi_dd_row(&d->work, layer)->variable : -1;
}

size_t filch_dd_diagram_nodes(const struct filch_dd_diagram *d, int layer)
{
	return layer >= 0 && layer < filch_dd_diagram_layers(d) ? filchi_dd_row(&d->work, layer)->count : 0;
}

size_t filch_dd_diagram_arcs(const struct filch_dd_diagram *d, int layer)
{
	return layer >= 0 && layer < filch_dd_diagram_layers(d) ? d->first[layer + 1] - d->first[layer] : 0;
}

int filch_dd_diagram_node(const struct filch_dd_diagram *d, int layer, size_t number, struct filch_dd_diagram_node *node)
{
	const struct filchi_dd_node *n;
	size_t at;
	int64_t bottom;

	if (number >= filch_dd_diagram_nodes(d, layer) || !node)
		return -EINVAL;
	at = filchi_dd_row(&d->work, layer)->node + number;
	n = filchi_dd_nodes(&d->work, at);
	bottom = filchi_dd_words(&d->work.bottoms)[at];
	*node = (struct filch_dd_diagram_node){
		.state = filchi_dd_state(&d->work, at),
		.top = d->model.sign * n->top,
		.bottom = bottom > FILCHI_DD_NONE ? d->model.sign * bottom : 0,
		.exact = !!(n->flags & FILCHI_DD_NODE_EXACT),
		.merged = !!(n->flags & FILCHI_DD_NODE_MERGED),
		.cutset = !!(n->flags & FILCHI_DD_NODE_CUTSET),
		.reaches = bottom > FILCHI_DD_NONE,
		.best = d->best[layer] == number,
	};
	return 0;
}

int filch_dd_diagram_arc(const struct filch_dd_diagram *d, int layer, size_t number, struct filch_dd_diagram_arc *arc)
{
	const struct filchi_dd_line *line;
	const struct filch_dd_arc *a;
	const struct filchi_dd_node *to;
	int64_t cost;

	if (number >= filch_dd_diagram_arcs(d, layer) || !arc)
		return -EINVAL;
	line = (const struct filchi_dd_line *)(void *)d->lines.data + d->first[layer] + number;
	a = filchi_dd_arcs(&d->work) + line->arc;
	*arc = (struct filch_dd_diagram_arc){.from = line->from, .label = a->label};
	arc->to = child_of(&d->work, layer, a, &cost);
	arc->cost = d->model.sign * cost;
	to = filchi_dd_nodes(&d->work, filchi_dd_row(&d->work, layer + 1)->node) + arc->to;
	arc->best = d->best[layer + 1] == arc->to && to->parent == arc->from && to->label == arc->label;
	return 0;
}

int filch_dd_diagram_best(const struct filch_dd_diagram *d, int64_t *value, int32_t *labels)
{
	const struct filchi_dd_work *w = d ? &d->work : NULL;
	const int32_t *decided = d ? (const int32_t *)(void *)w->decided.data : NULL;

	if (!d || w->value <= FILCHI_DD_NONE)
		return 0;
	if (value)
		*value = d->model.sign * w->value;
	if (!labels)
		return 1;
	memset(labels, 0, (size_t)d->model.p.variables * sizeof(*labels));
	for (int i = 0; i < w->depth; i++)
		labels[decided[i]] = d->prefix[i];
	for (int row = 1; row < w->row_count; row++)
		labels[decided[w->depth + row - 1]] =
			filchi_dd_nodes(w, filchi_dd_row(w, row)->node)[d->best[row]].label;
	return 1;
}
