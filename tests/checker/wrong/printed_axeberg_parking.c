/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker loop of "Work-Stealing Scheduler" (axeberg), "Scheduling Algorithm": a worker looks for a task in all
 * queues. If all are empty it does "park thread (wait for new work notification)". A push of the scenario is a spawn. A
 * steal is the loop of a worker until it has a task. Each line of C has its printed line beside it.
 *
 * The queues are one word that has a task or none, because other printed algorithms cover the queues. Everything is
 * seq_cst. The document does not say which workers are notified. We read it in the usual way: spawn wakes the parked
 * workers, as a condition variable or a futex does. A worker that is not parked yet hears nothing.
 */
#include "../printed.h"

enum {
	LOOK_AGAIN = 1, /* the worker says that it is parked, and then looks once more */
	ACQ_REL = 2,	/* no fix: weaker orders than seq_cst */
	FIXED = LOOK_AGAIN
};

#define STORED (fixed & ACQ_REL ? CHK_REL : CHK_SC)
#define LOADED (fixed & ACQ_REL ? CHK_ACQ : CHK_SC)
#define EXCHANGED (fixed & ACQ_REL ? CHK_ACQ_REL : CHK_SC)

static struct {
	uint64_t task;	   /* of all queues; 0: empty */
	uint64_t parked;   /* the worker says that it is parked */
	uint64_t notified; /* the word that a parked worker waits for */
} executor;

static void set_up(void)
{
	INIT(executor.task, 0);
	INIT(executor.parked, 0);
	INIT(executor.notified, 0);
}

/* executor.spawn(); the scenario spawns a task only when there is none */
static bool spawn(uint64_t item)
{
	STORE(executor.task, item, STORED, "spawn: push");
	if (LOAD(executor.parked, LOADED, "spawn: is anyone parked?"))
		STORE(executor.notified, 1, STORED, "spawn: notify");
	return true;
}

/* 1. Pop from local deque, 2. Steal from global injector, 3. Steal from random peer worker */
#define LOOK(printed) EXCHANGE(executor.task, 0, EXCHANGED, printed)

static uint64_t worker_loop(void)
{
	uint64_t item;

	for (;;) {
		/* 1 to 3: Found? Execute task, goto 1 */
		item = LOOK("1 to 3: found?");
		if (item)
			return item;
		/* 3: All empty? goto 4 */
		STORE(executor.parked, 1, STORED, "4: park");
		if (fixed & LOOK_AGAIN) {
			item = LOOK("fix of 4");
			if (item)
				return item;
		}
		/* 4. Park thread (wait for new work notification) */
		while (!LOAD(executor.notified, LOADED, "4: wait for notification"))
			chk_spin();
		/* 4: Woken? goto 1 */
		STORE(executor.notified, 0, STORED, "4: woken");
		STORE(executor.parked, 0, STORED, "4: woken");
	}
}

/* Nothing may be left. */
static uint64_t left(void)
{
	return LOAD(executor.task, LOADED, "after");
}

static const struct algorithm algorithm = {.set_up = set_up, .push = spawn, .pop = left, .steal = worker_loop};

static const struct scenario one_task = {.capacity = 1, .owner = "+", .thief = {"s"}};

static const struct printed rows[] = {
	{"lost_wake_up", 0, &one_task, CHK_ENDLESS, "1 thread waits for a value that nobody will write", 13},
	{"acquire_release", LOOK_AGAIN | ACQ_REL, &one_task, CHK_ENDLESS, "1 thread waits", 15},

	{"fixed_one_task", FIXED, &one_task, CHK_OK, NULL, 5},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
