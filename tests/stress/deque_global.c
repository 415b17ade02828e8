/* SPDX-License-Identifier: Apache-2.0 */
/* The scenarios of all kinds have one owner. Here all threads push, pop and steal on one queue at once. */
#include "../../src/base/rng.h"
#include "../../src/deque/deque.h"
#include "../fixtures/deque/stress.h"
#include "../fixtures/stress.h"

#include <filch/deque.h>
#include <pthread.h>
#include <string.h>

enum { WORKERS = 6 };

struct worker {
	pthread_t thread;
	unsigned id;
	size_t pushed;
	size_t taken;
	size_t next[WORKERS]; /* for each worker, the first of its items that may still come to this worker */
};

static struct filch_deque *queue;
static struct worker workers[WORKERS];
static size_t share; /* items of each worker */
static struct stress_entry *ledger;
static pthread_barrier_t starting; /* all begin at once */

/*
 * First in, first out: the items of one worker come to another one in the order of the pushes, although not all of
 * them.
 */
static void took(struct worker *w, uintptr_t item)
{
	size_t from = item / share, number = item % share;

	TEST_CHECK(from < WORKERS && number >= w->next[from]);
	w->next[from] = number + 1;
	stress_take(ledger, WORKERS * share, item);
	w->taken++;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct filchi_rng rng;
	uintptr_t item;

	filchi_rng_seed(&rng, w->id);
	pthread_barrier_wait(&starting);
	while (w->pushed < share) {
		switch (filchi_rng_below(&rng, 4)) {
		case 0:
			if (filch_deque_pop(queue, &item) == FILCH_OK)
				took(w, item);
			break;
		case 1:
			if (filch_deque_steal(queue, &item) == FILCH_OK)
				took(w, item);
			break;
		default:
			item = stress_put(ledger, w->id * share + w->pushed++);
			TEST_CHECK(filch_deque_push(queue, item) == 0);
		}
	}
	while (filch_deque_pop(queue, &item) == FILCH_OK)
		took(w, item);
	return NULL;
}

static void everyone_owns(void)
{
	const struct filch_deque_options opt = {.struct_size = sizeof(opt), .capacity = 1};
	size_t taken = 0;

	share = TEST_SANITIZED ? 30000 : 500000;
	ledger = stress_open(WORKERS * share);
	TEST_CHECK(filchi_deque_find("global")->info.many_owners);
	TEST_CHECK(filch_deque_create(&queue, "global", &opt) == 0);
	pthread_barrier_init(&starting, NULL, WORKERS);
	memset(workers, 0, sizeof(workers));
	for (unsigned i = 0; i < WORKERS; i++) {
		workers[i].id = i;
		TEST_CHECK(!pthread_create(&workers[i].thread, NULL, work, &workers[i]));
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		pthread_join(workers[i].thread, NULL);
		taken += workers[i].taken;
	}
	/* The worker that pushed last has emptied the queue. */
	TEST_CHECK(taken == WORKERS * share && filch_deque_size(queue) == 0);
	pthread_barrier_destroy(&starting);
	filch_deque_destroy(queue);
	stress_close(ledger, WORKERS * share);
}

int main(void)
{
	static const struct test_scenario scenario = {"everyone_owns", everyone_owns};

	test_run(&scenario, 1);
	return deque_stress("global");
}
