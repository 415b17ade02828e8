/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spawn and sync, the part that is not inlined: tasks that can be stolen. include/filch/task.h has the macros,
 * docs/tasks.md the whole story.
 *
 * The state of a task, a word of 32 bits: who runs it and as which of its jobs above, what goes on below.
 */
#ifndef FILCHI_TASK_TASK_H
#define FILCHI_TASK_TASK_H

#include "../sched/sched.h"

enum filchi_task_state {
	FILCHI_TASK_RESULT = 0,	 /* the result is there: of a call, and nobody else ever knew of the task */
	FILCHI_TASK_QUEUED = 1,	 /* in a deque, or just taken out of it */
	FILCHI_TASK_RUNNING = 2, /* by the worker above, as its job of the number above */
	FILCHI_TASK_STASHED = 3, /* in the hand of the worker above, at the place above */
	FILCHI_TASK_DONE = 4	 /* the result is there */
};

#define FILCHI_TASK_WAITED 8u /* with RUNNING or QUEUED: someone sleeps until it is done */
#define FILCHI_TASK_STATE(state) ((state)&7u)
#define FILCHI_TASK_RUN_ID_BITS 16
#define FILCHI_TASK_RUN_ID(state) ((state) >> 4 & 0xffffu)
#define FILCHI_TASK_WORKER(state) ((state) >> 20)
#define FILCHI_TASK_BY(worker, job) ((worker) << 20 | (job) << 4)

_Static_assert(FILCHI_MAX_WORKERS <= 1u << 12, "ids have 12 bits");

/* The owner of a task that was not spawned by a worker. */
#define FILCHI_TASK_NO_OWNER UINT16_MAX

static inline FILCHI_ATOMIC(uint32_t) * filchi_task_state(struct filch_task *t)
{
	return (FILCHI_ATOMIC(uint32_t) *)&t->state;
}

/*
 * The job of the pool in which it was spawned, at the end of its last line: for who steals it to take on meanwhile.
 * When it is done: how long it took, in ns.
 */
static inline void **filchi_task_context(struct filch_task *t)
{
	return (void **)(void *)(t + t->lines) - 1;
}

static inline FILCHI_ATOMIC(uintptr_t) * filchi_threshold(struct filchi_worker *w)
{
	return (FILCHI_ATOMIC(uintptr_t) *)&w->public.threshold;
}

static inline struct filchi_worker *filchi_worker_of(struct filch_worker_ *public)
{
	return (struct filchi_worker *)(void *)public;
}

/* Items: a task is its address, anything else has the lowest bit set. */
static inline bool filchi_item_is_task(uintptr_t item)
{
	return !(item & 1);
}

/* A worker runs a task that is not its own, with its task stack free from head on, and says so when it is done. */
void filchi_task_execute(struct filchi_worker *w, struct filch_task *t, struct filch_task *head);
/* The same for one that has nothing else to do. */
void filchi_task_run_item(struct filchi_worker *w, struct filch_task *t);

/*
 * Waits for a task of this worker that was stolen, and does what the join policy has for it meanwhile. False: nobody
 * had run it yet, and now it is the caller's again.
 */
bool filchi_task_join(struct filchi_worker *w, struct filch_task *t, struct filch_task *head);

/* The sync of one that was stolen. If that came to nothing it is run here, above head. */
void filchi_task_finish(struct filchi_worker *w, struct filch_task *t, struct filch_task *head);

/* Has just stolen from that worker: takes more, to have in hand; of what that one has in hand, from first to last. */
void filchi_task_steal_more(struct filchi_worker *w, struct filchi_worker *victim, uintptr_t first, uintptr_t last);

/* Not to be run now: to have in hand. The caller knows that there is room. */
void filchi_task_stash(struct filchi_worker *w, const uintptr_t *items, size_t count);

/*
 * Makes tasks of what SPAWN_Ns have yet to spawn, for others to take. False: there was nothing, or no room. give is for
 * who is about to sleep, or to block, and would not notice that it is asked; all: it will be away for long. share also
 * lowers the threshold to head.
 */
bool filchi_spawn_n_give(struct filchi_worker *w, bool all);
bool filchi_spawn_n_share(struct filchi_worker *w, struct filch_task *head);
/* The threshold, and those are woken who may have waited for something below it. */
void filchi_threshold_set(struct filchi_worker *w, uintptr_t threshold);

/* FILCH_RUN: by the calling worker, inside of whatever it does; on the workers of a pool; and in this thread. */
void filchi_task_run_here(struct filchi_worker *w, struct filch_task *t);
int filchi_task_run_there(struct filchi_sched *s, struct filch_task *t);
void filchi_task_run_serial(struct filch_task *t);

#endif
