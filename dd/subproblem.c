/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open subproblems and their paths.
 *
 * Edges:
 *   REF   the last release sees that all others are done: an acquire and a release in one
 *   TAKE  a new reference, by a thread that has one: a count
 */
#include "subproblem.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t label_size(const int32_t *labels, uint32_t count)
{
	uint32_t size = 1;

	for (uint32_t i = 0; i < count; i++) {
		if (labels[i] < 0 || labels[i] > UINT16_MAX)
			return 4;
		if (labels[i] > UINT8_MAX)
			size = 2;
	}
	return size;
}

static void write_labels(unsigned char *to, const int32_t *labels, uint32_t count, uint32_t size)
{
	for (uint32_t i = 0; i < count; i++) {
		uint16_t half = (uint16_t)labels[i];

		if (size == 1)
			to[i] = (unsigned char)labels[i];
		else if (size == 2)
			memcpy(to + 2 * (size_t)i, &half, 2);
		else
			memcpy(to + 4 * (size_t)i, &labels[i], 4);
	}
}

static int32_t read_label(const struct filchi_dd_labels *l, uint32_t i)
{
	uint16_t half;
	int32_t label;

	if (l->size == 1)
		return l->data[i];
	if (l->size == 2) {
		memcpy(&half, l->data + 2 * (size_t)i, 2);
		return half;
	}
	memcpy(&label, l->data + 4 * (size_t)i, 4);
	return label;
}

struct filchi_dd_subproblem *filchi_dd_subproblem_new(const struct filchi_dd_model *model,
						      struct filchi_dd_memory *memory, struct filchi_dd_trail *trail,
						      const void *state, const int32_t *labels, uint32_t count)
{
	uint32_t size = label_size(labels, count);
	size_t bytes = sizeof(struct filchi_dd_subproblem) + model->stride + (size_t)count * size;
	struct filchi_dd_subproblem *s = filchi_dd_alloc(memory, bytes);

	if (!s)
		return NULL;
	*s = (struct filchi_dd_subproblem){.trail = trail, .bytes = (uint32_t)bytes};
	if (trail)
		(void)filchi_fetch_add_rlx(&trail->refs, 1, TAKE);
	memset(s->state, 0, model->stride);
	memcpy(s->state, state, model->p.state_size);
	write_labels(s->state + model->stride, labels, count, size);
	s->labels = (struct filchi_dd_labels){s->state + model->stride, count, size};
	return s;
}

void filchi_dd_subproblem_free(struct filchi_dd_memory *memory, struct filchi_dd_subproblem *s)
{
	if (s->trail)
		filchi_dd_trail_release(memory, s->trail);
	filchi_dd_free(memory, s, s->bytes);
}

struct filchi_dd_trail *filchi_dd_trail_new(struct filchi_dd_memory *memory, const struct filchi_dd_subproblem *parent,
					    const int32_t *variables, uint32_t count)
{
	size_t labels = parent ? (size_t)parent->labels.count * parent->labels.size : 0;
	size_t bytes = sizeof(struct filchi_dd_trail) + count * sizeof(int32_t) + labels;
	struct filchi_dd_trail *t = filchi_dd_alloc(memory, bytes);
	unsigned char *data;

	if (!t)
		return NULL;
	filchi_atomic_init(&t->refs, 1);
	t->bytes = bytes;
	t->depth = parent ? parent->depth : 0;
	t->up = parent ? parent->trail : NULL;
	if (t->up)
		(void)filchi_fetch_add_rlx(&t->up->refs, 1, TAKE);
	if (count)
		memcpy(t->variables, variables, count * sizeof(int32_t));
	data = (unsigned char *)(t->variables + count);
	if (labels)
		memcpy(data, parent->labels.data, labels);
	t->labels = parent ? parent->labels : (struct filchi_dd_labels){NULL, 0, 1};
	t->labels.data = data;
	return t;
}

void filchi_dd_trail_release(struct filchi_dd_memory *memory, struct filchi_dd_trail *trail)
{
	while (trail && filchi_fetch_add_acq_rel(&trail->refs, (uint32_t)-1, REF) == 1) {
		struct filchi_dd_trail *up = trail->up;

		filchi_dd_free(memory, trail, trail->bytes);
		trail = up;
	}
}

void filchi_dd_subproblem_path(const struct filchi_dd_subproblem *s, int32_t *variables, int32_t *labels)
{
	const struct filchi_dd_labels *own = &s->labels;

	for (const struct filchi_dd_trail *t = s->trail; t; own = &t->labels, t = t->up) {
		for (uint32_t i = 0; i < own->count; i++) {
			if (variables)
				variables[t->depth + (int)i] = t->variables[i];
			if (labels)
				labels[t->depth + (int)i] = read_label(own, i);
		}
	}
}

struct packed {
	int64_t top, bound, rank;
	uint64_t id;
	int32_t depth;
	uint16_t level, narrow;
};

size_t filchi_dd_subproblem_pack(const struct filchi_dd_model *model, const struct filchi_dd_subproblem *s, void *bytes,
				 size_t room)
{
	struct packed head = {s->top, s->bound, s->rank, s->id, s->depth, (uint16_t)s->level, (uint16_t)s->narrow};
	size_t path = (size_t)s->depth * sizeof(int32_t), size = sizeof(head) + model->p.state_size + 2 * path;
	unsigned char *to = bytes;
	int32_t *decisions;

	if (size > room)
		return size;
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), s->state, model->p.state_size);
	decisions = malloc(2 * path + 1);
	if (!decisions)
		return SIZE_MAX;
	filchi_dd_subproblem_path(s, decisions, decisions + s->depth);
	memcpy(to + sizeof(head) + model->p.state_size, decisions, 2 * path);
	free(decisions);
	return size;
}

/* Each variable at most once. */
static bool path_makes_sense(const int32_t *variables, int depth, int count, unsigned char *seen)
{
	memset(seen, 0, (size_t)count + 1);
	for (int i = 0; i < depth; i++) {
		if (variables[i] < 0 || variables[i] >= count || seen[variables[i]])
			return false;
		seen[variables[i]] = 1;
	}
	return true;
}

int filchi_dd_subproblem_unpack(const struct filchi_dd_model *model, struct filchi_dd_memory *memory,
				struct filchi_dd_subproblem **out, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;
	struct filchi_dd_subproblem *s = NULL;
	struct filchi_dd_trail *trail;
	struct packed head;
	int32_t *decisions;
	size_t path;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, from, sizeof(head));
	path = (size_t)head.depth * sizeof(int32_t);
	if (head.depth < 0 || head.depth > model->p.variables || head.level > FILCHI_DD_LEVELS ||
	    head.narrow > FILCHI_DD_NARROW_MAX ||
	    size != sizeof(head) + model->p.state_size + 2 * path)
		return -EBADMSG;
	decisions = malloc(2 * path + (size_t)model->p.variables + 1);
	if (!decisions)
		return -ENOMEM;
	memcpy(decisions, from + sizeof(head) + model->p.state_size, 2 * path);
	if (!path_makes_sense(decisions, head.depth, model->p.variables,
			      (unsigned char *)(decisions + 2 * (size_t)head.depth))) {
		free(decisions);
		return -EBADMSG;
	}
	trail = filchi_dd_trail_new(memory, NULL, decisions, (uint32_t)head.depth);
	if (trail) {
		s = filchi_dd_subproblem_new(model, memory, trail, from + sizeof(head), decisions + head.depth,
					     (uint32_t)head.depth);
		filchi_dd_trail_release(memory, trail);
	}
	free(decisions);
	if (!s)
		return -ENOMEM;
	s->top = head.top;
	s->bound = head.bound;
	s->rank = head.rank;
	s->id = head.id;
	s->depth = head.depth;
	s->level = head.level;
	s->narrow = head.narrow;
	*out = s;
	return 0;
}
