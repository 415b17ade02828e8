/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks of a FILCH_SPAWN_N: one task for several numbers. The workers of the scheduler have no threads: this thread
 * acts as the owner, and as the thief while the owner runs number 0.
 */
#include "../fixtures/task/workers.h"
#include "../fixtures/test.h"

#include <string.h>

/* A request at number 0 gives half of the others away: 12 of 23, in chunks of a quarter of that. */
enum { NUMBERS = 24, GIVEN = 12, CHUNKS = 4 };

static struct filchi_sched sched;
static struct filchi_task_config config;
static size_t to_steal;
static unsigned ran_by_thief;

static void begin(void)
{
	struct filchi_sched_setup setup = {.workers = 2,
					   .kind = filchi_deque_find("split"),
					   .deque = {.capacity = 64, .max_capacity = 64},
					   .victim = FILCHI_VICTIM_SEQUENTIAL,
					   .searchers = 1};

	task_workers_setup(&setup, &config, FILCHI_JOIN_TRANSITIVE, 1 << 16);
	TEST_CHECK(setup.kind && filchi_sched_init(&sched, &setup) == 0);
	filchi_thread_local_set(sched.workers[0]);
	filchi_task_worker(sched.workers[0])->spawn_n.known = true;
	ran_by_thief = 0;
}

/* At number 0: the thief takes so many tasks and runs them. */
static void steal(struct filch_frame *f)
{
	struct filchi_worker *owner = sched.workers[0], *thief = sched.workers[1];
	uintptr_t item;

	if (filchi_task_worker_of(f->worker) != filchi_task_worker(owner))
		return;
	TEST_CHECK(filchi_stash_size(&owner->stash) == CHUNKS);
	filchi_thread_local_set(thief);
	for (size_t i = 0; i < to_steal; i++) {
		TEST_CHECK(filchi_stash_take(&owner->stash, FILCHI_ITEMS_ALL, &item, 1) == 1);
		filchi_task_run_item(thief, (struct filch_task *)item);
	}
	filchi_thread_local_set(owner);
}

static void note(struct filch_frame *f, unsigned number)
{
	if (!number)
		steal(f);
	ran_by_thief += filchi_task_worker_of(f->worker) == filchi_task_worker(sched.workers[1]);
}

#define SIZES(X) X(1) X(4) X(8) X(16) X(17) X(48) X(200)
#define OF_SIZE(bytes)                                                                                                 \
	struct of_##bytes {                                                                                            \
		unsigned char at[bytes];                                                                               \
	};                                                                                                             \
	FILCH_TASK(struct of_##bytes, make_##bytes, unsigned, number, unsigned, seed)                                  \
	{                                                                                                              \
		struct of_##bytes r;                                                                                   \
                                                                                                                       \
		note(filch_only_inside_a_task_, number);                                                               \
		for (unsigned i = 0; i < bytes; i++)                                                                   \
			r.at[i] = (unsigned char)(31 * number + i + seed);                                             \
		return r;                                                                                              \
	}                                                                                                              \
	FILCH_TASK(void, all_of_##bytes)                                                                               \
	{                                                                                                              \
		filchi_request(sched.workers[0]);                                                                      \
		FILCH_SPAWN_N(make_##bytes, NUMBERS, 5);                                                               \
		for (unsigned n = NUMBERS; n > 0; n--) {                                                               \
			struct of_##bytes r = FILCH_SYNC(make_##bytes);                                                \
			for (unsigned i = 0; i < bytes; i++)                                                           \
				TEST_CHECK(r.at[i] == (unsigned char)(31 * (n - 1) + i + 5));                          \
		}                                                                                                      \
	}                                                                                                              \
	static void results_##bytes(void)                                                                              \
	{                                                                                                              \
		for (to_steal = 0; to_steal <= CHUNKS; to_steal++) {                                                   \
			struct filch_task t[all_of_##bytes##_filch_lines_];                                            \
                                                                                                                       \
			begin();                                                                                       \
			all_of_##bytes##_filch_pack_(t);                                                               \
			filchi_task_run_here(sched.workers[0], t);                                                     \
			TEST_CHECK(ran_by_thief == to_steal * GIVEN / CHUNKS);                                         \
			filchi_sched_fini(&sched);                                                                     \
		}                                                                                                      \
	}
SIZES(OF_SIZE)

/* Arguments of more than a line, no result. A number may spawn again. */
struct large {
	long at[9];
};
static unsigned seen[NUMBERS];

FILCH_TASK(long, child, long, n)
{
	return n;
}

FILCH_TASK(void, take_large, unsigned char, number, struct large, large, char, last)
{
	note(filch_only_inside_a_task_, number);
	FILCH_SPAWN(child, large.at[8]);
	FILCH_SPAWN(child, number);
	TEST_CHECK(FILCH_SYNC(child) == number);
	TEST_CHECK(FILCH_SYNC(child) == 9 && large.at[0] == 1 && last == 'x');
	seen[number]++;
}

FILCH_TASK(void, all_large)
{
	struct large large = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};

	filchi_request(sched.workers[0]);
	FILCH_SPAWN_N(take_large, NUMBERS, large, 'x');
	FILCH_SYNC_ALL(take_large);
}

static void large_arguments(void)
{
	for (to_steal = 0; to_steal <= CHUNKS; to_steal++) {
		struct filch_task t[all_large_filch_lines_];

		begin();
		memset(seen, 0, sizeof(seen));
		all_large_filch_pack_(t);
		filchi_task_run_here(sched.workers[0], t);
		for (unsigned i = 0; i < NUMBERS; i++)
			TEST_CHECK(seen[i] == 1);
		TEST_CHECK(ran_by_thief == to_steal * GIVEN / CHUNKS);
		filchi_sched_fini(&sched);
	}
}

int main(void)
{
#define ROW(bytes) {"results_" #bytes, results_##bytes},
	static const struct test_scenario scenarios[] = {SIZES(ROW){"large_arguments", large_arguments}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
