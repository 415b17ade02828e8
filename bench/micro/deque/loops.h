/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timed loops, for the kind that the including file has named:
 *
 *   #define KIND split
 *   #define NO_STEALING   for a subject that is no deque and has no thieves
 *
 * The including file also includes the algorithm, so that the calls below are inlined. There is no include guard: each
 * kind includes this file once.
 *
 * FILCHI_BENCH_OPAQUE prevents optimizations across operations, alike for all kinds. It stands for the task that a real
 * owner runs between two operations. The compiler must assume that it reads and writes all memory, so that no part of a
 * deque stays in a register. It must also assume that the item changes, so that no item is known before its pop.
 */
#include "../../../src/base/clock.h"
#include "../../../src/base/mem.h"
#include "kind.h"

#include <sched.h>

#define FILCHI_BENCH_OPAQUE(item) __asm__ volatile("" : "+r"(item) : : "memory")
/* Each function has its own place, alike for all kinds, so that neighbours do not affect the measurement. */
#define FILCHI_BENCH_LOOP __attribute__((noinline, aligned(64))) static
/* A loop that is compiled once for each set of constant arguments. */
#define FILCHI_BENCH_TEMPLATE __attribute__((always_inline)) static inline

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define NAME_(kind) #kind
#define NAME(kind) NAME_(kind)
#define QUEUE struct JOIN(filchi_, KIND, )
#define CALL(operation) JOIN(filchi_, KIND, operation)

/* This is a copy. pop and steal get the address of the item, which would be stored once more. */
static inline uint64_t taken(uintptr_t item)
{
	FILCHI_BENCH_OPAQUE(item);
	return item;
}

FILCHI_BENCH_LOOP int run_owner(void *queue, uint64_t end, struct filchi_bench_tally *t)
{
	QUEUE *q = queue;
	uint64_t pushes = t->pushes, pops = t->pops, sum = t->sum;
	uintptr_t item = 0;
	int err = 0;

	do {
		for (unsigned burst = 0; burst < FILCHI_BENCH_BURSTS; burst++) {
			for (unsigned i = 0; i < FILCHI_BENCH_DEPTH; i++) {
				uintptr_t fresh = pushes;

				FILCHI_BENCH_OPAQUE(fresh);
				err = CALL(_push)(q, fresh);
				if (FILCHI_UNLIKELY(err))
					goto out;
				pushes++;
			}
			for (unsigned i = 0; i < FILCHI_BENCH_DEPTH; i++) {
				if (FILCHI_UNLIKELY(CALL(_pop)(q, &item) != FILCH_OK))
					break;
				sum += taken(item);
				pops++;
			}
		}
	} while (filchi_clock_ns() < end);
out:
	t->pushes = pushes;
	t->pops = pops;
	t->sum = sum;
	return err;
}

static void run_drain(void *queue, struct filchi_bench_tally *t)
{
	QUEUE *q = queue;
	uintptr_t item = 0;

	while (CALL(_pop)(q, &item) == FILCH_OK) {
		t->left++;
		t->sum += item;
	}
}

#ifndef NO_STEALING
#include "paced.h"

FILCHI_BENCH_LOOP void run_rob(void *queue, struct filchi_bench_tally *t)
{
	QUEUE *q = queue;
	uint64_t steals = 0, sum = 0;
	uintptr_t item = 0;
	int result;

	while ((result = CALL(_steal)(q, &item)) == FILCH_OK) {
		sum += taken(item);
		steals++;
	}
	t->steals += steals;
	t->sum += sum;
	t->lost += result == FILCH_LOST;
	t->empty += result == FILCH_EMPTY;
}

static int run_fill(void *queue, struct filchi_bench_tally *t)
{
	const struct filchi_deque_kind *kind = filchi_deque_find(NAME(KIND));
	QUEUE *q = queue;
	int err = 0;

	for (unsigned i = 0; i < FILCHI_BENCH_FILL && !err; i++) {
		err = CALL(_push)(q, (uintptr_t)t->pushes);
		t->pushes += !err;
	}
	if (kind && kind->info.on_request && !err) {
		/* Requests items, by a steal that finds nothing; the next push answers. */
		run_rob(q, t);
		err = CALL(_push)(q, (uintptr_t)t->pushes);
		t->pushes += !err;
	}
	return err;
}

static void *create(size_t capacity, size_t block_size)
{
	const struct filchi_deque_setup setup = {
		.capacity = capacity, .max_capacity = capacity, .block_size = block_size};
	QUEUE *q = filchi_alloc(sizeof(*q));

	if (q && CALL(_init)(q, &setup)) {
		filchi_free(q);
		return NULL;
	}
	return q;
}

static void destroy(void *queue)
{
	QUEUE *q = queue;

	CALL(_fini)(q);
	filchi_free(q);
}

const struct filchi_bench_loops JOIN(filchi_bench_, KIND, ) = {
	.name = NAME(KIND),
	.create = create,
	.destroy = destroy,
	.owner = run_owner,
	.tides = run_tides,
	.fill = run_fill,
	.drain = run_drain,
	.thief = run_thief,
	.rob = run_rob,
};

#endif
