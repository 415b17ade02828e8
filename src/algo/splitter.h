/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The splitter: it cuts a loop into chunks, and decides after each chunk whether to split the rest of the loop.
 *
 * A worker does one chunk after the other. Between two chunks it tests for demand: would another worker take a task
 * now? Only then the upper half of the rest becomes a task. A loop that nobody helps with is therefore a serial loop.
 *
 * There is demand if a thief requested work from this worker. There also is demand if the spawn threshold is still
 * open, because the loop has just begun, and more workers are idle than the deque has tasks.
 *
 * One worker alone is faster with a short loop: a split costs a microsecond, and a wake-up ten or more. The rest of a
 * loop is on average as long as its past. So a loop is split only when it has taken as long as a split does. That would
 * be too late for a loop with few elements, because each of them may be long. The splitter therefore splits loops with
 * few elements at once, and loops with a grain, for which the caller has said how much work is worth a task.
 *
 * A worker that was woken stays awake for a while. The splitter therefore adds up the times of loops that follow each
 * other closely, until one of them is split.
 */
#ifndef FILCHI_ALGO_SPLITTER_H
#define FILCHI_ALGO_SPLITTER_H

#include "../base/clock.h"
#include "../pool/pool.h"

#include <filch/algo.h>

/* ---- decisions: arithmetic only ---- */

/*
 * A chunk takes between CHUNK_NS and CHUNK_MAX_NS, unless a single element takes longer. Thieves wait so long for an
 * answer, and the cost of a look at the clock is small beside it. Towards the end a chunk may take CHUNK_MIN_NS only,
 * so that all workers finish at about the same time.
 */
#define FILCHI_CHUNK_NS 5000u
#define FILCHI_CHUNK_MAX_NS 20000u
#define FILCHI_CHUNK_MIN_NS 2000u

/* A loop takes so long before it is split for workers that are awake, and for workers that sleep. */
#define FILCHI_SPLIT_NS 1500u
#define FILCHI_WAKE_NS 15000u
/* A loop with fewer elements, in all or for each worker, is split at once. */
#define FILCHI_FEW 256u
#define FILCHI_FEW_EACH 16u
/* Loops follow each other closely if the pause is shorter. */
#define FILCHI_PAUSE_NS 50000u

struct filchi_splitter {
	size_t chunk;	    /* elements */
	size_t min_chunk;   /* elements of a chunk at the end of the range */
	uint64_t ns;	    /* duration of the loop so far; very long if it may be split at once */
	uint64_t before_ns; /* duration of the loops closely before it */
	bool timed;	    /* the loop began here, without a grain, and its duration is of interest */
};

/*
 * A splitter for count elements. grain: 0 is automatic. chunk: the size found by the task that split this range off, or
 * the smallest one at the start of a loop, which begins says. workers: 0 if no task will ever be made.
 */
static inline struct filchi_splitter filchi_splitter_make(size_t count, size_t grain, size_t chunk, bool begins,
							  size_t workers, uint64_t before_ns)
{
	struct filchi_splitter s = {
		.chunk = chunk, .min_chunk = grain || chunk < 8 ? chunk : chunk / 8, .ns = UINT64_MAX / 2};

	if (grain || !begins || !workers || count < FILCHI_FEW || count / FILCHI_FEW_EACH < workers)
		return s;
	s.timed = true;
	s.ns = 0;
	s.before_ns = before_ns;
	return s;
}

/*
 * The size of the next chunk, at most `left`. The last chunk is not much smaller than min_chunk. Chunks of a grain, and
 * single elements, always have their size.
 */
static inline size_t filchi_splitter_chunk(const struct filchi_splitter *s, size_t left)
{
	size_t chunk = left / 4 < s->min_chunk ? s->min_chunk : left / 4;

	if (chunk > s->chunk)
		chunk = s->chunk;
	if (chunk >= left || (s->min_chunk < s->chunk && left - chunk < s->min_chunk))
		return left;
	return chunk;
}

/* Learns from a chunk: so many elements took so long. */
static inline void filchi_splitter_adapt(struct filchi_splitter *s, size_t elements, uint64_t ns)
{
	s->ns += ns;
	if (ns > FILCHI_CHUNK_MAX_NS) {
		s->chunk = ns > 16 * FILCHI_CHUNK_MAX_NS && elements >= 16 ? elements / 8 : (elements + 1) / 2;
		if (s->min_chunk > s->chunk)
			s->min_chunk = s->chunk; /* earlier elements were shorter than these */
		return;
	}
	if (elements > SIZE_MAX / 16)
		return;
	if (ns < FILCHI_CHUNK_MIN_NS && elements > s->min_chunk)
		s->min_chunk = ns < FILCHI_CHUNK_MIN_NS / 16  ? 8 * elements
			       : ns < FILCHI_CHUNK_MIN_NS / 2 ? 2 * elements
							      : elements;
	if (ns < FILCHI_CHUNK_NS && elements >= s->chunk)
		s->chunk = ns < FILCHI_CHUNK_MIN_NS / 16 ? 8 * elements : 2 * elements;
}

/* May a range be split now, and does the loop last long enough to wake a sleeping worker? */
static inline bool filchi_splitter_ready(const struct filchi_splitter *s, size_t left)
{
	return left > s->min_chunk && s->ns >= FILCHI_SPLIT_NS;
}

static inline bool filchi_splitter_wakes(const struct filchi_splitter *s)
{
	return s->before_ns + s->ns >= FILCHI_WAKE_NS;
}

/* The middle of a range: the lower part has whole grains (0: any number), and at least as many as the upper part. */
static inline size_t filchi_middle(size_t first, size_t last, size_t grain)
{
	size_t chunks = grain ? (last - first - 1) / grain + 1 : last - first;

	return first + (chunks - chunks / 2) * (grain ? grain : 1);
}

/* ---- decisions in a task ---- */

/* The start and the end of a loop. split: some of it became a task. */
struct filchi_splitter filchi_splitter_begin(const struct filch_frame *f, size_t count, size_t grain, size_t chunk,
					     bool begins);
void filchi_splitter_end(const struct filchi_splitter *s, bool split);

/* True: now is the time to split a range of so many elements. */
static inline bool filchi_splitter_demand(const struct filchi_splitter *s, const struct filch_frame *f, size_t left)
{
	return filchi_splitter_ready(s, left) && filchi_frame_demand(f, filchi_splitter_wakes(s));
}

/* ---- the loop ---- */

/*
 * A loop with an optional part: a value that belongs to one worker at a time. split makes the part of an upper half;
 * NULL means that there is no memory, and the range is not split. join adds the part of the upper half to the part of
 * the lower half, and frees it. Without split and join, part is NULL everywhere.
 */
struct filchi_loop {
	void (*body)(size_t from, size_t to, void *part, void *arg);
	void *(*split)(void *part, void *arg);
	void (*join)(void *part, void *right, void *arg);
	void *arg;
	size_t grain; /* 0: automatic */
};

/* The indices first..last. chunk: 0 at the start of a loop. */
FILCH_TASK_DECLARE(void, filchi_range, const struct filchi_loop *, loop, size_t, first, size_t, last, size_t, chunk,
		   void *, part);

/* The same without a task: in chunks of the grain, or all at once. */
void filchi_loop_serial(const struct filchi_loop *loop, size_t first, size_t last, void *part);

#endif
