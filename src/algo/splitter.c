/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop behind all algorithms. splitter.h has the idea.
 *
 * A task has a range. It splits off the upper half of the rest as often as there is demand, and does the rest chunk by
 * chunk. Then it waits for the halves, the last one first, because that one follows its own range.
 */
#include "splitter.h"

/* Each split halves the rest of a range, so that no task splits more often. */
#define MAX_SPLITS 64u

/*
 * The loops of this thread that no worker was woken for: their duration, and when the last of them ended. 0: there are
 * none.
 */
static _Thread_local FILCHI_TLS_NEAR struct {
	uint64_t ns, ended;
} recent;

struct filchi_splitter filchi_splitter_begin(const struct filch_frame *f, size_t count, size_t grain, size_t chunk,
					     bool begins)
{
	struct filchi_splitter s = filchi_splitter_make(count, grain, chunk, begins,
							filchi_frame_serial(f) ? 0 : filchi_frame_workers(f), 0);

	if (s.timed && recent.ns && filchi_clock_ns() - recent.ended < FILCHI_PAUSE_NS)
		s.before_ns = recent.ns;
	return s;
}

void filchi_splitter_end(const struct filchi_splitter *s, bool split)
{
	if (!s->timed || (!split && s->ns < FILCHI_SPLIT_NS))
		return;
	recent.ns = split ? 0 : s->before_ns + s->ns;
	recent.ended = split ? 0 : filchi_clock_ns();
}

void filchi_loop_serial(const struct filchi_loop *loop, size_t first, size_t last, void *part)
{
	size_t chunk = loop->grain ? loop->grain : last - first;

	while (last - first > chunk) {
		loop->body(first, first + chunk, part, loop->arg);
		first += chunk;
	}
	if (first < last)
		loop->body(first, last, part, loop->arg);
}

/* Does one chunk, and returns its end. *now: the end of the chunk before it, so that the clock is read once a chunk. */
static size_t do_chunk(const struct filchi_loop *loop, size_t first, size_t last, struct filchi_splitter *s,
		       uint64_t *now, void *part)
{
	size_t end = first + filchi_splitter_chunk(s, last - first);
	uint64_t start = *now;

	loop->body(first, end, part, loop->arg);
	if (!loop->grain) {
		*now = filchi_clock_ns();
		filchi_splitter_adapt(s, end - first, *now - start);
	}
	return end;
}

FILCH_TASK_DEFINE(void, filchi_range, const struct filchi_loop *, loop, size_t, first, size_t, last, size_t, chunk,
		  void *, part)
{
	struct filchi_splitter s;
	void *right[MAX_SPLITS];
	size_t splits = 0;
	uint64_t now;

	if (filchi_frame_serial(filch_only_inside_a_task_)) {
		filchi_loop_serial(loop, first, last, part);
		return;
	}
	s = filchi_splitter_begin(filch_only_inside_a_task_, last - first, loop->grain,
				  chunk		? chunk
				  : loop->grain ? loop->grain
						: 1,
				  !chunk);
	now = loop->grain ? 0 : filchi_clock_ns();
	while (first < last) {
		if (splits < MAX_SPLITS && filchi_splitter_demand(&s, filch_only_inside_a_task_, last - first) &&
		    (!loop->split || (right[splits] = loop->split(part, loop->arg)))) {
			size_t middle = filchi_middle(first, last, loop->grain);

			FILCH_SPAWN(filchi_range, loop, middle, last, s.chunk, loop->split ? right[splits] : NULL);
			splits++;
			last = middle;
		} else
			first = do_chunk(loop, first, last, &s, &now, part);
	}
	filchi_splitter_end(&s, splits > 0);
	while (splits--) {
		FILCH_SYNC(filchi_range);
		if (loop->join)
			loop->join(part, right[splits], loop->arg);
	}
}
