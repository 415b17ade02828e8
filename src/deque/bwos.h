/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What bwos_lifo and bwos_fifo share: how a ring of slots is cut into blocks, and the word that says whose a block is.
 *
 *      63                    16 15         0
 *     |  turn                  |  position  |
 *
 * position: of the block's items those below it have been stolen; when it is the block size, the block is used up.
 * turn: whose the block is. Odd: the owner's, and only the owner changes the word. Even: the thieves', who steal by a
 * CAS that moves the position, and from whom the owner takes the block over by adding one turn. A block is granted
 * again only in a later turn, so no word is ever seen twice, until turns wrap: a thief that sleeps between its load and
 * its CAS would have to sleep through a multiple of 2^47 grants of that one block to be fooled.
 */
#ifndef FILCHI_DEQUE_BWOS_H
#define FILCHI_DEQUE_BWOS_H

#include "deque.h"

#define FILCHI_BWOS_POSITION_BITS 16
#define FILCHI_BWOS_POSITION (((uint64_t)1 << FILCHI_BWOS_POSITION_BITS) - 1)
#define FILCHI_BWOS_TURN ((uint64_t)1 << FILCHI_BWOS_POSITION_BITS)
#define FILCHI_BWOS_MAX_BLOCK_SIZE ((size_t)1 << (FILCHI_BWOS_POSITION_BITS - 1))

/*
 * Unless told: small enough that the items the owner holds back are few, large enough that leaving a block, which
 * costs as much as some tens of pushes, is rare.
 */
#define FILCHI_BWOS_BLOCK_SIZE ((size_t)32)
#define FILCHI_BWOS_BLOCKS ((size_t)8) /* at least so many, as long as they hold one item each */

/* Bounded, so it is allocated at once. */
#define FILCHI_BWOS_CAPACITY ((size_t)8192)

static inline uint64_t filchi_bwos_position(uint64_t word)
{
	return word & FILCHI_BWOS_POSITION;
}

static inline int filchi_bwos_owned(uint64_t word)
{
	return (word & FILCHI_BWOS_TURN) != 0;
}

/* 0: the block size asked for does not fit a word's position. */
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

#endif
