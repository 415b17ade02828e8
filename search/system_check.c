/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system as the checker knows it. A job is a thread. A scenario has few threads, and a start beyond them fails, as
 * a submit without memory would: that is allowed at any time.
 *
 * Edges:
 *   JOB  start: store_rel thread → wait: load_acq thread   the pool orders a wait after a submit
 *   NUM  the number of jobs; it orders as the pool does
 */
#include "system_check.h"

#include "system.h"

#include "../check/chk.h"
#include "../src/os/os.h"

#include <string.h>

_Static_assert(sizeof(struct chk_mutex) <= sizeof(struct filchi_search_lock), "no room for the checker's mutex");

void *filchi_search_alloc(size_t size)
{
	void *block = chk_alloc(size);

	if (block)
		memset(block, 0, size);
	return block;
}

void filchi_search_free(void *block)
{
	if (block)
		chk_free(block);
}

uint64_t filchi_search_clock(void)
{
	return 0;
}

uint64_t filchi_search_clock_coarse(void)
{
	return 0;
}

static struct chk_mutex *native(struct filchi_search_lock *lock)
{
	return (struct chk_mutex *)(void *)lock->opaque;
}

void filchi_search_lock_init(struct filchi_search_lock *lock)
{
	chk_mutex_init(native(lock));
}

void filchi_search_lock_fini(struct filchi_search_lock *lock)
{
	(void)lock;
}

void filchi_search_lock(struct filchi_search_lock *lock)
{
	chk_mutex_lock(native(lock));
}

int filchi_search_trylock(struct filchi_search_lock *lock)
{
	return chk_mutex_trylock(native(lock));
}

void filchi_search_unlock(struct filchi_search_lock *lock)
{
	chk_mutex_unlock(native(lock));
}

/* Without a limit: so the checker finds each wake-up that is missing. */
void filchi_search_sleep(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns)
{
	(void)ns;
	filchi_futex_wait(word, value);
}

void filchi_search_wake(FILCHI_ATOMIC(uint32_t) * word)
{
	filchi_futex_wake(word, UINT32_MAX);
}

enum { MAX_JOBS = 5 };

/* The jobs of the one search of a scenario. */
struct filchi_search_jobs {
	FILCHI_ATOMIC(uint32_t) started;
	FILCHI_ATOMIC(uint32_t) thread[MAX_JOBS]; /* number + 1 */
	uint32_t joined, limit;
};
static struct filchi_search_jobs the_jobs;

void filchi_search_check_start(unsigned limit)
{
	filchi_atomic_init(&the_jobs.started, 0);
	for (unsigned i = 0; i < MAX_JOBS; i++)
		filchi_atomic_init(&the_jobs.thread[i], 0);
	the_jobs.joined = 0;
	the_jobs.limit = limit < MAX_JOBS ? limit : MAX_JOBS;
}

int filchi_search_jobs_open(struct filchi_search_jobs **jobs, struct filch_pool *pool)
{
	(void)pool;
	*jobs = &the_jobs;
	return 0;
}

static void run(void *arg)
{
	struct filchi_search_job *job = arg;

	job->run(job);
}

int filchi_search_jobs_start(struct filchi_search_jobs *jobs, struct filchi_search_job *job)
{
	uint32_t n = filchi_fetch_add_acq_rel(&jobs->started, 1, NUM);

	if (n >= jobs->limit)
		return -1;
	filchi_store_rel(&jobs->thread[n], (uint32_t)chk_thread(run, job) + 1, JOB);
	return 0;
}

/* A job that starts another one does so before it returns: so no start is missed. */
void filchi_search_jobs_wait(struct filchi_search_jobs *jobs)
{
	uint32_t started;

	while ((started = filchi_fetch_add_acq_rel(&jobs->started, 0, NUM)) > jobs->joined &&
	       jobs->joined < jobs->limit) {
		uint32_t thread;

		while (!(thread = filchi_load_acq(&jobs->thread[jobs->joined], JOB)))
			filchi_spin_wait();
		chk_join((int)thread - 1);
		jobs->joined++;
	}
}

void filchi_search_jobs_close(struct filchi_search_jobs *jobs)
{
	(void)jobs;
}

int filchi_search_jobs_cancelled(void)
{
	return 0;
}
