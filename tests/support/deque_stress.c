/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on one kind of deque: each item is taken once. */
#define _GNU_SOURCE

#include "deque_stress.h"

#include "../../src/base/rng.h"
#include "../../src/deque/deque.h"
#include "stress.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define MAX_WORKERS 24

/* How the owner goes about its items: bursts of up to so many pushes, then of up to so many pops. */
struct plan {
	size_t items;
	unsigned thieves;
	unsigned pushes;
	unsigned pops;
	size_t capacity;
	uint64_t first;
};

struct worker {
	struct round *round;
	unsigned id;
	uint64_t stolen;
	uint64_t lost;
	unsigned attempts;
};

/* One deque from creation to destruction; in everyone(), as many deques as workers. */
struct round {
	const struct plan *plan;
	struct filch_deque *deque[MAX_WORKERS];
	struct stress_entry *ledger;
	pthread_barrier_t start;
	atomic_bool done;
	atomic_uint working;
	struct worker worker[MAX_WORKERS];
};

static const struct filchi_deque_kind *kind;
static uint64_t all_items, all_stolen, all_lost;

static struct filch_deque *make(const struct plan *plan)
{
	/* A bounded kind gets enough room to be worth the while. */
	size_t capacity = kind->info.bounded && plan->capacity < 8 ? 8 : plan->capacity;
	size_t max = kind->info.bounded ? capacity : (size_t)1 << 26;
	struct filchi_deque_setup setup = {capacity, max, plan->first, 0};
	struct filch_deque *d = NULL;

	TEST_CHECK(kind->ops.create(&d, &setup) == 0);
	return d;
}

/* A full deque makes its owner take something out, or wait for a thief. */
static void ledger_push(struct round *r, struct filch_deque *d, size_t item, size_t items)
{
	uintptr_t other;
	int err;

	stress_put(r->ledger, item);
	while ((err = filch_deque_push(d, item)) != 0) {
		TEST_CHECK(err == -ENOBUFS && kind->info.bounded);
		if (filch_deque_pop(d, &other) == FILCH_OK)
			stress_take(r->ledger, items, other);
		else
			sched_yield();
	}
}

/* One attempt, now and then at several. There are fewer cores than thieves: one that finds nothing steps aside. */
static void try_steal(struct worker *w, struct filch_deque *d, size_t items)
{
	uintptr_t item[8];
	size_t taken = 1;
	int result = w->attempts++ % 4 ? filch_deque_steal(d, item) : filch_deque_steal_many(d, item, 8, &taken);

	switch (result) {
	case FILCH_OK:
		for (size_t i = 0; i < taken; i++)
			stress_take(w->round->ledger, items, item[i]);
		w->stolen += taken;
		break;
	case FILCH_LOST:
		TEST_CHECK(kind->info.loses);
		w->lost++;
		break;
	default:
		TEST_CHECK(result == FILCH_EMPTY);
		sched_yield();
	}
}

static void *thief(void *arg)
{
	struct worker *w = arg;
	struct round *r = w->round;

	pthread_barrier_wait(&r->start);
	while (!atomic_load_explicit(&r->done, memory_order_acquire))
		try_steal(w, r->deque[0], r->plan->items);
	return NULL;
}

/* Pushes all items in bursts and pops in between; then pops until there is nothing left. */
static void own(struct round *r, struct filch_deque *d, size_t from, size_t to, size_t items)
{
	const struct plan *plan = r->plan;
	struct filchi_rng rng;
	uintptr_t item;

	filchi_rng_seed(&rng, from + 1);
	while (from < to) {
		unsigned pushes = 1 + filchi_rng_below(&rng, plan->pushes);
		unsigned pops = filchi_rng_below(&rng, plan->pops + 1);

		while (pushes-- && from < to)
			ledger_push(r, d, from++, items);
		while (pops-- && filch_deque_pop(d, &item) == FILCH_OK)
			stress_take(r->ledger, items, item);
	}
	while (filch_deque_pop(d, &item) == FILCH_OK)
		stress_take(r->ledger, items, item);
	TEST_CHECK(filch_deque_size(d) == 0);
}

static void round_tally(struct round *r, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++) {
		all_stolen += r->worker[i].stolen;
		all_lost += r->worker[i].lost;
	}
}

/* One owner, this thread, and its thieves. */
static void one_owner(const struct plan *plan)
{
	struct round r = {.plan = plan, .ledger = stress_open(plan->items)};
	pthread_t thread[MAX_WORKERS];

	TEST_CHECK(plan->thieves <= MAX_WORKERS);
	r.deque[0] = make(plan);
	pthread_barrier_init(&r.start, NULL, plan->thieves + 1);
	for (unsigned i = 0; i < plan->thieves; i++) {
		r.worker[i] = (struct worker){.round = &r, .id = i};
		TEST_CHECK(!pthread_create(&thread[i], NULL, thief, &r.worker[i]));
	}
	pthread_barrier_wait(&r.start);
	own(&r, r.deque[0], 0, plan->items, plan->items);
	atomic_store_explicit(&r.done, 1, memory_order_release);
	for (unsigned i = 0; i < plan->thieves; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&r.start);
	round_tally(&r, plan->thieves);
	stress_close(r.ledger, plan->items);
	all_items += plan->items;
	filch_deque_destroy(r.deque[0]);
}

static void *owner_and_thief(void *arg)
{
	struct worker *w = arg;
	struct round *r = w->round;
	size_t share = r->plan->items;
	size_t items = share * r->plan->thieves;
	struct filchi_rng rng;

	pthread_barrier_wait(&r->start);
	own(r, r->deque[w->id], w->id * share, (w->id + 1) * share, items);
	atomic_fetch_sub_explicit(&r->working, 1, memory_order_release);
	filchi_rng_seed(&rng, w->id);
	while (atomic_load_explicit(&r->working, memory_order_acquire))
		try_steal(w, r->deque[filchi_rng_below(&rng, r->plan->thieves)], items);
	return NULL;
}

/* Each owns a deque, and then steals from all until the last has finished. */
static void everyone(void)
{
	struct plan plan = {.items = stress_scaled(300000), .thieves = 4, .pushes = 100, .pops = 90, .capacity = 4};
	struct round r = {.plan = &plan, .ledger = stress_open(plan.items * plan.thieves)};
	pthread_t thread[MAX_WORKERS];

	pthread_barrier_init(&r.start, NULL, plan.thieves);
	atomic_init(&r.working, plan.thieves);
	for (unsigned i = 0; i < plan.thieves; i++)
		r.deque[i] = make(&plan);
	for (unsigned i = 0; i < plan.thieves; i++) {
		r.worker[i] = (struct worker){.round = &r, .id = i};
		TEST_CHECK(!pthread_create(&thread[i], NULL, owner_and_thief, &r.worker[i]));
	}
	for (unsigned i = 0; i < plan.thieves; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&r.start);
	round_tally(&r, plan.thieves);
	stress_close(r.ledger, plan.items * plan.thieves);
	all_items += plan.items * plan.thieves;
	for (unsigned i = 0; i < plan.thieves; i++)
		filch_deque_destroy(r.deque[i]);
}

/* All after the last item, all the time. */
static void stampede(void)
{
	struct plan plan = {.items = stress_scaled(300000), .thieves = 8, .pushes = 1, .pops = 1, .capacity = 2};

	one_owner(&plan);
	plan.pushes = 3;
	plan.pops = 4;
	one_owner(&plan);
}

static void no_loss_no_double(void)
{
	struct plan plan = {.items = stress_scaled(2000000), .thieves = 3, .pushes = 64, .pops = 64, .capacity = 64};

	one_owner(&plan);
	plan.thieves = 1;
	one_owner(&plan);
	/* The owner leaves most to the thieves. */
	plan.items = stress_scaled(500000);
	plan.pops = 2;
	one_owner(&plan);
}

/* From one slot up, again and again, while thieves take. */
static void growth(void)
{
	struct plan plan = {.items = 3000, .thieves = 3, .pushes = 1000, .pops = 3, .capacity = 1};
	size_t rounds = stress_scaled(400000) / plan.items + 1;

	for (size_t i = 0; i < rounds; i++) {
		plan.first = i;
		one_owner(&plan);
	}
	plan.items = plan.pushes = (unsigned)stress_scaled(1 << 21);
	one_owner(&plan);
}

/* Indices pass each of the places where something wraps, with thieves about. */
static void wraparound(void)
{
	static const uint64_t limits[] = {0, (uint64_t)1 << 24, (uint64_t)1 << 32, (uint64_t)1 << 40,
					  (uint64_t)1 << 63};
	struct plan plan = {.items = 2000, .thieves = 3, .pushes = 6, .pops = 5, .capacity = 2};
	size_t rounds = stress_scaled(200000) / plan.items + 1;

	for (size_t i = 0; i < rounds; i++) {
		plan.first = limits[i % 5] - 1 - (i % 7) * 50;
		plan.capacity = (size_t)1 << (i % 4);
		one_owner(&plan);
	}
}

/* Far more thieves than cores. */
static void crowd(void)
{
	struct plan plan = {.items = stress_scaled(500000), .thieves = 20, .pushes = 40, .pops = 20, .capacity = 16};

	one_owner(&plan);
}

static void random_mix(void)
{
	struct filchi_rng rng;
	size_t left = stress_scaled(500000);

	filchi_rng_seed(&rng, left);
	while (left) {
		struct plan plan = {
			.items = 1 + filchi_rng_below(&rng, 20000),
			.thieves = 1 + filchi_rng_below(&rng, 6),
			.pushes = 1 + filchi_rng_below(&rng, 1u << filchi_rng_below(&rng, 12)),
			.pops = filchi_rng_below(&rng, 1u << filchi_rng_below(&rng, 12)),
			.capacity = (size_t)1 << filchi_rng_below(&rng, 10),
			.first = filchi_rng_next(&rng),
		};

		if (plan.items > left)
			plan.items = left;
		left -= plan.items;
		one_owner(&plan);
	}
}

int deque_stress(const char *name)
{
	static const struct test_scenario scenarios[] = {
		{"stampede", stampede},	    {"no_loss_no_double", no_loss_no_double},
		{"growth", growth},	    {"wraparound", wraparound},
		{"crowd", crowd},	    {"everyone", everyone},
		{"random_mix", random_mix},
	};

	kind = filchi_deque_find(name);
	TEST_CHECK(kind);
	stress_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]), 0.5);
	printf("%s: %llu items, each taken once; %llu stolen, %llu races lost\n", name, (unsigned long long)all_items,
	       (unsigned long long)all_stolen, (unsigned long long)all_lost);
	TEST_CHECK(all_stolen > 0);
	return TEST_PASS;
}
