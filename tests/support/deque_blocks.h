/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a deque made of blocks must do besides, in one thread: hold back no more than a block, refuse nothing when it is
 * empty, and give a whole block in one step.
 */
#ifndef TEST_SUPPORT_DEQUE_BLOCKS_H
#define TEST_SUPPORT_DEQUE_BLOCKS_H

#include "../../src/base/rng.h"
#include "../../src/deque/deque.h"
#include "test.h"

#include <errno.h>

#define BLOCKS_CAPACITY 64

static struct {
	const struct filchi_deque_kind *kind;
	struct filch_deque *deque;
	size_t capacity, block_size;
	size_t pushed, count;
	unsigned char in[1 << 16]; /* by item, which is the number of its push */
} blocks;

static inline void blocks_begin(size_t capacity, size_t block_size, uint64_t first)
{
	const struct filchi_deque_setup setup = {capacity, capacity, first, block_size};

	TEST_CHECK(blocks.kind->ops.create(&blocks.deque, &setup) == 0);
	blocks.capacity = capacity;
	blocks.block_size = block_size;
	blocks.pushed = blocks.count = 0;
}

static inline void blocks_out(const uintptr_t *items, size_t taken)
{
	for (size_t i = 0; i < taken; i++) {
		TEST_CHECK(items[i] < blocks.pushed && blocks.in[items[i]]);
		blocks.in[items[i]] = 0;
	}
	blocks.count -= taken;
}

static inline void blocks_push(void)
{
	int err = filch_deque_push(blocks.deque, blocks.pushed);

	TEST_CHECK(err == 0 || (err == -ENOBUFS && blocks.count && blocks.pushed >= blocks.capacity));
	if (!err) {
		blocks.in[blocks.pushed++] = 1;
		blocks.count++;
	}
}

static inline int blocks_pop(void)
{
	uintptr_t item;
	int result = filch_deque_pop(blocks.deque, &item);

	TEST_CHECK(result == (blocks.count ? FILCH_OK : FILCH_EMPTY));
	if (result == FILCH_OK)
		blocks_out(&item, 1);
	return result;
}

static inline size_t blocks_steal(size_t max)
{
	uintptr_t items[BLOCKS_CAPACITY];
	size_t taken = 1;
	int result = max == 1 ? filch_deque_steal(blocks.deque, items)
			      : filch_deque_steal_many(blocks.deque, items, max, &taken);

	TEST_CHECK(result == FILCH_OK || (result == FILCH_EMPTY && blocks.count <= blocks.block_size));
	if (result != FILCH_OK)
		return 0;
	TEST_CHECK(taken >= 1 && taken <= max && taken <= blocks.block_size);
	blocks_out(items, taken);
	return taken;
}

static inline void blocks_end(void)
{
	while (blocks_pop() == FILCH_OK)
		;
	filch_deque_destroy(blocks.deque);
}

/* Random operations; sometimes hardly any pops or hardly any steals. */
static inline void blocks_mix(struct filchi_rng *rng, unsigned steps)
{
	unsigned pops = filchi_rng_below(rng, 8), steals = filchi_rng_below(rng, 8);

	while (steps--) {
		unsigned turn = filchi_rng_below(rng, 10 + pops + steals);

		if (turn < pops)
			blocks_pop();
		else if (turn < pops + steals)
			blocks_steal(1 + filchi_rng_below(rng, 8));
		else
			blocks_push();
		TEST_CHECK(filch_deque_size(blocks.deque) == blocks.count);
	}
}

static inline void blocks_all_sizes(void)
{
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 3);
	for (size_t capacity = 1; capacity <= BLOCKS_CAPACITY; capacity *= 2)
		for (size_t block_size = 1; block_size <= capacity; block_size *= 2)
			for (unsigned round = 0; round < 200; round++) {
				blocks_begin(capacity, block_size, filchi_rng_next(&rng) >> round % 64);
				for (unsigned i = 0; i < 10; i++)
					blocks_mix(&rng, 50);
				blocks_end();
			}
}

/* Blocks go one by one; what the owner then has is less than two. */
static inline void blocks_whole(void)
{
	for (size_t block_size = 1; block_size < BLOCKS_CAPACITY; block_size *= 2) {
		blocks_begin(BLOCKS_CAPACITY, block_size, 0);
		while (blocks.count < BLOCKS_CAPACITY)
			blocks_push();
		for (size_t n = BLOCKS_CAPACITY / block_size; n > 1; n--)
			TEST_CHECK(blocks_steal(BLOCKS_CAPACITY) == block_size);
		TEST_CHECK(blocks_steal(1) == 0 && blocks.count == block_size);
		blocks_end();
	}
}

/* Nobody pops any more: what was stolen makes room all the same, and the owner's block has nothing in its way. */
static inline void blocks_no_pop(void)
{
	blocks_begin(BLOCKS_CAPACITY, 4, 0);
	for (unsigned i = 0; i < 5; i++)
		blocks_push();
	for (unsigned i = 0; i < 4; i++)
		blocks_pop();
	for (unsigned i = 0; i < 5000; i++) {
		blocks_push();
		while (i % 7 == 0 && blocks_steal(3))
			;
	}
	TEST_CHECK(blocks.pushed == 5005);
	blocks_end();
}

/* A stack that was found empty has all of its room, wherever its owner's block was stolen from. */
static inline void blocks_room_again(void)
{
	for (size_t stolen = 0; stolen < 4 && blocks.kind->info.owner_order == FILCH_LIFO; stolen++) {
		blocks_begin(BLOCKS_CAPACITY, 4, 0);
		for (unsigned i = 0; i < 5; i++)
			blocks_push();
		for (size_t i = 0; i < stolen; i++)
			TEST_CHECK(blocks_steal(1) == 1);
		while (blocks_pop() == FILCH_OK)
			;
		for (size_t i = 0; i < BLOCKS_CAPACITY; i++)
			blocks_push();
		TEST_CHECK(blocks.count == BLOCKS_CAPACITY);
		blocks_end();
	}
}

static inline void blocks_too_large(void)
{
	struct filch_deque_options opt = {
		.size = sizeof(opt), .capacity = (size_t)1 << 17, .block_size = (size_t)1 << 16};

	TEST_CHECK(filch_deque_create(&blocks.deque, blocks.kind->info.name, &opt) == -EINVAL);
	opt.block_size = (size_t)1 << 15;
	TEST_CHECK(filch_deque_create(&blocks.deque, blocks.kind->info.name, &opt) == 0);
	filch_deque_destroy(blocks.deque);
}

static inline void deque_blocks(const char *kind)
{
	static const struct test_scenario scenarios[] = {
		{"blocks_all_sizes", blocks_all_sizes}, {"blocks_whole", blocks_whole},
		{"blocks_no_pop", blocks_no_pop},	{"blocks_room_again", blocks_room_again},
		{"blocks_too_large", blocks_too_large},
	};

	blocks.kind = filchi_deque_find(kind);
	TEST_CHECK(blocks.kind);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}

#endif
