/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "system.h"

#include <errno.h>
#include <filch/pool.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(struct filchi_search_lock), "no room for the mutex");

void *filchi_search_alloc(size_t size)
{
	void *block;

	if (!size || size > PTRDIFF_MAX - FILCHI_CACHE_LINE)
		return NULL;
	size = (size + FILCHI_CACHE_LINE - 1) / FILCHI_CACHE_LINE * FILCHI_CACHE_LINE;
	block = aligned_alloc(FILCHI_CACHE_LINE, size);
	if (block)
		memset(block, 0, size);
	return block;
}

void filchi_search_free(void *block)
{
	free(block);
}

uint64_t filchi_search_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t filchi_search_clock_coarse(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC_COARSE, &t)) /* not everywhere */
		return filchi_search_clock();
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static pthread_mutex_t *native(struct filchi_search_lock *lock)
{
	return (pthread_mutex_t *)(void *)lock->opaque;
}

void filchi_search_lock_init(struct filchi_search_lock *lock)
{
	pthread_mutex_init(native(lock), NULL);
}

void filchi_search_lock_fini(struct filchi_search_lock *lock)
{
	pthread_mutex_destroy(native(lock));
}

/* Locks are held for a microsecond or so. To sleep and to be woken takes longer. */
void filchi_search_lock(struct filchi_search_lock *lock)
{
	for (int tries = 0; tries < 100; tries++) {
		if (!pthread_mutex_trylock(native(lock)))
			return;
		filchi_pause();
	}
	pthread_mutex_lock(native(lock));
}

int filchi_search_trylock(struct filchi_search_lock *lock)
{
	return !pthread_mutex_trylock(native(lock));
}

void filchi_search_unlock(struct filchi_search_lock *lock)
{
	pthread_mutex_unlock(native(lock));
}

struct filchi_search_jobs {
	struct filch_pool *pool;
	struct filch_group *group;
};

int filchi_search_jobs_open(struct filchi_search_jobs **out, struct filch_pool *pool)
{
	struct filchi_search_jobs *jobs = filchi_search_alloc(sizeof(*jobs));
	int err;

	if (!jobs)
		return -ENOMEM;
	jobs->pool = pool;
	err = filch_group_create(&jobs->group, pool);
	if (err) {
		filchi_search_free(jobs);
		return err;
	}
	*out = jobs;
	return 0;
}

static int run(void *arg, void **result)
{
	struct filchi_search_job *job = arg;

	(void)result;
	job->run(job);
	return 0;
}

int filchi_search_jobs_start(struct filchi_search_jobs *jobs, struct filchi_search_job *job)
{
	return jobs ? filch_group_submit(jobs->group, run, job) : -ESHUTDOWN;
}

/* A job returns no error, so an error of the group is that the caller's job was cancelled: jobs_cancelled() says so. */
void filchi_search_jobs_wait(struct filchi_search_jobs *jobs)
{
	(void)filch_group_wait(jobs->group);
}

void filchi_search_jobs_close(struct filchi_search_jobs *jobs)
{
	(void)filch_group_destroy(jobs->group);
	filchi_search_free(jobs);
}

int filchi_search_jobs_cancelled(void)
{
	return filch_job_cancelled();
}
