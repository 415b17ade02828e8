/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions.
 *
 * Deterministic: a binary tree over parts of the range that are always the same, each node a task; most of them are
 * calls. Otherwise as a loop (for.c), where each part that is given away has a value of its own.
 */
#include "splitter.h"

#include "../base/clock.h"
#include "../base/mem.h"
#include "../base/sized.h"

#include <errno.h>
#include <string.h>

/* Parts that a deterministic reduction has by default. */
#define PARTS 1024u
/* A value of this size is on the stack of the node that needs it. */
#define SMALL 256u
/* Each halves what is left: more cannot be given away. */
#define MAX_GIVEN 64u

struct reduction {
	const struct filch_reduce_options *how;
	size_t first, last, grain;
};

static void start(const struct reduction *r, void *value)
{
	if (r->how->identity)
		memcpy(value, r->how->identity, r->how->value_size);
	else
		memset(value, 0, r->how->value_size);
}

/* ---- deterministic ---- */

/* Parts from..to, of which there is at least one, into *value. 0 or -ENOMEM. */
FILCH_TASK(int, tree, const struct reduction *, r, size_t, from, size_t, to, void *, value)
{
	uint64_t small[SMALL / sizeof(uint64_t)];
	size_t mid = to - (to - from) / 2;
	void *right = small;
	int err, err_right;

	if (to - from == 1) {
		size_t first = r->first + from * r->grain;

		start(r, value);
		r->how->fold(first, r->last - first > r->grain ? first + r->grain : r->last, value, r->how->arg);
		return 0;
	}
	if (r->how->value_size > SMALL && !(right = filchi_alloc(r->how->value_size)))
		return -ENOMEM;
	FILCH_SPAWN(tree, r, mid, to, right);
	err = FILCH_CALL(tree, r, from, mid, value);
	err_right = FILCH_SYNC(tree);
	if (!err && !err_right)
		r->how->combine(value, right, r->how->arg);
	if (right != small)
		filchi_free(right);
	return err ? err : err_right;
}

/* ---- by demand ---- */

static size_t step(const struct reduction *r, size_t first, size_t last, struct filchi_splitter *pace, void *value)
{
	size_t end = first + filchi_splitter_step(pace, last - first);
	uint64_t begin;

	if (r->grain) {
		r->how->fold(first, end, value, r->how->arg);
		return end;
	}
	begin = filchi_clock_ns();
	r->how->fold(first, end, value, r->how->arg);
	filchi_splitter_adapt(pace, end - first, filchi_clock_ns() - begin);
	return end;
}

FILCH_TASK(void, range, const struct reduction *, r, size_t, first, size_t, last, size_t, piece, void *, value)
{
	struct filchi_splitter pace = filchi_splitter_start(filch_only_inside_a_task_, last - first, r->grain, piece);
	void *given[MAX_GIVEN];
	size_t count = 0;

	start(r, value);
	if (filchi_frame_serial(filch_only_inside_a_task_) && !r->grain)
		pace.piece = last - first;
	while (first < last) {
		if (count < MAX_GIVEN && filchi_splitter_demand(&pace, filch_only_inside_a_task_, last - first) &&
		    (given[count] = filchi_alloc(r->how->value_size))) {
			size_t mid = filchi_middle(first, last, r->grain);

			FILCH_SPAWN(range, r, mid, last, pace.piece, given[count]);
			count++;
			last = mid;
		} else
			first = step(r, first, last, &pace, value);
	}
	filchi_splitter_end(&pace, filch_only_inside_a_task_, count > 0);
	while (count--) {
		FILCH_SYNC(range);
		r->how->combine(value, given[count], r->how->arg);
		filchi_free(given[count]);
	}
}

/* ---- the way in ---- */

static int read_how(struct filch_reduce_options *mine, const struct filch_reduce_options *how, const void *result)
{
	if (!how)
		return filchi_fail(-EINVAL, "a reduction: how is NULL");
	if (filchi_sized_copy(mine, sizeof(*mine), how))
		return filchi_fail_sized("struct filch_reduce_options", how);
	if (!mine->value_size)
		return filchi_fail(-EINVAL, "a reduction: value_size is 0");
	if (!mine->fold || !mine->combine || !result)
		return filchi_fail(-EINVAL, "a reduction: %s is NULL",
				   !mine->fold	    ? "fold"
				   : !mine->combine ? "combine"
						    : "result");
	if (mine->value_size > PTRDIFF_MAX)
		return filchi_fail(-EINVAL, "a reduction: value_size is %zu: more bytes than there can be",
				   mine->value_size);
	return 0;
}

int filch_reduce(size_t first, size_t last, const struct filch_reduce_options *how, void *result)
{
	struct filch_reduce_options mine;
	struct reduction r = {&mine, first, last, 0};
	int err = read_how(&mine, how, result);
	struct filchi_run_scope visit;
	void *value;

	if (err)
		return err;
	r.grain = mine.grain;
	if (first >= last) {
		start(&r, result);
		return 0;
	}
	/* Not at once to where the result goes: when memory runs out nothing is to have changed there. */
	value = filchi_alloc(mine.value_size);
	if (!value)
		return filchi_fail(-ENOMEM, "no memory for a value of %zu bytes", mine.value_size);
	(void)filchi_run_scope_begin(&visit);
	if (mine.deterministic) {
		if (!r.grain)
			r.grain = (last - first - 1) / PARTS + 1;
		err = FILCH_RUN(tree, &r, 0, (last - first - 1) / r.grain + 1, value);
	} else
		FILCH_RUN(range, &r, first, last, r.grain ? r.grain : 1, value);
	filchi_run_scope_end(&visit);
	if (!err)
		memcpy(result, value, mine.value_size);
	filchi_free(value);
	return err ? filchi_fail(err, "no memory for values of %zu bytes", mine.value_size) : 0;
}
