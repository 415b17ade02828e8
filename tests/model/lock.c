/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process-wide lock under the checker: one thread has it at a time, and each sleeper wakes. And the memory of jobs,
 * which the lock guards in the library.
 */
#include "../../src/pool/lock.h"
#include "../fixtures/check_main.h"
#include "../fixtures/pool/fixture.h"

struct scenario {
	unsigned threads, turns;
	bool tries; /* the threads do not sleep */
};

static struct {
	const struct scenario *s;
	struct filchi_fork_lock lock;
	FILCHI_CELL(unsigned) count;
} now;

static void count(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < now.s->turns; i++) {
		if (now.s->tries)
			while (!filchi_fork_trylock(&now.lock))
				filchi_spin_wait();
		else
			chk_assert(filchi_fork_lock(&now.lock));
		filchi_cell_set(&now.count, filchi_cell_get(&now.count) + 1);
		filchi_fork_unlock(&now.lock);
	}
}

static void play(void *arg)
{
	int id[CHK_MAX_THREADS];

	now.s = arg;
	filchi_os_check_start();
	filchi_atomic_init(&now.lock.word, 0);
	filchi_cell_set(&now.count, 0);
	for (unsigned i = 1; i < now.s->threads; i++)
		id[i] = chk_thread(count, NULL);
	count(NULL);
	for (unsigned i = 1; i < now.s->threads; i++)
		chk_join(id[i]);
	chk_assert(filchi_cell_get(&now.count) == now.s->threads * now.s->turns);
}

/* The last thread frees the memory of all jobs, including the jobs that another thread has given back. */
static void give(void *job)
{
	filchi_job_memory_give(NULL, job);
}

static void memory(void *unused)
{
	struct filchi_job *job[2];
	int id;

	(void)unused;
	fixture_empty();
	filchi_job_memory_open();
	for (unsigned i = 0; i < 2; i++)
		job[i] = filchi_job_memory_take(NULL);
	chk_assert(job[0] && job[1]);
	id = chk_thread(give, job[0]);
	give(job[1]);
	filchi_job_memory_close();
	chk_join(id);
}

static const struct check_scenario scenarios[] = {
	{.name = "memory", .play = memory},
	{.name = "two", .play = play, .arg = &(const struct scenario){2, 1, false}},
	{.name = "tries", .play = play, .arg = &(const struct scenario){2, 1, true}},
	{.name = "two_twice", .play = play, .arg = &(const struct scenario){2, 2, false}},
	{.name = "three", .play = play, .arg = &(const struct scenario){3, 1, false}},
	{.name = "three_twice", .play = play, .arg = &(const struct scenario){3, 2, false}, .walks = true},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "lock", .file = "/pool/lock.c", .prefix = "filchi_fork_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
