/* SPDX-License-Identifier: Apache-2.0 */
/* Tracked memory: read before it is written, or accessed outside of its bounds; and a crash. */
#include "../wrong.h"

struct box {
	unsigned value;	 /* plain */
	unsigned shared; /* atomic */
};

static struct box *slot;

static void no_slot(void)
{
	INIT(slot, NULL);
}

static void read_fresh_cell(void)
{
	struct box *fresh = chk_alloc(sizeof(*fresh));

	r1 = GET(fresh->value);
	chk_free(fresh);
}

static void read_fresh_atomic(void)
{
	struct box *fresh = chk_alloc(sizeof(*fresh));

	r1 = R(fresh->shared, RLX);
	chk_free(fresh);
}

static void add_fresh_atomic(void)
{
	struct box *fresh = chk_alloc(sizeof(*fresh));

	r1 = ADD(fresh->shared, 1, RLX);
	chk_free(fresh);
}

/* Only half of it was written. */
static void read_half_fresh(void)
{
	unsigned *fresh = chk_alloc(sizeof(*fresh));
	unsigned char *byte = (unsigned char *)fresh;

	SET(byte[0], 1);
	SET(byte[1], 1);
	r1 = GET(*fresh);
	chk_free(fresh);
}

/* Published before it was filled. */
static void publish_empty(void)
{
	struct box *mine = chk_alloc(sizeof(*mine));

	W(slot, mine, REL);
	INIT(mine->shared, 1);
}

static void read_published(void)
{
	struct box *theirs = (struct box *)(uintptr_t)R(slot, ACQ);

	if (theirs)
		r1 = R(theirs->shared, ACQ);
}

static void free_slot(void)
{
	chk_free((void *)(uintptr_t)R(slot, RLX));
}

/* Published by a relaxed write: the reader may find the memory unwritten. */
static void publish_weak(void)
{
	struct box *mine = chk_alloc(sizeof(*mine));

	SET(mine->value, 1);
	INIT(mine->shared, 1);
	W(slot, mine, o1);
}

static void look_weak(void)
{
	struct box *theirs = (struct box *)(uintptr_t)R(slot, o2);

	if (theirs)
		r1 = GET(theirs->value);
}

static void look_weak_atomic(void)
{
	struct box *theirs = (struct box *)(uintptr_t)R(slot, o2);

	if (theirs)
		r1 = R(theirs->shared, RLX);
}

static unsigned *array(void)
{
	unsigned *block = chk_alloc(4 * sizeof(*block));
	int i;

	for (i = 0; i < 4; i++)
		SET(block[i], 1);
	return block;
}

static void read_past(void)
{
	unsigned *block = array();

	r1 = GET(block[4]);
	chk_free(block);
}

static void write_before(void)
{
	unsigned *block = array();

	SET(block[-1], 1);
	chk_free(block);
}

static void straddle(void)
{
	char *block = (char *)array();
	struct box *last = (struct box *)(block + 12);

	chk_cell_write(last, sizeof(*last), SITE(CHK_CELL_WRITE, "last", NONE, NONE));
	chk_free(block);
}

static void atomic_past(void)
{
	unsigned *block = array();

	W(block[4], 1, SC);
	chk_free(block);
}

/* The allocation failed, and the program ignored that. */
static void crash(void)
{
	volatile unsigned *volatile nothing = NULL;

	r1 = *nothing;
}

static const struct program p_fresh_cell = {.before = read_fresh_cell};
static const struct program p_fresh_atomic = {.before = read_fresh_atomic};
static const struct program p_fresh_add = {.before = add_fresh_atomic};
static const struct program p_half = {.before = read_half_fresh};
static const struct program p_empty = {
	.thread = {publish_empty, read_published}, .before = no_slot, .after = free_slot};
static const struct program p_weak = {.thread = {publish_weak, look_weak}, .before = no_slot, .after = free_slot};
static const struct program p_weak_atomic = {
	.thread = {publish_weak, look_weak_atomic}, .before = no_slot, .after = free_slot};
static const struct program p_past = {.before = read_past};
static const struct program p_before = {.before = write_before};
static const struct program p_straddle = {.before = straddle};
static const struct program p_atomic_past = {.before = atomic_past};
static const struct program p_crash = {.before = crash};

static const struct wrong tests[] = {
	WRONG("Fresh cell read", "", &p_fresh_cell, ORDERS(RLX), IS_UNINIT, 0),
	WRONG("Fresh atomic read", "", &p_fresh_atomic, ORDERS(RLX), IS_UNINIT, 0),
	WRONG("Fresh atomic added to", "", &p_fresh_add, ORDERS(RLX), IS_UNINIT, 0),
	WRONG("Half fresh cell read", "", &p_half, ORDERS(RLX), IS_UNINIT, 0),
	WRONG("Published empty", "", &p_empty, ORDERS(RLX), IS_UNINIT | IS_RACE, 0),
	WRONG("Published", "relaxed", &p_weak, ORDERS(RLX, RLX), IS_RACE | IS_UNINIT, 0),
	WRONG("Published", "relaxed look", &p_weak, ORDERS(REL, RLX), IS_RACE | IS_UNINIT, 0),
	RIGHT("Published", "release/acquire", &p_weak, ORDERS(REL, ACQ)),
	WRONG("Published atomic", "relaxed", &p_weak_atomic, ORDERS(RLX, RLX), IS_RACE | IS_UNINIT, 0),
	RIGHT("Published atomic", "release/acquire", &p_weak_atomic, ORDERS(REL, ACQ)),
	WRONG("Read past the end", "", &p_past, ORDERS(RLX), IS_OUT_OF_BOUNDS, 0),
	WRONG("Written before the start", "", &p_before, ORDERS(RLX), IS_OUT_OF_BOUNDS, 0),
	WRONG("Written over the end", "", &p_straddle, ORDERS(RLX), IS_OUT_OF_BOUNDS, 0),
	WRONG("Atomic past the end", "", &p_atomic_past, ORDERS(RLX), IS_OUT_OF_BOUNDS, 0),
	WRONG("Crash", "", &p_crash, ORDERS(RLX), IS_CRASH, 0),
};

WRONG_MAIN(tests)
