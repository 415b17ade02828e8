/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffering: each thread writes its own flag and reads the other flag. Only seq_cst keeps both from reading 0. */
#include "../litmus.h"

static void sb_0(void)
{
	W(X, 1, o1);
	r1 = R(Y, o2);
}

static void sb_1(void)
{
	W(Y, 1, o3);
	r2 = R(X, o4);
}

static void fence_0(void)
{
	W(X, 1, RLX);
	F(o1);
	r1 = R(Y, RLX);
}

static void fence_1(void)
{
	W(Y, 1, RLX);
	F(o2);
	r2 = R(X, RLX);
}

static void rmw_0(void)
{
	XCHG(X, 1, o1);
	r1 = R(Y, o2);
}

static void rmw_1(void)
{
	XCHG(Y, 1, o1);
	r2 = R(X, o2);
}

static void read_rmw_0(void)
{
	W(X, 1, RLX);
	r1 = ADD(Y, 0, o1);
}

static void read_rmw_1(void)
{
	W(Y, 1, RLX);
	r2 = ADD(X, 0, o1);
}

/* An acq_rel read-modify-write of one common location orders the threads that use it: a barrier without seq_cst. */
static void common_0(void)
{
	W(X, 1, RLX);
	ADD(Z, 0, o1);
	r1 = R(Y, RLX);
}

static void common_1(void)
{
	W(Y, 1, RLX);
	ADD(Z, 0, o1);
	r2 = R(X, RLX);
}

static void three_0(void)
{
	W(X, 1, o1);
	F(o3);
	r1 = R(Y, o2);
}

static void three_1(void)
{
	W(Y, 1, o1);
	F(o3);
	r2 = R(Z, o2);
}

static void three_2(void)
{
	W(Z, 1, o1);
	F(o3);
	r3 = R(X, o2);
}

/* Each thread first reads its own write. It sees the write, although the other thread may not. */
static void own_0(void)
{
	W(X, 1, o1);
	r1 = R(X, o2);
	r2 = R(Y, o2);
}

static void own_1(void)
{
	W(Y, 1, o1);
	r3 = R(Y, o2);
	r4 = R(X, o2);
}

static const struct program sb = {.thread = {sb_0, sb_1}, .shown = 2};
static const struct program fence = {.thread = {fence_0, fence_1}, .shown = 2};
static const struct program rmw = {.thread = {rmw_0, rmw_1}, .shown = 2};
static const struct program read_rmw = {.thread = {read_rmw_0, read_rmw_1}, .shown = 2};
static const struct program common = {.thread = {common_0, common_1}, .shown = 2};
static const struct program three = {.thread = {three_0, three_1, three_2}, .shown = 3};
static const struct program own = {.thread = {own_0, own_1}, .shown = 4};

static const struct litmus tests[] = {
	ROW("SB", "relaxed", &sb, ORDERS(RLX, RLX, RLX, RLX), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB", "release/acquire", &sb, ORDERS(REL, ACQ, REL, ACQ), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB", "seq_cst", &sb, ORDERS(SC, SC, SC, SC), FORBIDS("00"), "01 10 11", 3, 0),
	ROW("SB", "seq_cst writes, acquire reads", &sb, ORDERS(SC, ACQ, SC, ACQ), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB", "release writes, seq_cst reads", &sb, ORDERS(REL, SC, REL, SC), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB", "one thread seq_cst", &sb, ORDERS(SC, SC, REL, ACQ), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB", "one write not seq_cst", &sb, ORDERS(SC, SC, REL, SC), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB", "one read not seq_cst", &sb, ORDERS(SC, SC, SC, ACQ), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+fences", "seq_cst", &fence, ORDERS(SC, SC), FORBIDS("00"), "01 10 11", 3, 0),
	ROW("SB+fences", "seq_cst and none", &fence, ORDERS(SC, NONE), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+fences", "seq_cst and acq_rel", &fence, ORDERS(SC, AR), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+fences", "acq_rel", &fence, ORDERS(AR, AR), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+rmw writes", "acq_rel", &rmw, ORDERS(AR, ACQ), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+rmw writes", "seq_cst, acquire reads", &rmw, ORDERS(SC, ACQ), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+rmw writes", "seq_cst", &rmw, ORDERS(SC, SC), FORBIDS("00"), "01 10 11", 3, 0),
	ROW("SB+rmw reads", "relaxed", &read_rmw, ORDERS(RLX), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+rmw reads", "acq_rel", &read_rmw, ORDERS(AR), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("SB+rmw between", "relaxed", &common, ORDERS(RLX), ALLOWS("00"), "00 01 10 11", 8, 0),
	ROW("SB+rmw between", "acquire", &common, ORDERS(ACQ), ALLOWS("00"), "00 01 10 11", 8, 0),
	ROW("SB+rmw between", "acq_rel", &common, ORDERS(AR), FORBIDS("00"), "01 10 11", 4, 0),
	ROW("SB3", "relaxed", &three, ORDERS(RLX, RLX, NONE), ALLOWS("000"), "000 001 010 011 100 101 110 111", 8, 0),
	ROW("SB3", "seq_cst", &three, ORDERS(SC, SC, NONE), FORBIDS("000"), "001 010 011 100 101 110 111", 7, 0),
	ROW("SB3", "acq_rel fences", &three, ORDERS(RLX, RLX, AR), ALLOWS("000"), "000 001 010 011 100 101 110 111", 8,
	    NO_NAIVE),
	ROW("SB3", "seq_cst fences", &three, ORDERS(RLX, RLX, SC), FORBIDS("000"), "001 010 011 100 101 110 111", 7,
	    NO_NAIVE),
	ROW("SB+own reads", "relaxed", &own, ORDERS(RLX, RLX), ALLOWS("1010"), "1010 1011 1110 1111", 4, 0),
	ROW("SB+own reads", "seq_cst", &own, ORDERS(SC, SC), FORBIDS("1010"), "1011 1110 1111", 3, 0),
	ROW("SB+own reads", "seq_cst writes", &own, ORDERS(SC, RLX), ALLOWS("1010"), "1010 1011 1110 1111", 4, 0),
};

LITMUS_MAIN(tests)
