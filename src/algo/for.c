/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over ranges, and what is made of them. splitter.h has the idea.
 *
 * A task has a range. It gives the upper half of it away as often as someone is hungry, does the rest piece by piece,
 * and then waits for what it gave away, the last one first, which is the one next to it.
 */
#include "array.h"
#include "splitter.h"

#include <errno.h>

_Thread_local struct filchi_loops filchi_loops;

/* One piece, from first; returns where it ends. */
static size_t step(const struct filchi_loop *loop, size_t first, size_t last, struct filchi_splitter *pace)
{
	size_t end = first + filchi_splitter_step(pace, last - first);
	uint64_t start;

	if (loop->grain) {
		loop->body(first, end, loop->arg);
		return end;
	}
	start = filchi_clock_ns();
	loop->body(first, end, loop->arg);
	filchi_splitter_adapt(pace, end - first, filchi_clock_ns() - start);
	return end;
}

static void serial(const struct filchi_loop *loop, size_t first, size_t last)
{
	size_t piece = loop->grain ? loop->grain : last - first;

	while (last - first > piece) {
		loop->body(first, first + piece, loop->arg);
		first += piece;
	}
	if (first < last)
		loop->body(first, last, loop->arg);
}

FILCH_TASK_DEFINE(void, filchi_range, const struct filchi_loop *, loop, size_t, first, size_t, last, size_t, piece)
{
	struct filchi_splitter pace =
		filchi_splitter_start(filch_only_inside_a_task_, last - first, loop->grain, piece);
	size_t given = 0;

	if (filchi_frame_serial(filch_only_inside_a_task_)) {
		serial(loop, first, last);
		return;
	}
	while (first < last) {
		if (filchi_splitter_demand(&pace, filch_only_inside_a_task_, last - first)) {
			size_t mid = filchi_middle(first, last, loop->grain);

			FILCH_SPAWN(filchi_range, loop, mid, last, pace.piece);
			given++;
			last = mid;
		} else
			first = step(loop, first, last, &pace);
	}
	filchi_splitter_end(&pace, filch_only_inside_a_task_, given > 0);
	for (; given; given--)
		FILCH_SYNC(filchi_range);
}

static void run(const struct filchi_loop *loop, size_t first, size_t last)
{
	struct filchi_run_scope visit;

	if (first >= last)
		return;
	if (filchi_run_scope_begin(&visit))
		FILCH_RUN(filchi_range, loop, first, last, loop->grain ? loop->grain : 1);
	else
		serial(loop, first, last);
	filchi_run_scope_end(&visit);
}

int filch_for(size_t first, size_t last, size_t grain, void (*body)(size_t from, size_t to, void *arg), void *arg)
{
	struct filchi_loop loop = {.body = body, .arg = arg, .grain = grain};

	if (!body)
		return filchi_fail(-EINVAL, "a loop: body is NULL");
	run(&loop, first, last);
	return 0;
}

/* ---- map ---- */

struct map {
	const char *in;
	char *out;
	size_t in_size, out_size;
	void (*function)(const void *in, void *out, void *arg);
	void *arg;
};

static void map_part(size_t from, size_t to, void *arg)
{
	const struct map *m = arg;

	for (size_t i = from; i < to; i++)
		m->function(m->in + i * m->in_size, m->out + i * m->out_size, m->arg);
}

int filch_map(const void *in, size_t in_size, void *out, size_t out_size, size_t count,
	      void (*function)(const void *in, void *out, void *arg), void *arg)
{
	struct map m = {in, out, in_size, out_size, function, arg};
	int err;

	if (!function)
		return filchi_fail(-EINVAL, "a map: function is NULL");
	if (count && (!in || !out))
		return filchi_fail(-EINVAL, "a map: %s is NULL", in ? "out" : "in");
	if (count && in == out && in_size != out_size)
		return filchi_fail(-EINVAL, "a map in place, of %zu bytes to %zu", in_size, out_size);
	err = filchi_array_check("a map", count, "in_size", in_size);
	if (!err)
		err = filchi_array_check("a map", count, "out_size", out_size);
	if (err)
		return err;
	return filch_for(0, count, 0, map_part, &m);
}

/* ---- invoke ---- */

static void invoke_part(size_t from, size_t to, void *arg)
{
	const struct filch_invocation *calls = arg;

	for (size_t i = from; i < to; i++)
		calls[i].function(calls[i].arg);
}

int filch_invoke(const struct filch_invocation *calls, size_t count)
{
	int err = filchi_array_check("an invoke", count, "sizeof(struct filch_invocation)", sizeof(*calls));

	if (err)
		return err;
	if (count && !calls)
		return filchi_fail(-EINVAL, "an invoke: calls is NULL");
	for (size_t i = 0; i < count; i++)
		if (!calls[i].function)
			return filchi_fail(-EINVAL, "an invoke: function of call %zu is NULL", i);
	return filch_for(0, count, 1, invoke_part, (void *)(uintptr_t)calls);
}
