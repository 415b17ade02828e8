/* SPDX-License-Identifier: Apache-2.0 */
/* S, R and 2+2W: cycles through the order of two writes to one location. */
#include "../litmus.h"

static void s_0(void)
{
	W(X, 2, RLX);
	F(o3);
	W(Y, 1, o1);
}

static void s_1(void)
{
	r1 = R(Y, o2);
	F(o4);
	W(X, 1, RLX);
}

static void r_0(void)
{
	W(X, 1, o1);
	F(o5);
	W(Y, 1, o2);
}

static void r_1(void)
{
	W(Y, 2, o3);
	F(o6);
	r1 = R(X, o4);
}

static void ww_0(void)
{
	W(X, 1, o1);
	F(o3);
	W(Y, 2, o2);
}

static void ww_1(void)
{
	W(Y, 1, o1);
	F(o4);
	W(X, 2, o2);
}

static void rmw_0(void)
{
	XCHG(X, 1, o1);
	XCHG(Y, 2, o2);
}

static void rmw_1(void)
{
	XCHG(Y, 1, o1);
	XCHG(X, 2, o2);
}

static void final_x(void)
{
	r2 = R(X, RLX);
}

static void final_y(void)
{
	r2 = R(Y, RLX);
}

static void final_xy(void)
{
	r1 = R(X, RLX);
	r2 = R(Y, RLX);
}

static const struct program s = {.thread = {s_0, s_1}, .after = final_x, .shown = 2};
static const struct program r = {.thread = {r_0, r_1}, .after = final_y, .shown = 2};
static const struct program ww = {.thread = {ww_0, ww_1}, .after = final_xy, .shown = 2};
static const struct program rmw = {.thread = {rmw_0, rmw_1}, .after = final_xy, .shown = 2};

static const struct litmus tests[] = {
	ROW("S", "relaxed", &s, ORDERS(RLX, RLX, NONE, NONE), ALLOWS("12"), "01 02 11 12", 4, 0),
	ROW("S", "release/acquire", &s, ORDERS(REL, ACQ, NONE, NONE), FORBIDS("12"), "01 02 11", 3, 0),
	ROW("S", "release, relaxed read", &s, ORDERS(REL, RLX, NONE, NONE), ALLOWS("12"), "01 02 11 12", 4, 0),
	ROW("S", "relaxed write, acquire", &s, ORDERS(RLX, ACQ, NONE, NONE), ALLOWS("12"), "01 02 11 12", 4, 0),
	ROW("S", "seq_cst flag", &s, ORDERS(SC, SC, NONE, NONE), FORBIDS("12"), "01 02 11", 3, 0),
	ROW("S+fences", "release, acquire", &s, ORDERS(RLX, RLX, REL, ACQ), FORBIDS("12"), "01 02 11", 3, 0),
	ROW("S+fences", "seq_cst, none", &s, ORDERS(RLX, RLX, SC, NONE), ALLOWS("12"), "01 02 11 12", 4, 0),
	ROW("R", "relaxed", &r, ORDERS(RLX, RLX, RLX, RLX, NONE, NONE), ALLOWS("02"), "01 02 11 12", 4, 0),
	ROW("R", "release/acquire", &r, ORDERS(REL, REL, REL, ACQ, NONE, NONE), ALLOWS("02"), "01 02 11 12", 4, 0),
	ROW("R", "seq_cst", &r, ORDERS(SC, SC, SC, SC, NONE, NONE), FORBIDS("02"), "01 11 12", 3, 0),
	ROW("R", "seq_cst, X written relaxed", &r, ORDERS(RLX, SC, SC, SC, NONE, NONE), ALLOWS("02"), "01 02 11 12", 4,
	    0),
	ROW("R", "seq_cst, X read acquire", &r, ORDERS(SC, SC, SC, ACQ, NONE, NONE), ALLOWS("02"), "01 02 11 12", 4, 0),
	ROW("R+fences", "seq_cst", &r, ORDERS(RLX, RLX, RLX, RLX, SC, SC), FORBIDS("02"), "01 11 12", 3, 0),
	ROW("R+fences", "seq_cst fence and seq_cst accesses", &r, ORDERS(RLX, RLX, SC, SC, SC, NONE), FORBIDS("02"),
	    "01 11 12", 3, 0),
	ROW("R+fences", "seq_cst accesses and seq_cst fence", &r, ORDERS(SC, SC, RLX, RLX, NONE, SC), FORBIDS("02"),
	    "01 11 12", 3, 0),
	ROW("R+fences", "acq_rel, seq_cst", &r, ORDERS(RLX, RLX, RLX, RLX, AR, SC), ALLOWS("02"), "01 02 11 12", 4, 0),
	ROW("R+fences", "release write, seq_cst", &r, ORDERS(RLX, REL, RLX, RLX, NONE, SC), ALLOWS("02"), "01 02 11 12",
	    4, 0),
	ROW("2+2W", "relaxed", &ww, ORDERS(RLX, RLX, NONE, NONE), ALLOWS("11"), "11 12 21 22", 4, 0),
	ROW("2+2W", "release", &ww, ORDERS(REL, REL, NONE, NONE), ALLOWS("11"), "11 12 21 22", 4, 0),
	ROW("2+2W", "seq_cst", &ww, ORDERS(SC, SC, NONE, NONE), FORBIDS("11"), "12 21 22", 3, 0),
	ROW("2+2W", "seq_cst, then release", &ww, ORDERS(SC, REL, NONE, NONE), ALLOWS("11"), "11 12 21 22", 4, 0),
	ROW("2+2W", "release, then seq_cst", &ww, ORDERS(REL, SC, NONE, NONE), ALLOWS("11"), "11 12 21 22", 4, 0),
	ROW("2+2W+fences", "seq_cst", &ww, ORDERS(RLX, RLX, SC, SC), FORBIDS("11"), "12 21 22", 3, 0),
	ROW("2+2W+fences", "seq_cst and acq_rel", &ww, ORDERS(RLX, RLX, SC, AR), ALLOWS("11"), "11 12 21 22", 4, 0),
	ROW("2+2W+rmw", "relaxed", &rmw, ORDERS(RLX, RLX), FORBIDS("11"), "12 21 22", 3, NOT_MODELLED),
	ROW("2+2W+rmw", "acq_rel", &rmw, ORDERS(AR, AR), FORBIDS("11"), "12 21 22", 3, 0),
};

LITMUS_MAIN(tests)
