/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions.
 *
 * A deterministic reduction is a binary tree over chunks that are always the same. Each node is a task, and most of
 * these tasks are calls. Any other reduction is a loop (splitter.h) whose part is the value.
 */
#include "array.h"
#include "splitter.h"
#include "start.h"

#include "../base/mem.h"
#include "../base/sized.h"

#include <errno.h>
#include <string.h>

/* Chunks of a deterministic reduction without a grain. */
#define CHUNKS 1024u
/* A value of at most this size lives on the stack. */
#define SMALL 256u

struct reduction {
	const struct filch_reduce_options *options;
	size_t first, last, grain;
	void *value; /* the result */
	int err;
};

/* ---- deterministic ---- */

/* Folds the chunks from..to, at least one, into *value. 0 or -ENOMEM. */
FILCH_TASK(int, tree, const struct reduction *, r, size_t, from, size_t, to, void *, value)
{
	const struct filch_reduce_options *options = r->options;
	FILCHI_OWN_LINE char small[SMALL];
	size_t middle = to - (to - from) / 2;
	void *right = small;
	int err, err_right;

	if (to - from == 1) {
		size_t first = r->first + from * r->grain;

		filchi_set_identity(value, options->identity, options->value_size);
		options->fold(first, r->last - first > r->grain ? first + r->grain : r->last, value, options->arg);
		return 0;
	}
	if (options->value_size > SMALL && !(right = filchi_alloc(options->value_size)))
		return -ENOMEM;
	FILCH_SPAWN(tree, r, middle, to, right);
	err = FILCH_CALL(tree, r, from, middle, value);
	err_right = FILCH_SYNC(tree);
	if (!err && !err_right)
		options->combine(value, right, options->arg);
	if (right != small)
		filchi_free(right);
	return err ? err : err_right;
}

/* ---- by demand ---- */

static void fold_chunk(size_t from, size_t to, void *part, void *arg)
{
	const struct filch_reduce_options *options = arg;

	options->fold(from, to, part, options->arg);
}

static void *split_value(void *part, void *arg)
{
	const struct filch_reduce_options *options = arg;
	void *right = filchi_alloc(options->value_size);

	(void)part;
	if (right)
		filchi_set_identity(right, options->identity, options->value_size);
	return right;
}

static void join_values(void *part, void *right, void *arg)
{
	const struct filch_reduce_options *options = arg;

	options->combine(part, right, options->arg);
	filchi_free(right);
}

/* ---- the way in ---- */

static void run(void *arg, struct filch_pool *pool, bool workers)
{
	struct reduction *r = arg;
	const struct filchi_loop loop = {.body = fold_chunk,
					 .split = split_value,
					 .join = join_values,
					 .arg = (void *)(uintptr_t)r->options,
					 .grain = r->grain};

	if (r->options->deterministic) {
		r->err = FILCH_RUN_ON(pool, tree, r, 0, (r->last - r->first - 1) / r->grain + 1, r->value);
		return;
	}
	filchi_set_identity(r->value, r->options->identity, r->options->value_size);
	if (workers)
		FILCH_RUN_ON(pool, filchi_range, &loop, r->first, r->last, 0, r->value);
	else
		filchi_loop_serial(&loop, r->first, r->last, r->value);
}

static int read_options(struct filch_reduce_options *mine, const struct filch_reduce_options *options,
			const void *result)
{
	if (!options)
		return filchi_fail(-EINVAL, "filch_reduce: options is NULL");
	if (filchi_sized_copy(mine, sizeof(*mine), options))
		return filchi_fail_sized("struct filch_reduce_options", options);
	if (!mine->value_size || mine->value_size > PTRDIFF_MAX)
		return filchi_fail(-EINVAL, "filch_reduce: value_size is %zu; allowed are 1 to %zu", mine->value_size,
				   (size_t)PTRDIFF_MAX);
	if (!mine->fold || !mine->combine || !result)
		return filchi_fail(-EINVAL, "filch_reduce: %s is NULL",
				   !mine->fold	    ? "fold"
				   : !mine->combine ? "combine"
						    : "result");
	return 0;
}

int filch_reduce(struct filch_pool *pool, size_t first, size_t last, const struct filch_reduce_options *options,
		 void *result)
{
	struct filch_reduce_options mine;
	struct reduction r = {.options = &mine, .first = first, .last = last};
	FILCHI_OWN_LINE char small[SMALL];
	int err = read_options(&mine, options, result);

	if (err)
		return err;
	r.grain = mine.grain;
	if (first >= last) {
		filchi_set_identity(result, mine.identity, mine.value_size);
		return 0;
	}
	if (mine.deterministic && !r.grain)
		r.grain = (last - first - 1) / CHUNKS + 1;
	/* *result must not change if memory runs out, so the value is computed elsewhere. */
	r.value = mine.value_size <= SMALL ? small : filchi_alloc(mine.value_size);
	if (!r.value)
		return filchi_fail(-ENOMEM, "filch_reduce: no memory for a value of %zu bytes", mine.value_size);
	filchi_start(pool, false, run, &r);
	if (r.err)
		err = filchi_fail(r.err, "filch_reduce: no memory for values of %zu bytes", mine.value_size);
	if (!err)
		memcpy(result, r.value, mine.value_size);
	if (r.value != small)
		filchi_free(r.value);
	return err;
}
