/* SPDX-License-Identifier: Apache-2.0 */
/* Independent reads of independent writes: do two readers agree on the order of two unrelated writes? */
#include "../litmus.h"

static void write_x(void)
{
	W(X, 1, o1);
}

static void write_y(void)
{
	W(Y, 1, o1);
}

static void read_xy(void)
{
	r1 = R(X, o2);
	F(o4);
	r2 = R(Y, o3);
}

static void read_yx(void)
{
	r3 = R(Y, o2);
	F(o5);
	r4 = R(X, o3);
}

static void rmw_xy(void)
{
	r1 = R(X, o2);
	r2 = ADD(Y, 0, o3);
}

static void rmw_yx(void)
{
	r3 = R(Y, o2);
	r4 = ADD(X, 0, o3);
}

static const struct program iriw = {.thread = {write_x, write_y, read_xy, read_yx}, .shown = 4};
static const struct program rmw = {.thread = {write_x, write_y, rmw_xy, rmw_yx}, .shown = 4};

static const struct litmus tests[] = {
	ROW("IRIW", "relaxed", &iriw, ORDERS(RLX, RLX, RLX, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW", "release/acquire", &iriw, ORDERS(REL, ACQ, ACQ, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW", "seq_cst", &iriw, ORDERS(SC, SC, SC, NONE, NONE), FORBIDS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111", 15, NO_NAIVE),
	ROW("IRIW", "seq_cst writes, acquire reads", &iriw, ORDERS(SC, ACQ, ACQ, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW", "release writes, seq_cst reads", &iriw, ORDERS(REL, SC, SC, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW", "seq_cst, first reads acquire", &iriw, ORDERS(SC, ACQ, SC, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW", "seq_cst, first reads relaxed", &iriw, ORDERS(SC, RLX, SC, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW", "seq_cst, second reads acquire", &iriw, ORDERS(SC, SC, ACQ, NONE, NONE), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW+fences", "seq_cst", &iriw, ORDERS(RLX, RLX, RLX, SC, SC), FORBIDS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111", 15, NO_NAIVE),
	ROW("IRIW+fences", "seq_cst and acquire", &iriw, ORDERS(RLX, RLX, RLX, SC, ACQ), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW+fences", "acq_rel", &iriw, ORDERS(REL, RLX, RLX, AR, AR), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 16, NO_NAIVE),
	ROW("IRIW+rmw reads", "acq_rel", &rmw, ORDERS(REL, ACQ, AR), ALLOWS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", 28, NO_NAIVE),
	ROW("IRIW+rmw reads", "seq_cst", &rmw, ORDERS(SC, SC, SC), FORBIDS("1010"),
	    "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111", 27, NO_NAIVE),
};

LITMUS_MAIN(tests)
