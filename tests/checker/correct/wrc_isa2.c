/* SPDX-License-Identifier: Apache-2.0 */
/* Causality over three threads: WRC (write, read, write, read, read) and ISA2 (message passing twice). */
#include "../litmus.h"

static void wrc_0(void)
{
	W(X, 1, o1);
}

static void wrc_1(void)
{
	r1 = R(X, o2);
	F(o5);
	W(Y, 1, o3);
}

static void wrc_2(void)
{
	r2 = R(Y, o4);
	F(o6);
	r3 = R(X, RLX);
}

static void isa2_0(void)
{
	W(X, 1, RLX);
	F(o5);
	W(Y, 1, o1);
}

static void isa2_1(void)
{
	r1 = R(Y, o2);
	F(o6);
	W(Z, 1, o3);
}

static void isa2_2(void)
{
	r2 = R(Z, o4);
	F(o7);
	r3 = R(X, RLX);
}

/* WRC. The middle thread passes the message on only if it has it, and the data is plain. */
static void cell_0(void)
{
	SET(C, 1);
	W(X, 1, REL);
}

static void cell_1(void)
{
	r1 = R(X, ACQ);
	if (r1)
		W(Y, 1, REL);
}

static void cell_2(void)
{
	r2 = R(Y, ACQ);
	if (r2)
		r3 = GET(C);
}

static const struct program wrc = {.thread = {wrc_0, wrc_1, wrc_2}, .shown = 3};
static const struct program isa2 = {.thread = {isa2_0, isa2_1, isa2_2}, .shown = 3};
static const struct program cell = {.thread = {cell_0, cell_1, cell_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("WRC", "relaxed", &wrc, ORDERS(RLX, RLX, RLX, RLX, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("WRC", "release/acquire", &wrc, ORDERS(REL, ACQ, REL, ACQ, NONE, NONE), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, 0),
	ROW("WRC", "release/acquire on Y", &wrc, ORDERS(RLX, RLX, REL, ACQ, NONE, NONE), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, 0),
	ROW("WRC", "release/acquire on X", &wrc, ORDERS(REL, ACQ, RLX, RLX, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("WRC", "relaxed second write", &wrc, ORDERS(REL, ACQ, RLX, ACQ, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("WRC", "relaxed last flag", &wrc, ORDERS(REL, ACQ, REL, RLX, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("WRC", "seq_cst but for Y", &wrc, ORDERS(SC, SC, RLX, RLX, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("WRC+fences", "release, acquire", &wrc, ORDERS(RLX, RLX, RLX, RLX, REL, ACQ), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, NO_NAIVE),
	ROW("WRC+fences", "seq_cst", &wrc, ORDERS(RLX, RLX, RLX, RLX, SC, SC), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, NO_NAIVE),
	ROW("WRC+fences", "acquire, acquire", &wrc, ORDERS(RLX, RLX, RLX, RLX, ACQ, ACQ), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
	ROW("WRC+cell", "release/acquire", &cell, ORDERS(RLX), FORBIDS("110"), "000 100 111", 3, 0),
	ROW("ISA2", "relaxed", &isa2, ORDERS(RLX, RLX, RLX, RLX, NONE, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("ISA2", "release/acquire", &isa2, ORDERS(REL, ACQ, REL, ACQ, NONE, NONE, NONE), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, 0),
	ROW("ISA2", "seq_cst", &isa2, ORDERS(SC, SC, SC, SC, NONE, NONE, NONE), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, 0),
	ROW("ISA2", "first write relaxed", &isa2, ORDERS(RLX, ACQ, REL, ACQ, NONE, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("ISA2", "middle read relaxed", &isa2, ORDERS(REL, RLX, REL, ACQ, NONE, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("ISA2", "middle write relaxed", &isa2, ORDERS(REL, ACQ, RLX, ACQ, NONE, NONE, NONE), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, 0),
	ROW("ISA2+fences", "release, acq_rel, acquire", &isa2, ORDERS(RLX, RLX, RLX, RLX, REL, AR, ACQ), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, NO_NAIVE),
	ROW("ISA2+fences", "release, release, acquire", &isa2, ORDERS(RLX, RLX, RLX, RLX, REL, REL, ACQ), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
	ROW("ISA2+fences", "release, acquire, acquire", &isa2, ORDERS(RLX, RLX, RLX, RLX, REL, ACQ, ACQ), ALLOWS("110"),
	    "000 001 010 011 100 101 110 111", 8, NO_NAIVE),
	ROW("ISA2+fences", "mixed with accesses", &isa2, ORDERS(REL, RLX, RLX, ACQ, NONE, AR, NONE), FORBIDS("110"),
	    "000 001 010 011 100 101 111", 7, NO_NAIVE),
};

LITMUS_MAIN(tests)
