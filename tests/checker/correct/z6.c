/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Z6 family: cycles over three threads with different mixes of reads-from, order of writes and reads-before. And
 * Z6.U: RC11 allows an outcome that the original C11 forbade.
 */
#include "../litmus.h"

static void wx1_wy1(void)
{
	W(X, 1, o1);
	W(Y, 1, o2);
}

static void wx2_wy1(void)
{
	W(X, 2, o1);
	W(Y, 1, o2);
}

static void ry_wz1(void)
{
	r1 = R(Y, o3);
	W(Z, 1, o2);
}

static void wy2_wz1(void)
{
	W(Y, 2, o1);
	W(Z, 1, o2);
}

static void wy2_rz(void)
{
	W(Y, 2, o1);
	r1 = R(Z, o3);
}

static void wz2_rx(void)
{
	W(Z, 2, o1);
	r2 = R(X, o3);
}

static void wz1_rx(void)
{
	W(Z, 1, o1);
	r2 = R(X, o3);
}

static void rz_wx1(void)
{
	r2 = R(Z, o3);
	W(X, 1, o2);
}

static void rz_rx(void)
{
	r1 = R(Z, o3);
	r2 = R(X, o3);
}

static void final_x(void)
{
	r3 = R(X, RLX);
}

static void final_y(void)
{
	r3 = R(Y, RLX);
}

static void final_z(void)
{
	r3 = R(Z, RLX);
}

static void final_xy(void)
{
	r1 = R(X, RLX);
	r3 = R(Y, RLX);
}

static void final_yz(void)
{
	r1 = R(Y, RLX);
	r3 = R(Z, RLX);
}

/* x :=sc 1; y :=rel 1 || fetch_add(y) reads 1; y reads 3 || y :=sc 3; x reads 0 */
static void u_0(void)
{
	W(X, 1, o1);
	W(Y, 1, o2);
}

static void u_1(void)
{
	r1 = ADD(Y, 1, o3);
	r2 = R(Y, RLX);
}

/* The same with the read and the write apart. */
static void apart_1(void)
{
	r1 = R(Y, o3);
	W(Y, 2, o3);
	r2 = R(Y, RLX);
}

static void u_2(void)
{
	W(Y, 3, o1);
	r3 = R(X, o4);
}

static const struct program z6_0 = {.thread = {wx1_wy1, ry_wz1, wz2_rx}, .after = final_z, .shown = 3};
static const struct program z6_1 = {.thread = {wx2_wy1, wy2_wz1, rz_wx1}, .after = final_xy, .shown = 3};
static const struct program z6_2 = {.thread = {wx2_wy1, ry_wz1, rz_wx1}, .after = final_x, .shown = 3};
static const struct program z6_3 = {.thread = {wx1_wy1, wy2_wz1, rz_rx}, .after = final_y, .shown = 3};
static const struct program z6_4 = {.thread = {wx1_wy1, wy2_rz, wz1_rx}, .after = final_y, .shown = 3};
static const struct program z6_5 = {.thread = {wx1_wy1, wy2_wz1, wz2_rx}, .after = final_yz, .shown = 3};
static const struct program z6_u = {.thread = {u_0, u_1, u_2}, .shown = 3};
static const struct program z6_u_apart = {.thread = {u_0, apart_1, u_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("Z6.0", "relaxed", &z6_0, ORDERS(RLX, RLX, RLX), ALLOWS("102"), "001 002 011 012 101 102 111 112", 8, 0),
	ROW("Z6.0", "release/acquire", &z6_0, ORDERS(REL, REL, ACQ), ALLOWS("102"), "001 002 011 012 101 102 111 112",
	    8, 0),
	ROW("Z6.0", "seq_cst", &z6_0, ORDERS(SC, SC, SC), FORBIDS("102"), "001 002 011 012 101 111 112", 7, 0),
	ROW("Z6.1", "relaxed", &z6_1, ORDERS(RLX, RLX, RLX), ALLOWS("212"), "101 102 111 112 201 202 211 212", 8, 0),
	ROW("Z6.1", "release/acquire", &z6_1, ORDERS(REL, REL, ACQ), ALLOWS("212"), "101 102 111 112 201 202 211 212",
	    8, 0),
	ROW("Z6.1", "seq_cst", &z6_1, ORDERS(SC, SC, SC), FORBIDS("212"), "101 102 111 112 201 202 211", 7, 0),
	ROW("Z6.2", "relaxed", &z6_2, ORDERS(RLX, RLX, RLX), ALLOWS("112"), "001 002 011 012 101 102 111 112", 8, 0),
	ROW("Z6.2", "release/acquire", &z6_2, ORDERS(REL, REL, ACQ), FORBIDS("112"), "001 002 011 012 101 102 111", 7,
	    0),
	ROW("Z6.2", "seq_cst", &z6_2, ORDERS(SC, SC, SC), FORBIDS("112"), "001 002 011 012 101 102 111", 7, 0),
	ROW("Z6.3", "relaxed", &z6_3, ORDERS(RLX, RLX, RLX), ALLOWS("102"), "001 002 011 012 101 102 111 112", 8, 0),
	ROW("Z6.3", "release/acquire", &z6_3, ORDERS(REL, REL, ACQ), ALLOWS("102"), "001 002 011 012 101 102 111 112",
	    8, 0),
	ROW("Z6.3", "seq_cst", &z6_3, ORDERS(SC, SC, SC), FORBIDS("102"), "001 002 011 012 101 111 112", 7, 0),
	ROW("Z6.4", "relaxed", &z6_4, ORDERS(RLX, RLX, RLX), ALLOWS("002"), "001 002 011 012 101 102 111 112", 8,
	    NO_NAIVE),
	ROW("Z6.4", "release/acquire", &z6_4, ORDERS(REL, REL, ACQ), ALLOWS("002"), "001 002 011 012 101 102 111 112",
	    8, NO_NAIVE),
	ROW("Z6.4", "seq_cst", &z6_4, ORDERS(SC, SC, SC), FORBIDS("002"), "001 011 012 101 102 111 112", 7, 0),
	ROW("Z6.5", "relaxed", &z6_5, ORDERS(RLX, RLX, RLX), ALLOWS("202"), "101 102 111 112 201 202 211 212", 8,
	    NO_NAIVE),
	ROW("Z6.5", "release/acquire", &z6_5, ORDERS(REL, REL, ACQ), ALLOWS("202"), "101 102 111 112 201 202 211 212",
	    8, NO_NAIVE),
	ROW("Z6.5", "seq_cst", &z6_5, ORDERS(SC, SC, SC), FORBIDS("202"), "101 102 111 112 201 211 212", 7, NO_NAIVE),
	ROW("Z6.U", "seq_cst with a release write", &z6_u, ORDERS(SC, REL, SC, SC), ALLOWS("130"),
	    "010 011 030 031 120 121 130 131 310 311 340 341", 24, NO_NAIVE),
	ROW("Z6.U", "seq_cst", &z6_u, ORDERS(SC, SC, SC, SC), FORBIDS("130"),
	    "010 011 030 031 120 121 131 310 311 340 341", 18, NO_NAIVE),
	ROW("Z6.U", "relaxed", &z6_u, ORDERS(RLX, RLX, RLX, RLX), ALLOWS("130"),
	    "010 011 030 031 120 121 130 131 310 311 340 341", 24, NO_NAIVE),
	ROW("Z6.U, no rmw", "seq_cst with a release write", &z6_u_apart, ORDERS(SC, REL, SC, SC), ALLOWS("130"),
	    "010 011 020 021 030 031 120 121 130 131 310 311 320 321", 40, NO_NAIVE),
	ROW("Z6.U, no rmw", "seq_cst", &z6_u_apart, ORDERS(SC, SC, SC, SC), FORBIDS("130"),
	    "010 011 020 021 030 031 120 121 131 310 311 320 321", 30, NO_NAIVE),
};

LITMUS_MAIN(tests)
