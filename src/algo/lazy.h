/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lazy splitting: work is done piece by piece, and between pieces is a look at whether anyone would like to have some
 * of what is left. Only then half of it becomes a task. So what nobody steals from is a serial loop.
 *
 * Someone would, if the hurdle was raised, by a worker who found nothing here to steal; or if it is still open, because
 * this has just begun, and more are idle than there are tasks for them here.
 *
 * Edges:
 *   H1   hurdle: as in fork.c; a hint here
 */
#ifndef FILCHI_ALGO_LAZY_H
#define FILCHI_ALGO_LAZY_H

#include "../pool/pool.h"

#include <filch/algo.h>

static inline uintptr_t filchi_frame_hurdle(const struct filch_frame *f)
{
	return filchi_load_rlx((FILCHI_ATOMIC(uintptr_t) *)&f->worker->hurdle, H1);
}

/* No task will ever be made here: there is one worker only, or none. */
static inline bool filchi_frame_alone(const struct filch_frame *f)
{
	return !filchi_frame_hurdle(f);
}

/* A spawn would now make a task that someone waits for. */
static inline bool filchi_frame_hungry(const struct filch_frame *f)
{
	uintptr_t hurdle = filchi_frame_hurdle(f);
	struct filchi_worker *w = filchi_worker_of(f->worker);
	uint32_t counts;

	if ((uintptr_t)f->head >= hurdle)
		return false;
	if (w->deque->ops->poll)
		w->deque->ops->poll(w->deque);
	if (hurdle == FILCHI_HURDLE_RAISED)
		return true;
	counts = filchi_sleep_counts(&w->sched->sleep);
	return FILCHI_SLEEPING(counts) + FILCHI_SEARCHING(counts) > w->deque->ops->size(w->deque);
}

/* The calling thread is on its own: no worker, and no pool to run on. */
static inline bool filchi_alone(void)
{
	return filch_worker() < 0 && !filch_workers(NULL);
}

/* ---- pieces of about the same time ---- */

/* A piece takes between these, unless one element takes longer: so long do thieves wait, and so much does a look at the
 * clock cost less. */
#define FILCHI_PIECE_NS 10000u
#define FILCHI_PIECE_MAX_NS 40000u

/* The next piece, after one that took so long. */
static inline size_t filchi_piece_adapt(size_t piece, uint64_t ns)
{
	if (ns < FILCHI_PIECE_NS && piece < SIZE_MAX / 16)
		return ns < FILCHI_PIECE_NS / 16 ? 8 * piece : 2 * piece;
	if (ns > FILCHI_PIECE_MAX_NS && piece > 1)
		return ns > 16 * FILCHI_PIECE_MAX_NS && piece >= 16 ? piece / 8 : piece / 2;
	return piece;
}

/* Where to cut, so that the lower part has whole grains (0: any number) and not fewer than the upper. */
static inline size_t filchi_middle(size_t first, size_t last, size_t grain)
{
	size_t pieces = grain ? (last - first - 1) / grain + 1 : last - first;

	return first + (pieces - pieces / 2) * (grain ? grain : 1);
}

/* ---- the loop, for other tasks ---- */

struct filchi_loop {
	void (*body)(size_t from, size_t to, void *ctx);
	void *ctx;
	size_t grain; /* 0: automatic */
};

/* first..last; piece: what it has come to, 1 at the start of a loop. */
FILCH_TASK_DECLARE(void, filchi_range, const struct filchi_loop *, loop, size_t, first, size_t, last, size_t, piece);

#endif
