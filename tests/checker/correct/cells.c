/* SPDX-License-Identifier: Apache-2.0 */
/* Correct uses of plain data: neighbours, readers among themselves, hand-over. */
#include "../litmus.h"

struct pair {
	unsigned char left, right;
	unsigned short both;
};

static struct pair pair;

static void before(void)
{
	SET(pair.left, 0);
	SET(pair.right, 0);
	SET(pair.both, 0);
}

/* Neighbouring bytes are different data. */
static void left(void)
{
	SET(pair.left, 1);
}

static void right(void)
{
	SET(pair.right, 2);
}

static void both_seen(void)
{
	r1 = GET(pair.left);
	r2 = GET(pair.right);
}

static void read_first(void)
{
	r1 = GET(C);
}

static void read_second(void)
{
	r2 = GET(C);
}

/* A thread writes and passes the data on, the next thread writes, and so on back. */
static void give(void)
{
	SET(C, 1);
	W(X, 1, REL);
	if (R(X, ACQ) == 2)
		SET(C, GET(C) + 1);
}

static void give_back(void)
{
	if (R(X, ACQ) != 1)
		return;
	SET(C, GET(C) + 1);
	W(X, 2, REL);
}

static void seen(void)
{
	r1 = GET(C);
}

/* Tracked memory, written in parts and read as a whole. */
static struct pair *block;

static void make(void)
{
	block = chk_alloc(sizeof(*block));
	SET(block->both, 7);
}

static void left_part(void)
{
	SET(block->left, 1);
}

static void right_part(void)
{
	SET(block->right, 2);
}

static void whole(void)
{
	struct pair copy = GET(*block);

	r1 = copy.left;
	r2 = copy.right;
	r3 = copy.both;
	chk_free(block);
}

/* Two atomics, and an atomic and a cell, side by side in tracked memory: different locations. */
struct mixed {
	unsigned first, second; /* atomics */
	unsigned third;		/* atomic */
	unsigned fourth;	/* plain */
};

static struct mixed *mixed;

static void make_mixed(void)
{
	mixed = chk_alloc(sizeof(*mixed));
	INIT(mixed->first, 0);
	INIT(mixed->second, 0);
	INIT(mixed->third, 0);
	SET(mixed->fourth, 0);
}

static void mixed_0(void)
{
	W(mixed->first, 1, RLX);
	r1 = R(mixed->second, RLX);
	SET(mixed->fourth, 4);
}

static void mixed_1(void)
{
	W(mixed->second, 1, RLX);
	r2 = R(mixed->first, RLX);
	W(mixed->third, 3, RLX);
}

static void mixed_after(void)
{
	r3 = R(mixed->third, RLX);
	r4 = GET(mixed->fourth);
	chk_free(mixed);
}

static const struct program neighbours = {.thread = {left, right}, .before = before, .after = both_seen, .shown = 2};
static const struct program readers = {.thread = {read_first, read_second}, .shown = 2};
static const struct program hand_over = {.thread = {give, give_back}, .after = seen, .shown = 1};
static const struct program parts = {.thread = {left_part, right_part}, .before = make, .after = whole, .shown = 3};
static const struct program side_by_side = {
	.thread = {mixed_0, mixed_1}, .before = make_mixed, .after = mixed_after, .shown = 4};

static const struct litmus tests[] = {
	ROW("Neighbours", "", &neighbours, ORDERS(RLX), ALLOWS("12"), "12", 1, 0),
	ROW("Readers", "", &readers, ORDERS(RLX), ALLOWS("00"), "00", 1, 0),
	ROW("Hand-over and back", "release/acquire", &hand_over, ORDERS(RLX), ALLOWS("3"), "1 2 3", 3, 0),
	ROW("Parts and whole", "", &parts, ORDERS(RLX), ALLOWS("127"), "127", 1, 0),
	ROW("Side by side", "relaxed", &side_by_side, ORDERS(RLX), ALLOWS("0034"), "0034 0134 1034 1134", 4, 0),
};

LITMUS_MAIN(tests)
