/* SPDX-License-Identifier: Apache-2.0 */
/* A worker of a pool. It contains the worker of the task layer, which contains the scheduler's. */
#ifndef FILCHI_POOL_WORKER_H
#define FILCHI_POOL_WORKER_H

#include "../task/task.h"

struct filchi_job;

struct filchi_pool_worker {
	struct filchi_task_worker task;
	/* Free jobs that the worker keeps for itself: job_memory.c. */
	struct filchi_job *free_jobs;
	uint32_t free_count;
	FILCHI_ATOMIC(uint64_t) jobs_run;
};

static inline struct filchi_pool_worker *filchi_pool_worker_of(struct filchi_worker *w)
{
	return (struct filchi_pool_worker *)(void *)filchi_task_worker(w);
}

/* For filchi_sched_setup: owner is the pool. */
int filchi_pool_worker_create(struct filchi_worker **out, struct filchi_sched *s, uint32_t id);
void filchi_pool_worker_destroy(struct filchi_worker *w);

#endif
