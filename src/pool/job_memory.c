/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for jobs: a list of free jobs for the whole process, and a short list for each worker. The lists exchange many
 * jobs at a time. So a job costs no allocation once enough jobs exist. All memory is freed when no pool and no job is
 * left.
 *
 * Edges:
 *   VERSION   version: as in job.c
 */
#include "job.h"

#include "../base/mem.h"
#include "lock.h"

/* The number of jobs that are moved at once, and that a worker keeps at least. */
#define BATCH FILCHI_TUNE(32u, 2u)

struct chunk {
	struct chunk *next;
	struct filchi_job jobs[BATCH];
};

static struct {
	struct filchi_fork_lock lock;
	struct chunk *chunks;
	struct filchi_job *free;
	size_t pools;
	size_t out; /* jobs that are not on the free list */
} store;

static void lock(void)
{
	if (filchi_fork_lock(&store.lock))
		return;
	/* A thread of the parent changed the list during fork(). The memory is lost. */
	store.chunks = NULL;
	store.free = NULL;
	store.out = 0;
}

/* Unlocks, and frees all memory if no pool and no job is left. */
static void unlock(void)
{
	struct chunk *chunks = NULL;

	if (!store.pools && !store.out) {
		chunks = store.chunks;
		store.chunks = NULL;
		store.free = NULL;
	}
	filchi_fork_unlock(&store.lock);
	while (chunks) {
		struct chunk *next = chunks->next;

		filchi_free(chunks);
		chunks = next;
	}
}

void filchi_job_memory_open(void)
{
	lock();
	store.pools++;
	unlock();
}

void filchi_job_memory_close(void)
{
	lock();
	store.pools -= store.pools > 0;
	unlock();
}

void filchi_job_memory_prepare(struct filchi_job *job)
{
	filchi_atomic_init(&job->state, 0);
	filchi_atomic_init(&job->refs, 0);
	filchi_atomic_init(&job->cancelled, 0);
	filchi_atomic_init(&job->parent, NULL);
	filchi_atomic_init(&job->parent_version, 0);
	filchi_atomic_init(&job->version, 0);
	filchi_atomic_init(&job->clean, 0);
	filchi_atomic_init(&job->runner, NULL);
}

/* With the lock held. */
static void grow(void)
{
	struct chunk *chunk = filchi_alloc(sizeof(*chunk));

	if (!chunk)
		return;
	chunk->next = store.chunks;
	store.chunks = chunk;
	for (size_t i = BATCH; i-- > 0;) {
		filchi_job_memory_prepare(&chunk->jobs[i]);
		chunk->jobs[i].next = store.free;
		store.free = &chunk->jobs[i];
	}
}

/* Takes a list of jobs, at most of this number. */
static struct filchi_job *take_list(uint32_t max, uint32_t *taken)
{
	struct filchi_job *list = NULL, *job;

	lock();
	if (!store.free)
		grow();
	for (*taken = 0; *taken < max && (job = store.free); (*taken)++) {
		store.free = job->next;
		job->next = list;
		list = job;
	}
	store.out += *taken;
	unlock();
	return list;
}

static void give_list(struct filchi_job *list)
{
	lock();
	while (list) {
		struct filchi_job *next = list->next;

		list->next = store.free;
		store.free = list;
		store.out -= store.out > 0;
		list = next;
	}
	unlock();
}

struct filchi_job *filchi_job_memory_take(struct filchi_worker *worker)
{
	struct filchi_pool_worker *w = worker ? filchi_pool_worker_of(worker) : NULL;
	struct filchi_job *job;
	uint32_t taken;

	if (!w)
		return take_list(1, &taken);
	if (!w->free_jobs)
		w->free_jobs = take_list(BATCH, &w->free_count);
	job = w->free_jobs;
	if (job) {
		w->free_jobs = job->next;
		w->free_count--;
	}
	return job;
}

/* It is over before anything in it changes. */
void filchi_job_memory_renew(struct filchi_job *job)
{
	filchi_store_rlx(&job->version, filchi_load_rlx(&job->version, VERSION) + 1, VERSION);
}

struct filchi_job *filchi_job_memory_take_list(void)
{
	uint32_t taken;

	return take_list(BATCH, &taken);
}

void filchi_job_memory_give_list(struct filchi_job *list)
{
	if (list)
		give_list(list);
}

void filchi_job_memory_give(struct filchi_worker *worker, struct filchi_job *job)
{
	struct filchi_pool_worker *w = worker ? filchi_pool_worker_of(worker) : NULL;

	filchi_job_memory_renew(job);
	job->next = NULL;
	if (!w) {
		give_list(job);
		return;
	}
	job->next = w->free_jobs;
	w->free_jobs = job;
	if (++w->free_count < 2 * BATCH)
		return;
	/* The latest jobs stay, because they are in the cache of the processor. */
	for (uint32_t i = 1; i < BATCH; i++)
		job = job->next;
	give_list(job->next);
	job->next = NULL;
	w->free_count = BATCH;
}

void filchi_job_memory_flush(struct filchi_worker *worker)
{
	struct filchi_pool_worker *w = filchi_pool_worker_of(worker);

	give_list(w->free_jobs);
	w->free_jobs = NULL;
	w->free_count = 0;
}
