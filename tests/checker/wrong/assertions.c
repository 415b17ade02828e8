/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions that hold under sequential consistency, and fail with weaker orders. */
#include "../wrong.h"

static void sb_0(void)
{
	W(X, 1, o1);
	r1 = R(Y, o2);
}

static void sb_1(void)
{
	W(Y, 1, o1);
	r2 = R(X, o2);
}

static void sb_after(void)
{
	chk_assert(r1 || r2);
}

static void iriw_0(void)
{
	W(X, 1, o1);
}

static void iriw_1(void)
{
	W(Y, 1, o1);
}

static void iriw_2(void)
{
	r1 = R(X, o2);
	r2 = R(Y, o2);
}

static void iriw_3(void)
{
	r3 = R(Y, o2);
	r4 = R(X, o2);
}

static void iriw_after(void)
{
	chk_assert(!(r1 && !r2 && r3 && !r4));
}

static void ww_0(void)
{
	W(X, 1, o1);
	W(Y, 2, o1);
}

static void ww_1(void)
{
	W(Y, 1, o1);
	W(X, 2, o1);
}

static void ww_after(void)
{
	chk_assert(R(X, RLX) == 2 || R(Y, RLX) == 2);
}

/* The thread asserts as soon as it knows the value. */
static void mp_0(void)
{
	W(X, 1, RLX);
	W(Y, 1, o1);
}

static void mp_1(void)
{
	if (R(Y, o2))
		chk_assert(R(X, RLX) == 1);
}

/* A torn pair is accepted if the fences are missing or on the wrong side. */
static void writer(void)
{
	W(X, 1, RLX);
	F(o1);
	W(Y, 1, RLX);
	W(Z, 1, RLX);
	W(X, 2, o2);
}

static void reader(void)
{
	uint64_t before = R(X, o3), y, z;

	y = R(Y, RLX);
	z = R(Z, RLX);
	F(o4);
	if (before == R(X, RLX) && !(before & 1))
		chk_assert(y == z);
}

/* A lost update. */
static void add_in_two_steps(void)
{
	uint64_t seen = R(X, SC);

	W(X, seen + 1, SC);
}

static void added_twice(void)
{
	chk_assert(R(X, RLX) == 2);
}

/* Wrong in only one of many interleavings, with seq_cst throughout. */
static void needle_0(void)
{
	W(X, 1, SC);
	W(Y, 1, SC);
	W(X, 2, SC);
	W(Y, 2, SC);
}

static void needle_1(void)
{
	uint64_t a = R(Y, SC), b = R(X, SC), c = R(Y, SC), d = R(X, SC);

	chk_assert(!(a == 0 && b == 1 && c == 1 && d == 2));
}

static const struct program sb = {.thread = {sb_0, sb_1}, .after = sb_after};
static const struct program iriw = {.thread = {iriw_0, iriw_1, iriw_2, iriw_3}, .after = iriw_after};
static const struct program ww = {.thread = {ww_0, ww_1}, .after = ww_after};
static const struct program mp = {.thread = {mp_0, mp_1}};
static const struct program seqlock = {.thread = {writer, reader}};
static const struct program lost = {.thread = {add_in_two_steps, add_in_two_steps}, .after = added_twice};
static const struct program needle = {.thread = {needle_0, needle_1}};

static const struct wrong tests[] = {
	WRONG("SB", "release/acquire", &sb, ORDERS(REL, ACQ), IS_ASSERT, 0),
	RIGHT("SB", "seq_cst", &sb, ORDERS(SC, SC)),
	WRONG("IRIW", "release/acquire", &iriw, ORDERS(REL, ACQ), IS_ASSERT, 0),
	RIGHT("IRIW", "seq_cst", &iriw, ORDERS(SC, SC)),
	WRONG("2+2W", "release", &ww, ORDERS(REL), IS_ASSERT, 0),
	RIGHT("2+2W", "seq_cst", &ww, ORDERS(SC)),
	WRONG("MP", "relaxed", &mp, ORDERS(RLX, RLX), IS_ASSERT, 0),
	RIGHT("MP", "release/acquire", &mp, ORDERS(REL, ACQ)),
	WRONG("Seqlock", "no fences", &seqlock, ORDERS(NONE, REL, ACQ, NONE), IS_ASSERT, 0),
	WRONG("Seqlock", "no release fence", &seqlock, ORDERS(NONE, REL, ACQ, ACQ), IS_ASSERT, 0),
	WRONG("Seqlock", "no acquire fence", &seqlock, ORDERS(REL, REL, ACQ, NONE), IS_ASSERT, 0),
	WRONG("Seqlock", "relaxed end", &seqlock, ORDERS(REL, RLX, ACQ, ACQ), IS_ASSERT, 0),
	WRONG("Seqlock", "relaxed start", &seqlock, ORDERS(REL, REL, RLX, ACQ), IS_ASSERT, 0),
	RIGHT("Seqlock", "fences", &seqlock, ORDERS(REL, REL, ACQ, ACQ)),
	WRONG("Lost update", "seq_cst", &lost, ORDERS(SC), IS_ASSERT, 0),
	WRONG("Needle", "seq_cst", &needle, ORDERS(SC), IS_ASSERT, 0),
};

WRONG_MAIN(tests)
