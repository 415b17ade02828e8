/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The LIFO BWoS queue as printed in the thesis, see printed_bwos.h. Each line of C has its printed line beside it, with
 * figure and number. Code under a fix is ours.
 *
 * There are no versions. Line 16 of 4.5 has s_pos without a block: we read it as the s_pos of blk, as everywhere. Line
 * 9 of 4.6 is empty in our text. We read it as "return true; }", because otherwise popBottom would never return an
 * item.
 */
#include "printed_bwos.h"

enum {
	POP_BELOW_B_POS = 1, /* 4.3, 7: entries[b_pos - 1] */
	GIVE_UP = 2,	     /* 4.6: gives up when the old s_pos is NE, without a write of f_pos */
	TEST_NEXT = 4,	     /* 4.5, 16: tests the s_pos of nblk */
	WAIT_S_CNT = 8,	     /* 4.5, 16: and waits until its s_cnt, which then starts at 0, is f_pos */
	LOOK_FURTHER = 16,   /* 4.6: when the old s_pos is NE, looks at the blocks before that block */
	COPY_FIRST = 32,     /* no complete fix: the thief copies the entry before its CAS */
	ATOMIC_ENTRIES = 64, /* relaxed */
	SEQUENTIAL = POP_BELOW_B_POS | GIVE_UP | TEST_NEXT,
	FIXED = SEQUENTIAL | WAIT_S_CNT | LOOK_FURTHER
};

#define ENTRY_READ(slot, printed) SLOT_READ(slot, (fixed & ATOMIC_ENTRIES) != 0, printed)
#define ENTRY_WRITE(slot, item, printed) SLOT_WRITE(slot, item, (fixed & ATOMIC_ENTRIES) != 0, printed)

/* Table 4.1 */
static void set_up(void)
{
	bwos_set_up();
	for (uint64_t i = 0; i < queue.blocks; i++)
		bwos_init_block(i, 0, queue.ne, fixed & WAIT_S_CNT ? 0 : queue.ne);
}

/* 4.5,  1: adv_blk_put() { */
static bool adv_blk_put(void)
{
	struct block *blk = bwos_block(queue.blk_to_put), *nblk;
	uint64_t next, old_f_pos;

	/*  2: Block* nblk = blk->getNextBlock(); */
	next = (queue.blk_to_put + 1) % queue.blocks;
	nblk = bwos_block(next);
	/* 16: if(s_pos != NE) return false; */
	if (LOAD((fixed & TEST_NEXT ? nblk : blk)->s_pos, CHK_SC, "4.5, 16: s_pos != NE") != queue.ne)
		return false;
	if (fixed & WAIT_S_CNT && LOAD(nblk->s_cnt, CHK_SC, "4.5, fix of 16") != nblk->f_pos)
		return false;
	/* 18: old_f_pos = blk->f_pos.exchange(VersionAndIndex(0, NE)); */
	old_f_pos = blk->f_pos;
	blk->f_pos = queue.ne;
	/* 19: blk->reserved = old_f_pos; */
	STORE(blk->s_pos, old_f_pos, CHK_SC, "4.5, 19: blk->reserved");
	/* 21: nblk->b_pos = VersionAndIndex(0, 0); */
	STORE(nblk->b_pos, 0, CHK_SC, "4.5, 21: nblk->b_pos");
	/* 22: nblk->f_pos = VersionAndIndex(0, 0); */
	nblk->f_pos = 0;
	/* 23: nblk->s_pos = VersionAndIndex(0, NE); */
	STORE(nblk->s_pos, queue.ne, CHK_SC, "4.5, 23: nblk->s_pos");
	/* 24: nblk->s_cnt = VersionAndIndex(0, 0); */
	STORE(nblk->s_cnt, 0, CHK_SC, "4.5, 24: nblk->s_cnt");
	/* 26: blk_to_get = blk_to_put = nblk; */
	queue.blk_to_get = queue.blk_to_put = next;
	return true;
}

/* 4.2,  1: WsBwosQueue::pushBottom(E item) -> pushBottomResult { */
static bool push_bottom(uint64_t item)
{
	/*  2: while(true) { */
	for (;;) {
		/*  3: Block* blk = blk_to_put; */
		struct block *blk = bwos_block(queue.blk_to_put);
		uint64_t b_pos = LOAD(blk->b_pos, CHK_SC, "4.2, 4: b_pos < NE");

		/*  4: if(b_pos < NE) { */
		if (b_pos < queue.ne) {
			/*  5: blk->entries[b_pos.index] = item; */
			ENTRY_WRITE(blk->entries[b_pos], item, "4.2, 5: entries[b_pos.index] = item");
			/*  6: blk->b_pos.index ++; */
			STORE(blk->b_pos, b_pos + 1, CHK_SC, "4.2, 6: blk->b_pos.index++");
			queue.found_empty = false;
			/*  7: return {pushed = true, size = b_pos.index}; } */
			return true;
		}
		/*  9: adv_blk_put(); } } */
		if (!adv_blk_put())
			return bwos_refuse();
	}
}

/* 4.6,  1: adv_blk_get(LIFO) { */
static bool adv_blk_get(void)
{
	/*  2: Block* pblk = blk->getPrecedingBlock(); */
	uint64_t preceding = (queue.blk_to_get + queue.blocks - 1) % queue.blocks, steal;
	struct block *pblk = bwos_block(preceding);
	/*  3: old_s_pos = pblk->s_pos.exchange(VersionAndIndex(0, NE)); */
	uint64_t old_s_pos = EXCHANGE(pblk->s_pos, queue.ne, CHK_SC, "4.6, 3: pblk->s_pos.exchange");

	for (uint64_t n = 2; fixed & LOOK_FURTHER && old_s_pos == queue.ne && n < queue.blocks; n++) {
		preceding = (queue.blk_to_get + queue.blocks - n) % queue.blocks;
		pblk = bwos_block(preceding);
		old_s_pos = EXCHANGE(pblk->s_pos, queue.ne, CHK_SC, "4.6, fix of 3");
	}
	if (fixed & GIVE_UP && old_s_pos == queue.ne)
		return false;
	/*  4: pblk->f_pos = old_s_pos; */
	pblk->f_pos = old_s_pos;
	/*  5: if(old_s_pos.index != pblk->b_pos.index) { */
	if (old_s_pos != LOAD(pblk->b_pos, CHK_SC, "4.6, 5: pblk->b_pos.index")) {
		/*  6: if(blk_to_steal = pblk) */
		steal = LOAD(queue.blk_to_steal, CHK_SC, "4.6, 6: blk_to_steal = pblk");
		if (steal == preceding)
			/*  7: blk_to_steal = blk_to_steal - 1; */
			STORE(queue.blk_to_steal, (steal + queue.blocks - 1) % queue.blocks, CHK_SC,
			      "4.6, 7: blk_to_steal = blk_to_steal - 1");
		/*  8: blk_to_get = blk_to_put = pblk; */
		queue.blk_to_get = queue.blk_to_put = preceding;
		/*  9: return true; } (see above) */
		return true;
	}
	/* 10: return false; } */
	return false;
}

/* 4.3,  1: WsBwosQueue::popBottom(E* item) -> bool { */
static bool pop_bottom(uint64_t *item)
{
	/*  2: while(true) { */
	for (;;) {
		/*  3: Block* blk = blk_to_get; */
		struct block *blk = bwos_block(queue.blk_to_get);
		uint64_t f_pos = blk->f_pos, b_pos = LOAD(blk->b_pos, CHK_SC, "4.3, 5: b_pos.index");

		/*  4: if(f_pos < NE) { 5: if (b_pos.index = f_pos.index) 6: goto slowpath; */
		if (f_pos < queue.ne && b_pos != f_pos) {
			/*  7: *item = blk->entries[f_pos.index]; */
			*item = ENTRY_READ(blk->entries[fixed & POP_BELOW_B_POS ? b_pos - 1 : f_pos],
					   "4.3, 7: *item = entries[f_pos.index]");
			/* 10: else if (LIFO) 11: blk->b_pos.index --; */
			STORE(blk->b_pos, b_pos - 1, CHK_SC, "4.3, 11: blk->b_pos.index--");
			/* 12: return true; } */
			return true;
		}
		/* 14: slowpath: 15: adv_blk_get(); } } */
		if (!adv_blk_get())
			return false;
	}
}

/* 4.7,  1: adv_blk_steal() { */
static bool adv_blk_steal(uint64_t blk_to_steal)
{
	/*  2: Block* nblk = blk->getNextBlock(); */
	uint64_t next = (blk_to_steal + 1) % queue.blocks;

	/*  7: } else if (LIFO) { 8: if(nblk->s_pos.index = NE) 9: return false; } */
	if (LOAD(bwos_block(next)->s_pos, CHK_SC, "4.7, 8: nblk->s_pos.index") == queue.ne)
		return false;
	/* 11: Block* desired = blocks[blk_to_steal + 1]; 12: blk_to_steal.CAS(blk_to_steal, desired); } */
	COMPARE_EXCHANGE(queue.blk_to_steal, blk_to_steal, next, CHK_SC, CHK_SC, "4.7, 12: blk_to_steal.CAS");
	return true;
}

/* 4.4,  1: WsBwosQueue::popTop(E* item) -> StealingResult { */
static bool pop_top(uint64_t *item)
{
	/*  2: while(true) { */
	for (;;) {
		/*  3: Block* blk = blk_to_steal; */
		uint64_t number = LOAD(queue.blk_to_steal, CHK_SC, "4.4, 3: blk = blk_to_steal");
		struct block *blk = bwos_block(number);
		uint64_t s_pos = LOAD(blk->s_pos, CHK_SC, "4.4, 4: s_pos < NE");

		/*  4: if(s_pos < NE) { */
		if (s_pos < queue.ne) {
			/*  5: if (s_pos.index = b_pos.index) 6: return Empty; */
			if (s_pos == LOAD(blk->b_pos, CHK_SC, "4.4, 5: b_pos.index"))
				return false;
			if (fixed & COPY_FIRST)
				*item = ENTRY_READ(blk->entries[s_pos], "4.4, fix of 10");
			/*  7: VersionAndIndex localspos = s_pos; 8: localspos.index += 1; */
			/*  9: if (blk->s_pos.CAS(s_pos, localspos)) */
			if (!COMPARE_EXCHANGE(blk->s_pos, s_pos, s_pos + 1, CHK_SC, CHK_SC, "4.4, 9: blk->s_pos.CAS"))
				/* 13: return LostRace; } */
				return false;
			/* 10: *item = blk->entries[s_pos.index]; */
			if (!(fixed & COPY_FIRST))
				*item = ENTRY_READ(blk->entries[s_pos], "4.4, 10: *item = entries[s_pos.index]");
			/* 11: blk->s_cnt.fetch_add(1); */
			FETCH_ADD(blk->s_cnt, 1, CHK_SC, "4.4, 11: blk->s_cnt.fetch_add");
			/* 12: return Stolen; */
			return true;
		}
		/* 15: Block* nblk = blk->getNextBlock(); 16: adv_blk_steal(nblk); } } */
		if (!adv_blk_steal(number))
			return false;
	}
}

static uint64_t pop(void)
{
	uint64_t item = 0;

	queue.found_empty = !pop_bottom(&item);
	return queue.found_empty ? 0 : item;
}

static uint64_t steal(void)
{
	uint64_t item = 0;

	return pop_top(&item) ? item : 0;
}

static const struct algorithm algorithm = {
	.set_up = set_up,
	.tear_down = bwos_tear_down,
	.push = push_bottom,
	.pop = pop,
	.steal = steal,
};

static const struct scenario two_pops = {.capacity = 4, .before = "++--"};
static const struct scenario fresh_pop = {.capacity = 2, .before = "-"};
static const struct scenario three_pushes = {.capacity = 2, .before = "+++"};
static const struct scenario used_again = {.capacity = 2, .before = "++", .owner = "+", .thief = {"s"}};
static const struct scenario taken_over = {.capacity = 2, .before = "++", .owner = "--++", .thief = {"s"}};
static const struct scenario skipped = {.capacity = 4, .before = "+++", .owner = "---+++", .thief = {"ss"}};
static const struct scenario mixed = {.capacity = 4, .before = "+++", .owner = "---++", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"pop_front", BLOCKS_OF_TWO, &two_pops, CHK_ASSERT, "item 1 came out twice", 16},
	{"circles", POP_BELOW_B_POS, &fresh_pop, CHK_TOO_LONG, "thread 0 made more than 200 events", 201},
	{"overrun", POP_BELOW_B_POS | GIVE_UP, &three_pushes, CHK_ASSERT, "item 1 is lost", 38},
	{"used_again_race", SEQUENTIAL, &used_again, CHK_RACE, "data race on 0.entries[0]", 32},
	{"used_again", SEQUENTIAL | ATOMIC_ENTRIES, &used_again, CHK_ASSERT, "item 3 came out twice", 44},
	{"skipped", FIXED & ~LOOK_FURTHER, &skipped, CHK_ASSERT, "item 4 is lost", 99},
	{"copy_first", (FIXED & ~WAIT_S_CNT) | ATOMIC_ENTRIES | COPY_FIRST, &taken_over, CHK_ASSERT,
	 "item 1 came out twice", 54},

	{"fixed_two_pops", FIXED | BLOCKS_OF_TWO, &two_pops, CHK_OK, NULL, 1},
	{"fixed_fresh_pop", FIXED, &fresh_pop, CHK_OK, NULL, 1},
	{"fixed_three_pushes", FIXED, &three_pushes, CHK_OK, NULL, 1},
	{"fixed_used_again", FIXED, &used_again, CHK_OK, NULL, 3},
	{"fixed_taken_over", FIXED, &taken_over, CHK_OK, NULL, 13},
	{"fixed_skipped", FIXED, &skipped, CHK_OK, NULL, 50},
	{"fixed_mixed", FIXED, &mixed, CHK_OK, NULL, 2863},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
