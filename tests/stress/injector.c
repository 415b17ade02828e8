/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads on one injector: each item comes out once. Each taker gets the items of one pusher in the order of the
 * pushes.
 */
#define _GNU_SOURCE

#include "../../src/inject/injector.h"
#include "../../src/base/rng.h"
#include "../fixtures/stress.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_WORKERS = 16, BATCH = 64 };

struct plan {
	size_t items; /* for each pusher */
	unsigned pushers, takers;
	unsigned burst; /* largest number of pushes before a pause; 0: no pauses */
	unsigned batch; /* largest number of items in one take, at most BATCH */
	uint32_t segment_size;
	bool both; /* each pusher also takes after each burst */
};

struct worker {
	struct round *round;
	unsigned id;
	uint64_t lost;
	size_t next[MAX_WORKERS]; /* for each pusher, the first item not yet seen or passed over */
};

struct round {
	const struct plan *plan;
	struct filchi_injector queue;
	struct stress_entry *ledger;
	pthread_barrier_t start;
	atomic_size_t left; /* not taken yet */
	struct worker worker[MAX_WORKERS];
};

static uint64_t all_items, all_lost;

static void account(struct worker *w, uintptr_t item)
{
	struct round *r = w->round;
	size_t pusher = item / r->plan->items, number = item % r->plan->items;

	TEST_CHECK(pusher < r->plan->pushers);
	TEST_CHECK(number >= w->next[pusher]);
	w->next[pusher] = number + 1;
	stress_take(r->ledger, r->plan->items * r->plan->pushers, item);
}

/* Tries once. There are fewer cores than threads, so a thread that finds nothing yields. */
static void try_take(struct worker *w, struct filchi_rng *rng)
{
	struct round *r = w->round;
	uintptr_t items[BATCH];
	size_t taken = 1;
	int answer;

	if (r->plan->batch > 1)
		answer = filchi_injector_take_many(&r->queue, items, 1 + filchi_rng_below(rng, r->plan->batch), &taken);
	else
		answer = filchi_injector_take(&r->queue, items);
	if (answer == FILCH_OK) {
		for (size_t i = 0; i < taken; i++)
			account(w, items[i]);
		atomic_fetch_sub_explicit(&r->left, taken, memory_order_relaxed);
	} else if (answer == FILCH_LOST) {
		w->lost++;
	} else {
		TEST_CHECK(answer == FILCH_EMPTY);
		sched_yield();
	}
}

/*
 * Long enough for takers to reach the end of the queue. A yield would take far longer if other threads want the
 * processor.
 */
static void pause_a_little(struct filchi_rng *rng)
{
	for (unsigned i = filchi_rng_below(rng, 30); i; i--)
		filchi_spin_wait();
	if (!filchi_rng_below(rng, 1000))
		sched_yield();
}

static void *pusher(void *arg)
{
	struct worker *w = arg;
	struct round *r = w->round;
	const struct plan *plan = r->plan;
	struct filchi_rng rng;
	size_t done = 0;

	filchi_rng_seed(&rng, w->id);
	pthread_barrier_wait(&r->start);
	while (done < plan->items) {
		size_t burst = plan->burst ? 1 + filchi_rng_below(&rng, plan->burst) : plan->items;

		for (; burst && done < plan->items; burst--, done++) {
			uintptr_t item = stress_put(r->ledger, w->id * plan->items + done);

			TEST_CHECK(filchi_injector_push(&r->queue, item) == 0);
		}
		if (plan->both)
			try_take(w, &rng);
		else if (plan->burst)
			pause_a_little(&rng);
	}
	return NULL;
}

static void *taker(void *arg)
{
	struct worker *w = arg;
	struct filchi_rng rng;

	filchi_rng_seed(&rng, w->id);
	pthread_barrier_wait(&w->round->start);
	while (atomic_load_explicit(&w->round->left, memory_order_relaxed))
		try_take(w, &rng);
	return NULL;
}

static void run(const struct plan *plan)
{
	size_t items = plan->items * plan->pushers;
	unsigned workers = plan->pushers + plan->takers;
	struct round *r = aligned_alloc(64, (sizeof(*r) + 63) / 64 * 64);
	pthread_t thread[MAX_WORKERS];

	TEST_CHECK(r && workers <= MAX_WORKERS && plan->batch <= BATCH);
	memset(r, 0, sizeof(*r));
	r->plan = plan;
	r->ledger = stress_open(items);
	TEST_CHECK(!filchi_injector_init(&r->queue, plan->segment_size));
	atomic_init(&r->left, items);
	pthread_barrier_init(&r->start, NULL, workers);
	for (unsigned i = 0; i < workers; i++) {
		r->worker[i].round = r;
		r->worker[i].id = i;
		TEST_CHECK(!pthread_create(&thread[i], NULL, i < plan->pushers ? pusher : taker, &r->worker[i]));
	}
	for (unsigned i = 0; i < workers; i++) {
		pthread_join(thread[i], NULL);
		all_lost += r->worker[i].lost;
	}
	pthread_barrier_destroy(&r->start);
	TEST_CHECK(filchi_injector_size(&r->queue) == 0);
	filchi_injector_fini(&r->queue);
	stress_close(r->ledger, items);
	free(r);
	all_items += items;
}

static void no_loss_no_double(void)
{
	struct plan plan = {.items = stress_scaled(300000), .pushers = 2, .takers = 2, .batch = 1};

	run(&plan);
	plan.batch = BATCH;
	run(&plan);
	plan.burst = 100;
	run(&plan);
}

/* A segment has few items, so that threads close, free and reuse segments all the time. */
static void segments(void)
{
	struct plan plan = {.items = stress_scaled(50000), .pushers = 3, .takers = 3, .batch = 4, .burst = 20};

	for (plan.segment_size = 1; plan.segment_size <= 5; plan.segment_size++)
		run(&plan);
}

/* More takers than items. */
static void stampede(void)
{
	struct plan plan = {.items = stress_scaled(200000), .pushers = 1, .takers = 8, .batch = 1, .burst = 2};

	run(&plan);
	plan.segment_size = 2;
	plan.batch = 3;
	run(&plan);
}

/* Far more threads than cores. */
static void crowd(void)
{
	struct plan plan = {.items = stress_scaled(50000), .pushers = 8, .takers = 8, .batch = 8, .burst = 30};

	run(&plan);
	plan.segment_size = 4;
	run(&plan);
}

static void everyone(void)
{
	struct plan plan = {
		.items = stress_scaled(80000), .pushers = 6, .takers = 1, .batch = 5, .burst = 4, .both = true};

	run(&plan);
	plan.segment_size = 3;
	run(&plan);
}

static void random_mix(void)
{
	struct filchi_rng rng;
	size_t left = stress_scaled(500000);

	filchi_rng_seed(&rng, left);
	while (left) {
		struct plan plan = {
			.items = 1 + filchi_rng_below(&rng, 5000),
			.pushers = 1 + filchi_rng_below(&rng, 5),
			.takers = 1 + filchi_rng_below(&rng, 5),
			.burst = filchi_rng_below(&rng, 50),
			.batch = 1 + filchi_rng_below(&rng, BATCH),
			.segment_size = filchi_rng_below(&rng, 20),
			.both = filchi_rng_below(&rng, 2),
		};
		size_t items;

		run(&plan);
		items = plan.items * plan.pushers;
		left -= items < left ? items : left;
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"no_loss_no_double", no_loss_no_double},
		{"segments", segments},
		{"stampede", stampede},
		{"crowd", crowd},
		{"everyone", everyone},
		{"random_mix", random_mix},
	};

	stress_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), 0.5);
	printf("injector: %llu items, each taken once; %llu races lost\n", (unsigned long long)all_items,
	       (unsigned long long)all_lost);
	return TEST_PASS;
}
