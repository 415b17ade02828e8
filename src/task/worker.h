/* SPDX-License-Identifier: Apache-2.0 */
/* A worker, as far as tasks need it. It contains the scheduler's worker; src/pool/worker.h contains this one. */
#ifndef FILCHI_TASK_WORKER_H
#define FILCHI_TASK_WORKER_H

#include "../deque/split.h"
#include "../sched/sched.h"
#include "policy.h"

#include <filch/task.h>

/* Runs of tasks inside of tasks: each has a task stack of its own. */
#define FILCHI_MAX_TASK_STACKS 64u

enum filchi_join_policy { FILCHI_JOIN_TRANSITIVE, FILCHI_JOIN_LEAPFROG, FILCHI_JOIN_RANDOM, FILCHI_JOIN_COUNT };

/* The same for all workers of a pool. */
struct filchi_task_config {
	enum filchi_join_policy join;
	size_t stack_bytes; /* of a task stack: address space, a power of two */
	bool makes_tasks;   /* there are other workers to steal them, and the deque is LIFO for its owner */
};

/* Events that the worker counts itself and others may read. Only slow paths count. */
struct filchi_task_counters {
	FILCHI_ATOMIC(uint64_t) tasks;	   /* spawns that made a task */
	FILCHI_ATOMIC(uint64_t) leapfrogs; /* tasks of other workers that this worker ran during a join */
	FILCHI_ATOMIC(uint64_t) rejected;  /* tasks that it stole during a join and may not run then */
	FILCHI_ATOMIC(uint64_t) overflows; /* tasks for which the deque had no room: run at once */
	FILCHI_ATOMIC(uint64_t) misuses;   /* FILCH_DEBUG: spawns and syncs that do not match */
};

/* For workers that wait for a task which runs here. This worker writes, joiners read: join.c. */
struct filchi_joinable {
	FILCHI_ATOMIC(uintptr_t) base;	 /* the task stack of the running task begins here */
	FILCHI_ATOMIC(uint32_t) current; /* the run id of the running task */
	FILCHI_ATOMIC(uint32_t) waiting; /* the task that this worker waits for: its thief and run id, or 0 */
};

struct filchi_task_worker {
	/*
	 * Line 0 is the spawn threshold, which thieves write when they request a task. Line 1 has the pending SPAWN_Ns.
	 */
	struct filch_worker_ public;
	/* Line 2: with the threshold, all that a task touches that is made and taken back. */
	FILCHI_OWN_LINE struct filchi_split *split; /* the deque, if it is of that kind */
	struct filchi_spawn_policy spawn;
	void *context; /* of the running job: tasks inherit it */
	struct filchi_task_counters counters;
	/* The rest is for slow paths. */
	const struct filchi_task_config *config;
	struct filchi_spawn_n_policy spawn_n;
	size_t suspended;  /* items in the deque that do not belong to the running job or stolen task */
	size_t stash_base; /* indices of the stash that were in use when the worker last began to wait */
	uint32_t run_id;   /* of the last stolen task that ran here */
	uint32_t stacks_used;
	uint32_t timed;	   /* stolen tasks since the last timed task */
	uint64_t took_ns;  /* time of the last timed task */
	uint64_t owner_ns; /* time that the running task costs the worker that made it */
	struct filch_task *stacks[FILCHI_MAX_TASK_STACKS];

	FILCHI_OWN_LINE struct filchi_joinable join;
	struct filchi_worker sched;
};

static inline struct filchi_task_worker *filchi_task_worker(struct filchi_worker *w)
{
	return (struct filchi_task_worker *)(void *)((char *)w - offsetof(struct filchi_task_worker, sched));
}

static inline struct filchi_worker *filchi_task_sched_worker(struct filchi_task_worker *w)
{
	return &w->sched;
}

static inline struct filchi_task_worker *filchi_task_worker_of(struct filch_worker_ *public)
{
	return (struct filchi_task_worker *)(void *)public;
}

static inline FILCHI_ATOMIC(uintptr_t) * filchi_threshold(struct filchi_task_worker *w)
{
	return (FILCHI_ATOMIC(uintptr_t) *)&w->public.threshold;
}

#endif
