/* SPDX-License-Identifier: Apache-2.0 */
/* Message passing: data, then a flag. A reader that sees the flag sees the data if a release meets an acquire. */
#include "../litmus.h"

static void mp_0(void)
{
	W(X, 1, o1);
	W(Y, 1, o2);
}

static void mp_1(void)
{
	r1 = R(Y, o3);
	r2 = R(X, o4);
}

static void fence_0(void)
{
	W(X, 1, RLX);
	F(o1);
	W(Y, 1, o2);
}

static void fence_1(void)
{
	r1 = R(Y, o3);
	F(o4);
	r2 = R(X, RLX);
}

static void rmw_0(void)
{
	W(X, 1, RLX);
	XCHG(Y, 1, o1);
}

static void rmw_1(void)
{
	r1 = ADD(Y, 2, o2);
	r2 = R(X, RLX);
}

/* The data is plain. The reader reads it only after it saw the flag, and then it must not race. */
static void cell_0(void)
{
	SET(C, 7);
	F(o1);
	W(Y, 1, o2);
}

static void cell_1(void)
{
	r1 = R(Y, o3);
	if (!r1)
		return;
	F(o4);
	r2 = GET(C);
}

/* Waits for the flag. */
static void wait_1(void)
{
	while (!R(Y, ACQ))
		chk_spin();
	r1 = R(X, RLX);
	r2 = 1;
}

/* The answer comes back the same way. */
static void pong_0(void)
{
	SET(C, 1);
	W(X, 1, REL);
	while (!R(Y, ACQ))
		chk_spin();
	r1 = GET(C);
}

static void pong_1(void)
{
	while (!R(X, ACQ))
		chk_spin();
	SET(C, GET(C) + 1);
	W(Y, 1, REL);
}

/* Two words of data. */
static void two_0(void)
{
	W(X, 1, RLX);
	W(Z, 1, RLX);
	W(Y, 1, o1);
}

static void two_1(void)
{
	r1 = R(Y, o2);
	r2 = R(X, RLX);
	r3 = R(Z, RLX);
}

static const struct program mp = {.thread = {mp_0, mp_1}, .shown = 2};
static const struct program fence = {.thread = {fence_0, fence_1}, .shown = 2};
static const struct program rmw = {.thread = {rmw_0, rmw_1}, .shown = 2};
static const struct program cell = {.thread = {cell_0, cell_1}, .shown = 2};
static const struct program waits = {.thread = {mp_0, wait_1}, .shown = 2};
static const struct program pong = {.thread = {pong_0, pong_1}, .shown = 1};
static const struct program two = {.thread = {two_0, two_1}, .shown = 3};

static const struct litmus tests[] = {
	ROW("MP", "relaxed", &mp, ORDERS(RLX, RLX, RLX, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP", "release, relaxed read", &mp, ORDERS(RLX, REL, RLX, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP", "relaxed write, acquire", &mp, ORDERS(RLX, RLX, ACQ, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP", "release/acquire", &mp, ORDERS(RLX, REL, ACQ, RLX), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP", "release/acquire on the data only", &mp, ORDERS(REL, RLX, RLX, ACQ), ALLOWS("10"), "00 01 10 11", 4,
	    0),
	ROW("MP", "seq_cst flag", &mp, ORDERS(RLX, SC, SC, RLX), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP", "seq_cst", &mp, ORDERS(SC, SC, SC, SC), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP", "seq_cst data, relaxed flag", &mp, ORDERS(SC, RLX, RLX, SC), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP", "seq_cst but for the flag's read", &mp, ORDERS(SC, SC, RLX, SC), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+fences", "release, acquire", &fence, ORDERS(REL, RLX, RLX, ACQ), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP+fences", "none, acquire", &fence, ORDERS(NONE, RLX, RLX, ACQ), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+fences", "release, none", &fence, ORDERS(REL, RLX, RLX, NONE), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+fences", "acquire, release", &fence, ORDERS(ACQ, RLX, RLX, REL), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+fences", "acq_rel, acq_rel", &fence, ORDERS(AR, RLX, RLX, AR), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP+fences", "seq_cst, seq_cst", &fence, ORDERS(SC, RLX, RLX, SC), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP+fences", "release fence, acquire read", &fence, ORDERS(REL, RLX, ACQ, NONE), FORBIDS("10"), "00 01 11",
	    3, 0),
	ROW("MP+fences", "release write, acquire fence", &fence, ORDERS(NONE, REL, RLX, ACQ), FORBIDS("10"), "00 01 11",
	    3, 0),
	ROW("MP+fences", "release write, release fence", &fence, ORDERS(NONE, REL, RLX, REL), ALLOWS("10"),
	    "00 01 10 11", 4, 0),
	ROW("MP+fences", "seq_cst fence, relaxed read", &fence, ORDERS(SC, RLX, RLX, NONE), ALLOWS("10"), "00 01 10 11",
	    4, 0),
	ROW("MP+fences", "seq_cst fence, acquire read", &fence, ORDERS(SC, RLX, ACQ, NONE), FORBIDS("10"), "00 01 11",
	    3, 0),
	ROW("MP+rmw", "relaxed", &rmw, ORDERS(RLX, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+rmw", "release, acquire", &rmw, ORDERS(REL, ACQ), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("MP+rmw", "acq_rel, release", &rmw, ORDERS(AR, REL), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+rmw", "acquire, acq_rel", &rmw, ORDERS(ACQ, AR), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("MP+cell", "release/acquire", &cell, ORDERS(NONE, REL, ACQ, NONE), FORBIDS("10"), "00 17", 2, 0),
	ROW("MP+cell", "fences", &cell, ORDERS(REL, RLX, RLX, ACQ), FORBIDS("10"), "00 17", 2, 0),
	ROW("MP+cell", "seq_cst fences", &cell, ORDERS(SC, RLX, RLX, SC), FORBIDS("10"), "00 17", 2, 0),
	ROW("MP+wait", "release/acquire", &waits, ORDERS(RLX, REL), FORBIDS("01"), "11", 1, BLOCKS),
	ROW("MP+wait", "relaxed", &waits, ORDERS(RLX, RLX), ALLOWS("01"), "01 11", 2, BLOCKS),
	ROW("Ping-pong", "release/acquire", &pong, ORDERS(RLX), FORBIDS("1"), "2", 2, BLOCKS),
	ROW("MP+two", "release/acquire", &two, ORDERS(REL, ACQ), FORBIDS("110"), "000 001 010 011 111", 5, 0),
	ROW("MP+two", "relaxed", &two, ORDERS(RLX, RLX), ALLOWS("110"), "000 001 010 011 100 101 110 111", 8, 0),
};

LITMUS_MAIN(tests)
