/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared code of the two printed BWoS queues: the blocks of Shibesh Duwadi's "Analysis of Novel Approaches for
 * Work-Stealing Scheduling" (Master's thesis, University of Bamberg, May 2025), 4.2. The figures 4.2 to 4.7 are
 * C++-like pseudocode for both variants at once; each printed algorithm translates the lines of its own variant.
 *
 * How we read them:
 * - A name without "blk->", like s_pos, is a copy, loaded once at the line that first mentions it. A name with "blk->"
 *   is the atomic. The figures give no orders: all are seq_cst.
 * - Where an advancement returns false, pushBottom refuses, popBottom returns false and popTop returns Empty. The
 *   figures leave this open, but without it a loop would never end.
 * - blk_to_put, blk_to_get and f_pos belong to the owner: plain data here.
 * - entries are plain data, with no values at the start.
 */
#ifndef TESTS_CHECKER_PRINTED_BWOS_H
#define TESTS_CHECKER_PRINTED_BWOS_H

#include "../printed.h"

enum { BLOCKS_OF_TWO = 1 << 16 }; /* no fix: two entries in a block instead of one */
enum { BLOCKS_MAX = 4, NE_MAX = 2 };

/* VersionAndIndex. Traces print it as written here: version 1 and index 0 are 100. */
#define VI(version, index) ((uint64_t)(version)*100 + (index))
#define VERSION(vi) ((vi) / 100)
#define INDEX(vi) ((vi) % 100)

struct block {
	uint64_t b_pos, s_pos, s_cnt;
	uint64_t f_pos;
	uint64_t *entries;
};

static struct {
	struct block block[BLOCKS_MAX];
	uint64_t blk_to_steal;
	uint64_t blk_to_get, blk_to_put;
	uint64_t ne, blocks; /* NE, NUM_BLOCKS */
	bool found_empty;    /* by the owner's last pop */
} queue;

static inline void bwos_set_up(void)
{
	static char name[BLOCKS_MAX][3 + NE_MAX][16];

	queue.ne = fixed & BLOCKS_OF_TWO ? 2 : 1;
	queue.blocks = deque.capacity / queue.ne;
	queue.blk_to_get = queue.blk_to_put = 0;
	queue.found_empty = false;
	INIT(queue.blk_to_steal, 0);
	chk_name(&queue.blk_to_steal, "blk_to_steal");
	for (unsigned i = 0; i < queue.blocks; i++) {
		struct block *blk = &queue.block[i];
		uint64_t *atomics[] = {&blk->b_pos, &blk->s_pos, &blk->s_cnt};
		static const char *const names[] = {"b_pos", "s_pos", "s_cnt"};

		for (unsigned j = 0; j < 3; j++) {
			snprintf(name[i][j], sizeof(name[i][j]), "%u.%s", i, names[j]);
			chk_name(atomics[j], name[i][j]);
		}
		/* The checker knows that this memory has no values yet. */
		blk->entries = chk_alloc(queue.ne * sizeof(blk->entries[0]));
		for (unsigned j = 0; j < queue.ne; j++) {
			snprintf(name[i][3 + j], sizeof(name[i][3 + j]), "%u.entries[%u]", i, j);
			chk_name(&blk->entries[j], name[i][3 + j]);
		}
	}
}

static inline void bwos_tear_down(void)
{
	for (unsigned i = 0; i < queue.blocks; i++)
		chk_free(queue.block[i].entries);
}

static inline void bwos_init_block(uint64_t number, uint64_t pos, uint64_t s_pos, uint64_t s_cnt)
{
	struct block *blk = &queue.block[number];

	INIT(blk->b_pos, pos);
	blk->f_pos = pos;
	INIT(blk->s_pos, s_pos);
	INIT(blk->s_cnt, s_cnt);
}

static inline struct block *bwos_block(uint64_t number)
{
	return &queue.block[number % queue.blocks];
}

/* An owner that has just found the queue empty must be able to push. */
static inline bool bwos_refuse(void)
{
	if (queue.found_empty)
		wrong("push was refused by a queue that its owner has just found empty");
	return false;
}

#endif
