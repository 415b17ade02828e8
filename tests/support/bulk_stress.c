/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads on one kind of bulk queue. Every node is allocated, has a number, and a plain field written before the
 * push; whoever takes it checks that, counts it, and frees it at once: an access by anybody else afterwards is for a
 * sanitizer to find, and the field's race as well. In the end each was taken once.
 */
#define _GNU_SOURCE

#include "bulk_stress.h"

#include "../../src/base/rng.h"
#include "../../src/bulk/kinds.h"
#include "stress.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define MAX_WORKERS 24

struct item {
	size_t payload;
	struct filch_node node;
	size_t id;
};

/* The owner pushes batches of up to so many nodes, and in between pops up to so many. */
struct plan {
	size_t items;
	unsigned workers; /* thieves, or in everyone() owners */
	unsigned batch;
	unsigned pops;
	size_t chunks;
	uint64_t first;
};

struct worker {
	struct round *round;
	unsigned id;
	struct filchi_rng rng;
	uint64_t stolen, steals, lost;
};

struct round {
	const struct plan *plan;
	struct filch_bulk *queue[MAX_WORKERS];
	atomic_uchar *taken; /* for each node, how often */
	atomic_size_t left;
	pthread_barrier_t start;
	atomic_bool done;
	struct worker worker[MAX_WORKERS];
};

static const struct filchi_bulk_kind *kind;
static uint64_t all_items, all_stolen, all_steals, all_lost;

static struct filch_bulk *make(const struct plan *plan)
{
	struct filchi_bulk_setup setup = {plan->chunks, plan->first};
	struct filch_bulk *q = NULL;

	TEST_CHECK(kind->ops.create(&q, &setup) == 0);
	return q;
}

static void round_begin(struct round *r, const struct plan *plan, size_t items, unsigned threads)
{
	r->plan = plan;
	r->taken = calloc(items, sizeof(*r->taken));
	TEST_CHECK(r->taken && plan->workers <= MAX_WORKERS);
	atomic_init(&r->left, items);
	atomic_init(&r->done, false);
	pthread_barrier_init(&r->start, NULL, threads);
	for (unsigned i = 0; i < plan->workers; i++) {
		r->worker[i] = (struct worker){.round = r, .id = i};
		filchi_rng_seed(&r->worker[i].rng, items + i);
	}
}

static void round_end(struct round *r, size_t items)
{
	for (size_t i = 0; i < items; i++)
		TEST_CHECK(atomic_load_explicit(&r->taken[i], memory_order_relaxed) == 1);
	for (unsigned i = 0; i < r->plan->workers; i++) {
		all_stolen += r->worker[i].stolen;
		all_steals += r->worker[i].steals;
		all_lost += r->worker[i].lost;
	}
	all_items += items;
	pthread_barrier_destroy(&r->start);
	free(r->taken);
}

static void took(struct round *r, struct filch_node *node)
{
	struct item *item = FILCH_CONTAINER_OF(node, struct item, node);

	TEST_CHECK(item->payload == ~item->id);
	TEST_CHECK(atomic_fetch_add_explicit(&r->taken[item->id], 1, memory_order_relaxed) == 0);
	free(item);
}

static void push(struct filch_bulk *q, size_t from, size_t to)
{
	struct filch_batch batch = {0};

	for (size_t id = from; id < to; id++) {
		struct item *item = malloc(sizeof(*item));

		TEST_CHECK(item);
		item->id = id;
		item->payload = ~id;
		filch_batch_add(&batch, &item->node);
	}
	TEST_CHECK(filch_bulk_push(q, &batch) == 0);
}

/* Pushes all in batches and pops in between; then pops until there is nothing left. */
static size_t own(struct round *r, struct filch_bulk *q, size_t from, size_t to)
{
	struct filchi_rng rng;
	struct filch_node *node;
	size_t popped = 0;

	filchi_rng_seed(&rng, from + 1);
	while (from < to) {
		size_t count = 1 + filchi_rng_below(&rng, r->plan->batch);
		unsigned pops = filchi_rng_below(&rng, r->plan->pops + 1);

		if (count > to - from)
			count = to - from;
		push(q, from, from + count);
		from += count;
		for (; pops-- && filch_bulk_pop(q, &node) == FILCH_OK; popped++)
			took(r, node);
	}
	for (; filch_bulk_pop(q, &node) == FILCH_OK; popped++)
		took(r, node);
	return popped;
}

/* One attempt, at any proportion. There are fewer cores than thieves: one that finds nothing steps aside. */
static bool try_steal(struct worker *w, struct filch_bulk *q, struct filch_batch *batch)
{
	double proportion = (1 + filchi_rng_below(&w->rng, 1000)) / 1000.0;
	int result = filch_bulk_steal(q, proportion, batch);

	switch (result) {
	case FILCH_OK:
		TEST_CHECK(filchi_batch_sane(batch) && !batch->last->next);
		w->stolen += batch->count;
		w->steals++;
		return true;
	case FILCH_LOST:
		w->lost++;
		return false;
	default:
		TEST_CHECK(result == FILCH_EMPTY);
		sched_yield();
		return false;
	}
}

static void *thief(void *arg)
{
	struct worker *w = arg;
	struct filch_batch batch;

	pthread_barrier_wait(&w->round->start);
	while (!atomic_load_explicit(&w->round->done, memory_order_acquire)) {
		if (!try_steal(w, w->round->queue[0], &batch))
			continue;
		for (struct filch_node *node = batch.first, *next; node; node = next) {
			next = node->next;
			took(w->round, node);
		}
	}
	return NULL;
}

/* One owner, this thread, and its thieves. */
static void one_owner(const struct plan *plan)
{
	static struct round r;
	pthread_t thread[MAX_WORKERS];

	round_begin(&r, plan, plan->items, plan->workers + 1);
	r.queue[0] = make(plan);
	for (unsigned i = 0; i < plan->workers; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, thief, &r.worker[i]));
	pthread_barrier_wait(&r.start);
	own(&r, r.queue[0], 0, plan->items);
	TEST_CHECK(filch_bulk_size(r.queue[0]) == 0);
	atomic_store_explicit(&r.done, true, memory_order_release);
	for (unsigned i = 0; i < plan->workers; i++)
		pthread_join(thread[i], NULL);
	round_end(&r, plan->items);
	filch_bulk_destroy(r.queue[0]);
}

static void *owner_and_thief(void *arg)
{
	struct worker *w = arg;
	struct round *r = w->round;
	struct filch_bulk *mine = r->queue[w->id];
	struct filch_batch batch;
	size_t taken;

	pthread_barrier_wait(&r->start);
	taken = own(r, mine, w->id * r->plan->items, (w->id + 1) * r->plan->items);
	while (atomic_fetch_sub_explicit(&r->left, taken, memory_order_relaxed) != taken) {
		struct filch_node *node;

		taken = 0;
		if (try_steal(w, r->queue[filchi_rng_below(&w->rng, r->plan->workers)], &batch))
			TEST_CHECK(filch_bulk_push(mine, &batch) == 0);
		for (; filch_bulk_pop(mine, &node) == FILCH_OK; taken++)
			took(r, node);
		if (!atomic_load_explicit(&r->left, memory_order_relaxed))
			break;
	}
	return NULL;
}

/* Each owns a queue, puts what it steals from the others there, and ends when all is done. */
static void everyone(void)
{
	static struct round r;
	struct plan plan = {.items = stress_scaled(100000), .workers = 4, .batch = 500, .pops = 90, .chunks = 64};
	pthread_t thread[MAX_WORKERS];

	round_begin(&r, &plan, plan.items * plan.workers, plan.workers);
	for (unsigned i = 0; i < plan.workers; i++)
		r.queue[i] = make(&plan);
	for (unsigned i = 0; i < plan.workers; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, owner_and_thief, &r.worker[i]));
	for (unsigned i = 0; i < plan.workers; i++)
		pthread_join(thread[i], NULL);
	round_end(&r, plan.items * plan.workers);
	for (unsigned i = 0; i < plan.workers; i++)
		filch_bulk_destroy(r.queue[i]);
}

/* All after the last node, all the time. */
static void stampede(void)
{
	struct plan plan = {.items = stress_scaled(200000), .workers = 8, .batch = 1, .pops = 1, .chunks = 2};

	one_owner(&plan);
	plan.batch = 5;
	plan.pops = 6;
	plan.chunks = 4;
	one_owner(&plan);
}

static void no_loss_no_double(void)
{
	struct plan plan = {.items = stress_scaled(800000), .workers = 1, .batch = 200, .pops = 200, .chunks = 1024};

	one_owner(&plan);
	plan.workers = 3;
	one_owner(&plan);
	/* The owner leaves most to the thieves. */
	plan.items = stress_scaled(400000);
	plan.pops = 2;
	one_owner(&plan);
}

/* Indices pass each of the places where something wraps, with thieves about. */
static void wraparound(void)
{
	static const uint64_t limits[] = {0, (uint64_t)1 << 12, (uint64_t)1 << 42, (uint64_t)1 << 52};
	struct plan plan = {.items = 4000, .workers = 3, .batch = 20, .pops = 19};
	size_t rounds = stress_scaled(200000) / plan.items + 1;

	for (size_t i = 0; i < rounds; i++) {
		plan.first = limits[i % 4] - 1 - (i % 7) * 20;
		plan.chunks = (size_t)2 << (i % 5);
		one_owner(&plan);
	}
}

/* Far more thieves than cores. */
static void crowd(void)
{
	struct plan plan = {.items = stress_scaled(200000), .workers = 20, .batch = 60, .pops = 40, .chunks = 16};

	one_owner(&plan);
}

static void random_mix(void)
{
	struct filchi_rng rng;
	size_t left = stress_scaled(400000);

	filchi_rng_seed(&rng, left);
	while (left) {
		struct plan plan = {
			.items = 1 + filchi_rng_below(&rng, 20000),
			.workers = 1 + filchi_rng_below(&rng, 6),
			.batch = 1 + filchi_rng_below(&rng, 1u << filchi_rng_below(&rng, 12)),
			.pops = filchi_rng_below(&rng, 1u << filchi_rng_below(&rng, 12)),
			.chunks = (size_t)2 << filchi_rng_below(&rng, 10),
			.first = filchi_rng_next(&rng),
		};

		if (plan.items > left)
			plan.items = left;
		left -= plan.items;
		one_owner(&plan);
	}
}

int bulk_stress(const char *name)
{
	static const struct test_scenario scenarios[] = {
		{"stampede", stampede},	    {"no_loss_no_double", no_loss_no_double},
		{"wraparound", wraparound}, {"crowd", crowd},
		{"everyone", everyone},	    {"random_mix", random_mix},
	};

	kind = filchi_bulk_find(name);
	TEST_CHECK(kind);
	stress_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), 0.3);
	printf("%s: %llu nodes, each taken once; %llu stolen in %llu steals, %llu races lost\n", name,
	       (unsigned long long)all_items, (unsigned long long)all_stolen, (unsigned long long)all_steals,
	       (unsigned long long)all_lost);
	return TEST_PASS;
}
