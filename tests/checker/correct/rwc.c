/* SPDX-License-Identifier: Apache-2.0 */
/* RWC and W+RWC: store buffering with a third thread that sees one of the writes, or passes it on. */
#include "../litmus.h"

static void rwc_0(void)
{
	W(X, 1, o1);
}

static void rwc_1(void)
{
	r1 = R(X, o2);
	F(o5);
	r2 = R(Y, o3);
}

static void rwc_2(void)
{
	W(Y, 1, o4);
	F(o6);
	r3 = R(X, o3);
}

static void wrwc_0(void)
{
	W(X, 1, o1);
	W(Z, 1, o2);
}

static void wrwc_1(void)
{
	r1 = R(Z, o3);
	F(o5);
	r2 = R(Y, o4);
}

static void wrwc_2(void)
{
	W(Y, 1, o1);
	F(o6);
	r3 = R(X, o4);
}

static const struct program rwc = {.thread = {rwc_0, rwc_1, rwc_2}, .shown = 3};
static const struct program wrwc = {.thread = {wrwc_0, wrwc_1, wrwc_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("RWC", "relaxed", &rwc, ORDERS(RLX, RLX, RLX, RLX, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("RWC", "release/acquire", &rwc, ORDERS(REL, ACQ, ACQ, REL, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("RWC", "seq_cst", &rwc, ORDERS(SC, SC, SC, SC, NONE, NONE), FORBIDS("100"), "000 001 010 011 101 110 111",
	    7, 0),
	ROW("RWC", "seq_cst, seen by acquire", &rwc, ORDERS(SC, ACQ, SC, SC, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("RWC", "seq_cst, X written by release", &rwc, ORDERS(REL, SC, SC, SC, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("RWC+fences", "seq_cst", &rwc, ORDERS(RLX, RLX, RLX, RLX, SC, SC), FORBIDS("100"),
	    "000 001 010 011 101 110 111", 7, NO_NAIVE),
	ROW("RWC+fences", "seq_cst and acq_rel", &rwc, ORDERS(RLX, RLX, RLX, RLX, SC, AR), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
	ROW("RWC+fences", "acq_rel and seq_cst", &rwc, ORDERS(RLX, RLX, RLX, RLX, AR, SC), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
	ROW("W+RWC", "relaxed", &wrwc, ORDERS(RLX, RLX, RLX, RLX, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("W+RWC", "release/acquire", &wrwc, ORDERS(REL, REL, ACQ, ACQ, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("W+RWC", "seq_cst", &wrwc, ORDERS(SC, SC, SC, SC, NONE, NONE), FORBIDS("100"),
	    "000 001 010 011 101 110 111", 7, 0),
	ROW("W+RWC", "seq_cst, Z by release/acquire", &wrwc, ORDERS(SC, REL, ACQ, SC, NONE, NONE), FORBIDS("100"),
	    "000 001 010 011 101 110 111", 7, 0),
	ROW("W+RWC", "seq_cst, Z relaxed", &wrwc, ORDERS(SC, RLX, RLX, SC, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("W+RWC", "seq_cst, Z written relaxed", &wrwc, ORDERS(SC, RLX, ACQ, SC, NONE, NONE), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("W+RWC+fences", "seq_cst, Z by release/acquire", &wrwc, ORDERS(RLX, REL, ACQ, RLX, SC, SC), FORBIDS("100"),
	    "000 001 010 011 101 110 111", 7, NO_NAIVE),
	ROW("W+RWC+fences", "seq_cst, Z relaxed", &wrwc, ORDERS(RLX, RLX, RLX, RLX, SC, SC), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
	ROW("W+RWC+fences", "seq_cst, Z read relaxed", &wrwc, ORDERS(RLX, REL, RLX, RLX, SC, SC), FORBIDS("100"),
	    "000 001 010 011 101 110 111", 7, NO_NAIVE),
	ROW("W+RWC+fences", "acq_rel, Z by release/acquire", &wrwc, ORDERS(RLX, REL, ACQ, RLX, AR, AR), ALLOWS("100"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
};

LITMUS_MAIN(tests)
