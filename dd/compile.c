/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiles a diagram, layer by layer.
 *
 * A row is expanded node by node. The function of the problem writes the children to the end of the arrays, so that a
 * state is copied only if it moves up into the place of a duplicate. Then the new row is filtered and cut (cut.c).
 */
#include "table.h"

#define POLL_NODES 4096u

int filchi_dd_work_init(struct filchi_dd_work *w, const struct filchi_dd_model *model, struct filchi_dd_memory *memory)
{
	memset(w, 0, sizeof(*w));
	w->model = model;
	w->memory = memory;
	w->layer.arg = model->p.arg;
	if (model->p.local_size) {
		w->layer.local = filchi_dd_alloc(memory, model->p.local_size);
		if (!w->layer.local) {
			w->model = NULL;
			return filchi_dd_error(-ENOMEM, "no memory for %zu bytes of storage", model->p.local_size);
		}
		memset(w->layer.local, 0, model->p.local_size);
	}
	if (model->p.local_begin) {
		int err = model->p.local_begin(w->layer.local, model->p.arg);

		if (err) {
			filchi_dd_free(memory, w->layer.local, model->p.local_size);
			w->model = NULL;
			return filchi_dd_error(err, "local_begin of the problem has failed with %d", err);
		}
	}
	return 0;
}

void filchi_dd_work_end(struct filchi_dd_work *w)
{
	struct filchi_dd_array *all[] = {&w->nodes,  &w->states, &w->arcs,    &w->rows,	 &w->maps,    &w->costs, &w->thetas,
					 &w->keys, &w->where, &w->merged, &w->merges, &w->key, &w->bottoms, &w->lower, &w->decided, &w->slots, &w->log};

	if (!w->model)
		return;
	if (w->model->p.local_end)
		w->model->p.local_end(w->layer.local, w->model->p.arg);
	filchi_dd_free(w->memory, w->layer.local, w->model->p.local_size);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		filchi_dd_drop(w->memory, all[i]);
}

/* Prunes the node if its bound does not beat the best value. */
static inline bool prune(struct filchi_dd_work *w, struct filchi_dd_node *node, const unsigned char *state)
{
	const struct filch_dd_problem *p = &w->model->p;
	int64_t sign = w->model->sign, limit = INT64_MIN + 1, bound;

	if (w->best > FILCHI_DD_NONE)
		limit = w->best - node->top;
	bound = p->bound(&w->layer, state, limit == INT64_MIN + 1 && sign > 0 ? INT64_MIN : sign * limit);
	bound = bound == INT64_MIN ? (sign > 0 ? INT64_MIN + 1 : INT64_MAX) : sign * bound;
	if (bound > limit) {
		node->flags |= FILCHI_DD_NODE_OPEN;
		return false;
	}
	node->flags |= FILCHI_DD_NODE_PRUNED;
	node->theta = bound < -FILCHI_DD_INFINITE / 2 || w->best <= FILCHI_DD_NONE ? FILCHI_DD_INFINITE : w->best - bound;
	return true;
}

/* An arc to a child that is there already. */
static inline void join(struct filchi_dd_node *child, int64_t top, uint32_t parent, int32_t label, uint32_t flags)
{
	bool solid = flags & FILCHI_DD_NODE_SOLID;

	if (!(flags & FILCHI_DD_NODE_EXACT))
		child->flags &= ~(uint32_t)FILCHI_DD_NODE_EXACT;
	if (top > child->top || (top == child->top && solid && !(child->flags & FILCHI_DD_NODE_SOLID))) {
		child->top = top;
		child->parent = parent;
		child->label = label;
		child->flags &= ~(uint32_t)FILCHI_DD_NODE_SOLID;
		child->flags |= flags & FILCHI_DD_NODE_SOLID;
	}
	/* A larger value is not pruned either. */
	child->flags |= flags & (FILCHI_DD_NODE_OPEN | FILCHI_DD_NODE_COPY);
}

/* The children of node number n of the row at `from` become nodes of the new row at `to`, which has count nodes. */
static inline int expand(struct filchi_dd_work *w, size_t from, uint32_t n, size_t to, uint32_t *count, bool state_only)
{
	const struct filchi_dd_model *model = w->model;
	size_t stride = model->stride, room = *count + model->p.children_max + (size_t)1;
	struct filchi_dd_node *node;
	struct filch_dd_children children;
	struct filch_dd_arc *arcs;
	const unsigned char *state;
	uint32_t kept = *count;

	if (filchi_dd_need(w->memory, &w->nodes, to + room, sizeof(struct filchi_dd_node)) ||
	    filchi_dd_need(w->memory, &w->states, to + room, stride) ||
	    filchi_dd_need(w->memory, &w->arcs, w->arc_count + model->p.children_max + 1, sizeof(struct filch_dd_arc)) ||
	    filchi_dd_table_need(w, to, kept, room))
		return -ENOMEM;
	node = filchi_dd_nodes(w, from) + n;
	state = filchi_dd_state(w, from + n);
	arcs = filchi_dd_arcs(w) + w->arc_count;
	children = (struct filch_dd_children){filchi_dd_state(w, to + kept), arcs, stride, 0, model->p.children_max, 0};
	node->arc = (uint32_t)w->arc_count;
	model->p.expand(&w->layer, state, &children);
	if (children.overflow_)
		return -E2BIG;
	node->arcs = children.count_;
	w->arc_count += children.count_;
	for (uint32_t i = 0; i < children.count_; i++) {
		unsigned char *child = children.states_ + i * stride, *place = filchi_dd_state(w, to + kept);
		uint64_t hash = filchi_dd_hash(model, child);
		uint32_t flags = node->flags & (FILCHI_DD_NODE_EXACT | FILCHI_DD_NODE_SOLID), found;
		int64_t cost = arcs[i].cost *= model->sign;
		struct filchi_dd_slot *slot = NULL;

		if (state_only && !cost && filchi_dd_same_bytes(state, child, stride)) {
			flags |= (node->flags & FILCHI_DD_NODE_OPEN) | FILCHI_DD_NODE_COPY;
			node->flags |= FILCHI_DD_NODE_STAYS;
		}
		found = filchi_dd_table_find(w, to, child, hash, &slot);
		if (found != UINT32_MAX) {
			arcs[i].child = found;
			join(filchi_dd_nodes(w, to) + found, node->top + cost, n, arcs[i].label, flags);
			continue;
		}
		if (place != child)
			memcpy(place, child, stride);
		*slot = (struct filchi_dd_slot){w->generation, kept};
		filchi_dd_nodes(w, to)[kept] = (struct filchi_dd_node){.top = node->top + cost,
								       .parent = n,
								       .label = arcs[i].label,
								       .flags = flags,
								       	.hash = hash};
		arcs[i].child = kept++;
	}
	*count = kept;
	return 0;
}

static int look_around(struct filchi_dd_work *w, size_t nodes)
{
	size_t bytes = nodes * (sizeof(struct filchi_dd_node) + w->model->stride) +
		       w->arc_count * sizeof(struct filch_dd_arc);

	if (w->bytes_max && bytes > w->bytes_max)
		return -EFBIG;
	return w->poll ? w->poll(w->poll_arg, &w->best) : 0;
}

static int expand_row(struct filchi_dd_work *w, int row)
{
	struct filchi_dd_row from = *filchi_dd_row(w, row);
	size_t to = w->node_count;
	bool state_only = w->model->p.flags & FILCH_DD_STATE_ONLY;
	uint32_t count = 0;
	int err = filchi_dd_table_begin(w);

	for (uint32_t i = 0; !err && i < from.count; i++) {
		struct filchi_dd_node *node = filchi_dd_nodes(w, from.node) + i;

		if (i % POLL_NODES == POLL_NODES - 1)
			err = look_around(w, to + count);
		if (w->model->p.bound && !(node->flags & FILCHI_DD_NODE_OPEN) &&
		    prune(w, node, filchi_dd_state(w, from.node + i)))
			continue;
		if (!err)
			err = expand(w, from.node, i, to, &count, state_only);
		if (!err && w->size_max && to + count + w->arc_count > w->size_max)
			err = filchi_dd_error(-EFBIG,
					      "the diagram has %zu nodes and arcs after %d of %d variables: more than "
					      "%zu",
					      to + count + w->arc_count, w->layer.depth, w->model->p.variables,
					      w->size_max);
	}
	if (w->arc_count > UINT32_MAX || count >= FILCHI_DD_GONE)
		err = -ENOMEM;
	if (err)
		return err;
	w->compiled += count;
	w->node_count = to + count;
	*filchi_dd_row(w, row + 1) = (struct filchi_dd_row){to, SIZE_MAX, count, count, -1};
	return 0;
}

/* The variable of a row, or -1 if it is the last one. */
static int choose(struct filchi_dd_work *w, int row)
{
	const struct filchi_dd_row *r = filchi_dd_row(w, row);
	const struct filch_dd_problem *p = &w->model->p;
	int variable = w->layer.depth;

	if (w->layer.depth == p->variables)
		return -1;
	if (p->next_variable)
		variable = p->next_variable(&w->layer, filchi_dd_state(w, r->node), r->count, w->model->stride);
	return variable < 0 || variable >= p->variables ? -1 : variable;
}

static int begin(struct filchi_dd_work *w, const void *state, int depth, int64_t top)
{
	size_t rows = (size_t)(w->model->p.variables - depth) + 2;

	if (filchi_dd_need(w->memory, &w->nodes, 1, sizeof(struct filchi_dd_node)) ||
	    filchi_dd_need(w->memory, &w->states, 1, w->model->stride) ||
	    filchi_dd_need(w->memory, &w->rows, rows, sizeof(struct filchi_dd_row)) ||
	    filchi_dd_need(w->memory, &w->decided, (size_t)w->model->p.variables + 1, sizeof(int32_t)))
		return -ENOMEM;
	memcpy(filchi_dd_state(w, 0), state, w->model->p.state_size);
	*filchi_dd_nodes(w, 0) =
		(struct filchi_dd_node){.top = top, .hash = filchi_dd_hash(w->model, filchi_dd_state(w, 0)), .flags = FILCHI_DD_NODE_EXACT | FILCHI_DD_NODE_SOLID};
	*filchi_dd_row(w, 0) = (struct filchi_dd_row){0, SIZE_MAX, 1, 1, -1};
	w->node_count = 1;
	w->row_count = 1;
	w->arc_count = w->map_count = w->theta_count = 0;
	w->depth = w->layer.depth = depth;
	w->layer.decided = (const int32_t *)(void *)w->decided.data;
	w->cut_row = 0;
	w->complete = true;
	w->reaches = false;
	w->value = w->solid = FILCHI_DD_NONE;
	return 0;
}

/* The last row is the end. */
static void finish(struct filchi_dd_work *w)
{
	const struct filchi_dd_row *r = filchi_dd_row(w, w->row_count - 1);
	const struct filchi_dd_node *node = filchi_dd_nodes(w, r->node);

	w->reaches = r->count;
	for (uint32_t i = 0; i < r->count; i++) {
		if (node[i].top > w->value) {
			w->value = node[i].top;
			w->end = i;
		}
		if (node[i].flags & FILCHI_DD_NODE_SOLID && node[i].top > w->solid) {
			w->solid = node[i].top;
			w->solid_end = i;
		}
	}
}

int filchi_dd_build(struct filchi_dd_work *w, const void *state, int depth, int64_t top)
{
	int err = begin(w, state, depth, top);

	while (!err) {
		int row = w->row_count - 1, variable;

		w->layer.variable = -1;
		if (row && w->layer.depth < w->model->p.variables)
			err = filchi_dd_filter(w, row);
		if (err || !filchi_dd_row(w, row)->count)
			break;
		variable = choose(w, row);
		filchi_dd_row(w, row)->variable = w->layer.variable = variable;
		if (variable < 0) {
			finish(w);
			break;
		}
		err = filchi_dd_cut(w, row);
		if (!err)
			err = look_around(w, w->node_count);
		if (!err)
			err = expand_row(w, row);
		((int32_t *)(void *)w->decided.data)[w->layer.depth++] = variable;
		w->row_count++;
	}
	return err;
}
