/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The baseline: the stack of a program without threads. It is a growing array with the calls of a deque: push can
 * fail, and pop says whether there was an item.
 */
#include "../../../src/base/compiler.h"
#include "../../../src/base/mem.h"

#include <errno.h>
#include <filch/base.h>
#include <string.h>

struct filchi_plain {
	FILCHI_OWN_LINE size_t count;
	size_t capacity;
	uintptr_t *slots;
};

FILCHI_COLD static int filchi_plain_grow(struct filchi_plain *q)
{
	uintptr_t *slots = filchi_alloc_array(0, 2 * q->capacity, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	memcpy(slots, q->slots, q->count * sizeof(*slots));
	filchi_free(q->slots);
	q->slots = slots;
	q->capacity *= 2;
	return 0;
}

FILCHI_COLD static int filchi_plain_push_slow(struct filchi_plain *q, uintptr_t item)
{
	int err = filchi_plain_grow(q);

	if (!err)
		q->slots[q->count++] = item;
	return err;
}

static inline int filchi_plain_push(struct filchi_plain *q, uintptr_t item)
{
	if (FILCHI_UNLIKELY(q->count == q->capacity))
		return filchi_plain_push_slow(q, item);
	q->slots[q->count++] = item;
	return 0;
}

static inline int filchi_plain_pop(struct filchi_plain *q, uintptr_t *item)
{
	if (FILCHI_UNLIKELY(!q->count))
		return FILCH_EMPTY;
	*item = q->slots[--q->count];
	return FILCH_OK;
}

#define KIND plain
#define NO_STEALING
#include "loops.h"

static void *create(size_t capacity, size_t block_size)
{
	struct filchi_plain *q = filchi_alloc(sizeof(*q));

	(void)block_size;
	if (!q)
		return NULL;
	q->count = 0;
	q->capacity = capacity;
	q->slots = filchi_alloc_array(0, q->capacity, sizeof(*q->slots));
	if (!q->slots) {
		filchi_free(q);
		return NULL;
	}
	return q;
}

static void destroy(void *queue)
{
	struct filchi_plain *q = queue;

	filchi_free(q->slots);
	filchi_free(q);
}

const struct filchi_bench_loops filchi_bench_plain = {
	.name = "plain",
	.create = create,
	.destroy = destroy,
	.owner = run_owner,
	.drain = run_drain,
};
