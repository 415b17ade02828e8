/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts that bwos_lifo and bwos_fifo share: a ring of slots in blocks, and the word of a block.
 *
 *      63                    16 15         0
 *     |  turn                  |  position  |
 *
 * position: thieves have stolen the items below it. A position equal to the block size says that the block is used up.
 * turn: odd if the block belongs to the owner, and then only the owner changes the word. Even if it belongs to the
 * thieves: they steal by a CAS that moves the position, and the owner takes the block over by adding one turn. A block
 * is granted again only in a later turn, so no word comes twice until turns wrap. To be fooled, a thief would have to
 * sleep between its load and its CAS through a multiple of 2^47 grants of the same block.
 *
 * The fast path of push works in the owner's block: one store to the slot, and one to head.
 *
 * Edges: as in bwos_lifo.h and bwos_fifo.h, which have the other ends.
 *   R1   slots: a thief may read one while the owner writes it; then its CAS fails, and the value is dropped
 *   R2   head: the owner's own, and for others a hint
 */
#ifndef FILCHI_DEQUE_BWOS_H
#define FILCHI_DEQUE_BWOS_H

#include "../base/mem.h"
#include "deque.h"

#include <errno.h>

#define FILCHI_BWOS_POSITION_BITS 16
#define FILCHI_BWOS_POSITION (((uint64_t)1 << FILCHI_BWOS_POSITION_BITS) - 1)
#define FILCHI_BWOS_TURN ((uint64_t)1 << FILCHI_BWOS_POSITION_BITS)
#define FILCHI_BWOS_MAX_BLOCK_SIZE ((size_t)1 << (FILCHI_BWOS_POSITION_BITS - 1))

/*
 * The default. A small block keeps few items in the owner-private part. A large block is left rarely, which is good
 * because leaving a block costs as much as some tens of pushes.
 */
#define FILCHI_BWOS_BLOCK_SIZE ((size_t)32)
#define FILCHI_BWOS_BLOCKS ((size_t)8) /* the least number of blocks, as long as each holds one item or more */

/* The kinds are bounded: the ring is allocated at once. */
#define FILCHI_BWOS_CAPACITY ((size_t)8192)

static inline uint64_t filchi_bwos_position(uint64_t word)
{
	return word & FILCHI_BWOS_POSITION;
}

static inline int filchi_bwos_owned(uint64_t word)
{
	return (word & FILCHI_BWOS_TURN) != 0;
}

/* 0: the requested block size does not fit into the position. */
static inline size_t filchi_bwos_block_size(const struct filchi_deque_setup *setup)
{
	size_t size = setup->block_size;

	if (size)
		return size > FILCHI_BWOS_MAX_BLOCK_SIZE ? 0 : size;
	size = setup->capacity / FILCHI_BWOS_BLOCKS;
	if (size > FILCHI_BWOS_BLOCK_SIZE)
		size = FILCHI_BWOS_BLOCK_SIZE;
	return size ? size : 1;
}

/* Slots in blocks. Never changes. Numbers of blocks only rise; the low bits of a number are the block's place. */
struct filchi_bwos_ring {
	struct filchi_slot *slots;
	uint64_t block_size;
	uint64_t block_mask; /* of a number, to its block */
};

/* Allocates the slots, and *blocks of block_bytes each. 0, -EINVAL or -ENOMEM. */
static inline int filchi_bwos_ring_init(struct filchi_bwos_ring *ring, const struct filchi_deque_setup *setup,
					void **blocks, size_t block_bytes)
{
	size_t size = filchi_bwos_block_size(setup);

	if (!size)
		return -EINVAL;
	ring->block_size = size;
	ring->block_mask = setup->capacity / size - 1;
	ring->slots = filchi_alloc_array(0, setup->capacity, sizeof(*ring->slots));
	if (!ring->slots)
		return -ENOMEM;
	*blocks = filchi_alloc_array(0, ring->block_mask + 1, block_bytes);
	if (*blocks)
		return 0;
	filchi_free(ring->slots);
	return -ENOMEM;
}

/* The place of the block's first slot. */
static inline uint64_t filchi_bwos_place(const struct filchi_bwos_ring *ring, uint64_t number)
{
	return (number & ring->block_mask) * ring->block_size;
}

/* Copies items for a thief. They belong to the thief only if its CAS succeeds afterwards. */
static inline void filchi_bwos_copy(const struct filchi_bwos_ring *ring, uint64_t first, uint64_t count,
				    uintptr_t *items)
{
	for (uint64_t i = 0; i < count; i++)
		items[i] = filchi_load_rlx(&ring->slots[first + i].item, R1);
}

/*
 * The end at which the owner pushes. head and limit are places in the ring. Other threads read only head, for the size.
 */
struct filchi_bwos_end {
	FILCHI_ATOMIC(uint64_t) head;
	uint64_t limit;		   /* push up to here: the end of the block */
	struct filchi_slot *slots; /* the slots of the ring */
};

static inline uint64_t filchi_bwos_head(const struct filchi_bwos_end *end)
{
	return filchi_load_rlx(&end->head, R2);
}

static inline void filchi_bwos_put(struct filchi_bwos_end *end, uint64_t head, uintptr_t item)
{
	filchi_store_rlx(&end->slots[head].item, item, R1);
	filchi_store_rlx(&end->head, head + 1, R2);
}

/*
 * Makes KIND_push() of two functions. KIND_put() writes the item at head. KIND_advance() goes on to the next block if
 * that is free: 0 or -ENOBUFS. KIND_push_slow() is the whole slow push, so that the fast push ends in a jump to it and
 * needs no frame.
 */
#define FILCHI_BWOS_PUSH(kind)                                                                                         \
	FILCHI_COLD static int filchi_##kind##_push_slow(struct filchi_##kind *q, uintptr_t item)                      \
	{                                                                                                              \
		int err = filchi_##kind##_advance(q);                                                                  \
                                                                                                                       \
		return err ? err : filchi_##kind##_put(q, filchi_bwos_head(&q->end), item);                            \
	}                                                                                                              \
	static inline int filchi_##kind##_push(struct filchi_##kind *q, uintptr_t item)                                \
	{                                                                                                              \
		uint64_t head = filchi_bwos_head(&q->end);                                                             \
                                                                                                                       \
		if (FILCHI_UNLIKELY(head == q->end.limit))                                                             \
			return filchi_##kind##_push_slow(q, item);                                                     \
		return filchi_##kind##_put(q, head, item);                                                             \
	}

#endif
