/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools: how they are made and ended, and questions about them.
 *
 * Edges:
 *   COUNTER   orders nothing
 */
#include "hooks.h"
#include "lock.h"
#include "wait.h"

#include "../base/mem.h"
#include "../base/sized.h"
#include "../os/limits.h"
#include "../os/process.h"
#include "../os/stack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A task stack has twice the size of the worker's stack. For many spawns in one body it has at least 16 MB. */
#define REGION(stack_bytes)                                                                                            \
	FILCHI_TUNE(filchi_round_pow2(2 * ((stack_bytes) > 1 << 23 ? (stack_bytes) : 1 << 23)), (size_t)1 << 10)
/* Without memory the pool tries smaller sizes, down to these. */
#define REGION_LEAST ((size_t)FILCHI_TUNE((size_t)1 << 19, (size_t)1 << 10))
#define STACK_LEAST ((size_t)1 << 18)
#define CAPACITY_LEAST ((size_t)1 << 12)

/* ---- workers ---- */

int filchi_pool_worker_create(struct filchi_worker **out, struct filchi_sched *s, uint32_t id)
{
	const struct filch_pool *pool = filchi_sched_owner(s);
	struct filchi_pool_worker *w = filchi_alloc(sizeof(*w));
	int err = w ? filchi_task_worker_init(&w->task, &pool->tasks, s, id) : -ENOMEM;

	if (err) {
		filchi_free(w);
		return err;
	}
	w->free_jobs = NULL;
	w->free_count = 0;
	filchi_atomic_init(&w->jobs_run, 0);
	*out = filchi_task_sched_worker(&w->task);
	return 0;
}

void filchi_pool_worker_destroy(struct filchi_worker *worker)
{
	struct filchi_pool_worker *w = filchi_pool_worker_of(worker);

	filchi_task_worker_fini(&w->task);
	filchi_free(w);
}

static void run(struct filchi_worker *w, uintptr_t item)
{
	if (filchi_item_is_foreign(item))
		filchi_hooks_run_item(w, item);
	else if (filchi_item_is_free(item))
		filchi_job_run_item(w, item);
	else
		filchi_task_run_item(w, (struct filch_task *)item);
}

static bool is_end_of_task_stack(const void *worker, uintptr_t address)
{
	return filchi_task_stack_guard(worker, address, FILCHI_STACK_GUARD);
}

static unsigned distance(const void *owner, uint32_t a, uint32_t b)
{
	const struct filch_pool *pool = owner;
	const struct filchi_topology *t = &pool->topology;

	return filchi_topology_distance(&t->cpus[a % t->cpu_count], &t->cpus[b % t->cpu_count]);
}

/* The name ends with the number. A long name loses bytes before the number. */
static void set_name(const struct filchi_worker *w, const char *name)
{
	uint32_t id = filchi_worker_id(w), workers = filchi_sched_workers(filchi_worker_sched(w));
	char number[8], text[16];
	bool spare = id >= workers;
	int length = snprintf(number, sizeof(number), "/%s%u", spare ? "s" : "",
			      (unsigned)(spare ? id - workers : id) % 10000u);

	snprintf(text, sizeof(text), "%.*s%s", (int)sizeof(text) - 1 - length, name, number);
	filchi_thread_name(text);
}

static void begin(struct filchi_worker *w)
{
	struct filch_pool *pool = filchi_pool_of(w);
	struct filchi_stack_owner owner = {.worker = (int)filchi_worker_id(w),
					   .thread = filchi_worker_thread(w),
					   .bytes = filchi_sched_setup(&pool->sched)->stack_bytes,
					   .task_bytes = pool->tasks.stack_bytes,
					   .wanted = pool->options.stack,
					   .task_wanted = REGION(pool->options.stack),
					   .is_task_stack = is_end_of_task_stack,
					   .context = w};

	set_name(w, pool->name);
	if (pool->options.stack_report > 0)
		filchi_stack_begin(&owner);
	if (pool->options.pin)
		filchi_topology_pin(
			pool->topology.cpus[filchi_worker_id(w) % pool->topology.cpu_count].cpu); /* or run anywhere */
	if (pool->options.worker_begin)
		pool->options.worker_begin((int)filchi_worker_id(w), pool->options.arg);
}

static void end(struct filchi_worker *w)
{
	struct filch_pool *pool = filchi_pool_of(w);

	if (pool->options.worker_end)
		pool->options.worker_end((int)filchi_worker_id(w), pool->options.arg);
	filchi_job_memory_flush(w);
	if (pool->options.stack_report > 0)
		filchi_stack_end();
}

/* The worker cannot go on: the stack frames of the job, and the scheduler's frames below, are gone. */
static void died(struct filchi_worker *w)
{
	const struct filch_pool *pool = filchi_pool_of(w);

	/* In a child of fork() the thread is no worker, and may end. */
	if (pool->generation == filchi_process_generation())
		filchi_thread_lost((int)filchi_worker_id(w));
}

/* ---- making and ending ---- */

/* Starts the threads. After an error nothing is left to free. */
static int try_to_start(struct filch_pool *pool, const struct filchi_sched_setup *setup)
{
	int err = filchi_sched_init(&pool->sched, setup);

	if (err)
		return err;
	err = filchi_sched_start(&pool->sched);
	if (err)
		filchi_sched_fini(&pool->sched);
	return err;
}

/* Takes less address space. False: all sizes are at their minimum. */
static bool make_smaller(struct filchi_sched_setup *setup, struct filchi_task_config *tasks, bool capacity)
{
	bool any = tasks->stack_bytes > REGION_LEAST || setup->stack_bytes > STACK_LEAST;

	if (tasks->stack_bytes > REGION_LEAST)
		tasks->stack_bytes >>= 2;
	if (setup->stack_bytes > STACK_LEAST)
		setup->stack_bytes = setup->stack_bytes / 4 > STACK_LEAST ? setup->stack_bytes / 4 : STACK_LEAST;
	if (capacity && setup->deque.max_capacity > CAPACITY_LEAST)
		setup->deque.max_capacity >>= 2;
	return any;
}

static int cannot_start(const struct filchi_sched_setup *setup, int err)
{
	char limits[FILCHI_LIMITS_TEXT];

	filchi_limits_text(limits, err);
	if (err == -EAGAIN)
		return filchi_fail(err, "no threads for %u workers%s: set FILCH_WORKERS lower", setup->workers, limits);
	if (err == -ENOMEM)
		return filchi_fail(err, "no memory for %u workers%s: set FILCH_WORKERS or FILCH_STACK lower",
				   setup->workers, limits);
	if (err == -EINVAL)
		return filchi_fail(err, "a stack of %zu bytes has no room for thread-local variables",
				   setup->stack_bytes);
	return filchi_fail(err, "cannot start %u workers: %s", setup->workers, strerror(-err));
}

static int start_workers(struct filch_pool *pool, struct filchi_sched_setup *setup, enum filchi_join_policy join)
{
	bool capacity = !pool->options.capacity && !setup->kind->info.bounded;
	int err;

	setup->run = run;
	setup->begin = begin;
	setup->end = end;
	setup->stalled = filchi_wait_stalled;
	setup->stashed = filchi_task_stashed;
	setup->died = died;
	setup->owner = pool;
	setup->worker_create = filchi_pool_worker_create;
	setup->worker_destroy = filchi_pool_worker_destroy;
	setup->distance = distance;
	filchi_task_config_init(&pool->tasks, setup->workers, setup->kind, join, REGION(setup->stack_bytes));
	do
		err = try_to_start(pool, setup);
	while ((err == -ENOMEM || err == -EAGAIN) && make_smaller(setup, &pool->tasks, capacity));
	return err ? cannot_start(setup, err) : 0;
}

/* Faults are reported while a pool has stack_report. */
static struct filchi_fork_lock report_lock;
static unsigned reports;

static void report_stacks(const struct filch_pool *pool, bool on)
{
	if (pool->options.stack_report < 0 || !filchi_pool_has_workers(pool))
		return;
	if (!filchi_fork_lock(&report_lock))
		reports = 0;
	if (on && !reports++)
		filchi_stack_watch();
	if (!on && reports && !--reports)
		filchi_stack_unwatch();
	filchi_fork_unlock(&report_lock);
}

static int set_up(struct filch_pool *pool, const struct filch_options *opt, struct filchi_sched_setup *setup,
		  enum filchi_join_policy *join)
{
	int err = filchi_process_watch();

	if (!err)
		err = filchi_topology_read(&pool->topology, NULL);
	if (err)
		return filchi_fail(err, "no memory for a pool");
	err = filchi_options_complete(&pool->options, opt, pool->topology.limit);
	if (!err)
		err = filchi_options_setup(setup, join, &pool->options);
	if (err)
		return err;
	setup->one_processor = pool->topology.cpu_count == 1;
	/* Names that stay valid: a child of fork() makes the same pool again. */
	pool->options.deque = setup->kind->info.name;
	pool->options.victim = filch_victim_name(setup->victim);
	pool->options.wait = filch_wait_name(setup->wait);
	pool->options.join = filch_join_name(*join);
	snprintf(pool->name, sizeof(pool->name), "%s", pool->options.name ? pool->options.name : "filch");
	pool->options.name = pool->name;
	if (pool->options.pin || setup->victim == FILCHI_VICTIM_NEAREST)
		filchi_topology_map(&pool->topology, NULL, FILCHI_TOPOLOGY_BEST); /* or it stays flat */
	return 0;
}

static int create(struct filch_pool **out, const struct filch_options *opt, bool is_default)
{
	struct filchi_sched_setup setup;
	enum filchi_join_policy join;
	struct filch_pool *pool;
	int err;

	if (!out)
		return filchi_fail(-EINVAL, "out is NULL");
	pool = filchi_alloc(sizeof(*pool));
	if (!pool)
		return filchi_fail(-ENOMEM, "no memory for a pool");
	memset(&pool->topology, 0, sizeof(pool->topology));
	pool->generation = filchi_process_generation();
	filchi_plain_set(&pool->is_default, is_default);
	filchi_atomic_init(&pool->jobs_outside, 0);
	filchi_atomic_init(&pool->stale, 0);
	filchi_atomic_init(&pool->unfinished, 0);
	err = set_up(pool, opt, &setup, &join);
	if (!err) {
		filchi_job_memory_open();
		report_stacks(pool, true);
		err = setup.workers ? start_workers(pool, &setup, join)
				    : filchi_injector_init(&pool->serial_queue, FILCHI_TUNE(0, 2));
		if (err) {
			report_stacks(pool, false);
			filchi_job_memory_close();
		}
	}
	if (err) {
		filchi_topology_free(&pool->topology);
		filchi_free(pool);
		return err;
	}
	*out = pool;
	return 0;
}

/* create() reads files, where a thread could be cancelled: then half a pool and held locks would be left. */
int filchi_pool_create(struct filch_pool **out, const struct filch_options *opt, bool is_default)
{
	int keep = filchi_thread_keep();
	int err = create(out, opt, is_default);

	filchi_thread_keep_not(keep);
	return err;
}

int filch_pool_create(struct filch_pool **out, const struct filch_options *opt)
{
	return filchi_pool_create(out, opt, false);
}

/* True if the calling thread runs a job or task of this pool. */
static bool is_inside(const struct filch_pool *pool)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (w && filchi_pool_of(w) == pool)
		return true;
	for (struct filchi_job *job = filchi_job_current(); job; job = job->below)
		if (job->pool == pool)
			return true;
	return false;
}

static void destroy(struct filch_pool *pool)
{
	/* In a child of fork() there are no workers to stop. Their items and stacks are lost. */
	if (pool->generation == filchi_process_generation()) {
		if (filchi_pool_has_workers(pool)) {
			filchi_sched_stop(&pool->sched);
			filchi_wait_forget();
			filchi_sched_wait_outside(&pool->sched);
			filchi_hooks_detach(pool);
			filchi_sched_fini(&pool->sched);
		} else {
			filchi_job_run_serial(pool);
		}
		report_stacks(pool, false);
		filchi_job_memory_close();
	}
	/* A worker has forked, and its thread destroys the pool in the child. It still runs on the pool's stack. */
	if (filchi_pool_has(pool, filchi_worker_self())) {
		filchi_thread_local_set(NULL);
		return;
	}
	if (!filchi_pool_has_workers(pool))
		filchi_injector_fini(&pool->serial_queue);
	filchi_topology_free(&pool->topology);
	filchi_free(pool);
}

/* destroy() joins threads, where the caller could be cancelled. */
int filch_pool_destroy(struct filch_pool *pool)
{
	int keep;

	if (!pool)
		return 0;
	if (is_inside(pool))
		return filchi_fail(-EDEADLK, "a job or task of a pool cannot wait until the pool has ended");
	keep = filchi_thread_keep();
	destroy(pool);
	filchi_thread_keep_not(keep);
	return 0;
}

/* ---- questions ---- */

unsigned filch_pool_workers(struct filch_pool *pool)
{
	struct filchi_pool_hold hold;
	unsigned workers;

	if (filchi_pool_hold(&hold, pool))
		return 0;
	workers = filchi_pool_has_workers(hold.pool) ? filchi_sched_workers(&hold.pool->sched) : 0;
	filchi_pool_release(&hold);
	return workers;
}

unsigned filch_pool_worker_ids(struct filch_pool *pool)
{
	struct filchi_pool_hold hold;
	unsigned max;

	if (filchi_pool_hold(&hold, pool))
		return 1;
	max = filchi_pool_has_workers(hold.pool) ? filchi_sched_ids(&hold.pool->sched) : 1;
	filchi_pool_release(&hold);
	return max;
}

int filch_worker_id(void)
{
	struct filchi_worker *w = filchi_pool_worker();

	return w ? (int)filchi_worker_id(w) : -1;
}

void filch_pool_keep_awake_begin(struct filch_pool *pool)
{
	struct filchi_pool_hold hold;

	if (filchi_pool_hold(&hold, pool))
		return;
	if (filchi_pool_has_workers(hold.pool))
		filchi_sched_keep_awake_begin(&hold.pool->sched);
	filchi_pool_release(&hold);
}

void filch_pool_keep_awake_end(struct filch_pool *pool)
{
	struct filchi_pool_hold hold;

	if (filchi_pool_hold(&hold, pool))
		return;
	if (filchi_pool_has_workers(hold.pool))
		filchi_sched_keep_awake_end(&hold.pool->sched);
	filchi_pool_release(&hold);
}

/* Adds up the counters of one worker or spare, or of all. */
static int sum(struct filch_pool *pool, int worker, struct filch_stats *stats)
{
	uint32_t first = 0, last = filchi_pool_has_workers(pool) ? filchi_sched_victims(&pool->sched) : 0;

	if (worker < -1 || (worker >= 0 && (uint32_t)worker >= last))
		return last ? filchi_fail(-EINVAL, "worker is %d: must be 0 to %u, or -1 for all", worker, last - 1)
			    : filchi_fail(-EINVAL, "worker is %d, but the pool has no workers: must be -1", worker);
	if (worker >= 0) {
		first = (uint32_t)worker;
		last = first + 1;
	} else {
		stats->jobs = filchi_load_rlx(&pool->jobs_outside, COUNTER);
	}
	for (uint32_t i = first; i < last; i++) {
		struct filchi_worker *w = filchi_sched_worker(&pool->sched, i);

		stats->jobs += filchi_count_read(&filchi_pool_worker_of(w)->jobs_run);
		filchi_task_stats(w, stats);
	}
	return 0;
}

int filch_pool_stats(struct filch_pool *pool, int worker, struct filch_stats *stats)
{
	struct filch_stats mine = {.struct_size = sizeof(mine)};
	struct filchi_pool_hold hold;
	int err = 0;

	if (!stats)
		return filchi_fail(-EINVAL, "stats is NULL");
	if (!filchi_sized_makes_sense(stats->struct_size))
		return filchi_fail_sized("struct filch_stats", stats);
	if (!filchi_pool_hold(&hold, pool)) {
		err = sum(hold.pool, worker, &mine);
		filchi_pool_release(&hold);
	} else if (worker != -1) {
		err = filchi_fail(-EINVAL, "worker is %d, but there is no pool: must be -1", worker);
	}
	return err ? err : filchi_sized_fill(stats, &mine, sizeof(mine));
}
