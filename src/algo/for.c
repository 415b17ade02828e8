/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over ranges, maps and invocations: each is a loop without a part (splitter.h). */
#include "array.h"
#include "splitter.h"
#include "start.h"

#include <errno.h>

struct range {
	struct filchi_loop loop;
	size_t first, last;
};

static void run(void *arg, struct filch_pool *pool, bool workers)
{
	const struct range *r = arg;

	if (workers)
		FILCH_RUN_ON(pool, filchi_range, &r->loop, r->first, r->last, 0, NULL);
	else
		filchi_loop_serial(&r->loop, r->first, r->last, NULL);
}

static int start(struct filch_pool *pool, struct range *r)
{
	if (r->first < r->last)
		filchi_start(pool, false, run, r);
	return 0;
}

/* ---- for ---- */

struct body {
	filch_for_fn *function;
	void *arg;
};

static void for_chunk(size_t from, size_t to, void *part, void *arg)
{
	const struct body *body = arg;

	(void)part;
	body->function(from, to, body->arg);
}

int filch_for(struct filch_pool *pool, size_t first, size_t last, size_t grain, filch_for_fn *body, void *arg)
{
	struct body b = {body, arg};
	struct range r = {{.body = for_chunk, .arg = &b, .grain = grain}, first, last};

	if (!body)
		return filchi_fail(-EINVAL, "filch_for: body is NULL");
	return start(pool, &r);
}

/* ---- map ---- */

struct map {
	const char *in;
	char *out;
	size_t in_size, out_size;
	filch_map_fn *function;
	void *arg;
};

static void map_chunk(size_t from, size_t to, void *part, void *arg)
{
	const struct map *m = arg;

	(void)part;
	for (size_t i = from; i < to; i++)
		m->function(m->in + i * m->in_size, m->out + i * m->out_size, m->arg);
}

int filch_map(struct filch_pool *pool, const void *in, void *out, size_t count, size_t in_size, size_t out_size,
	      filch_map_fn *function, void *arg)
{
	struct map m = {in, out, in_size, out_size, function, arg};
	struct range r = {{.body = map_chunk, .arg = &m}, 0, count};
	int err = filchi_array_check("filch_map", "in", in, count, "in_size", in_size);

	if (!err)
		err = filchi_array_check("filch_map", "out", out, count, "out_size", out_size);
	if (err)
		return err;
	if (!function)
		return filchi_fail(-EINVAL, "filch_map: function is NULL");
	if (count && in == out && in_size != out_size)
		return filchi_fail(-EINVAL, "filch_map in place needs equal sizes: in_size is %zu, out_size is %zu",
				   in_size, out_size);
	return start(pool, &r);
}

/* ---- invoke ---- */

static void invoke_chunk(size_t from, size_t to, void *part, void *arg)
{
	const struct filch_invocation *calls = arg;

	(void)part;
	for (size_t i = from; i < to; i++)
		calls[i].function(calls[i].arg);
}

int filch_invoke(struct filch_pool *pool, const struct filch_invocation *calls, size_t count)
{
	struct range r = {{.body = invoke_chunk, .arg = (void *)(uintptr_t)calls, .grain = 1}, 0, count};
	int err = filchi_array_check("filch_invoke", "calls", calls, count, "sizeof(struct filch_invocation)",
				     sizeof(*calls));

	if (err)
		return err;
	for (size_t i = 0; i < count; i++)
		if (!calls[i].function)
			return filchi_fail(-EINVAL, "filch_invoke: calls[%zu].function is NULL", i);
	return start(pool, &r);
}
