/* SPDX-License-Identifier: Apache-2.0 */
/* Fences: which accesses they order, and which they do not. */
#include "../litmus.h"

/* One release fence covers each later write, one acquire fence each earlier read. */
static void cover_0(void)
{
	W(X, 1, RLX);
	F(o1);
	W(Y, 1, RLX);
	W(Z, 1, RLX);
}

static void cover_1(void)
{
	r1 = R(Z, RLX);
	r2 = R(Y, RLX);
	F(o2);
	r3 = R(X, RLX);
}

/* The fence is on the wrong side of its write, or of its read. */
static void late_0(void)
{
	W(X, 1, RLX);
	W(Y, 1, RLX);
	F(o1);
}

static void early_0(void)
{
	F(o1);
	W(X, 1, RLX);
	W(Y, 1, RLX);
}

static void reader(void)
{
	r1 = R(Y, o3);
	F(o2);
	r2 = R(X, RLX);
}

static void early_reader(void)
{
	F(o2);
	r1 = R(Y, o3);
	r2 = R(X, RLX);
}

static void publish(void)
{
	W(X, 1, RLX);
	F(o1);
	W(Y, 1, RLX);
}

/* The fence does not cover the write between it and the flag. */
static void between_0(void)
{
	F(o1);
	W(X, 1, RLX);
	W(Y, 1, RLX);
}

/* The flag travels through a read-modify-write of a third thread, which has fences. */
static void middle_1(void)
{
	ADD(Y, 1, RLX);
}

static void middle_2(void)
{
	r1 = R(Y, RLX);
	F(o2);
	r2 = R(X, RLX);
}

/* A relaxed read-modify-write between a thread's own fences acts as an acq_rel one. */
static void sandwich_0(void)
{
	W(X, 1, RLX);
	F(o1);
	ADD(U, 1, RLX);
	F(o2);
	r1 = R(Y, RLX);
}

static void sandwich_1(void)
{
	W(Y, 1, RLX);
	F(o1);
	ADD(U, 1, RLX);
	F(o2);
	r2 = R(X, RLX);
}

/* Store buffering. One side has its fence in another thread, connected by release/acquire. */
static void relay_0(void)
{
	W(X, 1, RLX);
	F(SC);
	W(Z, 1, o1);
}

static void relay_1(void)
{
	r1 = R(Z, o2);
	r2 = R(Y, RLX);
}

static void relay_2(void)
{
	W(Y, 1, RLX);
	F(SC);
	r3 = R(X, RLX);
}

static const struct program cover = {.thread = {cover_0, cover_1}, .shown = 3};
static const struct program late = {.thread = {late_0, reader}, .shown = 2};
static const struct program early = {.thread = {early_0, reader}, .shown = 2};
static const struct program early_read = {.thread = {publish, early_reader}, .shown = 2};
static const struct program between = {.thread = {between_0, reader}, .shown = 2};
static const struct program middle = {.thread = {publish, middle_1, middle_2}, .shown = 2};
static const struct program sandwich = {.thread = {sandwich_0, sandwich_1}, .shown = 2};
static const struct program relay = {.thread = {relay_0, relay_1, relay_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("Fence covers", "release, acquire", &cover, ORDERS(REL, ACQ), FORBIDS("010"), "000 001 011 101 111", 5, 0),
	ROW("Fence covers", "release, none", &cover, ORDERS(REL, NONE), ALLOWS("010"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("Fence covers", "seq_cst, seq_cst", &cover, ORDERS(SC, SC), FORBIDS("100"), "000 001 011 101 111", 5, 0),
	ROW("Fence after the flag", "release", &late, ORDERS(REL, ACQ, ACQ), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("Fence after the flag", "seq_cst", &late, ORDERS(SC, SC, ACQ), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("Fence before the data", "release", &early, ORDERS(REL, ACQ, ACQ), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("Fence before the read", "acquire", &early_read, ORDERS(REL, ACQ, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("Fence before the read", "seq_cst", &early_read, ORDERS(REL, SC, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("Fence before the read", "seq_cst, seq_cst", &early_read, ORDERS(SC, SC, RLX), ALLOWS("10"), "00 01 10 11",
	    4, 0),
	ROW("Fence before both", "seq_cst", &between, ORDERS(SC, SC, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("Fence, rmw, fence", "release, acquire", &middle, ORDERS(REL, ACQ), FORBIDS("20"), "00 01 10 11 21", 9,
	    NO_NAIVE),
	ROW("Fence, rmw, fence", "none, acquire", &middle, ORDERS(NONE, ACQ), ALLOWS("20"), "00 01 10 11 20 21", 12, 0),
	ROW("Fenced rmw", "release, acquire", &sandwich, ORDERS(REL, ACQ), FORBIDS("00"), "01 10 11", 4, 0),
	ROW("Fenced rmw", "release, none", &sandwich, ORDERS(REL, NONE), ALLOWS("00"), "00 01 10 11", 8, 0),
	ROW("Fenced rmw", "none, acquire", &sandwich, ORDERS(NONE, ACQ), ALLOWS("00"), "00 01 10 11", 8, 0),
	ROW("Fence in another thread", "release/acquire", &relay, ORDERS(REL, ACQ), FORBIDS("100"),
	    "000 001 010 011 101 110 111", 7, NO_NAIVE),
	ROW("Fence in another thread", "relaxed", &relay, ORDERS(RLX, RLX), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
};

LITMUS_MAIN(tests)
