/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges of the stage: they order nothing, so that only the library does.
 *   FLAG
 */
#include "pool_stage.h"

/* With what outlives executions that are given up: so each begins with the state that was there at first. */
#include "../../src/pool/job.c"
#include "../../src/pool/jobs.c"
#include "../../src/pool/wait.c"

#include <errno.h>
#include <string.h>

enum { REGION = 1 << 10 };

struct stage stage;

static void run_item(struct filchi_worker *w, uintptr_t item)
{
	chk_assert(!filchi_item_is_task(item));
	filchi_job_run_item(w, item);
}

void stage_empty(void)
{
	filchi_os_check_start();
	filchi_process_check_set(0);
	memset(&store, 0, sizeof(store));
	filchi_atomic_init(&store.lock.word, 0);
	filchi_atomic_init(&epoch, 1);
	memset(&list, 0, sizeof(list));
	filchi_atomic_init(&list.lock.word, 0);
	filchi_atomic_init(&any_done, 0);
}

void stage_make_pool(struct filch_pool *pool, const struct stage_setup *s)
{
	struct filchi_sched_setup setup = {
		.workers = s->workers,
		.spares = s->spares,
		.kind = filchi_deque_find(s->kind),
		.searchers = 1,
		.victim = FILCHI_VICTIM_SEQUENTIAL,
		.region_bytes = REGION,
		.run = run_item,
		.end = filchi_jobs_flush,
		.stalled = filchi_wait_stalled,
	};

	memset(pool, 0, sizeof(*pool));
	setup.deque = (struct filchi_deque_setup){2, setup.kind->info.bounded ? 2 : 8, 0, 0};
	chk_assert(filchi_sched_init(&pool->sched, &setup) == 0);
	pool->sched.context = pool;
	pool->options.workers = (int)s->workers;
	filchi_atomic_init(&pool->jobs_outside, 0);
	filchi_atomic_init(&pool->stale, 0);
	filchi_atomic_init(&pool->unfinished, 0);
}

void stage_begin(const struct stage_setup *s, bool started)
{
	stage_empty();
	filchi_jobs_open();
	memset(&stage, 0, sizeof(stage));
	filchi_atomic_init(&stage.flag, 0);
	for (unsigned i = 0; i < STAGE_JOBS; i++) {
		filchi_cell_set(&stage.job[i].state, 0);
		filchi_atomic_init(&stage.job[i].begun, 0);
		filchi_atomic_init(&stage.job[i].ran, 0);
	}
	stage_make_pool(&stage.pool, s);
	if (started)
		chk_assert(filchi_sched_start(&stage.pool.sched) == 0);
}

/* What may be left in queues: entries of jobs that were claimed elsewhere. */
static void drop(uintptr_t item)
{
	struct filchi_job *job = filchi_job_of(item);

	chk_assert(FILCHI_JOB_STATE(filchi_load_rlx(&job->state, FLAG)) == FILCHI_JOB_DONE);
	filchi_job_unref(job);
}

void stage_end_pool(struct filch_pool *pool)
{
	struct filchi_sched *s = &pool->sched;
	uintptr_t item;

	while (filchi_injector_take(&s->injector, &item) == FILCH_OK)
		drop(item);
	for (uint32_t i = 0; i < s->worker_count + s->spares.made; i++) {
		struct filchi_worker *w = &s->workers[i];

		while (w->deque->ops->pop(w->deque, &item) == FILCH_OK)
			drop(item);
		if (!w->started)
			filchi_jobs_flush(w);
		chk_assert(!w->job && !w->blocking && !w->job_cache);
	}
	/* With spares, workers that have ended stay counted. */
	chk_assert(filchi_load_rlx(&s->stalled, FLAG) == s->spares.ended);
	filchi_sched_fini(s);
}

void stage_end(void)
{
	filchi_thread_local_set(NULL);
	stage_end_pool(&stage.pool);
	chk_assert(!list.first);
	chk_assert(store.out == 0 && store.pools == 1);
	filchi_jobs_close();
	chk_assert(!store.chunks);
}

/* ---- jobs ---- */

static int fn(void *arg, void **result)
{
	struct stage_job *job = arg;

	chk_assert(filchi_fetch_add_rlx(&job->begun, 1, FLAG) == 0);
	chk_assert(filchi_cell_get(&job->state) == STAGE_NEW);
	filchi_cell_set(&job->state, STAGE_RUN);
	if (job->body)
		job->body((unsigned)(job - stage.job));
	filchi_plain_set(result, job);
	filchi_store_rlx(&job->ran, 1, FLAG);
	return job->error;
}

void stage_prepare(unsigned n, void (*body)(unsigned n), int error)
{
	filchi_cell_set(&stage.job[n].state, STAGE_NEW);
	stage.job[n].body = body;
	stage.job[n].error = error;
}

void stage_submit(unsigned n)
{
	chk_assert(filch_submit(&stage.pool, fn, &stage.job[n], NULL) == 0);
}

void stage_submit_future(unsigned n)
{
	stage_submit_future_to(&stage.pool, n);
}

void stage_submit_future_to(struct filch_pool *pool, unsigned n)
{
	chk_assert(filch_submit(pool, fn, &stage.job[n], &stage.future[n]) == 0);
}

void stage_submit_member(unsigned n)
{
	chk_assert(filch_group_submit(stage.group, fn, &stage.job[n]) == 0);
}

void stage_has_run(unsigned n)
{
	chk_assert(filchi_load_rlx(&stage.job[n].begun, FLAG) == 1);
	chk_assert(filchi_load_rlx(&stage.job[n].ran, FLAG) == 1);
	chk_assert(filchi_cell_get(&stage.job[n].state) == STAGE_RUN);
}

void stage_has_not_run(unsigned n)
{
	chk_assert(filchi_load_rlx(&stage.job[n].begun, FLAG) == 0);
	chk_assert(filchi_cell_get(&stage.job[n].state) == STAGE_NEW);
}

bool stage_wait(unsigned n)
{
	void *result = &stage;
	int err = filch_future_wait(stage.future[n], &result);

	if (err == -ECANCELED) {
		chk_assert(!result);
		stage_has_not_run(n);
		return false;
	}
	chk_assert(err == stage.job[n].error);
	chk_assert(result == &stage.job[n]);
	stage_has_run(n);
	return true;
}

void stage_await(unsigned n)
{
	while (!filchi_load_rlx(&stage.job[n].ran, FLAG))
		filchi_spin_wait();
}

/* ---- acted workers ---- */

struct filchi_worker *stage_become(unsigned worker)
{
	filchi_thread_local_set(&stage.pool.sched.workers[worker]);
	return &stage.pool.sched.workers[worker];
}

void stage_serve(struct filchi_worker *w, unsigned items)
{
	uintptr_t item;

	for (unsigned i = 0; i < items; i++) {
		while (filchi_injector_take(&w->sched->injector, &item) != FILCH_OK)
			filchi_spin_wait();
		run_item(w, item);
	}
}

void stage_steal(struct filchi_worker *w, unsigned from)
{
	uintptr_t item;

	if (filchi_worker_steal(w, &w->sched->workers[from], &item, true) == FILCH_OK)
		run_item(w, item);
}

void stage_begin_group(const struct stage_setup *setup)
{
	stage_begin(setup, false);
	chk_assert(filch_group_create(&stage.group, &stage.pool) == 0);
}

void stage_submit_new_member(unsigned n, void (*body)(unsigned), int error)
{
	stage_prepare(n, body, error);
	stage_submit_member(n);
}

void stage_await_begun(unsigned n)
{
	while (!filchi_load_rlx(&stage.job[n].begun, FLAG))
		filchi_spin_wait();
}

void stage_serve_one(void *worker)
{
	stage_serve(stage_become((unsigned)(uintptr_t)worker), 1);
}
