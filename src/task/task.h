/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that can be stolen. include/filch/task.h has the macros and the inlined part, docs/tasks.md the explanation.
 *
 *   policy.h   when a spawn makes a task          run.c       running tasks; FILCH_RUN
 *   spawn.c    spawn and sync                     spawn_n.c   FILCH_SPAWN_N
 *   join.c     waiting for a stolen task          debug.c     FILCH_DEBUG
 *
 * The functions below are for the pool and for the files here. They take the worker of the scheduler.
 */
#ifndef FILCHI_TASK_TASK_H
#define FILCHI_TASK_TASK_H

#include "worker.h"

/* ---- workers ---- */

int filchi_task_worker_init(struct filchi_task_worker *w, const struct filchi_task_config *config,
			    struct filchi_sched *s, uint32_t id);
void filchi_task_worker_fini(struct filchi_task_worker *w);

/* Fills the config, which all workers of a pool share. */
void filchi_task_config_init(struct filchi_task_config *c, uint32_t workers, const struct filchi_deque_kind *kind,
			     enum filchi_join_policy join, size_t stack_bytes);

/* Adds the counters of a worker to the statistics. */
void filchi_task_stats(struct filchi_worker *w, struct filch_stats *stats);

/* The context of the running job, which its tasks inherit. */
static inline void *filchi_task_context(struct filchi_worker *w)
{
	return filchi_task_worker(w)->context;
}

static inline void filchi_task_set_context(struct filchi_worker *w, void *context)
{
	filchi_task_worker(w)->context = context;
}

/* True if the worker runs a task. */
static inline bool filchi_task_is_running(struct filchi_worker *w)
{
	return filchi_task_worker(w)->stacks_used > 0;
}

/* True if this address is in the guard behind a task stack of the worker. */
bool filchi_task_stack_guard(const struct filchi_worker *w, uintptr_t address, size_t guard_bytes);

/* ---- running ---- */

/* An idle worker runs a task. */
void filchi_task_run_item(struct filchi_worker *w, struct filch_task *t);

/*
 * FILCH_RUN, in three ways:
 *
 *   run_here     in the calling worker, inside of the running task or job
 *   run_there    on the workers of a scheduler. 0 or -ENOMEM
 *   run_serial   in the calling thread alone
 */
void filchi_task_run_here(struct filchi_worker *w, struct filch_task *t);
int filchi_task_run_there(struct filchi_sched *s, struct filch_task *t);
void filchi_task_run_serial(struct filch_task *t);

/* For filchi_sched_setup. */
void filchi_task_stashed(struct filchi_worker *w, const uintptr_t *items, size_t index, size_t count);

/* Makes tasks of all pending SPAWN_Ns, for a worker that will be away for long. */
void filchi_task_give_all(struct filchi_worker *w);

/* ---- demand: for loops ---- */

/* No task will ever be made here: there is one worker, or none. */
bool filchi_frame_serial(const struct filch_frame *f);
/* A spawn would now make a task that another worker waits for. asleep: also one that must be woken. */
bool filchi_frame_demand(const struct filch_frame *f, bool asleep);
/* The worker that runs the body, to compare with another one. */
const void *filchi_frame_worker(const struct filch_frame *f);
/* The number of workers of the pool. */
uint32_t filchi_frame_workers(const struct filch_frame *f);

#endif
