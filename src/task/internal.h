/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a task, and the functions that the files of this folder share.
 *
 * The state is a word of 32 bits. The upper bits name the worker that runs or has the task. The next 16 bits are a run
 * id, or an index of the stash. The lowest bits are an enum filchi_task_state.
 *
 * Edges:
 *   H1   threshold: as in spawn.c
 */
#ifndef FILCHI_TASK_INTERNAL_H
#define FILCHI_TASK_INTERNAL_H

#include "task.h"

enum filchi_task_state {
	FILCHI_TASK_RESULT = 0,	 /* the result is there; the task was a call, and no other worker ever knew of it */
	FILCHI_TASK_QUEUED = 1,	 /* in a deque, or just taken out of it */
	FILCHI_TASK_RUNNING = 2, /* in the worker above, with the run id above */
	FILCHI_TASK_STASHED = 3, /* in the stash of the worker above, at the index above */
	FILCHI_TASK_DONE = 4,	 /* the result is there */
	FILCHI_TASK_MEMBER = 5	 /* of a chunk, whose first task is so many tasks below; only its owner sees it */
};

#define FILCHI_TASK_WAITED 8u /* with RUNNING or QUEUED: a thread sleeps until the task is done */
#define FILCHI_TASK_STATE(state) ((state)&7u)
#define FILCHI_TASK_NUMBER(state) ((state) >> 4 & 0xffffu) /* run id or index */
#define FILCHI_TASK_WORKER(state) ((state) >> 20)
#define FILCHI_TASK_AT(worker, number) ((worker) << 20 | (number) << 4)
#define FILCHI_TASK_PLACE(state) ((state) & ~(uint32_t)15) /* worker and number */

_Static_assert(FILCHI_MAX_WORKERS <= 1u << 12, "ids have 12 bits");
_Static_assert(FILCHI_STASH_MAX <= 1u << 16, "indices have 16 bits");

#define FILCHI_THRESHOLD_OPEN (UINTPTR_MAX - 1) /* each spawn makes a task; also with FILCHI_REQUESTED */

/* The owner of a task that no worker has spawned. */
#define FILCHI_TASK_NO_OWNER UINT16_MAX

static inline FILCHI_ATOMIC(uint32_t) * filchi_task_state(struct filch_task *t)
{
	return (FILCHI_ATOMIC(uint32_t) *)&t->state;
}

/* A part of took_ns: the steal was not worth it. */
#define FILCHI_TASK_POOR ((uint64_t)1 << 63)

/* The last word of a task: for its thief the context of the job that spawned it, for its owner the time it took. */
union filchi_task_tail {
	void *context;
	uint64_t took_ns;
};

static inline union filchi_task_tail *filchi_task_tail(struct filch_task *t)
{
	return (union filchi_task_tail *)(void *)(t + t->lines) - 1;
}

/* ---- run.c ---- */

/* Runs a task of another worker, with this worker's task stack free from head on, and marks it as done. */
void filchi_task_execute(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head);

/* ---- join.c ---- */

/*
 * Waits for a stolen task of this worker. Meanwhile runs tasks by the join policy. False: the task has not run, and is
 * the caller's again.
 */
bool filchi_task_join(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head);

/* ---- spawn.c ---- */

/* The sync of a stolen task, or of a chunk with this task. A task that comes back unrun is run here, above head. */
void filchi_task_finish(struct filchi_task_worker *w, struct filch_task *t, struct filch_task *head);
/* Sets the threshold, and wakes a worker that may have waited for a task below it. */
void filchi_threshold_set(struct filchi_task_worker *w, uintptr_t threshold);
static inline bool filchi_is_requested(struct filchi_task_worker *w)
{
	return filchi_load_rlx(filchi_threshold(w), H1) == FILCHI_REQUESTED;
}

/* ---- spawn_n.c ---- */

/*
 * Makes tasks of pending SPAWN_Ns, for other workers. False: there was none, or no room. give is for a worker that is
 * about to sleep and would not notice a request. share also sets the threshold to head.
 */
bool filchi_spawn_n_give(struct filchi_task_worker *w);
bool filchi_spawn_n_share(struct filchi_task_worker *w, struct filch_task *head);

#endif
