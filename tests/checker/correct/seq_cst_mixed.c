/* SPDX-License-Identifier: Apache-2.0 */
/* seq_cst accesses and fences together with weaker ones: where RC11 draws the line. */
#include "../litmus.h"

/* Store buffering: fences on one side, seq_cst accesses on the other. */
static void sb_fenced(void)
{
	W(X, 1, o1);
	F(o2);
	r1 = R(Y, o3);
}

static void sb_plain(void)
{
	W(Y, 1, o4);
	r2 = R(X, o5);
}

/* A release write, then a seq_cst write to the same location, and a reader of the first write. */
static void two_writes(void)
{
	W(X, 1, o1);
	W(Y, 1, o1);
	W(Y, 2, o2);
}

static void two_reads(void)
{
	r1 = R(Y, o3);
	r2 = R(X, o3);
}

/* Store buffering over a chain: release/acquire passes the first write on before the read. */
static void chain_0(void)
{
	W(X, 1, o1);
	W(Z, 1, o2);
}

static void chain_1(void)
{
	r1 = R(Z, o3);
	r2 = R(Y, o1);
}

static void chain_2(void)
{
	W(Y, 1, o1);
	W(U, 1, o2);
}

static void chain_3(void)
{
	r3 = R(U, o3);
	r4 = R(X, o1);
}

/* A seq_cst fence between every two accesses restores sequential consistency. */
static void every_0(void)
{
	W(X, 1, RLX);
	F(o1);
	r1 = R(Y, RLX);
	F(o1);
	W(Z, 1, RLX);
}

static void every_1(void)
{
	W(Y, 1, RLX);
	F(o1);
	r2 = R(Z, RLX);
	F(o1);
	r3 = R(X, RLX);
}

/* A fence pairs with a seq_cst access, on the side of the write or on the side of the read. */
static void pair_0(void)
{
	W(X, 1, RLX);
	F(o1);
	W(Y, 1, o2);
}

static void pair_1(void)
{
	r1 = R(Y, o3);
	F(o4);
	r2 = R(X, o5);
}

/* Each thread writes, then reads the other location. The writes are read-modify-writes of mixed strength. */
static void rmw_0(void)
{
	r1 = XCHG(X, 1, o1);
	r2 = R(Y, o2);
}

static void rmw_1(void)
{
	W(Y, 1, o3);
	r3 = ADD(X, 2, o4);
}

/* Two seq_cst writers of one location; the readers are weaker. */
static void write_x1(void)
{
	W(X, 1, o1);
}

static void write_x2(void)
{
	W(X, 2, o1);
	r1 = R(Y, o2);
}

static void write_y(void)
{
	W(Y, 1, o1);
	r2 = R(X, o2);
}

static void final_x(void)
{
	r3 = R(X, RLX);
}

/* IRIW with only the first or the second write seq_cst. */
static void iriw_x(void)
{
	W(X, 1, o1);
}

static void iriw_y(void)
{
	W(Y, 1, o2);
}

static void iriw_xy(void)
{
	r1 = R(X, o3);
	r2 = R(Y, o3);
}

static void iriw_yx(void)
{
	r3 = R(Y, o3);
	F(o4);
	r4 = R(X, o3);
}

static const struct program sb = {.thread = {sb_fenced, sb_plain}, .shown = 2};
static const struct program two = {.thread = {two_writes, two_reads}, .shown = 2};
static const struct program chain = {.thread = {chain_0, chain_1, chain_2, chain_3}, .shown = 4};
static const struct program every = {.thread = {every_0, every_1}, .shown = 3};
static const struct program pair = {.thread = {pair_0, pair_1}, .shown = 2};
static const struct program rmw = {.thread = {rmw_0, rmw_1}, .shown = 3};
static const struct program writers = {.thread = {write_x1, write_x2, write_y}, .after = final_x, .shown = 3};
static const struct program iriw = {.thread = {iriw_x, iriw_y, iriw_xy, iriw_yx}, .shown = 4};

static const struct litmus tests[] = {
	ROW("SB mixed", "fence against seq_cst accesses", &sb, ORDERS(RLX, SC, RLX, SC, SC), FORBIDS("00"), "01 10 11",
	    3, 0),
	ROW("SB mixed", "fence against a seq_cst write", &sb, ORDERS(RLX, SC, RLX, SC, ACQ), ALLOWS("00"),
	    "00 01 10 11", 4, 0),
	ROW("SB mixed", "fence against a seq_cst read", &sb, ORDERS(RLX, SC, RLX, REL, SC), ALLOWS("00"), "00 01 10 11",
	    4, 0),
	ROW("SB mixed", "acq_rel fence between seq_cst accesses", &sb, ORDERS(SC, AR, SC, SC, SC), FORBIDS("00"),
	    "01 10 11", 3, 0),
	ROW("SB mixed", "acq_rel fence against seq_cst accesses", &sb, ORDERS(RLX, AR, RLX, SC, SC), ALLOWS("00"),
	    "00 01 10 11", 4, 0),
	ROW("SC after release", "read seq_cst", &two, ORDERS(REL, SC, SC), FORBIDS("10"), "00 01 11 21", 4, 0),
	ROW("SC after release", "read relaxed", &two, ORDERS(REL, SC, RLX), ALLOWS("20"), "00 01 10 11 20 21", 6, 0),
	ROW("SC after relaxed", "read seq_cst", &two, ORDERS(RLX, SC, SC), ALLOWS("10"), "00 01 10 11 21", 5, 0),
	ROW("SB over chains", "seq_cst ends, release/acquire", &chain, ORDERS(SC, REL, ACQ), FORBIDS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111", 15, NO_NAIVE),
	ROW("SB over chains", "seq_cst ends, relaxed", &chain, ORDERS(SC, RLX, RLX), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("SB over chains", "relaxed ends, release/acquire", &chain, ORDERS(RLX, REL, ACQ), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("Fence everywhere", "seq_cst", &every, ORDERS(SC), FORBIDS("000"), "001 011 100 101 111", 5, 0),
	ROW("Fence everywhere", "acq_rel", &every, ORDERS(AR), ALLOWS("000"), "000 001 011 100 101 111", 6, 0),
	ROW("Fence and access", "fence, seq_cst read", &pair, ORDERS(SC, RLX, SC, NONE, SC), FORBIDS("10"), "00 01 11",
	    3, 0),
	ROW("Fence and access", "fence, seq_cst data read", &pair, ORDERS(SC, RLX, RLX, NONE, SC), ALLOWS("10"),
	    "00 01 10 11", 4, 0),
	ROW("Fence and access", "seq_cst write, fence", &pair, ORDERS(NONE, SC, RLX, SC, RLX), FORBIDS("10"),
	    "00 01 11", 3, 0),
	ROW("Fence and access", "seq_cst write, seq_cst data read", &pair, ORDERS(NONE, SC, RLX, NONE, SC),
	    ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("SB one rmw", "seq_cst", &rmw, ORDERS(SC, SC, SC, SC), FORBIDS("200"), "001 011 210", 3, 0),
	ROW("SB one rmw", "acq_rel", &rmw, ORDERS(AR, ACQ, REL, AR), FORBIDS("200"), "001 011 210", 3, 0),
	ROW("SB one rmw", "relaxed", &rmw, ORDERS(RLX, RLX, RLX, RLX), ALLOWS("200"), "001 011 200 210", 4, 0),
	ROW("SB two writers", "seq_cst", &writers, ORDERS(SC, SC), FORBIDS("001"),
	    "011 021 022 101 102 111 112 121 122", 9, 0),
	ROW("SB two writers", "release/acquire", &writers, ORDERS(REL, ACQ), ALLOWS("001"),
	    "001 002 011 012 021 022 101 102 111 112 121 122", 12, 0),
	ROW("IRIW one write seq_cst", "seq_cst reads", &iriw, ORDERS(SC, REL, SC, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW one fence", "seq_cst writes and reads", &iriw, ORDERS(SC, SC, SC, SC), FORBIDS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111", 15, NO_NAIVE),
	ROW("IRIW one fence", "relaxed", &iriw, ORDERS(RLX, RLX, RLX, SC), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
};

LITMUS_MAIN(tests)
