/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a spawn makes a task. Plain data in, a decision out: no atomics, no clock, no worker.
 *
 * A spawn at or above the worker's spawn threshold is a call and never asks. Below the threshold it asks this policy.
 * The threshold is then set just above the new task if the worker has enough tasks for all idle workers. Otherwise it
 * stays open, and the next spawn makes a task, too.
 *
 * A call leaves the end of the task stack where it is. So the spawns of all called bodies, however deep, are at the
 * threshold, and a task that replaces a stolen one may well be short. To make and take back such tasks all the time
 * would cost more than they are worth. Therefore there is a budget of tasks that may be made without a steal:
 *
 * - A task that is taken back unstolen costs one.
 * - A stolen task adds FOR_STOLEN if its thief says that the steal was worth it. A request raises the budget to
 *   FOR_REQUEST, and the start of a job to FOR_JOB.
 *
 * So a recursion of short calls, whose tasks are not worth a steal, ends up with calls. If thieves take a good part of
 * a tree, its worker keeps a backlog for them.
 *
 * Without a budget, spawns are calls until a worker requests a task. One exception: a spawn below the threshold makes a
 * task if the worker has none left and made the last one more than a microsecond ago. All later calls are above this
 * task on the stack, so the task is the last part of the work. When its owner gets there, it takes the task back and
 * makes the next one of its first half, and so on. A divide and conquer thus has the largest part of its remaining work
 * ready for a thief, at the price of one task for each level. Without it a late thief would find a deep recursion of
 * calls, and get leaves. If the last task was made too recently, the threshold stays: a loop of small spawns goes on
 * with calls.
 *
 * FILCH_WORK_REQUESTED asks for the decision before the spawn. Its answer is a promise: by then thieves may have taken
 * tasks, and fewer workers be idle. A spawn that was to be a task would otherwise run as a call before the more
 * promising branch, and a search would go through all of it with a poor bound.
 */
#ifndef FILCHI_TASK_POLICY_H
#define FILCHI_TASK_POLICY_H

#include "../base/compiler.h"

#include <stdbool.h>

struct filchi_spawn_policy {
	uint64_t made_at;   /* time of the last task without a budget */
	uint32_t budget;    /* tasks that may be made without a steal */
	uint32_t unchecked; /* the next tasks, of this number, need no decision */
	bool poor;	    /* the last stolen task was not worth a steal */
	bool on_request;    /* a request has raised the budget: nothing was worth stealing lately */
	bool promised;	    /* FILCH_WORK_REQUESTED has said that the next spawn makes a task */
};

/* The state of the worker at a spawn. */
struct filchi_spawn_view {
	size_t queued;	  /* items in its deque */
	size_t suspended; /* of these, items that do not belong to the running job or stolen task */
	uint32_t idle;	  /* other workers that sleep or search */
	bool requested;	  /* a thief has requested a task */
	uint64_t now_ns;  /* only if filchi_spawn_needs_clock */
};

struct filchi_spawn_decision {
	bool make_task;	    /* else the spawn is a call */
	bool keep_open;	    /* the next spawn makes a task, too */
	uint32_t unchecked; /* for filchi_spawn_policy, if the deque can push without a look */
};

static inline bool filchi_spawn_needs_clock(const struct filchi_spawn_policy *p, const struct filchi_spawn_view *v)
{
	return !p->budget && !p->poor && !v->requested && v->queued <= v->suspended;
}

struct filchi_spawn_decision filchi_spawn_decide(struct filchi_spawn_policy *p, const struct filchi_spawn_view *v);

/* A job or a stolen task starts or ends in this worker. */
void filchi_spawn_started(struct filchi_spawn_policy *p);

/* A task came back unstolen. */
static inline void filchi_spawn_taken_back(struct filchi_spawn_policy *p)
{
	p->budget -= p->budget > 0;
}

/* A task was stolen, and the steal was worth it or not. */
void filchi_spawn_was_stolen(struct filchi_spawn_policy *p, bool poor);

/*
 * How many numbers of a SPAWN_N become one task, a chunk. One number at first. If the last stolen tasks were short, as
 * many as take CHUNK_NS together: a task costs both workers some hundred nanoseconds.
 */
struct filchi_spawn_n_policy {
	uint64_t stolen, stolen_ns; /* stolen tasks that were synced lately, and the time that they took */
	uint64_t number_ns;	    /* the time of a number, if it is known */
	uint32_t chunk;		    /* the last answer */
	bool known;
};

/* The numbers of each task, if so many numbers are given away. */
size_t filchi_spawn_n_chunk(struct filchi_spawn_n_policy *p, size_t numbers);

/* A stolen task was synced. */
static inline void filchi_spawn_n_was_stolen(struct filchi_spawn_n_policy *p, uint64_t took_ns)
{
	/* Before the first chunk, tasks of single spawns do not count. */
	p->stolen += p->chunk > 0;
	p->stolen_ns += p->chunk ? took_ns : 0;
}

#endif
