/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bwos_lifo: a stack cut into blocks. Only the owner uses the newest block; the full blocks below belong to the
 * thieves.
 *
 * Wang et al., "BWoS: formally verified block-based work stealing for parallel processing" (OSDI 2023), as told in
 * Duwadi, "Analysis of novel approaches for work-stealing scheduling" (2025), 3 and 4. Theirs in idea, ours in detail:
 *
 *     tail                               number
 *   | used up | granted | granted | ... | owned     | free | ...       blocks run on and wrap
 *               ^ thieves CAS its word    floor ^ head
 *
 * - A push that finds the owner's block full grants it to the thieves and goes on in the next block. A pop that finds
 *   it empty takes over the block before. In between push and pop use only head, floor and limit: no RMW, no fence, no
 *   line that other threads write.
 * - A block's (turn, position), see bwos.h, is one word. A block has no other state, because a granted block is full.
 * - A thief copies items before its CAS, and keeps them only if the CAS succeeds. In the thesis a thief reserves by a
 *   CAS, then reads, and then counts itself out (s_cnt). An owner that needs the block must wait for that. Here the
 *   owner does not wait: if the turn is still the same, the owner has not written over the copied items.
 * - Thieves steal only from the oldest block. tail is its number: all blocks before are used up, and stay so until the
 *   ring comes round, because the owner never takes over a used up block. If the block before the owner's is used up,
 *   the deque is empty. In the thesis blk_to_steal moves in both directions. A thief can then skip a block, which the
 *   owner never reaches again.
 * - A thread that finds the block at tail used up moves tail. The owner does so at the latest, before it uses the block
 *   again. So a thief that has read a block's word and finds tail unchanged has read the word of that block, and not of
 *   the block a ring later.
 * - An owner that finds the deque empty starts its block over, so that all of the block is free.
 * - With a single block push never grants a block.
 *
 * May run together:        push   pop   steal   size
 *   push (one owner)         -     -      x       x
 *   pop (one owner)          -     -      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 *
 * Linearization (steal_many as steal):
 *   push          the store of head; for thieves an item exists from the store that grants its block
 *   push, full    the load of the next block's word: granted and not used up
 *   pop, OK       the store of head; of a block taken over, the fetch_add
 *   pop, EMPTY    the load of the word of the block before, or the fetch_add that found it used up
 *   steal, OK     the CAS of the word
 *   steal, EMPTY  the load of the word: the oldest block is the owner's, and so all items are. tail, read again, says
 *                 that it was the oldest: a block in use again looks the same
 *   steal, LOST   changes nothing: another stole from the block, the owner took it over, or tail was moved
 *
 * Edges:
 *   E1   push: store_rel word → steal: load_acq word   publishes the slots of the block granted, the word of the next
 *        one, and, of a block that is the owner's again, that tail was moved on before
 *   E2   push, pop: load_acq, fetch_add_acq word; its other end is the cas_rel word of steal (E4)   the thief has read
 *        its slots before the owner writes them again; only load buffering could undo that order; C11 and machines
 *        allow it, RC11 and the checker do not
 *   E3   steal, push: cas_rel tail → steal: load_acq tail   a thief that looks at a block sees that it is in use again
 *   E4   steal: cas_rel word; its other end is the load_acq word of another steal (E1)   a thief that sees stolen items
 *        sees the granted blocks that the other thief saw. Otherwise it could report EMPTY although such blocks are
 *        there
 *   R1   slots: a thief may read one while the owner writes it; then its CAS fails, and it drops the value
 *   R2   head, number: the owner's own, and for others a hint
 *   R3   steal: tail again; ordered by E1, before it
 *   R4   pop: the word of the block before; saves a fetch_add that would bring nothing
 *   R5   pop: the word of the owner's block, set back; all was empty then, so that EMPTY is right wherever tail is
 *   R6   push: tail; only to see if it must be moved
 *   R7   size: a hint orders nothing
 */
#ifndef FILCHI_DEQUE_BWOS_LIFO_H
#define FILCHI_DEQUE_BWOS_LIFO_H

#include "bwos.h"
#include "deque.h"

#include <errno.h>

#define FILCHI_BWOS_LIFO_MAX_CAPACITY FILCHI_BWOS_CAPACITY
#define FILCHI_BWOS_LIFO_INFO                                                                                          \
	{                                                                                                              \
		.name = "bwos_lifo", .summary = "a stack of blocks: the owner's, and full ones for thieves",           \
		.owner_order = FILCH_LIFO, .steal_order = FILCH_FIFO, .push_progress = FILCH_WAIT_FREE,                \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .bounded = 1, .blocks = 1,         \
		.owner_private = 1, .loses = 1, .steal_many = 1,                                                       \
	}

struct filchi_bwos_lifo_block {
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) word;
};

/* floor is a place in the ring, as head and limit. */
struct filchi_bwos_lifo {
	/* Only the owner writes these. Other threads read only head and number, for the size. */
	FILCHI_OWN_LINE struct filchi_bwos_end end;
	uint64_t floor;			/* pop down to here: the first slot of the block that was not stolen */
	uint64_t own_word;		/* of the owner's block: only the owner changes it */
	FILCHI_ATOMIC(uint64_t) number; /* of the owner's block */
	/* The number of the oldest block. Moved once a block. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) tail;
	/* Never changes. */
	FILCHI_OWN_LINE struct filchi_bwos_ring ring;
	struct filchi_bwos_lifo_block *blocks;
};

static inline struct filchi_bwos_lifo_block *filchi_bwos_lifo_block(const struct filchi_bwos_lifo *q, uint64_t number)
{
	return &q->blocks[number & q->ring.block_mask];
}

static inline int filchi_bwos_lifo_init(struct filchi_bwos_lifo *q, const struct filchi_deque_setup *setup)
{
	uint64_t turn = setup->first * 2 * FILCHI_BWOS_TURN;
	void *blocks;
	int err = filchi_bwos_ring_init(&q->ring, setup, &blocks, sizeof(*q->blocks));

	if (err)
		return err;
	q->blocks = blocks;
	q->end.slots = q->ring.slots;
	/* All blocks are used up, except the owner's. */
	for (uint64_t i = 0; i <= q->ring.block_mask; i++)
		filchi_atomic_init(&q->blocks[i].word, turn | q->ring.block_size);
	q->own_word = turn + FILCHI_BWOS_TURN;
	filchi_atomic_init(&filchi_bwos_lifo_block(q, setup->first)->word, q->own_word);
	filchi_atomic_init(&q->tail, setup->first);
	filchi_atomic_init(&q->number, setup->first);
	q->floor = filchi_bwos_place(&q->ring, setup->first);
	q->end.limit = q->floor + q->ring.block_size;
	filchi_atomic_init(&q->end.head, q->floor);
	return 0;
}

static inline void filchi_bwos_lifo_fini(struct filchi_bwos_lifo *q)
{
	filchi_free(q->blocks);
	filchi_free(q->ring.slots);
}

/* The owner's block is full: grants it and goes on to the next, if that is free. */
FILCHI_COLD static int filchi_bwos_lifo_advance(struct filchi_bwos_lifo *q)
{
	uint64_t number = filchi_load_rlx(&q->number, R2), next = number + 1;
	struct filchi_bwos_lifo_block *block = filchi_bwos_lifo_block(q, next);
	uint64_t word = filchi_load_acq(&block->word, E2);
	uint64_t older = next - (q->ring.block_mask + 1); /* the block's number a ring ago */

	if (!q->ring.block_mask)
		return -ENOBUFS;
	/* Blocks that are used up, and blocks that pop has left, are free. */
	if (!filchi_bwos_owned(word) && filchi_bwos_position(word) != q->ring.block_size)
		return -ENOBUFS;
	if (filchi_load_rlx(&q->tail, R6) == older) {
		uint64_t tail = older;

		/* If this fails a thief has moved it. */
		filchi_cas_rel(&q->tail, &tail, next - q->ring.block_mask, E3);
	}
	word = (word | FILCHI_BWOS_TURN) & ~FILCHI_BWOS_POSITION;
	filchi_store_rel(&block->word, word, E1);
	filchi_store_rel(&filchi_bwos_lifo_block(q, number)->word, q->own_word + FILCHI_BWOS_TURN, E1);
	q->own_word = word;
	filchi_store_rlx(&q->number, next, R2);
	q->floor = filchi_bwos_place(&q->ring, next);
	q->end.limit = q->floor + q->ring.block_size;
	filchi_store_rlx(&q->end.head, q->floor, R2);
	return 0;
}

static inline int filchi_bwos_lifo_put(struct filchi_bwos_lifo *q, uint64_t head, uintptr_t item)
{
	filchi_bwos_put(&q->end, head, item);
	return FILCH_OK;
}

FILCHI_BWOS_PUSH(bwos_lifo)

static inline int filchi_bwos_lifo_take(struct filchi_bwos_lifo *q, uint64_t head, uintptr_t *item)
{
	filchi_store_rlx(&q->end.head, head - 1, R2);
	*item = filchi_load_rlx(&q->end.slots[head - 1].item, R1);
	return FILCH_OK;
}

/* The deque is empty. Slots whose items were stolen before the owner took the block over are free again. */
FILCHI_COLD static int filchi_bwos_lifo_start_over(struct filchi_bwos_lifo *q, uint64_t number)
{
	uint64_t start = q->end.limit - q->ring.block_size;

	if (q->floor != start) {
		q->own_word &= ~FILCHI_BWOS_POSITION;
		filchi_store_rlx(&filchi_bwos_lifo_block(q, number)->word, q->own_word, R5);
		q->floor = start;
		filchi_store_rlx(&q->end.head, start, R2);
	}
	return FILCH_EMPTY;
}

/* The owner's block is empty: takes over the rest of the block before, which is the youngest granted block. */
FILCHI_COLD static int filchi_bwos_lifo_pop_slow(struct filchi_bwos_lifo *q, uintptr_t *item)
{
	uint64_t number = filchi_load_rlx(&q->number, R2);
	struct filchi_bwos_lifo_block *block = filchi_bwos_lifo_block(q, number - 1);
	uint64_t word = filchi_load_rlx(&block->word, R4);

	/* It belongs to the owner: it is the only block, or a block on the other side of the ring that pop has left. */
	if (filchi_bwos_owned(word) || filchi_bwos_position(word) == q->ring.block_size)
		return filchi_bwos_lifo_start_over(q, number);
	word = filchi_fetch_add_acq(&block->word, FILCHI_BWOS_TURN, E2);
	if (filchi_bwos_position(word) == q->ring.block_size)
		return filchi_bwos_lifo_start_over(q, number);
	q->own_word = word + FILCHI_BWOS_TURN;
	filchi_store_rlx(&q->number, number - 1, R2);
	q->floor = filchi_bwos_place(&q->ring, number - 1);
	q->end.limit = q->floor + q->ring.block_size;
	q->floor += filchi_bwos_position(word);
	return filchi_bwos_lifo_take(q, q->end.limit, item);
}

static inline int filchi_bwos_lifo_pop(struct filchi_bwos_lifo *q, uintptr_t *item)
{
	uint64_t head = filchi_load_rlx(&q->end.head, R2);

	if (FILCHI_UNLIKELY(head == q->floor))
		return filchi_bwos_lifo_pop_slow(q, item);
	return filchi_bwos_lifo_take(q, head, item);
}

/* Finds the oldest block and its word, if it belongs to the thieves and is not used up. */
static inline int filchi_bwos_lifo_find(struct filchi_bwos_lifo *q, uint64_t *number, uint64_t *word)
{
	*number = filchi_load_acq(&q->tail, E3);
	for (;;) {
		*word = filchi_load_acq(&filchi_bwos_lifo_block(q, *number)->word, E1);
		if (FILCHI_LIKELY(filchi_bwos_position(*word) != q->ring.block_size)) {
			if (FILCHI_LIKELY(!filchi_bwos_owned(*word)))
				return FILCH_OK;
			/* The owner may have used the block again, and then another block is the oldest. */
			return filchi_load_rlx(&q->tail, R3) == *number ? FILCH_EMPTY : FILCH_LOST;
		}
		if (!filchi_cas_rel(&q->tail, number, *number + 1, E3))
			return FILCH_LOST;
		++*number;
	}
}

/* Takes the copied items for the thief, if they are still there and their block is still the oldest. */
static inline int filchi_bwos_lifo_claim(struct filchi_bwos_lifo *q, uint64_t number, uint64_t word, uint64_t count)
{
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->tail, R3) != number))
		return FILCH_LOST;
	if (!filchi_cas_rel(&filchi_bwos_lifo_block(q, number)->word, &word, word + count, E4))
		return FILCH_LOST;
	return FILCH_OK;
}

static inline int filchi_bwos_lifo_steal(struct filchi_bwos_lifo *q, uintptr_t *item)
{
	uint64_t number, word, first;
	int result = filchi_bwos_lifo_find(q, &number, &word);
	uintptr_t found;

	if (result != FILCH_OK)
		return result;
	first = filchi_bwos_place(&q->ring, number) + filchi_bwos_position(word);
	found = filchi_load_rlx(&q->ring.slots[first].item, R1);
	result = filchi_bwos_lifo_claim(q, number, word, 1);
	if (result == FILCH_OK)
		*item = found;
	return result;
}

/* Steals the rest of the oldest block, up to max items. */
static inline int filchi_bwos_lifo_steal_many(struct filchi_bwos_lifo *q, uintptr_t *items, size_t max, size_t *taken)
{
	uint64_t number, word, first, count;
	int result = filchi_bwos_lifo_find(q, &number, &word);

	if (result != FILCH_OK)
		return result;
	first = filchi_bwos_place(&q->ring, number) + filchi_bwos_position(word);
	count = q->ring.block_size - filchi_bwos_position(word);
	if (count > max)
		count = max;
	filchi_bwos_copy(&q->ring, first, count, items);
	result = filchi_bwos_lifo_claim(q, number, word, count);
	if (result == FILCH_OK)
		*taken = count;
	return result;
}

/* From the position in the oldest block to head. */
static inline size_t filchi_bwos_lifo_size(const struct filchi_bwos_lifo *q)
{
	uint64_t tail = filchi_load_rlx(&q->tail, R7);
	uint64_t word = filchi_load_rlx(&filchi_bwos_lifo_block(q, tail)->word, R7);
	uint64_t number = filchi_load_rlx(&q->number, R7);
	uint64_t head = filchi_load_rlx(&q->end.head, R7) - filchi_bwos_place(&q->ring, number);
	int64_t size = (int64_t)((number - tail) * q->ring.block_size + head - filchi_bwos_position(word));

	return size > 0 ? (size_t)size : 0;
}

#endif
