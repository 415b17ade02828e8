/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Release sequences, by the rules of C++20: only read-modify-writes continue one. A later plain write does not continue
 * it, even by the releasing thread. C11 and C++11 allowed that.
 */
#include "../litmus.h"

static void publish(void)
{
	W(X, 1, RLX);
	F(o4);
	W(Y, 1, o1);
}

static void publish_and_write(void)
{
	W(X, 1, RLX);
	W(Y, 1, o1);
	W(Y, 2, RLX);
}

static void publish_and_add(void)
{
	W(X, 1, RLX);
	W(Y, 1, o1);
	ADD(Y, 2, o3);
}

static void reader(void)
{
	r1 = R(Y, o2);
	F(o5);
	r2 = R(X, RLX);
}

static void reader_rmw(void)
{
	r1 = ADD(Y, 4, o2);
	r2 = R(X, RLX);
}

static void add_2(void)
{
	ADD(Y, 2, o3);
}

static void add_4(void)
{
	ADD(Y, 4, o3);
}

static void xchg_2(void)
{
	r3 = XCHG(Y, 2, o3);
}

static void write_2(void)
{
	W(Y, 2, o3);
}

/* Succeeds only on the published value. */
static void cas_1_2(void)
{
	CAS(Y, 1, 2, o3, RLX);
}

/* Fails on the published value: a read does not continue the sequence. */
static void cas_5_6(void)
{
	CAS(Y, 5, 6, o3, RLX);
}

/* The data is plain, and the sequence orders it. */
static void cell_publish(void)
{
	SET(C, 7);
	W(Y, 1, REL);
}

static void cell_reader(void)
{
	r1 = R(Y, ACQ);
	if (r1 == 3)
		r2 = GET(C);
}

/* Two sequences interleave: the read-modify-write at the end continues both. */
static void both_0(void)
{
	W(X, 1, RLX);
	ADD(Y, 1, o1);
}

static void both_1(void)
{
	W(Z, 1, RLX);
	ADD(Y, 2, o1);
}

static void both_2(void)
{
	r1 = R(Y, o2);
	r2 = R(X, RLX);
	r3 = R(Z, RLX);
}

static const struct program own_write = {.thread = {publish_and_write, reader}, .shown = 2};
static const struct program own_rmw = {.thread = {publish_and_add, reader}, .shown = 2};
static const struct program other_rmw = {.thread = {publish, add_2, reader}, .shown = 2};
static const struct program other_xchg = {.thread = {publish, xchg_2, reader}, .shown = 3};
static const struct program other_write = {.thread = {publish, write_2, reader}, .shown = 2};
static const struct program other_cas = {.thread = {publish, cas_1_2, reader}, .shown = 2};
static const struct program failed_cas = {.thread = {publish, cas_5_6, reader}, .shown = 2};
static const struct program chain = {.thread = {publish, add_2, add_4, reader}, .shown = 2};
static const struct program rmw_reads = {.thread = {publish, add_2, reader_rmw}, .shown = 2};
static const struct program broken = {.thread = {publish, write_2, add_4, reader}, .shown = 2};
static const struct program cell = {.thread = {cell_publish, add_2, cell_reader}, .shown = 2};
static const struct program both = {.thread = {both_0, both_1, both_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("RS own write", "release/acquire", &own_write, ORDERS(REL, ACQ, RLX, NONE, NONE), ALLOWS("20"),
	    "00 01 11 20 21", 5, 0),
	ROW("RS own write", "seq_cst", &own_write, ORDERS(SC, SC, RLX, NONE, NONE), ALLOWS("20"), "00 01 11 20 21", 5,
	    0),
	ROW("RS own rmw", "release/acquire", &own_rmw, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("30"), "00 01 11 31",
	    4, 0),
	ROW("RS own rmw", "relaxed", &own_rmw, ORDERS(RLX, ACQ, RLX, NONE, NONE), ALLOWS("30"), "00 01 10 11 30 31", 6,
	    0),
	ROW("RS other rmw", "relaxed rmw", &other_rmw, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("30"),
	    "00 01 11 20 21 31", 9, 0),
	ROW("RS other rmw", "acq_rel rmw", &other_rmw, ORDERS(REL, ACQ, AR, NONE, NONE), FORBIDS("30"),
	    "00 01 11 20 21 31", 9, 0),
	ROW("RS other rmw", "relaxed head", &other_rmw, ORDERS(RLX, ACQ, RLX, NONE, NONE), ALLOWS("30"),
	    "00 01 10 11 20 21 30 31", 12, 0),
	ROW("RS other rmw", "relaxed head, release rmw", &other_rmw, ORDERS(RLX, ACQ, REL, NONE, NONE), ALLOWS("30"),
	    "00 01 10 11 20 21 30 31", 12, 0),
	ROW("RS other rmw", "relaxed read", &other_rmw, ORDERS(REL, RLX, RLX, NONE, NONE), ALLOWS("30"),
	    "00 01 10 11 20 21 30 31", 12, 0),
	ROW("RS other rmw", "fences", &other_rmw, ORDERS(RLX, RLX, RLX, REL, ACQ), FORBIDS("30"), "00 01 11 20 21 31",
	    9, NO_NAIVE),
	ROW("RS other rmw", "release fence, acquire read", &other_rmw, ORDERS(RLX, ACQ, RLX, REL, NONE), FORBIDS("30"),
	    "00 01 11 20 21 31", 9, 0),
	ROW("RS other rmw", "release write, acquire fence", &other_rmw, ORDERS(REL, RLX, RLX, NONE, ACQ), FORBIDS("30"),
	    "00 01 11 20 21 31", 9, 0),
	ROW("RS other xchg", "relaxed rmw", &other_xchg, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("201"),
	    "000 001 010 011 110 111 200 210 211", 9, 0),
	ROW("RS other write", "relaxed write", &other_write, ORDERS(REL, ACQ, RLX, NONE, NONE), ALLOWS("20"),
	    "00 01 11 20 21", 10, 0),
	ROW("RS other write", "release write", &other_write, ORDERS(REL, ACQ, REL, NONE, NONE), ALLOWS("20"),
	    "00 01 11 20 21", 10, 0),
	ROW("RS other cas", "relaxed cas", &other_cas, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("20"), "00 01 11 21",
	    7, 0),
	ROW("RS other cas", "relaxed head", &other_cas, ORDERS(RLX, ACQ, AR, NONE, NONE), ALLOWS("20"),
	    "00 01 10 11 20 21", 10, 0),
	ROW("RS failed cas", "relaxed", &failed_cas, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("10"), "00 01 11", 6,
	    0),
	ROW("RS chain", "relaxed rmws", &chain, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("70"),
	    "00 01 11 20 21 31 40 41 51 60 61 71", 36, NO_NAIVE),
	ROW("RS chain", "relaxed head", &chain, ORDERS(RLX, ACQ, AR, NONE, NONE), ALLOWS("70"),
	    "00 01 10 11 20 21 30 31 40 41 50 51 60 61 70 71", 48, NO_NAIVE),
	ROW("RS read by rmw", "acquire", &rmw_reads, ORDERS(REL, ACQ, RLX, NONE, NONE), FORBIDS("30"),
	    "00 01 11 20 21 31", 9, 0),
	ROW("RS read by rmw", "release", &rmw_reads, ORDERS(REL, REL, RLX, NONE, NONE), ALLOWS("30"),
	    "00 01 10 11 20 21 30 31", 12, 0),
	ROW("RS broken by a write", "relaxed", &broken, ORDERS(REL, ACQ, RLX, NONE, NONE), ALLOWS("60"),
	    "00 01 11 20 21 40 41 51 60 61", 40, NO_NAIVE),
	ROW("RS+cell", "relaxed rmw", &cell, ORDERS(RLX, RLX, RLX, NONE, NONE), FORBIDS("30"), "00 10 20 37", 6, 0),
	ROW("RS both", "release", &both, ORDERS(REL, ACQ), FORBIDS("310"), "000 001 010 011 110 111 201 211 311", 14,
	    NO_NAIVE),
	ROW("RS both", "relaxed", &both, ORDERS(RLX, ACQ), ALLOWS("310"),
	    "000 001 010 011 100 101 110 111 200 201 210 211 300 301 310 311", 24, NO_NAIVE),
};

LITMUS_MAIN(tests)
