/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timed loops of one kind. Before including this, define
 *
 *   NAME, LABEL                  of the struct filchi_bulk_bench_loops, and for people
 *   QUEUE                        its type
 *   CREATE(q), DESTROY(q)        0 or -errno; void
 *   PUSH(q, batch)               void
 *   POP(q, &node)                nonzero: nothing
 *   STEAL(q, proportion, batch)  nonzero: nothing
 *   SIZE(q)
 */
#include "../../../src/base/clock.h"
#include "../../../src/base/mem.h"
#include "bulk.h"

/* Between two operations the compiler must assume that all memory was read and written. */
#define BARRIER() __asm__ volatile("" : : : "memory")

static void *create(void)
{
	QUEUE *q = filchi_alloc(sizeof(*q));

	if (q && CREATE(q)) {
		filchi_free(q);
		q = NULL;
	}
	return q;
}

static void destroy(void *queue)
{
	DESTROY((QUEUE *)queue);
	filchi_free(queue);
}

static uint64_t push(void *queue, const struct filch_batch *batches, size_t count)
{
	uint64_t start = filchi_clock_ns();

	for (size_t i = 0; i < count; i++) {
		PUSH((QUEUE *)queue, &batches[i]);
		BARRIER();
	}
	return filchi_clock_ns() - start;
}

static uint64_t pop(void *queue, size_t count, uint64_t *sum)
{
	uint64_t start = filchi_clock_ns();
	struct filch_node *node;

	for (size_t i = 0; i < count; i++) {
		if (POP((QUEUE *)queue, &node))
			break;
		*sum += FILCH_CONTAINER_OF(node, struct filchi_bulk_bench_node, node)->number;
		BARRIER();
	}
	return filchi_clock_ns() - start;
}

static uint64_t steal(void *queue, double proportion, struct filch_batch *batch)
{
	uint64_t start = filchi_clock_ns();

	if (STEAL((QUEUE *)queue, proportion, batch))
		filch_batch_init(batch);
	BARRIER();
	return filchi_clock_ns() - start;
}

static size_t size(const void *queue)
{
	return SIZE((const QUEUE *)queue);
}

const struct filchi_bulk_bench_loops NAME = {LABEL, create, destroy, push, pop, steal, size};
