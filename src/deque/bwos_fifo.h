/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bwos_fifo: a queue cut into blocks. Only the owner takes items from the oldest block; thieves have the other blocks.
 *
 * Wang et al., "BWoS: formally verified block-based work stealing for parallel processing" (OSDI 2023), as told in
 * Duwadi, "Analysis of novel approaches for work-stealing scheduling" (2025), 3 and 4. Theirs in idea, ours in detail:
 *
 *     get                 hint                put
 *   | owned, front      | used up | granted | granted, filled up to head | free | ...     blocks run on and wrap
 *       ^ owner pops                ^ thieves CAS the word
 *
 * - push fills the block put. Thieves may steal its committed items. When the block is full, push grants the next. A
 *   pop that has used up the block get takes over the next. In between neither needs an RMW, a fence, or a line that
 *   thieves write. Thieves steal from blocks in the middle, so they do not get the oldest items.
 * - A block's (turn, position), see bwos.h, is one word. Numbers of blocks only rise. In its n-th use a block has the
 *   turn 2n when it is granted, and 2n + 1 when the owner has taken it over. So the word tells the number of the block.
 * - A thief copies items before its CAS, and keeps them only if the CAS succeeds. In the thesis a thief reserves by a
 *   CAS, then reads, and then counts itself out (s_cnt). The owner does not use the block again before that. So a thief
 *   that stalls makes an empty queue refuse each push ("empty and full at once", 3.2). Without that test, as the thesis
 *   considers, the queue gives items out twice. Here push reads nothing that thieves write: the block must only be
 *   behind get.
 * - When all items have been stolen, push itself moves get on. An owner with a single empty block starts that block
 *   over. So an empty queue is never full.
 * - hint: the blocks before this number, except the owner's, will never have items to steal again. It only rises.
 * - With a single block push never grants a block.
 *
 * May run together:        push   pop   steal   size
 *   push (one owner)         -     -      x       x
 *   pop (one owner)          -     -      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 *
 * Linearization (steal_many as steal):
 *   push          the store of head; for thieves the store of committed
 *   push, full    at once: get is the owner's
 *   pop, OK       the store of front; of a block taken over, the fetch_add
 *   pop, EMPTY    the fetch_add that took over the block put, and found all stolen; at once if it was taken before
 *   steal, OK     the CAS of the word
 *   steal, EMPTY  the load of the word or of committed: there was nothing in the blocks that are not the owner's. The
 *                 word, read again, says that committed was of the same turn
 *   steal, LOST   changes nothing: another stole from the block, or the owner took it over
 *
 * Edges:
 *   E1   push: store_rel word → steal: load_acq word   a thief that sees a block granted sees committed set back
 *   E2   push: store_rel committed → steal: load_acq committed   publishes the slots below; and, set back, that the
 *        word has changed since the block was used before
 *   E3   get_next: fence_acq, after the fetch_add; its other end is the cas_rel word of steal (E4)   the thief has read
 *        its slots before the owner writes them again; only load buffering could undo that order; C11 and machines
 *        allow it, RC11 and the checker do not
 *   E4   get_next: fetch_add_rel word; steal: cas_rel word; their other end is the load_acq word of steal (E1)   a
 *        thief that passes a block sees all items that were pushed before the owner took the block over, and all items
 *        that another thief saw when it used the block up. Otherwise it could report EMPTY although such items are
 *        there
 *   E5   steal: cas_rel hint → steal: load_acq hint   the same, for a thief that relies on another's hint
 *   R1   slots: a thief may read one while the owner writes it; then its CAS fails, and it drops the value
 *   R2   head, front, get, put: the owner's own, and for others a hint
 *   R3   steal: the word again; ordered by E2, before it
 *   R4   size: a hint orders nothing
 */
#ifndef FILCHI_DEQUE_BWOS_FIFO_H
#define FILCHI_DEQUE_BWOS_FIFO_H

#include "bwos.h"
#include "deque.h"

#include <errno.h>

#define FILCHI_BWOS_FIFO_MAX_CAPACITY FILCHI_BWOS_CAPACITY
#define FILCHI_BWOS_FIFO_INFO                                                                                          \
	{                                                                                                              \
		.name = "bwos_fifo", .summary = "a queue of blocks: the owner pops the oldest, thieves have the rest", \
		.owner_order = FILCH_FIFO, .steal_order = FILCH_UNORDERED, .push_progress = FILCH_WAIT_FREE,           \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .bounded = 1, .blocks = 1,         \
		.owner_private = 1, .loses = 1, .steal_many = 1,                                                       \
	}

struct filchi_bwos_fifo_block {
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) word;
	/* The place up to which items were pushed. Thieves use it while the block is granted. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) committed;
};

/* front and back are places in the ring, as head and limit. */
struct filchi_bwos_fifo {
	/* Only the owner writes these. Other threads read only the atomics, for the size. */
	FILCHI_OWN_LINE struct filchi_bwos_end end; /* at the block put */
	struct filchi_bwos_fifo_block *own_block;   /* put */
	FILCHI_ATOMIC(uint64_t) front;
	uint64_t back; /* pop up to here: the end of the block get; or to head, if that is in it */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) put; /* the number of the block that is filled */
	FILCHI_ATOMIC(uint64_t) get;		     /* of the block that is popped from */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) hint;
	/* Never changes. */
	FILCHI_OWN_LINE struct filchi_bwos_ring ring;
	struct filchi_bwos_fifo_block *blocks;
	unsigned block_bits; /* of block_mask */
};

static inline struct filchi_bwos_fifo_block *filchi_bwos_fifo_block(const struct filchi_bwos_fifo *q, uint64_t number)
{
	return &q->blocks[number & q->ring.block_mask];
}

/* The word of the block with that number when it is granted. */
static inline uint64_t filchi_bwos_fifo_granted(const struct filchi_bwos_fifo *q, uint64_t number)
{
	return (number >> q->block_bits) * 2 * FILCHI_BWOS_TURN;
}

static inline void filchi_bwos_fifo_init_blocks(struct filchi_bwos_fifo *q, uint64_t first)
{
	/* Each block is in its state after the last use, except the first, which is both put and get. */
	for (uint64_t i = 0; i <= q->ring.block_mask; i++) {
		struct filchi_bwos_fifo_block *block = filchi_bwos_fifo_block(q, first + i);
		uint64_t turn = i ? 0 - FILCHI_BWOS_TURN : FILCHI_BWOS_TURN;

		filchi_atomic_init(&block->word, filchi_bwos_fifo_granted(q, first + i) + turn);
		filchi_atomic_init(&block->committed, filchi_bwos_place(&q->ring, first + i));
	}
	filchi_atomic_init(&q->put, first);
	filchi_atomic_init(&q->get, first);
	filchi_atomic_init(&q->hint, first);
	q->own_block = filchi_bwos_fifo_block(q, first);
	filchi_atomic_init(&q->end.head, filchi_bwos_place(&q->ring, first));
	filchi_atomic_init(&q->front, filchi_bwos_place(&q->ring, first));
	q->end.limit = filchi_bwos_place(&q->ring, first) + q->ring.block_size;
	q->back = q->end.limit;
}

static inline int filchi_bwos_fifo_init(struct filchi_bwos_fifo *q, const struct filchi_deque_setup *setup)
{
	void *blocks;
	int err = filchi_bwos_ring_init(&q->ring, setup, &blocks, sizeof(*q->blocks));

	if (err)
		return err;
	q->blocks = blocks;
	q->end.slots = q->ring.slots;
	q->block_bits = (unsigned)__builtin_ctzll(q->ring.block_mask + 1);
	filchi_bwos_fifo_init_blocks(q, setup->first);
	return 0;
}

static inline void filchi_bwos_fifo_fini(struct filchi_bwos_fifo *q)
{
	filchi_free(q->blocks);
	filchi_free(q->ring.slots);
}

/* The block get is used up and is not put: takes over the rest of the next. */
static inline void filchi_bwos_fifo_get_next(struct filchi_bwos_fifo *q, uint64_t get)
{
	uint64_t word = filchi_fetch_add_rel(&filchi_bwos_fifo_block(q, get)->word, FILCHI_BWOS_TURN, E4);
	uint64_t place = filchi_bwos_place(&q->ring, get);

	filchi_fence_acq(E3);
	filchi_store_rlx(&q->get, get, R2);
	filchi_store_rlx(&q->front, place + filchi_bwos_position(word), R2);
	q->back = place + q->ring.block_size;
}

/* The block put is full: makes the next block put, if pop has left it, and grants it. */
FILCHI_COLD static int filchi_bwos_fifo_advance(struct filchi_bwos_fifo *q)
{
	uint64_t next = filchi_load_rlx(&q->put, R2) + 1, get = filchi_load_rlx(&q->get, R2);
	int used_up = filchi_load_rlx(&q->front, R2) == q->back;
	uint64_t place = filchi_bwos_place(&q->ring, next);

	if (next - get == 1 && used_up) {
		/* The queue is empty, and the block belongs to the owner: it starts over. */
		filchi_store_rlx(&q->end.head, q->end.limit - q->ring.block_size, R2);
		filchi_store_rlx(&q->front, q->end.limit - q->ring.block_size, R2);
		return 0;
	}
	if (next - get > q->ring.block_mask) {
		if (!used_up || !q->ring.block_mask)
			return -ENOBUFS;
		filchi_bwos_fifo_get_next(q, get + 1);
	}
	q->own_block = filchi_bwos_fifo_block(q, next);
	q->end.limit = place + q->ring.block_size;
	filchi_store_rlx(&q->end.head, place, R2);
	filchi_store_rlx(&q->put, next, R2);
	filchi_store_rel(&q->own_block->committed, place, E2);
	filchi_store_rel(&q->own_block->word, filchi_bwos_fifo_granted(q, next), E1);
	return 0;
}

static inline int filchi_bwos_fifo_put(struct filchi_bwos_fifo *q, uint64_t head, uintptr_t item)
{
	filchi_bwos_put(&q->end, head, item);
	filchi_store_rel(&q->own_block->committed, head + 1, E2);
	return FILCH_OK;
}

FILCHI_BWOS_PUSH(bwos_fifo)

static inline int filchi_bwos_fifo_take(struct filchi_bwos_fifo *q, uint64_t front, uintptr_t *item)
{
	filchi_store_rlx(&q->front, front + 1, R2);
	*item = filchi_load_rlx(&q->end.slots[front].item, R1);
	return FILCH_OK;
}

/* Takes over blocks until a block has an item. front may be equal to head by accident, with a full ring in between. */
FILCHI_COLD static int filchi_bwos_fifo_pop_slow(struct filchi_bwos_fifo *q, uintptr_t *item)
{
	uint64_t put = filchi_load_rlx(&q->put, R2), get = filchi_load_rlx(&q->get, R2);
	uint64_t head = filchi_load_rlx(&q->end.head, R2);

	while (filchi_load_rlx(&q->front, R2) == (get == put ? head : q->back)) {
		if (get == put)
			return FILCH_EMPTY;
		filchi_bwos_fifo_get_next(q, ++get);
	}
	return filchi_bwos_fifo_take(q, filchi_load_rlx(&q->front, R2), item);
}

static inline int filchi_bwos_fifo_pop(struct filchi_bwos_fifo *q, uintptr_t *item)
{
	uint64_t front = filchi_load_rlx(&q->front, R2);

	if (FILCHI_UNLIKELY(front == q->back || front == filchi_load_rlx(&q->end.head, R2)))
		return filchi_bwos_fifo_pop_slow(q, item);
	return filchi_bwos_fifo_take(q, front, item);
}

/* Raises the hint to number, if the hint is lower. */
FILCHI_COLD static void filchi_bwos_fifo_raise(struct filchi_bwos_fifo *q, uint64_t hint, uint64_t number)
{
	while ((int64_t)(number - hint) > 0 && !filchi_cas_rel(&q->hint, &hint, number, E5))
		;
}

/* Finds the first block with items to steal: its number, its word, and the number of items from its position on. */
static inline int filchi_bwos_fifo_find(struct filchi_bwos_fifo *q, uint64_t *found, uint64_t *word, uint64_t *count)
{
	uint64_t hint = filchi_load_acq(&q->hint, E5), number = hint;

	*count = 0;
	for (;;) {
		struct filchi_bwos_fifo_block *block = filchi_bwos_fifo_block(q, number);
		int64_t ahead;

		*word = filchi_load_acq(&block->word, E1);
		/* The number of rings by which the block is ahead of the number. */
		ahead = (int64_t)(*word - filchi_bwos_fifo_granted(q, number)) >> (FILCHI_BWOS_POSITION_BITS + 1);
		if (ahead < 0)
			break;
		if (FILCHI_LIKELY(!ahead && !filchi_bwos_owned(*word) &&
				  filchi_bwos_position(*word) != q->ring.block_size)) {
			*count = filchi_load_acq(&block->committed, E2) - filchi_bwos_place(&q->ring, number) -
				 filchi_bwos_position(*word);
			break;
		}
		/* The owner uses a block again only after pop has left it. */
		number += ahead ? ((uint64_t)(ahead - 1) << q->block_bits) + 1 : 1;
	}
	/* Also if nothing was found: then the next thief skips these blocks, and does not read lines that the owner
	 * writes. */
	if (FILCHI_UNLIKELY(number != hint))
		filchi_bwos_fifo_raise(q, hint, number);
	*found = number;
	if (FILCHI_LIKELY((int64_t)*count > 0))
		return FILCH_OK;
	/* There was no item; or, if count is negative, committed was read after the block was used again. */
	return filchi_load_rlx(&filchi_bwos_fifo_block(q, number)->word, R3) == *word ? FILCH_EMPTY : FILCH_LOST;
}

static inline int filchi_bwos_fifo_steal(struct filchi_bwos_fifo *q, uintptr_t *item)
{
	uint64_t number, word, count;
	int result = filchi_bwos_fifo_find(q, &number, &word, &count);
	uintptr_t found;

	if (result != FILCH_OK)
		return result;
	found = filchi_load_rlx(&q->ring.slots[filchi_bwos_place(&q->ring, number) + filchi_bwos_position(word)].item,
				R1);
	if (!filchi_cas_rel(&filchi_bwos_fifo_block(q, number)->word, &word, word + 1, E4))
		return FILCH_LOST;
	*item = found;
	return FILCH_OK;
}

/* Steals the rest of a block, up to max items. */
static inline int filchi_bwos_fifo_steal_many(struct filchi_bwos_fifo *q, uintptr_t *items, size_t max, size_t *taken)
{
	uint64_t number, word, first, count;
	int result = filchi_bwos_fifo_find(q, &number, &word, &count);

	if (result != FILCH_OK)
		return result;
	first = filchi_bwos_place(&q->ring, number) + filchi_bwos_position(word);
	if (count > max)
		count = max;
	filchi_bwos_copy(&q->ring, first, count, items);
	if (!filchi_cas_rel(&filchi_bwos_fifo_block(q, number)->word, &word, word + count, E4))
		return FILCH_LOST;
	*taken = count;
	return FILCH_OK;
}

/* Counts the owner's items in the block get, and the items in the blocks after it. Thieves have stolen only from the
 * first of these blocks. */
static inline size_t filchi_bwos_fifo_size(const struct filchi_bwos_fifo *q)
{
	uint64_t hint = filchi_load_rlx(&q->hint, R4), get = filchi_load_rlx(&q->get, R4);
	uint64_t put = filchi_load_rlx(&q->put, R4), head = filchi_load_rlx(&q->end.head, R4);
	uint64_t end = get == put ? head : filchi_bwos_place(&q->ring, get) + q->ring.block_size;
	uint64_t from = (int64_t)(hint - get) > 0 ? hint : get + 1;
	int64_t size = (int64_t)(end - filchi_load_rlx(&q->front, R4));

	if ((int64_t)(put - from) >= 0) {
		uint64_t word = filchi_load_rlx(&filchi_bwos_fifo_block(q, from)->word, R4);

		size += (int64_t)((put - from) * q->ring.block_size + head - filchi_bwos_place(&q->ring, put));
		size -= (int64_t)filchi_bwos_position(word);
	}
	return size > 0 ? (size_t)size : 0;
}

#endif
