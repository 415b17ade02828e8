/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FIFO BWoS queue as printed in the thesis, see printed_bwos.h. Each line of C has its printed line beside it, with
 * figure and number. Code under a fix is ours.
 */
#include "printed_bwos.h"

enum {
	NO_S_CNT = 1,	    /* without line 9 of 4.5: the thesis considers this in 3.2 */
	COPY_FIRST = 2,	    /* the thief copies the entry before its CAS, and keeps the copy only if the CAS wins */
	ATOMIC_ENTRIES = 4, /* relaxed */
	B_POS_FIRST = 8,    /* no fix: the thief loads b_pos, then s_pos; the figure leaves this open */
	FIXED = NO_S_CNT | COPY_FIRST | ATOMIC_ENTRIES
};

#define ENTRY_READ(slot, printed) SLOT_READ(slot, (fixed & ATOMIC_ENTRIES) != 0, printed)
#define ENTRY_WRITE(slot, item, printed) SLOT_WRITE(slot, item, (fixed & ATOMIC_ENTRIES) != 0, printed)

/* Table 4.1 */
static void set_up(void)
{
	bwos_set_up();
	bwos_init_block(0, VI(1, 0), VI(1, queue.ne), VI(1, queue.ne));
	for (uint64_t i = 1; i < queue.blocks; i++)
		bwos_init_block(i, VI(0, queue.ne), VI(0, queue.ne), VI(0, queue.ne));
}

/* 4.5,  1: adv_blk_put() { */
static bool adv_blk_put(uint64_t b_pos)
{
	/*  2: Block* nblk = blk->getNextBlock(); */
	uint64_t next = (queue.blk_to_put + 1) % queue.blocks;
	struct block *nblk = bwos_block(next);
	/*  4: blk_version = if(nblk.isHead()) ? b_pos.version + 1 : b_pos.version; */
	uint64_t blk_version = VERSION(b_pos) + (next == 0);
	/*  5: expected_f_pos = blk_version - 1; */
	uint64_t expected_f_pos = blk_version - 1, s_cnt;

	/*  6: bool is_consumed = ((nblk->f_pos.index = NE) && (expected_f_pos = nblk->f_pos.version)); */
	/*  7: if(!isConsumed) return false; */
	if (nblk->f_pos != VI(expected_f_pos, queue.ne))
		return false;
	/*  8: bool no_stealers = ((nblk->s_cnt.index = NE) && (expected_f_pos = nblk->s_cnt.version)); */
	if (!(fixed & NO_S_CNT)) {
		s_cnt = LOAD(nblk->s_cnt, CHK_SC, "4.5, 8: no_stealers = nblk->s_cnt");
		/*  9: if(!noStealers) return false; */
		if (s_cnt != VI(expected_f_pos, queue.ne))
			return false;
	}
	/* 11: nblk->b_pos = VersionAndIndex(blkVersion, 0); */
	STORE(nblk->b_pos, VI(blk_version, 0), CHK_SC, "4.5, 11: nblk->b_pos");
	/* 12: nblk->s_pos = VersionAndIndex(blkVersion, 0); */
	STORE(nblk->s_pos, VI(blk_version, 0), CHK_SC, "4.5, 12: nblk->s_pos");
	/* 13: nblk->s_cnt = VersionAndIndex(blkVersion, 0); */
	STORE(nblk->s_cnt, VI(blk_version, 0), CHK_SC, "4.5, 13: nblk->s_cnt");
	/* 14: blk_to_put = nblk; */
	queue.blk_to_put = next;
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
		if (INDEX(b_pos) < queue.ne) {
			/*  5: blk->entries[b_pos.index] = item; */
			ENTRY_WRITE(blk->entries[INDEX(b_pos)], item, "4.2, 5: entries[b_pos.index] = item");
			/*  6: blk->b_pos.index ++; */
			STORE(blk->b_pos, b_pos + 1, CHK_SC, "4.2, 6: blk->b_pos.index++");
			queue.found_empty = false;
			/*  7: return {pushed = true, size = b_pos.index}; } */
			return true;
		}
		/*  9: adv_blk_put(); } } */
		if (!adv_blk_put(b_pos))
			return bwos_refuse();
	}
}

/* 4.6,  1: adv_blk_get(FIFO) { */
static bool adv_blk_get(void)
{
	/*  2: Block* nblk = blk->getNextBlock(); */
	uint64_t next = (queue.blk_to_get + 1) % queue.blocks, old_s_pos;
	struct block *nblk = bwos_block(next);
	/*  3: curr_f_pos_version = blk->f_pos.version */
	/*  4: if(nblk.isHead()) 5: expected_f_pos_version = curr_f_pos_version + 1; */
	/*  6: else 7: expected_f_pos_version = curr_f_pos_version; */
	uint64_t version = VERSION(bwos_block(queue.blk_to_get)->f_pos) + (next == 0);

	/*  8: if(nblk->s_pos.version != expected_f_pos_version) */
	if (VERSION(LOAD(nblk->s_pos, CHK_SC, "4.6, 8: nblk->s_pos.version")) != version)
		/*  9: return false; */
		return false;
	/* 11: old_s_pos = nblk->s_pos.exchange(VersionAndIndex(expected_f_pos_version, NE)); */
	old_s_pos = EXCHANGE(nblk->s_pos, VI(version, queue.ne), CHK_SC, "4.6, 11: nblk->s_pos.exchange");
	/* 12: nblk->s_cnt.fetch_add(NE - old_s_pos.index); */
	FETCH_ADD(nblk->s_cnt, queue.ne - INDEX(old_s_pos), CHK_SC, "4.6, 12: nblk->s_cnt.fetch_add");
	/* 13: nblk->f_pos = old_s_pos; */
	nblk->f_pos = old_s_pos;
	/* 14: blk_to_get = nblk; } */
	queue.blk_to_get = next;
	return true;
}

/* 4.3,  1: WsBwosQueue::popBottom(E* item) -> bool { */
static bool pop_bottom(uint64_t *item)
{
	/*  2: while(true) { */
	for (;;) {
		/*  3: Block* blk = blk_to_get; */
		struct block *blk = bwos_block(queue.blk_to_get);
		uint64_t f_pos = blk->f_pos;

		/*  4: if(f_pos < NE) { 5: if (b_pos.index = f_pos.index) 6: goto slowpath; */
		if (INDEX(f_pos) < queue.ne && INDEX(LOAD(blk->b_pos, CHK_SC, "4.3, 5: b_pos.index")) != INDEX(f_pos)) {
			/*  7: *item = blk->entries[f_pos.index]; */
			*item = ENTRY_READ(blk->entries[INDEX(f_pos)], "4.3, 7: *item = entries[f_pos.index]");
			/*  8: if (FIFO) 9: blk->f_pos.index ++; */
			blk->f_pos = f_pos + 1;
			/* 12: return true; } */
			return true;
		}
		/* 14: slowpath: 15: adv_blk_get(); } } */
		if (!adv_blk_get())
			return false;
	}
}

/* 4.7,  1: adv_blk_steal() { */
static bool adv_blk_steal(uint64_t blk_to_steal, uint64_t s_pos)
{
	/*  2: Block* nblk = blk->getNextBlock(); */
	uint64_t next = (blk_to_steal + 1) % queue.blocks;
	struct block *nblk = bwos_block(next);

	/*  4: expected_s_pos_version = blk->s_pos.version + (nblk->isHead() ? 1 : 0); */
	/*  5: if(nblk->s_pos.version != expected_s_pos_version) 6: return false; */
	if (VERSION(LOAD(nblk->s_pos, CHK_SC, "4.7, 5: nblk->s_pos.version")) != VERSION(s_pos) + (next == 0))
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
		uint64_t b_pos = fixed & B_POS_FIRST ? LOAD(blk->b_pos, CHK_SC, "4.4, 5: b_pos.index") : 0;
		uint64_t s_pos = LOAD(blk->s_pos, CHK_SC, "4.4, 4: s_pos < NE");

		/*  4: if(s_pos < NE) { */
		if (INDEX(s_pos) < queue.ne) {
			if (!(fixed & B_POS_FIRST))
				b_pos = LOAD(blk->b_pos, CHK_SC, "4.4, 5: b_pos.index");
			/*  5: if (s_pos.index = b_pos.index) 6: return Empty; */
			if (INDEX(s_pos) == INDEX(b_pos))
				return false;
			if (fixed & COPY_FIRST)
				*item = ENTRY_READ(blk->entries[INDEX(s_pos)], "4.4, fix of 10");
			/*  7: VersionAndIndex localspos = s_pos; 8: localspos.index += 1; */
			/*  9: if (blk->s_pos.CAS(s_pos, localspos)) */
			if (!COMPARE_EXCHANGE(blk->s_pos, s_pos, s_pos + 1, CHK_SC, CHK_SC, "4.4, 9: blk->s_pos.CAS"))
				/* 13: return LostRace; } */
				return false;
			/* 10: *item = blk->entries[s_pos.index]; */
			if (!(fixed & COPY_FIRST))
				*item = ENTRY_READ(blk->entries[INDEX(s_pos)], "4.4, 10: *item = entries[s_pos.index]");
			/* 11: blk->s_cnt.fetch_add(1); */
			if (!(fixed & NO_S_CNT))
				FETCH_ADD(blk->s_cnt, 1, CHK_SC, "4.4, 11: blk->s_cnt.fetch_add");
			/* 12: return Stolen; */
			return true;
		}
		/* 15: Block* nblk = blk->getNextBlock(); 16: adv_blk_steal(nblk); } } */
		if (!adv_blk_steal(number, s_pos))
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

static const struct scenario round_again = {.capacity = 2, .before = "++", .owner = "-+-+", .thief = {"s"}};
static const struct scenario empty_again = {.capacity = 2, .before = "++", .owner = "-+--+", .thief = {"s"}};
static const struct scenario figure_3_5 = {.capacity = 4, .before = "++++", .owner = "--++----+", .thief = {"s"}};
static const struct scenario once_round = {.capacity = 2, .before = "++", .owner = "-+", .thief = {"s"}};
static const struct scenario mixed = {.capacity = 2, .before = "++", .owner = "-+-", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"stuck", 0, &empty_again, CHK_ASSERT, "push was refused by a queue that its owner has just found empty", 51},
	{"stuck_figure", BLOCKS_OF_TWO, &figure_3_5, CHK_ASSERT, "push was refused by a queue", 60},
	{"no_s_cnt", NO_S_CNT | ATOMIC_ENTRIES, &round_again, CHK_ASSERT, "item 4 came out twice", 68},
	{"b_pos_first", B_POS_FIRST | ATOMIC_ENTRIES, &once_round, CHK_ASSERT, "item 1 came out twice", 39},

	{"printed_once_round", 0, &once_round, CHK_OK, NULL, 3},
	{"printed_mixed", 0, &mixed, CHK_OK, NULL, 19503},
	{"fixed_once_round", FIXED, &once_round, CHK_OK, NULL, 3},
	{"fixed_empty_again", FIXED, &empty_again, CHK_OK, NULL, 38},
	{"fixed_figure_3_5", FIXED | BLOCKS_OF_TWO, &figure_3_5, CHK_OK, NULL, 41},
	{"fixed_mixed", FIXED, &mixed, CHK_OK, NULL, 8375},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
