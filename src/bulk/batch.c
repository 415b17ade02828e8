/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches: lists that know some places where they can be cut.
 *
 * Marks are step nodes apart, or more. When a mark is due and all marks are in use, step doubles and every other mark
 * goes. So a batch of n nodes, added one by one, has parts of n/8 to n/4 nodes. The cost of a node is constant on
 * average.
 */
#include "kinds.h"

/* Keeps the marks that are step nodes apart. Answers their number. The marks are in order. */
static size_t thin(struct filch_mark *mark, size_t marks, size_t step)
{
	size_t kept = 0, before = 0;

	for (size_t i = 0; i < marks; i++) {
		if (mark[i].before - before < step)
			continue;
		before = mark[i].before;
		mark[kept++] = mark[i];
	}
	return kept;
}

/* Nodes before the last mark. */
static size_t marked(const struct filch_batch *batch)
{
	return batch->marks ? batch->mark[batch->marks - 1].before : 0;
}

static void next_is_due(struct filch_batch *batch, size_t count)
{
	size_t due = marked(batch) + batch->step;

	batch->due = due > count ? due : count;
}

void filch_batch_mark_(struct filch_batch *batch, struct filch_node *node)
{
	if (!batch->step)
		batch->step = 1;
	if (batch->marks == FILCH_BATCH_MARKS) {
		batch->step *= 2;
		batch->marks = thin(batch->mark, batch->marks, batch->step);
	}
	/* After thinning, a mark may not be due yet. The first node of a batch starts no new part. */
	if (batch->count && batch->count - marked(batch) >= batch->step && batch->marks < FILCH_BATCH_MARKS) {
		batch->mark[batch->marks].last = batch->last;
		batch->mark[batch->marks].first = node;
		batch->mark[batch->marks].before = batch->count;
		batch->marks++;
	}
	next_is_due(batch, batch->count + 1);
}

void filch_batch_append(struct filch_batch *batch, struct filch_batch *more)
{
	struct filch_mark mark[2 * FILCH_BATCH_MARKS + 1];
	size_t marks = 0, step = batch->step > more->step ? batch->step : more->step;

	if (!more->count)
		return;
	if (!batch->count) {
		*batch = *more;
		filch_batch_init(more);
		return;
	}
	while (marks < batch->marks) {
		mark[marks] = batch->mark[marks];
		marks++;
	}
	mark[marks++] = (struct filch_mark){batch->last, more->first, batch->count};
	for (size_t i = 0; i < more->marks; i++) {
		mark[marks] = more->mark[i];
		mark[marks++].before += batch->count;
	}
	/* step doubles only if the marks are step nodes apart. So it stays below the number of nodes. */
	for (batch->step = step ? step : 1; marks > FILCH_BATCH_MARKS; batch->step *= marks > FILCH_BATCH_MARKS ? 2 : 1)
		marks = thin(mark, marks, batch->step);
	for (size_t i = 0; i < marks; i++)
		batch->mark[i] = mark[i];
	batch->marks = marks;
	filchi_plain_set(&batch->last->next, more->first);
	batch->last = more->last;
	batch->count += more->count;
	next_is_due(batch, batch->count);
	filch_batch_init(more);
}

/* True if each part, and the whole batch, has as many nodes as it says. */
int filchi_batch_sane(const struct filch_batch *batch)
{
	const struct filch_node *node = batch->first, *before = NULL;
	size_t marks = 0;

	if (batch->marks > FILCH_BATCH_MARKS)
		return 0;
	for (size_t i = 0; i < batch->count; i++) {
		if (!node)
			return 0;
		if (marks < batch->marks && batch->mark[marks].before == i) {
			if (batch->mark[marks].first != node || batch->mark[marks].last != before)
				return 0;
			marks++;
		}
		before = node;
		node = node->next;
	}
	return marks == batch->marks && (!batch->count || before == batch->last);
}
