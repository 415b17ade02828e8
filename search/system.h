/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The services of the system and of the pool that a search needs. system_linux.c takes them from libc and a group of
 * jobs, sleep_linux.c from the kernel; system_check.c takes them from the checker, where each job is a thread.
 */
#ifndef FILCHI_SEARCH_SYSTEM_H
#define FILCHI_SEARCH_SYSTEM_H

#include "atomic.h"

#include <stddef.h>

struct filch_pool;

void *filchi_search_alloc(size_t size); /* all zero; NULL: no memory */
void filchi_search_free(void *block);
uint64_t filchi_search_clock(void);	   /* ns; it stands still under the checker */
uint64_t filchi_search_clock_coarse(void); /* the same clock, some ms behind, for less time */

struct filchi_search_lock {
	_Alignas(8) unsigned char opaque[48];
};
void filchi_search_lock_init(struct filchi_search_lock *lock);
void filchi_search_lock_fini(struct filchi_search_lock *lock);
void filchi_search_lock(struct filchi_search_lock *lock);
int filchi_search_trylock(struct filchi_search_lock *lock); /* nonzero: locked */
void filchi_search_unlock(struct filchi_search_lock *lock);

/* Waits until the word differs from value, at most ns nanoseconds. May return early. */
void filchi_search_sleep(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns);
void filchi_search_wake(FILCHI_ATOMIC(uint32_t) * word);

/*
 * The jobs of a search. start: job->run(job) will be called, once, by a worker of the pool; nonzero: it will not. wait:
 * all jobs have returned; jobs may be started again afterwards. open: 0 or an error. Without jobs (NULL) each
 * start fails.
 */
struct filchi_search_job {
	void (*run)(struct filchi_search_job *job);
};
struct filchi_search_jobs;
int filchi_search_jobs_open(struct filchi_search_jobs **jobs, struct filch_pool *pool);
int filchi_search_jobs_start(struct filchi_search_jobs *jobs, struct filchi_search_job *job);
void filchi_search_jobs_wait(struct filchi_search_jobs *jobs);
void filchi_search_jobs_close(struct filchi_search_jobs *jobs);
/* True if the job that the caller runs in was cancelled. */
int filchi_search_jobs_cancelled(void);

#endif
