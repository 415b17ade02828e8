/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spares under the checker: on the fixture of fixtures/pool/fixture.h. A blocked worker goes on only when a spare has
 * run a certain job. If no spare came, or the pool forgot a spare, all threads would wait. Stop must end with all jobs
 * run, whatever the spares do.
 *
 * Spares are real checker threads: each runs the whole loop of an idle worker. If a checker thread acts as the
 * worker, the checker can still explore all executions.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/pool/fixture.h"
#include "../fixtures/sched/stop.h"

#include <errno.h>

/*
 * Edges of the test: they order nothing. So only the library orders the accesses.
 *
 *   FLAG
 */

struct scenario {
	struct fixture_setup setup;
	unsigned jobs; /* submitted from outside */
	void (*body[FIXTURE_JOBS])(unsigned n);
};

static uint32_t spares_made(void)
{
	return fixture.pool.sched.spares.made;
}

/* ---- bodies ---- */

/* Blocks until the next job has run. */
static void block(unsigned n)
{
	filch_blocking_begin();
	fixture_await(n + 1);
	filch_blocking_end();
}

/* Blocks again until another job has run: the spare may have parked, or be about to. */
static void block_twice(unsigned n)
{
	block(n);
	fixture_prepare(n + 2, NULL, 0);
	fixture_submit(n + 2);
	block(n + 1);
}

/* Blocks again, but the first time there is no job. */
static void block_again(unsigned n)
{
	filch_blocking_begin();
	filch_blocking_end();
	fixture_prepare(n + 1, NULL, 0);
	fixture_submit(n + 1);
	block(n);
}

static void block_nested(unsigned n)
{
	filch_blocking_begin();
	block(n);
	filch_blocking_end();
}

/* Blocks and forgets the end. */
static void block_forget(unsigned n)
{
	filch_blocking_begin();
	fixture_await(n + 1);
}

/* Waits for a future. Another worker has begun its job, or this one runs it. */
static void wait_for_next(unsigned n)
{
	fixture_prepare(n + 1, NULL, 0);
	fixture_submit_future(n + 1);
	fixture_wait(n + 1);
	filch_future_destroy(fixture.future[n + 1]);
}

static void submit_next(unsigned n)
{
	fixture_prepare(n + 1, NULL, 0);
	fixture_submit(n + 1);
}

/* ---- this thread acts as the worker ---- */

/* This thread acts as worker 0 in the middle of a job. It blocks until the queued jobs have run. */
static void act_as_worker(void *arg)
{
	const struct scenario *s = arg;

	fixture_begin(&s->setup, false);
	for (unsigned n = 1; n < 1 + s->jobs; n++) {
		fixture_prepare(n, s->body[n], 0);
		fixture_submit(n);
	}
	fixture_become(0);
	s->body[0](0);
	filchi_thread_local_set(NULL);
	filchi_sched_stop(&fixture.pool.sched);
	chk_assert(spares_made() <= s->setup.spares);
	for (unsigned n = 1; n < 1 + s->jobs; n++)
		fixture_has_run(n);
	fixture_end();
}

/* Worker 0 blocks for a moment, and worker 1 looks around: it may see the spare, and then the deque of the spare. */
static void look_around(void *unused)
{
	struct filchi_worker *w = fixture_become(1);
	uintptr_t item;

	(void)unused;
	chk_assert(!filchi_worker_find(w, &item));
}

static void looked_at(void *arg)
{
	const struct scenario *s = arg;
	int id;

	fixture_begin(&s->setup, false);
	id = chk_thread(look_around, NULL);
	fixture_become(0);
	filch_blocking_begin();
	filch_blocking_end();
	filchi_thread_local_set(NULL);
	chk_join(id);
	filchi_sched_stop(&fixture.pool.sched);
	fixture_end();
}

/* ---- started ---- */

static void started(void *arg)
{
	const struct scenario *s = arg;
	unsigned jobs = 0;

	fixture_begin(&s->setup, true);
	for (unsigned n = 0; n < s->jobs; n++) {
		fixture_prepare(n, s->body[n], 0);
		fixture_submit(n);
	}
	filchi_sched_stop(&fixture.pool.sched);
	chk_assert(spares_made() <= s->setup.spares);
	while (jobs < FIXTURE_JOBS && filchi_load_rlx(&fixture.job[jobs].begun, FLAG))
		fixture_has_run(jobs++);
	chk_assert(jobs >= s->jobs);
	fixture_end();
}

#define ACT_AS_WORKER(name_, ...)                                                                                      \
	{                                                                                                              \
		.name = name_, .play = act_as_worker, .arg = &(const struct scenario)                                  \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
/* Takes some seconds: runs in full only in a deep run. */
#define DEEP(name_, ...)                                                                                               \
	{                                                                                                              \
		.name = name_, .play = act_as_worker, .arg = &(const struct scenario){__VA_ARGS__}, .deep = true       \
	}
#define WALKS(name_, play_, ...)                                                                                       \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario){__VA_ARGS__}, .walks = true              \
	}
static const struct check_scenario scenarios[] = {
	ACT_AS_WORKER("block", {"locked", 1, 1}, 1, {block}),
	ACT_AS_WORKER("nested", {"locked", 1, 1}, 1, {block_nested}),
	ACT_AS_WORKER("submits", {"locked", 1, 1}, 1, {block, submit_next}),
	{.name = "looked_at", .play = looked_at, .arg = &(const struct scenario){.setup = {"chase_lev", 2, 1}}},
	{.name = "busy", .play = sched_busy, .walks = true},
	WALKS("spare_blocks", act_as_worker, {"locked", 1, 2}, 2, {block, block}),
	WALKS("whole", started, {"locked", 1, 1}, 2, {block}),
	WALKS("more_than_spares", started, {"locked", 2, 1}, 3, {block, block}),
	WALKS("again_walked", act_as_worker, {"locked", 1, 1}, 0, {block_again}),
	WALKS("owner_private", act_as_worker, {"split", 1, 1}, 0, {block_again}),
	WALKS("whole_owner_private", started, {"split", 1, 1}, 2, {block_twice}),
	DEEP("again", {"locked", 1, 1}, 0, {block_again}),
	DEEP("twice", {"locked", 1, 1}, 1, {block_twice}),
	WALKS("whole_twice", started, {"locked", 1, 1}, 2, {block_twice}),
	WALKS("forget", started, {"locked", 1, 1}, 2, {block_forget}),
	WALKS("whole_submits", started, {"locked", 1, 1}, 2, {block, submit_next}),
	WALKS("future", started, {"locked", 1, 1}, 1, {wait_for_next}),
	WALKS("future_two", started, {"locked", 2, 1}, 1, {wait_for_next}),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "spare",
			    .file = "/sched/spare.c",
			    .base = "/sched/sched.h",
			    .beside = true,
			    .prefix = "filchi_spare_"},
		.scenarios = scenarios,
		.max_events = 1000,
		.walks = 1000,
		.walks_deep = 20000,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
