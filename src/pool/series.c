/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series.h says what a series is.
 *
 * Edges:
 *   N1   next: changed by RMW, so that each member is claimed once. The queue or the lock of the group has published
 *        the series, and the group orders what the members did
 *   N2   next: a series that no other thread knows yet
 */
#include "series.h"

#include "../base/mem.h"
#include "../os/process.h"

/* Members that a worker runs before it looks for other items. */
#define BURST FILCHI_TUNE(64u, 1u)

struct filchi_series *filchi_series_new(struct filch_pool *pool, struct filch_group *group, struct filchi_job *scope,
					filch_job_fn *fn, void *args, size_t arg_size, uint32_t count)
{
	struct filchi_series *s = filchi_alloc(sizeof(*s));

	if (!s)
		return NULL;
	filchi_job_memory_prepare(&s->job);
	filchi_job_init(&s->job, pool, scope, fn, args, 2);
	s->job.group = group;
	s->job.series = true;
	filchi_atomic_init(&s->next, 0);
	s->count = count;
	s->arg_size = arg_size;
	return s;
}

void filchi_series_free(struct filchi_series *s)
{
	filchi_free(s);
}

bool filchi_series_is_over(struct filchi_series *s)
{
	return filchi_load_rlx(&s->next, N1) >= s->count;
}

/* ---- claims ---- */

/* The number grows beyond the end by one for each thread that comes too late, and no further. */
static bool claim(struct filchi_series *s, uint32_t *number)
{
	if (filchi_series_is_over(s))
		return false;
	*number = filchi_fetch_add_rlx(&s->next, 1, N1);
	return *number < s->count;
}

uint32_t filchi_series_claim_rest(struct filchi_series *s)
{
	uint32_t next = filchi_exchange_rlx(&s->next, s->count, N1);

	return next < s->count ? s->count - next : 0;
}

bool filchi_series_claim_all(struct filchi_series *s)
{
	uint32_t none = 0;

	return filchi_cas_rlx(&s->next, &none, s->count, N1);
}

/* The job of the member. The enclosing job is the scope of the group, which stays until the member is done. */
static void make_member(struct filchi_series *s, struct filchi_job *job, uint32_t number)
{
	/* Arguments may also be numbers, so this is no arithmetic with pointers. */
	uintptr_t arg = (uintptr_t)filchi_plain_get(&s->job.arg) + (uintptr_t)number * s->arg_size;

	filchi_job_init(job, s->job.pool, filchi_load_rlx(&s->job.parent, N2), filchi_plain_get(&s->job.fn),
			(void *)arg, 1);
	job->group = s->job.group;
}

struct filchi_job *filchi_series_claim(struct filchi_series *s)
{
	struct filchi_worker *w = filchi_pool_worker();
	struct filchi_job *job = filchi_job_memory_take(w);
	uint32_t number;

	if (!job)
		return NULL;
	if (!claim(s, &number)) {
		filchi_job_memory_give(w, job);
		return NULL;
	}
	make_member(s, job, number);
	(void)filchi_job_claim(job);
	return job;
}

/* ---- in a worker ---- */

/* For the other workers, and for this one when it has looked at its other items. False: no memory. */
static bool put_back(struct filchi_series *s)
{
	struct filchi_worker *w = filchi_pool_worker();
	uintptr_t item = filchi_job_item(&s->job);
	int err;

	filchi_job_ref(&s->job);
	if (s->job.serial)
		err = filchi_injector_push(&s->job.pool->serial_queue, item);
	else
		err = filchi_sched_offer(w, item);
	if (err)
		filchi_job_unref(&s->job);
	return !err;
}

static struct filchi_job *take_memory(void)
{
	struct filchi_job *job;

	while (!(job = filchi_job_memory_take(filchi_pool_worker())))
		filchi_thread_yield(); /* until some memory is free */
	return job;
}

/*
 * All members run in the memory of one job, and are counted together: a waiting thread waits for the whole series
 * anyway.
 */
static void run_members(struct filchi_series *s, uint32_t max, uint32_t number)
{
	struct filch_pool *serial = s->job.serial ? s->job.pool : NULL;
	struct filch_group *group = s->job.group;
	unsigned generation = filchi_process_generation();
	struct filchi_job *job = take_memory();
	uint32_t done = 0;

	do {
		int error;

		make_member(s, job, number);
		error = filchi_job_execute(job);
		if (error)
			filchi_group_failed(group, error);
		done++;
		/* Jobs that refer to this member find that it is over. */
		filchi_job_memory_renew(job);
		/* After a fork() in the member, the child leaves the others to the parent. */
	} while (done < max && generation == filchi_process_generation() && claim(s, &number));
	filchi_job_memory_give(filchi_pool_worker(), job);
	filchi_job_unref(&s->job);
	filchi_group_done(group, done, 0);
	if (serial)
		filchi_job_finish_serial(serial, done);
}

void filchi_series_run_item(struct filchi_series *s)
{
	uint32_t number, max = s->count;

	if (!claim(s, &number)) {
		filchi_job_unref(&s->job);
		return;
	}
	if (!filchi_series_is_over(s) && put_back(s))
		max = BURST;
	run_members(s, max, number);
}
