/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thief takes more tasks from the worker that had the first one. The workers of the scheduler have no threads: this
 * thread acts as each of them.
 */
#include "../fixtures/task/workers.h"
#include "../fixtures/test.h"

#include <string.h>

enum { WORKERS = 3, TASKS = 8 };

static struct filchi_sched sched;
static struct filchi_task_config config;
static size_t stashed, in_deque[WORKERS]; /* when a task was run */
static size_t runs;

static void body(struct filch_worker_ *public, struct filch_task *t, struct filch_task *head)
{
	(void)t;
	(void)head;
	runs++;
	stashed = filchi_stash_size(&filchi_task_worker_of(public)->sched.stash);
	for (unsigned i = 0; i < WORKERS; i++)
		in_deque[i] = sched.workers[i]->deque->ops->size(sched.workers[i]->deque);
}

static void begin(void)
{
	struct filchi_sched_setup setup = {.workers = WORKERS,
					   .kind = filchi_deque_find("locked"),
					   .deque = {.capacity = 64, .max_capacity = 64},
					   .victim = FILCHI_VICTIM_SEQUENTIAL,
					   .searchers = 1};

	task_workers_setup(&setup, &config, FILCHI_JOIN_TRANSITIVE, 1 << 16);
	TEST_CHECK(setup.kind && filchi_sched_init(&sched, &setup) == 0);
	stashed = runs = 0;
	memset(in_deque, 0, sizeof(in_deque));
}

static void end(void)
{
	filchi_sched_fini(&sched);
}

static struct filchi_worker *become(unsigned id)
{
	filchi_thread_local_set(sched.workers[id]);
	return sched.workers[id];
}

/* Makes tasks of this owner, from this slot of its task stack on. */
static void make(unsigned owner, size_t from, uintptr_t items[TASKS])
{
	for (size_t i = 0; i < TASKS; i++) {
		struct filch_task *t = filchi_task_worker(sched.workers[owner])->stacks[0] + from + i;

		t->run = body;
		t->lines = 1;
		t->owner = (uint16_t)owner;
		t->state = FILCHI_TASK_QUEUED;
		filchi_task_tail(t)->context = NULL;
		items[i] = (uintptr_t)t;
	}
}

static void push_all(unsigned id, const uintptr_t items[TASKS])
{
	struct filchi_worker *w = become(id);

	for (size_t i = 0; i < TASKS; i++)
		TEST_CHECK(w->deque->ops->push(w->deque, items[i]) == 0);
}

/* Looks around once and runs the task that it finds, as an idle worker does. */
static void run_next(unsigned id)
{
	struct filchi_worker *w = become(id);
	uintptr_t item;

	TEST_CHECK(filchi_worker_find(w, &item));
	filchi_task_run_item(w, (struct filch_task *)item);
}

/*
 * Worker 2 looks at worker 0 first. Worker 0 has tasks of worker 1 in its stash. Worker 1 has more of them in its
 * deque: worker 2 must leave these alone.
 */
static void third(void)
{
	uintptr_t items[TASKS];

	begin();
	make(1, 0, items);
	push_all(1, items);
	make(1, TASKS, items);
	become(0);
	filchi_steal_stash(sched.workers[0], items, TASKS);
	run_next(2);
	TEST_CHECK(in_deque[1] == TASKS);
	TEST_CHECK(stashed == (TASKS - 1) / 2);
	TEST_CHECK(filchi_stash_size(&sched.workers[0]->stash) == TASKS - 1 - (TASKS - 1) / 2);
	/* It runs its stash first, and then steals from the same worker again. */
	for (size_t i = 0; i < (TASKS - 1) / 2; i++)
		run_next(2);
	TEST_CHECK(in_deque[1] == TASKS && stashed == 0);
	run_next(2);
	TEST_CHECK(in_deque[1] == TASKS && stashed == (TASKS - 2 - (TASKS - 1) / 2) / 2);
	end();
}

/* The usual case: the tasks are in the deque of the worker that spawned them. */
static void from_owner(void)
{
	uintptr_t items[TASKS];

	begin();
	make(0, 0, items);
	push_all(0, items);
	/* The other tasks stay in the deque, where the owner can take them back. The thief takes one by one. */
	run_next(2);
	TEST_CHECK(stashed == 0 && in_deque[0] == 0 && runs == TASKS);
	end();
}

/* A task that came from the injector leads to no further steals. */
static void not_stolen(void)
{
	uintptr_t items[TASKS], one[TASKS];

	begin();
	make(0, 0, items);
	push_all(0, items);
	make(1, 0, one);
	TEST_CHECK(filchi_sched_inject(&sched, one[0]) == 0);
	run_next(2);
	TEST_CHECK(stashed == 0 && in_deque[0] == TASKS);
	end();
}

/* A worker whose deque never runs empty still takes an injected item. */
static void injected_is_not_starved(void)
{
	uintptr_t items[TASKS], one[TASKS], item = 0;
	struct filchi_worker *w;

	begin();
	make(0, 0, items);
	make(1, 0, one);
	w = become(0);
	TEST_CHECK(filchi_sched_inject(&sched, one[0]) == 0);
	for (int i = 0; i < 200 && item != one[0]; i++) {
		TEST_CHECK(w->deque->ops->push(w->deque, items[0]) == 0);
		TEST_CHECK(filchi_worker_next(w, &item));
	}
	TEST_CHECK(item == one[0]);
	while (w->deque->ops->pop(w->deque, &item) == FILCH_OK)
		;
	end();
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"third", third},
							 {"from_owner", from_owner},
							 {"not_stolen", not_stolen},
							 {"injected_is_not_starved", injected_is_not_starved}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
