/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lazy splitting: work is done piece by piece, and between pieces is a look at whether anyone would like to have some
 * of what is left. Only then half of it becomes a task. So what nobody steals from is a serial loop.
 *
 * Someone would, if the threshold was raised, by a worker who found nothing here to steal; or if it is still open,
 * because this has just begun, and more are idle than there are tasks for them here.
 *
 * A loop that is soon over is better done by one alone: to share it takes a microsecond, and to wake someone for it ten
 * or more. What remains is not known, but what has been is, and that is half of it on average. So nothing is given away
 * before the loop has taken as long as giving away does. That would be too late if the loop has few elements, which may
 * be long ones; such are shared at once, and those of which the caller has said how many are worth a task.
 *
 * Who is woken stays awake for a while. So of loops that follow each other soon, all count that nobody was woken for.
 *
 * Edges:
 *   H1   threshold: as in spawn.c; a hint here
 */
#ifndef FILCHI_ALGO_SPLITTER_H
#define FILCHI_ALGO_SPLITTER_H

#include "../base/clock.h"
#include "../pool/pool.h"

#include <filch/algo.h>

/* ---- pieces of about the same time ---- */

/*
 * A piece takes between these, unless one element takes longer: so long do thieves wait, and so much does a look at the
 * clock cost less. Towards the end it may be shorter, so that all are done at about the same time.
 */
#define FILCHI_CHUNK_NS 5000u
#define FILCHI_CHUNK_MAX_NS 20000u
#define FILCHI_CHUNK_MIN_NS 2000u

/* A loop takes so long before it is shared with those who are awake, or with any; not if it has fewer elements. */
#define FILCHI_SHARED_NS 1500u
#define FILCHI_WOKEN_FOR_NS 15000u
#define FILCHI_FEW 256u
#define FILCHI_FEW_EACH 16u /* for each worker */
/* Loops follow each other soon if not so long after. */
#define FILCHI_RECENT_NS 50000u

/* The loops of this thread that followed each other closely and were not shared. */
extern _Thread_local FILCHI_TLS_NEAR struct filchi_loops {
	uint64_t at, ns;
} filchi_loops;

struct filchi_splitter {
	size_t piece;	 /* elements */
	size_t least;	 /* of these, even if fewer than so many pieces are left */
	uint64_t ns;	 /* that it has taken so far */
	uint64_t before; /* the same of those before it */
	bool counts;	 /* it has just begun, and nothing is known */
};

/* Of count elements; grain: 0 is automatic. piece: what it has come to elsewhere, 1 if it has just begun. */
static inline struct filchi_splitter filchi_splitter_start(const struct filch_frame *f, size_t count, size_t grain,
							   size_t piece)
{
	struct filchi_splitter pace = {
		.piece = piece, .least = grain || piece < 8 ? piece : piece / 8, .ns = UINT64_MAX / 2};

	if (grain || piece > 1 || filchi_frame_serial(f) || count < FILCHI_FEW ||
	    count / FILCHI_FEW_EACH < filchi_frame_workers(f))
		return pace;
	pace.counts = true;
	pace.ns = 0;
	if (filchi_loops.ns)
		pace.before = filchi_clock_ns() - filchi_loops.at < FILCHI_RECENT_NS ? filchi_loops.ns : 0;
	return pace;
}

/* The loop is over. */
static inline void filchi_splitter_end(const struct filchi_splitter *pace, const struct filch_frame *f, bool shared)
{
	(void)f;
	if (!pace->counts || (!shared && pace->ns < FILCHI_SHARED_NS))
		return;
	filchi_loops.ns = shared ? 0 : pace->before + pace->ns;
	filchi_loops.at = shared ? 0 : filchi_clock_ns();
}

/* Elements to do next, of those that are left: no crumbs; but a grain is a grain, and so is a first element. */
static inline size_t filchi_splitter_step(const struct filchi_splitter *pace, size_t left)
{
	size_t step = left / 4 < pace->least ? pace->least : left / 4;

	if (step > pace->piece)
		step = pace->piece;
	if (step >= left || (pace->least < pace->piece && left - step < pace->least))
		return left;
	return step;
}

/* So many took so long. */
static inline void filchi_splitter_adapt(struct filchi_splitter *pace, size_t elements, uint64_t ns)
{
	pace->ns += ns;
	if (ns > FILCHI_CHUNK_MAX_NS) {
		pace->piece = ns > 16 * FILCHI_CHUNK_MAX_NS && elements >= 16 ? elements / 8 : (elements + 1) / 2;
		if (pace->least > pace->piece)
			pace->least = pace->piece; /* those before took less, and told nothing of these */
		return;
	}
	if (elements > SIZE_MAX / 16)
		return;
	if (ns < FILCHI_CHUNK_MIN_NS && elements > pace->least)
		pace->least = ns < FILCHI_CHUNK_MIN_NS / 16  ? 8 * elements
			      : ns < FILCHI_CHUNK_MIN_NS / 2 ? 2 * elements
							     : elements;
	if (ns < FILCHI_CHUNK_NS && elements >= pace->piece)
		pace->piece = ns < FILCHI_CHUNK_MIN_NS / 16 ? 8 * elements : 2 * elements;
}

/* The same of a loop, of which so many elements are left: if there is more than a small piece, and it is time. */
static inline bool filchi_splitter_demand(const struct filchi_splitter *pace, const struct filch_frame *f,
					  size_t elements)
{
	return elements > pace->least && pace->ns >= FILCHI_SHARED_NS &&
	       filchi_frame_demand(f, pace->before + pace->ns >= FILCHI_WOKEN_FOR_NS);
}

/* Where to cut, so that the lower part has whole grains (0: any number) and not fewer than the upper. */
static inline size_t filchi_middle(size_t first, size_t last, size_t grain)
{
	size_t pieces = grain ? (last - first - 1) / grain + 1 : last - first;

	return first + (pieces - pieces / 2) * (grain ? grain : 1);
}

/* ---- the loop, for other tasks ---- */

struct filchi_loop {
	void (*body)(size_t from, size_t to, void *arg);
	void *arg;
	size_t grain; /* 0: automatic */
};

/* first..last; piece: what it has come to, 1 at the start of a loop. */
FILCH_TASK_DECLARE(void, filchi_range, const struct filchi_loop *, loop, size_t, first, size_t, last, size_t, piece);

#endif
